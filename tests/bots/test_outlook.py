"""Margin and chance to win at a glance: what the shipped networks say of every seat without a search."""

from __future__ import annotations

import random

import numpy as np
import pytest

from azulejos.bots import Limit, glance
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import LINEAR
from azulejos.core.position import Position, new
from azulejos.insight.judge import margin_of
from bots.positions import played


def games(box: str, players: int, count: int) -> list[tuple[Position, Position]]:
    """Positions late in games of `greedy`, and their ends."""
    rng, bot = random.Random(1), open_bot("greedy")
    found: list[tuple[Position, Position]] = []
    while len(found) < count:
        end = new(box, players=players)
        while not end.is_over:
            end.deal(rng)
            if not end.is_over:
                end.play(bot.play(end, Limit(nodes=1)).move)
        later = (end.at(ply) for ply in range(3 * end.ply // 4, end.ply))
        found.append((next(position for position in later if position.to_move >= 0), end))
    return found


@pytest.mark.parametrize(
    ("box", "players"), [("azul", 2), ("sintra-a", 2), ("azul-grey", 4), ("garden", 3)]
)
def test_a_glance_agrees_with_how_games_end(box: str, players: int) -> None:
    said: list[tuple[float, float]] = []
    happened: list[tuple[float, float]] = []
    for position, end in games(box, players, 12):
        outlooks, outcome = glance(position), end.outcome()
        assert outlooks is not None
        assert outcome is not None
        assert len(outlooks) == players
        assert sum(outlook.win for outlook in outlooks) == pytest.approx(1)
        said += [(outlook.margin, outlook.win) for outlook in outlooks]
        happened += [(margin_of(outcome.scores, seat), won) for seat, won in enumerate(outcome.shares())]
    (margins, wins), (ahead, won) = np.array(said).T, np.array(happened).T
    assert np.corrcoef(margins, ahead)[0, 1] > 0.6
    assert np.corrcoef(wins, won)[0, 1] > 0.4


def test_two_seats_expect_the_opposite() -> None:
    outlooks = glance(played("azul", 2, seed=2, decisions=30))
    assert outlooks is not None
    one, other = outlooks
    assert one.margin == -other.margin != 0
    assert one.win == pytest.approx(1 - other.win)


def test_without_a_network_nothing_is_said() -> None:
    position = played("azul", 2, seed=2, decisions=30)
    assert glance(position, LINEAR) is None
    assert glance(new("azul")) is None, "nothing is dealt yet, and the lot has not been drawn"
    assert glance(played("azul", 2, seed=1, decisions=10_000)) is None, "the game is over"
