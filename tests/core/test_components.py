"""Files of components: the game uses what the owner writes, in records and at the table too."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import azulejos
from azulejos import Record
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.message import Problem
from azulejos.core.registry import read_components, uncertain, write_components

GAMES = {game.name: game for game in registry.games()}
SINTRA, GARDEN = GAMES["stained_glass"], GAMES["queens_garden"]

OWN = """\
# what is in my boxes
strips = [
    ["yyybo", "ooppb"], ["bbbop", "jjbpy"], ["OOOPW", "BBPPO"], ["PPPWY", "BBWWO"],
    ["WWWYB", "BBYYP"], ["YYYBO", "OOPPB"], ["OOWWY", "OOYYW"], ["PPWWY", "PPYYW"],
]
broken_glass = [0, -1, -4, -5, -6, -8, -18]
variant_wheel = [
    {tree = 1, dark-green = 1, light-blue = 1},
    {bird = 2, dark-purple = 2, butterflies = 2},
    {light-purple = 1, flower = 3, yellow = 1},
    {plant = 4, light-green = 1, bells = 5},
]
"""


def test_one_file_serves_every_game() -> None:
    own = read_components(OWN, SINTRA)
    assert own["strips"].startswith("YYYBO-OOPPB.BBBOP-JJBPY.OOOPW-BBPPO.")
    assert own["broken"] == "0.1.4.5.6.8.18"
    assert read_components(OWN, GARDEN) == {"wheel": "d:1-1:1-b:1.2:2-p:2-3:2.l:1-4:3-y:1.5:4-g:1-6:5"}


@pytest.mark.parametrize("game", [SINTRA, GARDEN])
def test_the_stand_ins_can_be_written_and_read(game: azulejos.Game) -> None:
    usual = game.read_options({})
    assert uncertain(game)
    assert read_components(write_components(game, usual), game) == {
        option.name: option.default for option, _ in uncertain(game)
    }


@pytest.mark.parametrize(("text", "error"), [
    ("strips = [", "not TOML: .*at end of document"),
    ("stripes = []", "stripes is not a component; the components are .*variant_wheel"),
    ("strips = 3", "strips must be a list like"),
    ('strips = ["BBBOP"]', "strips must be a list like"),
    ('strips = [["BBBOP"]]', "strips must be a list like"),
    ("strips = [[1, 2]]", "strips must be a list like"),
    ('strips = [["BBBOP", "BBOOP"]]', "8 strips"),
    ("broken_glass = 18", "broken_glass must be a list of whole numbers"),
    ("broken_glass = []", "broken_glass must be a list of whole numbers"),
    ("broken_glass = [0, true]", "broken_glass must be a list of whole numbers"),
    ("broken_glass = [0, 8, 17]", "ends with 18, not with 17"),
    ("variant_wheel = [1]", "variant_wheel must be a list of four rounds"),
    ("variant_wheel = [{tree = 1.5}]", "variant_wheel must be a list of four rounds"),
    ("variant_wheel = [{trees = 1}]", "round 1 of the wheel has 'trees'; known are .*tree"),
    ("variant_wheel = [{tree = 1}]", "has 4 rounds, not 1"),
    ("", "nothing for Stained Glass of Sintra in these components; it has strips, broken_glass"),
    (OWN[OWN.index("variant") :], "nothing for Stained Glass of Sintra"),
    (OWN.replace("bells = 5", "bells = 50"), "bells in round 4"),
])
def test_errors_say_what_is_wrong_where_and_what_to_do(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        read_components(text, SINTRA)


GROWING: dict[str, Callable[[int], str]] = {
    "parts of a key": lambda n: "a." * (n // 2) + "a = 1",
    "a heading over lines": lambda n: f"[{'a.' * (n // 4)}a]\n" + "".join(
        f"k{i}=1\n" for i in range(n // 12)
    ),
    "parts in quotes": lambda n: '"a".' * (n // 4) + "a = 1",
    "parts in braces": lambda n: "a = {" + "a." * (n // 2) + "a = 1}",
    "parts after quotes": lambda n: 'a = {b = "\\"", ' + "a." * (n // 2) + 'a = "1"}',
    "headings": lambda n: "".join(f"[a.b{i}]\n" for i in range(n // 9)),
    "lists in lists": lambda n: "a = " + "[" * (n // 2) + "]" * (n // 2),
    "braces in braces": lambda n: "a = " + "{a = " * (n // 6) + "1" + "}" * (n // 6),
    "names": lambda n: "variant_wheel = [{" + ", ".join(f"t{i} = 1" for i in range(n // 9)) + "}]",
    "numbers": lambda n: "broken_glass = [" + "1, " * (n // 3) + "]",
    "strips": lambda n: "strips = [" + '["BBBOP", "BBOOP"], ' * (n // 20) + "]",
    "characters of a name": lambda n: "a" * n + " = 1",
    "characters of a text": lambda n: f'a = "{"x" * n}"',
    "quotes": lambda n: '"' * n,
    "a text without an end": lambda n: "a = '" + "x" * n,
    "a comment": lambda n: "#" * n,
}


def seconds(text: str) -> float:
    """Processor time of reading a text, the least of three."""
    measured = []
    for _ in range(3):
        began = time.thread_time()
        with contextlib.suppress(ValueError):
            read_components(text, SINTRA)
        measured.append(time.thread_time() - began)
    return min(measured)


@pytest.mark.parametrize("grown", GROWING)
@pytest.mark.parametrize("size", [3_900, 16_000])
def test_twice_the_text_takes_twice_the_time_at_most(grown: str, size: int) -> None:
    """3,900: both are read. 16,000: the longest form that a page may send is half of the longer one."""
    once, twice = (seconds(GROWING[grown](n)) for n in (size, 2 * size))
    assert twice < 2.6 * once + 0.003


@pytest.mark.parametrize(("text", "error"), [
    ("#" * 8_001, "may have 8000 characters at most"),
    ("#\n" * 201, "may have 200 lines at most"),
    ("[a.b.c]\nd = 1", "need no keys of more than two parts"),
    ("a = {b . 'c' . \"d\" = 1}", "need no keys of more than two parts"),
    ('a = {b = "\\"", c.d.e.f = "1"}', "need no keys of more than two parts"),
    ('a = {b = """x"y""", c.d.e.f = "1"}', "need no texts of several lines"),
    (f"broken_glass = [{'1' * 5000}]", "need no numbers of more than 18 digits"),
    (f"broken_glass = [0x{'f' * 5000}]", "need no numbers of more than 18 digits"),
    (f"broken_glass = [{'1_' * 2500}1]", "need no numbers of more than 18 digits"),
])
def test_what_would_take_long_is_refused_before_it_is_parsed(text: str, error: str) -> None:
    with pytest.raises(Problem, match=error):
        read_components(text, SINTRA)


