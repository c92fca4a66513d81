"""azulejos draw."""

from __future__ import annotations

import random
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import azulejos
from azulejos.cli.positions import draw
from azulejos.render.svg import svg_to_png


@pytest.fixture
def text() -> str:
    position = azulejos.new("azul", players=3)
    position.deal(random.Random(1))
    return position.text()


def test_a_picture_goes_to_a_file(text: str, tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    result = CliRunner().invoke(draw, [text, "-o", str(out), "--names", "Ana, Béla", "--dark"])
    assert result.exit_code == 0, result.output
    words = "".join(ElementTree.parse(out).getroot().itertext())
    assert "Ana" in words
    assert "Béla" in words
    assert "Player 3" in words


def test_without_a_file_the_picture_is_printed(text: str) -> None:
    result = CliRunner().invoke(draw, ["-"], input=text)
    assert ElementTree.fromstring(result.output).tag.endswith("svg")


def test_a_box_is_drawn_as_its_empty_table() -> None:
    assert CliRunner().invoke(draw, ["azul-grey"]).output.startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["azull"], "did you mean 'azul'"),
        (["azul,players=2/score=9.x.0.0"], "is not 4 numbers"),
        (["azul", "--names", "a,b,c"], "3 names for 2 players"),
        (["azul", "-o", "picture.gif"], "should end in .svg or .png"),
        (["azul", "-o", "no/such/folder.svg"], "there is no folder no/such"),
    ],
)
def test_mistakes_are_named(arguments: list[str], said: str) -> None:
    result = CliRunner().invoke(draw, arguments)
    assert result.exit_code > 0
    assert said in result.output


def test_a_png_is_as_large_as_asked(text: str, tmp_path: Path) -> None:
    sizes = []
    for scale in ("0.5", "1"):
        out = tmp_path / "picture.png"
        result = CliRunner().invoke(draw, [text, "-o", str(out), "--scale", scale])
        assert result.exit_code == 0, result.output
        assert out.read_bytes().startswith(b"\x89PNG")
        sizes.append(struct.unpack(">II", out.read_bytes()[16:24]))
    assert sizes[1] == pytest.approx((2 * sizes[0][0], 2 * sizes[0][1]), abs=1)


@pytest.mark.parametrize("letters", ["Łucja Žižka", "Õie"])
def test_our_own_fonts_hold_the_letters_of_our_languages(letters: str) -> None:
    def picture(words: str) -> bytes:
        return svg_to_png(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40"><text y="30" font-size="24"'
            f' font-family="Alegreya">{words}</text></svg>')

    shown = {picture(letters[:length]) for length in range(len(letters) + 1)}
    assert len(shown) == len(letters) + 1 - letters.count(" ")
