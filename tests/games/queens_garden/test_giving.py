"""Payments and discards marked in any order: suggestions, and what a set of pieces stands for."""

from __future__ import annotations

import itertools

from azulejos.core.position import Position, play_forced
from azulejos.core.scene import Marking, marks_pieces
from azulejos.games.queens_garden.payments import judge, selection
from games.queens_garden.table import Player, table

KINDS = {"b3": "light-blue.butterflies", "g3": "light-green.butterflies", "y1": "yellow.tree",
         "y5": "yellow.plant", "y6": "yellow.bells"}


def slot(piece: str) -> str:
    """The slot of a piece of seat 1: "b3", "x1" or "j"."""
    if piece == "j":
        return "seat1.jokers"
    return f"seat1.tile.{KINDS[piece]}" if piece in KINDS else f"seat1.{piece}"


def paying(storage: str, line: str, *, expansions: str = "", jokers: int = 2) -> Position:
    position = table(Player(storage=storage, expansions=expansions, jokers=jokers))
    position.play(line)
    return position


def proposed(position: Position) -> list[str]:
    found = selection(position)
    assert found is not None
    return texts(position, judge(position, found.marked))


def texts(position: Position, verdict: Marking) -> list[str]:
    return [position.game.moves.text(action) for action in verdict.actions]


def weigh(position: Position, pieces: str) -> Marking:
    return judge(position, [slot(piece) for piece in pieces.split()])


def test_the_cheapest_payment_is_proposed_jokers_last() -> None:
    assert proposed(paying("y3 y1 y5 b3 g3", "y3 01")) == ["b3", "g3"]
    assert proposed(paying("y3 y1 y5 b3", "y3 01")) == ["y1", "y5"]
    assert proposed(paying("y3 b3", "y3 01")) == ["b3", "j"]
    assert proposed(paying("y3 b2", "y3 01")) == ["j"]
    assert proposed(paying("y3 y6", "y3 01", expansions="y1")) == ["y6", "x1"]


def test_nothing_is_marked_where_nothing_is_due() -> None:
    assert selection(table(Player(storage="y3"))) is None


def test_a_begun_payment_goes_on() -> None:
    position = paying("y3 y1 y5 b3 g3", "y3 01")
    position.play("b3")
    assert proposed(position) == ["g3"]
    assert str(weigh(position, "g3").text) == "2 of 2 paid for yellow butterflies."


def test_a_payment_is_shown_even_if_there_is_only_one() -> None:
    position = paying("y6 y2", "y6 01", jokers=4)
    assert [str(move) for move in position.legal_moves] == ["y2"]
    play_forced(position, 0, until=marks_pieces)
    assert proposed(position) == ["y2", "j"]
    play_forced(position, 0)
    assert not position.in_turn_of(0)


def test_what_comes_next_is_told_without_reproach() -> None:
    position = table(Player(storage="y3 y1 b3 g2"))
    position.play("y3")
    number, state = position.game.moves.number, position.state
    assert position.game.names_next_step(state, number("b3"))
    assert not position.game.names_next_step(state, number("11"))
    position.play("01")
    assert position.game.names_next_step(position.state, number("02"))
    assert not position.game.names_next_step(position.state, number("g2"))


def test_pieces_are_marked_in_any_order_and_counted() -> None:
    position = paying("y3 y1 y5 b3", "y3 01")
    some = weigh(position, "y5")
    assert (str(some.text), some.problem, some.actions) == (
        "1 of 2 paid for yellow butterflies.", None, ()
    )
    assert texts(position, weigh(position, "j y5")) == ["y5", "j"]
    assert texts(position, weigh(position, "y5 y1")) == ["y1", "y5"]


def test_what_is_wrong_with_a_payment_is_said() -> None:
    position = paying("y3 y1 y5 b3", "y3 01", expansions="y1")
    assert str(weigh(position, "y1 b3").problem) == (
        "yellow tree shares the colour of yellow butterflies, but blue butterflies only its pattern: "
        "use one or the other."
    )
    assert str(weigh(position, "y1 x1").problem) == "Identical hexagons cannot pay together: yellow tree."
    assert str(weigh(position, "y1 y5 j").problem) == "That is 1 piece too many."


def test_every_set_that_suffices_is_a_payment_of_the_rules_and_no_other() -> None:
    position = paying("y3 y1 y5 y6 b3 g3", "y3 01", expansions="y1 b3")
    found = selection(position)
    assert found is not None
    enough = set()
    for size in range(len(found.slots) + 1):
        for marked in itertools.combinations(found.slots, size):
            actions = judge(position, marked).actions
            if actions:
                enough.add(actions)
    assert enough == payments(position)


def payments(position: Position) -> set[tuple[int, ...]]:
    """Every way to pay that the rules allow."""
    found: set[tuple[int, ...]] = set()
    for action in position.legal_actions():
        ahead = position.copy()
        ahead.play(action)
        found |= {(action, *rest) for rest in payments(ahead)} if ahead.in_turn else {(action,)}
    return found


def test_discards_are_marked_too_and_need_points() -> None:
    position = table(Player(storage="b3 y1 y6", score=9))
    position.play("-")
    found = selection(position)
    assert found is not None
    assert (len(found.slots), found.marked) == (3, ())
    assert texts(position, judge(position, ())) == ["-"]
    both = weigh(position, "y6 b3")
    assert (str(both.text), texts(position, both)) == ("Discard 2 hexagons: −9 points.", ["b3", "y6"])
    assert texts(position, weigh(position, "b3")) == ["b3", "-"]
    assert str(weigh(position, "b3 y1 y6").problem) == "You have only 9 points."
