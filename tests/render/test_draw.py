"""azulejos draw."""

from __future__ import annotations

import importlib
import random
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import azulejos
from azulejos.cli.draw import draw
from azulejos.render.png import BROWSERS


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


@pytest.mark.skipif(not any(map(shutil.which, BROWSERS)), reason="needs a Chromium")
def test_a_browser_makes_the_png(text: str, tmp_path: Path) -> None:
    out = tmp_path / "picture.png"
    result = CliRunner().invoke(draw, [text, "-o", str(out), "--scale", "1"])
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(b"\x89PNG")


def test_without_any_means_a_png_is_refused_with_advice(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = CliRunner().invoke(draw, [text, "-o", str(tmp_path / "picture.png")])
    assert result.exit_code == 1
    assert "draw an .svg instead" in result.output


def test_without_a_browser_cairo_makes_the_png(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        importlib.import_module("cairosvg")
    except (ImportError, OSError) as error:  # OSError: the system has no libcairo
        pytest.skip(str(error))
    out = tmp_path / "picture.png"
    monkeypatch.setenv("PATH", str(tmp_path))
    result = CliRunner().invoke(draw, [text, "-o", str(out), "--scale", "1"])
    assert result.exit_code == 0, result.output
    assert out.read_bytes().startswith(b"\x89PNG")