@pytest.mark.parametrize("text", [
    "# e.g. 1.2.3.4 of 123456789012345678901\n" + OWN, OWN + "# " + "x" * 7000, OWN + "#\n" * 180,
])
def test_comments_may_hold_anything(text: str) -> None:
    assert read_components(text, SINTRA) == read_components(OWN, SINTRA)


def test_a_game_whose_box_is_certain_says_so() -> None:
    with pytest.raises(ValueError, match="Azul has no components to replace"):
        read_components(OWN, GAMES["azul"])


# --- the command line --------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "my.toml").write_text(OWN, encoding="utf-8")
    return str(tmp_path / "my.toml")


@pytest.mark.parametrize(("box", "option"), [("sintra-a", "broken"), ("garden-variant", "wheel")])
def test_every_verb_that_starts_a_game_takes_components(own: str, box: str, option: str) -> None:
    told = CliRunner().invoke(main, ["trace", box, "--components", own, "--seed", "1"])
    assert told.exit_code == 0, told.output
    game = registry.find(box)[0]
    assert json.loads(told.stdout.splitlines()[0])["options"][option] == read_components(OWN, game)[option]


def test_a_record_holds_the_components_and_replays(own: str, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    words = f"play sintra-a random random --components {own} --seed 1 --record {file}"
    assert CliRunner().invoke(main, words.split()).exit_code == 0
    record = Record.read(file.read_text(encoding="utf-8"))
    assert record.start.options["broken"] == "0.1.4.5.6.8.18"
    assert record.replay().is_over


@pytest.mark.parametrize(("content", "error"), [
    (None, "cannot read"),
    (b"\xff", "is not text in UTF-8"),
    (b"strips = 3", "my.toml: strips must be a list"),
])
def test_a_file_that_cannot_be_used_is_told_in_one_line(
    tmp_path: Path, content: bytes | None, error: str
) -> None:
    path = tmp_path / "my.toml"
    if content is not None:
        path.write_bytes(content)
    told = CliRunner().invoke(main, ["trace", "sintra-a", "--components", str(path)])
    assert told.exit_code == 2
    assert error in told.stderr


def test_the_boxes_say_what_is_a_stand_in() -> None:
    told = CliRunner().invoke(main, ["games", "garden-variant"]).stdout
    assert "stand-ins" in told
    assert "variant_wheel = [" in told
