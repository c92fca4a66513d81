"""Ever better answers about a position: one sign, honest intervals, the right kind of proof."""

from __future__ import annotations

import threading

import pytest

from azulejos.core.position import Position
from azulejos.insight.judge import final_outlook
from azulejos.insight.results import Kind, PositionValue
from azulejos.insight.study import outlooks, passed_to
from azulejos.protocol.bot import Limit
from insight.games import finished


def last(position: Position, seconds: float = 0.4) -> PositionValue:
    *_, found = outlooks(position, Limit(seconds=seconds))
    return found


def last_decision(box: str, players: int, seed: int, back: int) -> Position:
    game = finished(box, players, seed)
    decisions = [ply for ply in range(game.ply) if game.at(ply).to_move >= 0]
    return game.at(decisions[-back])


@pytest.mark.parametrize(("box", "players", "back"), [("azul", 2, 12), ("azul", 3, 9), ("garden", 2, 30)])
def test_turns_are_differences_to_the_best_and_never_better(box: str, players: int, back: int) -> None:
    position = last_decision(box, players, 5, back)
    found = last(position)
    assert found.finished
    assert len(found.points) == len(found.win) == players
    assert found.turns[0].points.value == 0
    assert all(turn.points.value <= 0 for turn in found.turns)
    assert all(turn.points.low <= turn.points.value <= turn.points.high for turn in found.turns)
    for turn in found.turns:
        assert position.after(turn.actions).ply > position.ply


def test_the_last_decision_of_a_game_is_exact() -> None:
    position = last_decision("azul", 2, 5, 1)
    found = last(position)
    assert found.kind is Kind.EXACT
    outcomes = [final_outlook(position.after((action,)))[position.to_move, 0]
                for action in position.legal_actions()]
    assert found.points[position.to_move].value == max(outcomes)
    assert found.points[position.to_move].error == 0


def test_a_finished_game_has_its_result_and_no_turns() -> None:
    found = last(finished("azul", 2, 5))
    assert (found.seat, found.turns, found.kind) == (None, (), Kind.EXACT)


def test_a_search_that_is_stopped_at_once_still_ends_with_an_answer() -> None:
    """Somebody walks on before anything was found."""
    game, stop = finished("azul", 2, 5), threading.Event()
    stop.set()
    deal = next(game.at(ply) for ply in range(game.ply) if game.at(ply).is_chance)
    choice = next(game.at(ply) for ply in range(game.ply) if game.at(ply).to_move >= 0)
    for position in (deal, choice):
        *_, found = outlooks(position, Limit(seconds=5.0, stop=stop))
        assert found.finished
        assert found.points[0].low < found.points[0].value < found.points[0].high


def test_a_threat_is_looked_for_only_where_passing_makes_sense() -> None:
    position = last_decision("azul", 2, 5, 8)
    passed = passed_to(position, 1 - position.to_move)
    assert passed is not None
    assert passed.to_move == 1 - position.to_move
    assert passed_to(finished("azul", 2, 5), 0) is None
