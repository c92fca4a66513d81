"""Every worked example of the rules, as a position."""

from __future__ import annotations

from azulejos.games.queens_garden.components import ROUNDS, STACK, STACK_TILES, TILES
from games.queens_garden.table import Player, expansions, storage, table, turns


def test_butterflies_are_paid_with_two_others_of_their_pattern_or_colour_or_jokers() -> None:
    position = table(Player(storage="b3 b3 l3 y3 b1 b6 y1", jokers=2))
    assert set(turns(position, "b3 01")) == {
        "b3 01 l3 y3",  # one pattern, different colours
        "b3 01 b1 b6",  # one colour, different patterns
        "b3 01 b1 j", "b3 01 b6 j", "b3 01 l3 j", "b3 01 y3 j",
        "b3 01 j",  # two jokers
    }


def test_an_identical_hexagon_never_pays() -> None:
    position = table(Player(storage="b3 b3 b3", jokers=2))
    assert set(turns(position, "b3 01")) == {"b3 01 j"}


def test_a_tree_costs_nothing_but_itself() -> None:
    position = table(Player(storage="b1 b2 l1", jokers=0))
    position.play("b1 01")
    assert not position.in_turn
    assert position.to_move == 1
    assert storage(position) == "b2 l1"


def test_light_blue_then_birds() -> None:
    position = table(Player(), Player(), Player(), display=["b1 b4 b6 y2"])
    position.play("ab")
    assert storage(position) == "b1 b4 b6"
    assert position.is_chance
    position.play("+g2 +y2 +l5 +d3")
    assert position.to_move == 1
    position.play("a2")  # the green bird is taken at once; one of the yellow birds is chosen
    assert [move.text for move in position.legal_moves] == ["s1", "s2"]
    position.play("s1")
    assert storage(position, seat=1) == "y2 g2"
    position.play("+p1 +p2 +p3 +p4")  # the stack is refilled again
    assert position.is_chance
    position.play("!g1")  # then the empty expansion is turned up
    assert position.to_move == 2
    assert {"ag", "a1"} <= {move.text for move in position.legal_moves}
    position.play("ag")
    assert expansions(position, seat=2) == "g1"


def test_final_groups_of_the_example_make_81() -> None:
    garden = {
        "10": "b1", "11": "b2", "12": "b3", "16": "b6",
        "20": "l1", "21": "y1", "22": "g1", "23": "d1", "24": "p1",
        "30": "y1", "32": "y2", "33": "y3", "34": "y4", "35": "y5", "36": "y6",
        "40": "l3", "43": "g3", "44": "p3",
        "50": "d3", "54": "d4", "55": "d5", "56": "d6",
        "60": "b3", "65": "l3", "66": "g3", "61": "y3",
        "01": "p2", "06": "p4",  # two of one colour score nothing
    }
    me = Player(storage="d4", jokers=2, score=0, garden=garden, backs="123456")
    position = table(me, Player(passed=True), round=4, marker=1)
    position.play("-")
    mine = [scored for scored in position.explain() if scored.seat == 0]
    final = sum(scored.points for scored in mine if "wheel" not in str(scored.reason))
    assert position.is_over
    assert final == 81
    assert sorted(s.points for s in mine if "group" in str(s.reason)) == [5, 6, 9, 12, 12, 18, 21]


def test_laid_out_tiles_of_a_game_are_at_most_80_112_128() -> None:
    """So the tower is never emptied with two players, and only from the 28th refill on with more."""
    assert [ROUNDS * STACK[players] * STACK_TILES for players in (2, 3, 4)] == [80, 112, 128]
    assert TILES // STACK_TILES == 27
