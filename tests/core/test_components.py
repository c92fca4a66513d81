"""Files of components: the game uses what the owner writes, in records and at the table too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import azulejos
from azulejos import Record
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.components import read_components, uncertain, write_components

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
