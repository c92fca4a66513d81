"""The luck of deals: 0 on average, exact where it can be counted, and less spread without it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from azulejos.arena.match import Fixture, Log, Match, Result, play
from azulejos.arena.statistics import luck_factor, margin, table
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.insight.judge import judge_for
from azulejos.insight.ledger import deal_luck
from azulejos.insight.scale import MARGIN
from azulejos.insight.solver_judge import SolverJudge
from insight.games import finished


class Counter(SolverJudge):
    """A judge whose opinion is easy to check: how many different odds are left of a seat's own."""

    def values(self, position: Position, nodes: int) -> Cells:
        own = sum(position.row.tolist()) % 7
        return np.array([own, -own], float)


def test_luck_is_zero_on_average_even_if_the_judge_knows_nothing() -> None:
    """The mean over many deals of (a deal minus the mean of others) is 0, whatever the values are."""
    start = new("azul")
    judge, lucks = Counter(start), []
    for seed in range(150):
        game = start.copy()
        game.deal(random.Random(seed))
        others = judge.over_deals(start, deals=8, nodes=1, seed=seed)
        lucks.append((judge.fresh_outlook(game, 1) - others.mean(0))[0, MARGIN])
    assert abs(np.mean(lucks)) < 4 * np.std(lucks) / np.sqrt(len(lucks))
    assert np.std(lucks) > 0


def test_what_one_of_two_seats_wins_by_luck_the_other_loses() -> None:
    game = finished("azul", 2, 1)
    luck = deal_luck(judge_for(game), game, deals=2, nodes=100)
    assert luck[0, MARGIN] == pytest.approx(-luck[1, MARGIN])
    assert luck[0, MARGIN] != 0


def test_equal_bags_are_dealt_alike() -> None:
    """Two ends of a round with equal bags are compared in the same deals."""
    game = finished("azul", 2, 1)
    seen: list[list[str]] = []

    class Listener(Counter):
        def values(self, position: Position, nodes: int) -> Cells:
            drawn = [move.text for move in position.history if move.text.startswith("+")]
            seen.append(drawn[-20:])
            return super().values(position, nodes)

    first = next(ply for ply in range(30, game.ply) if game.at(ply).is_chance)
    for position in (game.at(first), game.at(first)):
        Listener(game).over_deals(position, deals=2, nodes=1, seed=5)
    assert seen[:2] == seen[2:]
    assert seen[0] != seen[1]


def test_a_match_measures_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azulejos.arena.match.LUCK_NODES", 500)
    match = Match(game="azul", bots=("greedy", "random"), nodes=10, luck=2)
    result = play(match, Fixture(0, (0, 1)))
    assert len(result.luck) == 2
    line = table(match, [result])[0]
    assert line.adjusted is not None
    assert line.adjusted.middle == pytest.approx(margin(result, 0) - result.luck[0])


def test_luck_counts_as_much_as_it_was_worth() -> None:
    """Margins that follow luck by half, and others that have nothing to do with it."""
    rng = np.random.default_rng(1)
    luck, error = rng.normal(0, 5, 2000), rng.normal(3, 8, 2000)
    assert luck_factor(list(0.5 * luck + error), list(luck)) == pytest.approx(0.5, abs=0.1)
    assert luck_factor(list(error), list(luck)) == pytest.approx(0.0, abs=0.1)
    assert luck_factor(list(error - luck), list(luck)) == 0
    assert luck_factor(list(error[:2]), [1.0, 1.0]) == 1
    assert luck_factor([3.0, -3.0], [-1.0, 1.0]) > 0.2


def test_a_match_without_luck_has_the_log_it_always_had(tmp_path: Path) -> None:
    plain = Match(game="azul", bots=("greedy", "random"))
    assert "luck" not in Log(tmp_path / "log.jsonl", plain).header["match"]
    result = Result(deal=0, order=(0, 1), scores=(3, 2), ranks=(1, 2), plies=1, seconds=(0.0, 0.0))
    assert table(plain, [result])[0].adjusted is None
