"""What the scene says about moves before they are played."""

from __future__ import annotations

from azulejos.core.position import Position
from azulejos.core.scene import Choice
from azulejos.games.queens_garden.preview import concerns
from azulejos.games.queens_garden.view import VIEW, scene
from games.queens_garden.table import Player, table


def choices(position: Position) -> dict[str, list[Choice]]:
    found: dict[str, list[Choice]] = {}
    for choice in scene(position, names=("Ana", "Bruno")).choices:
        found.setdefault(position.game.moves.text(choice.action), []).append(choice)
    return found


def effect(position: Position, line: str) -> str:
    """The preview of the last move of a line; the moves before it are played."""
    *before, last = line.split()
    return str(position.after(before).preview(last))


def test_a_name_is_reached_from_each_of_its_hexagons() -> None:
    position = table(display=["b1 y2", "b3 g4 l4 p6"])
    found = choices(position)["ab"]
    assert [choice.path for choice in found] == [
        ("name.light-blue",), ("s1.light-blue.tree", "name.light-blue"),
        ("s2.light-blue.butterflies", "name.light-blue"),
    ]
    assert str(position.preview("ab")) == "2 hexagons"


def test_identical_hexagons_are_told_apart_by_where_they_lie() -> None:
    position = table(display=["b1 y2", "!b1", "b1 g4 l4 p6"])
    position.play("ab")
    found = choices(position)
    assert {text: choice[0].path for text, choice in found.items()} == {
        "s1": ("s1.light-blue.tree",), "s2": ("s2.light-blue.tree",), "s3": ("s3.light-blue.tree",),
    }
    assert [str(position.preview(text)) for text in found] == [
        "take the tile from expansion 1", "take the expansion", "take the tile from the top of the stack"
    ]


def test_a_cell_tells_its_groups_and_jokers() -> None:
    garden = {"02": "b2", "03": "b3", "04": "b4", "05": "b5", "06": "b6"}
    position = table(Player(storage="b1", garden=garden))
    assert effect(position, "b1") == "place it at no further cost"
    assert effect(position, "b1 01") == "blue group: 6 (+7 at the end); +1 joker"


def test_payments_discards_and_purchases_tell_their_price() -> None:
    position = table(Player(storage="y3 y1 b2", jokers=2))
    assert effect(position, "y3 01 y1") == "pays; 1 more to pay"
    assert effect(position, "y3 01 j") == "pay the rest with 2 jokers"
    assert effect(position, "f") == "a face-down expansion for 6 points"
    assert effect(position, "f 30") == "seven free cells"
    assert effect(position, "- b2") == "discard: −2"
    assert effect(position, "- -") == "no more discards"


def test_the_status_tells_what_is_due() -> None:
    position = table(Player(storage="y3 y1", jokers=2))
    said = [str(scene(position, names=("Ana", "Bruno")).status)]
    for move in ("y3", "01"):
        position.play(move)
        said.append(str(scene(position, names=("Ana", "Bruno")).status))
    assert said == [
        "Ana takes hexagons, places one, or passes.", "Ana places yellow butterflies.",
        "Ana pays for yellow butterflies: 2 more to pay; the hexagon itself counts as one.",
    ]


def test_what_cannot_be_placed_or_taken_is_pale_and_tells_why() -> None:
    position = table(Player(storage="b1 y6", jokers=1), display=["b2 y3"])
    pale = dict(scene(position, names=("Ana", "Bruno")).pale)
    assert [slot for slot in pale if not slot.startswith("name.")] == ["seat1.tile.yellow.bells"]
    assert "name.light-purple" in pale
    assert "name.yellow" not in pale
    assert "To pay 6" in str(position.why_not(pale["seat1.tile.yellow.bells"]))
    full = table(Player(storage="b1 b2 b3 b4 b5 b6 y1 y2 y4 y5 y6", jokers=1), display=["b2 y3"])
    pale = dict(scene(full, names=("Ana", "Bruno")).pale)
    assert {"s1.light-blue.bird", "s1.yellow.butterflies"} <= pale.keys()
    assert "0 spaces left for tiles" in str(full.why_not(pale["s1.yellow.butterflies"]))


def test_a_move_lights_what_it_takes_and_what_it_joins() -> None:
    ana = Player(storage="b1", garden={"02": "b2", "03": "y2"})
    position = table(ana, display=["b1 y2", "b3 g4 l4 p6"])
    number = position.game.moves.parse
    assert concerns(position, number("ab")) == ["s1.light-blue.tree", "s2.light-blue.butterflies"]
    position.play("b1")
    assert concerns(position, number("01")) == ["seat1.01", "seat1.02"]


def test_groups_show_what_they_are_worth_now() -> None:
    garden = {"01": "b1", "02": "b2", "03": "b3", "04": "y3"}
    panel = scene(table(Player(garden=garden)), names=("Ana", "Bruno")).panel("seat1")
    assert "groups +6" in [str(label.text) for label in panel.labels]


def told(position: Position, line: str) -> tuple[list[tuple[str, int]], str] | None:
    """The log entry of the last move of a line; the moves before it are played."""
    *before, last = line.split()
    position = position.after(before)
    said = VIEW.log_entry(position, position.game.moves.parse(last))
    return said and ([(piece.kind, piece.count) for piece in said[0]], str(said[1]))


def test_the_log_shows_acquired_hexagons_and_what_was_paid() -> None:
    ana = Player(storage="y3 y1 y5", jokers=2)
    position = table(ana, display=["b1 y2", "!b1", "b1 g4 l4 p6"])
    assert told(position, "ab") == ([("light-blue.tree", 1)], "takes: blue")
    assert told(position, "ab s2") == ([("light-blue.tree", 1)], "expansion 2")
    assert told(position, "y3") is None
    assert told(position, "y3 04 y1") == ([("yellow.tree", 1)], "paid")
    assert told(position, "y3 04 j") == ([("joker", 2)], "paid")
    assert told(position, "- -") == ([], "passes")
    assert told(position, "- y3 -") == ([], "discarded")
    assert told(position, "- y3") == ([("yellow.butterflies", 1)], "discarded")
