"""The captions of the guide agree with the rules."""

from __future__ import annotations

from azulejos import Position
from azulejos.core.notation import IllegalMove
from azulejos.games.queens_garden import components, guide, pictures
from azulejos.games.queens_garden.moves import hexagon_text, kind
from azulejos.games.queens_garden.scoring import worth
from games.queens_garden.table import Player, table

HEXAGONS = {kind(hexagon): hexagon_text(hexagon) for hexagon in range(components.HEXAGONS)}


def test_yellow_gives_a_plant_and_the_choice_of_butterflies() -> None:
    position = Position.from_text(pictures.DISPLAY)
    assert "a4" in [move.text for move in position.legal_moves]
    position.play("ay")
    assert [move.text for move in position.legal_moves] == ["s1", "s3"]


def test_the_flower_is_paid_with_two_flowers_and_a_joker_and_wins_one_at_the_fountain() -> None:
    position = Position.from_text(pictures.PLACE)
    position.play("g4 05 b4 y4 j")
    assert position.state.jokers[0] == 2 - 1 + 1


def test_groups_and_storage_give_twenty_eight() -> None:
    position = Position.from_text(pictures.END)
    position.play("- -")
    assert position.is_over
    points = [entry.points for entry in position.explain(-1) if entry.seat == 0]
    assert sorted(points[-5:]) == [-3, 2, 6, 11, 12]


def test_payments_work_or_fail_as_the_guide_says() -> None:
    for some in guide.PAYMENT.pieces:
        placed, *paid = [HEXAGONS[kind] for kind in some.kinds if kind != "joker"]
        jokers = some.kinds.count("joker")
        position = table(Player(storage=" ".join((placed, *paid)), jokers=jokers))
        assert can_pay(position, f"{placed} 01", sorted(paid, key=list(HEXAGONS.values()).index), jokers) \
            == some.allowed, some.caption


def can_pay(position: Position, place: str, paid: list[str], jokers: int) -> bool:
    """Whether exactly these pieces can be the whole payment."""
    try:
        position.play(" ".join((place, *paid, *("j",) * jokers)))
    except IllegalMove:
        return False
    return position.to_move == 1


def test_the_groups_score_as_the_guide_says() -> None:
    position = Position.from_text(pictures.GROUPS)
    assert sum(worth(position.state, 0)) == 12 + 21 + 6 + 6
    position.play("y2")
    assert "15" not in [move.text for move in position.legal_moves]
    assert position.why_not("15") is not None


def test_the_example_wins_a_joker_and_ends_with_a_paid_expansion() -> None:
    _, placed, _, _, passed, expanded = (picture.table() for picture in guide.PLACE.steps)
    assert placed.state.jokers[0] == 2
    assert (passed.scores[1], int(passed.state.marker)) == (14, 1)
    assert expanded.state.jokers[0] == 0


def test_the_wheel_of_the_guide_is_the_wheel_of_the_rules() -> None:
    shown = [str(row[1]) for row in guide.WHEEL_TABLE.rows]
    assert shown[0] == "dark green +1, tree +1, blue +1"
    assert shown[3] == "plant +3, light green +1, bells +3"
