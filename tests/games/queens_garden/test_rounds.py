"""D: passing; scoring at the end of a round and of the game (queens-garden.md 6, 8-12)."""

from __future__ import annotations

import pytest

from azulejos.core.position import Position, new
from games.queens_garden.table import Player, refusal, storage, table, turns


def points(position: Position, seat: int = 0) -> list[tuple[str, int]]:
    """The points that a seat scored by the last action."""
    return [(str(s.reason), s.points) for s in position.explain(-1) if s.seat == seat]


OUT = Player(passed=True)


# --- passing -----------------------------------------------------------------------------------------


def test_passing_is_always_allowed_and_forced_when_nothing_else_is_possible() -> None:
    assert "-" in table(Player(storage="b1")).legal_moves
    stuck = table(Player(storage="b6", jokers=0, score=5))
    assert [move.text for move in stuck.legal_moves] == ["-"]


def test_the_first_passer_takes_the_marker_and_loses_a_point() -> None:
    position = table(Player(score=15))
    position.play("-")
    assert position.state.marker == 0
    assert position.scores[0] == 14
    position.play("-")
    assert position.state.round == 2
    assert position.scores[1] == 15


def test_the_first_passer_does_not_fall_below_zero() -> None:
    position = table(Player(score=0))
    position.play("-")
    assert position.scores[0] == 0


def test_discards_are_given_one_by_one_in_order() -> None:
    position = table(Player(storage="b1 b1 y2", expansions="b2", score=4))
    assert set(turns(position, "-")) == {
        "- -", "- b1 -", "- b1 b1 -", "- y2 -",
        "- x1", "- b1 y2", "- b1 x1", "- b1 b1 y2", "- b1 b1 x1", "- y2 x1",  # nothing can follow these
    }
    assert "it is too late" in refusal(position, "- y2 b1")
    position.play("- b1 x1")
    assert position.scores[0] == 0  # four minus three, minus one for the marker
    assert storage(position) == "b1 y2"


def test_discards_must_be_covered_by_the_score() -> None:
    position = table(Player(storage="b1 b6", score=5))
    assert refusal(position, "- b6") == "You have 5 points; discarding blue bells costs 6."
    assert refusal(position, "- ab") == "You are passing: discard hexagons, or end with -."


def test_nothing_can_be_discarded_at_zero_points() -> None:
    position = table(Player(storage="b1", score=0))
    assert set(turns(position, "-")) == {"-"}


def test_who_has_passed_is_out_and_the_last_one_goes_on_alone() -> None:
    position = table(Player(storage="b1 b2"), OUT, OUT, marker=1)
    position.play("b1 01")
    assert position.to_move == 0
    position.play("b2 02 j")
    assert position.to_move == 0


def test_the_first_passer_starts_the_next_round() -> None:
    position = table(Player(), Player(), Player(passed=True), marker=2)
    position.play("- -")
    assert position.state.round == 2
    position.play("+b1 +b2 +b3 +b4")
    assert position.to_move == 2


def test_in_the_last_round_discards_and_the_marker_cost_as_ever() -> None:
    position = table(Player(storage="b1 b4", jokers=0, score=10), round=4)
    position.play("- b4")  # b1 cannot be discarded after it
    assert position.scores[0] == 10 - 4 - 1
    position.play("-")
    assert position.is_over
    assert position.scores[0] == 10 - 4 - 1 - 1  # discards are not counted again


def test_turns_skip_everybody_who_has_passed() -> None:
    position = table(Player(storage="b1"), OUT, Player(storage="y1"), OUT, marker=1)
    position.play("b1 01")
    assert position.to_move == 2
    position.play("y1 01")
    assert position.to_move == 0


# --- between rounds ----------------------------------------------------------------------------------


def test_the_display_is_cleared_after_a_round() -> None:
    position = table(Player(), OUT, marker=1, display=["b1 b2", "!g1", "taken", "y1 y2 y3 y4"])
    supply = position.state.supply
    position.play("-")
    assert position.state.tower.sum() == 6
    assert position.state.supply == supply + 4  # beside the stack, face up, the top and the one below it
    assert position.state.top == 0
    assert "!g1" not in position.legal_moves
    assert position.state.unseen.sum() == 35


def test_storages_and_gardens_stay() -> None:
    position = table(Player(storage="b5", score=0, garden={"01": "l6"}, faces={"14": "l1"}), OUT, marker=1)
    position.play("-")
    assert storage(position) == "b5"
    assert sum(number > 0 for number in position.state.garden[0]) == 2


# --- the wheel ---------------------------------------------------------------------------------------


def test_a_hexagon_scores_for_its_colour_and_for_its_pattern() -> None:
    position = table(Player(garden={"01": "b1", "03": "d5", "05": "y1"}), OUT, marker=1)
    position.play("-")
    assert points(position) == [
        ("dark green on the wheel", 1), ("tree on the wheel", 1), ("tree on the wheel", 1),
        ("blue on the wheel", 1),
    ]


def test_each_visible_pavilion_scores_and_printed_hexagons_too() -> None:
    me = Player(faces={"14": "b1", "24": "y6"}, backs="3")
    position = table(me, OUT, marker=1)
    position.play("-")
    assert points(position) == [
        ("tree on the wheel", 1), ("blue on the wheel", 1),
        ("visible pavilion", 1), ("visible pavilion", 1),
    ]


@pytest.mark.parametrize(("side", "rounds"), [
    ("standard", [1 + 1 + 1, 1 + 1 + 2, 1 + 2 + 1, 3 + 1 + 3]),
    ("variant", [1 + 1 + 1, 2 + 1 + 3, 1 + 4 + 1, 5 + 1 + 6]),
])
def test_the_wheel_of_each_round_and_side(side: str, rounds: list[int]) -> None:
    """One hexagon for each field: its colour or its pattern, never both."""
    gardens = [
        {"01": "d6", "03": "b6", "05": "y1"}, {"01": "y2", "03": "y3", "05": "p6"},
        {"01": "l6", "03": "y6", "05": "b4"}, {"01": "b5", "03": "g1", "05": "b6"},
    ]
    for number, (garden, expected) in enumerate(zip(gardens, rounds, strict=True), 1):
        position = table(Player(garden=garden), OUT, round=number, side=side, marker=1)
        position.play("-")
        wheel = [points for reason, points in points(position) if "wheel" in reason]
        assert sum(wheel) == expected
        assert len(wheel) == 3


# --- the end -----------------------------------------------------------------------------------------


def final_groups(garden: dict[str, str], side: str = "standard") -> list[tuple[str, int]]:
    position = table(Player(jokers=0, garden=garden, backs="1"), OUT, round=4, side=side, marker=1)
    position.play("-")
    assert position.is_over
    return [(reason, points) for reason, points in points(position) if "group" in reason]


def test_a_group_of_two_scores_nothing() -> None:
    assert final_groups({"01": "b1", "02": "b2"}) == []


def test_a_group_of_three_scores_its_values() -> None:
    assert final_groups({"01": "b1", "02": "b2", "03": "b4"}) == [("group: blue", 7)]
    assert final_groups({"01": "b4", "02": "y4", "03": "g4"}) == [("group: flower", 12)]


def test_a_hexagon_scores_in_its_colour_group_and_in_its_pattern_group() -> None:
    garden = {"01": "b1", "02": "b2", "03": "b4", "14": "y1", "13": "g1"}
    assert final_groups(garden) == [("group: blue", 7), ("group: tree", 3)]


BONUSES = {"standard": {4: 0, 5: 0, 6: 6}, "variant": {4: 4, 5: 5, 6: 6}}


@pytest.mark.parametrize("side", ["standard", "variant"])
@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_the_bonus_of_large_groups_on_both_sides(side: str, size: int) -> None:
    garden = {f"0{i}": f"b{i}" for i in range(1, size + 1)}
    expected = [("group: blue", size * (size + 1) // 2)]
    bonus = BONUSES[side].get(size, 0)
    if bonus:
        expected.append(("bonus for a large group: blue", bonus))
    assert final_groups(garden, side) == expected


def test_the_storage_scores_jokers_and_costs_hexagons_and_the_total_may_be_negative() -> None:
    me = Player(storage="b6 b6 y5", expansions="g4", jokers=2, score=1)
    position = table(me, OUT, round=4, marker=1)
    position.play("-")
    assert position.is_over
    assert position.scores[0] == 1 + 2 - 6 - 6 - 5 - 4


def test_a_tie_is_shared() -> None:
    position = table(Player(score=20, jokers=1), Player(score=21, jokers=0, passed=True), round=4, marker=1)
    position.play("-")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (21, 21)
    assert outcome.winners == (0, 1)
    assert outcome.shares() == (0.5, 0.5)
    assert str(outcome.reason) == "Four rounds have been played."


# --- the start ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "supply"), [(2, 16), (3, 8), (4, 4)])
def test_the_start(players: int, supply: int) -> None:
    position = new("garden", players=players, start="2")
    assert position.state.supply == supply
    assert position.scores == (15,) * players
    assert position.state.jokers.tolist() == [3] * players + [0] * (4 - players)
    position.play("+b1 +b1 +l6 +p2")
    assert position.to_move == 1


def test_the_first_start_player_is_drawn() -> None:
    position = new("garden", players=3)
    assert [move.text for move in position.legal_moves] == ["@1", "@2", "@3"]
    with pytest.raises(ValueError, match="there are 2 players"):
        new("garden", players=2, start="3")
