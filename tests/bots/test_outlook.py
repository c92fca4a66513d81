"""Margin and chance to win without a search: networks, terms, results, one position or many."""

from __future__ import annotations

import random

import numpy as np
import pytest

from azulejos.bots import Evaluator, Limit, evaluate, terms
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import LINEAR, weights_of
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
def test_expectations_agree_with_how_games_end(box: str, players: int) -> None:
    said: list[tuple[float, float]] = []
    happened: list[tuple[float, float]] = []
    for position, end in games(box, players, 12):
        outlooks, outcome = evaluate(position), end.outcome()
        assert outcome is not None
        assert len(outlooks) == players
        assert sum(outlook.win for outlook in outlooks) == pytest.approx(1)
        said += [(outlook.margin, outlook.win) for outlook in outlooks]
        happened += [(margin_of(outcome.scores, seat), won) for seat, won in enumerate(outcome.shares())]
    (margins, wins), (ahead, won) = np.array(said).T, np.array(happened).T
    assert np.corrcoef(margins, ahead)[0, 1] > 0.6
    assert np.corrcoef(wins, won)[0, 1] > 0.4


def test_two_seats_expect_the_opposite() -> None:
    one, other = evaluate(played("azul", 2, seed=2, decisions=30))
    assert one.margin == -other.margin != 0
    assert one.win == pytest.approx(1 - other.win)


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_is_over_has_its_result(players: int) -> None:
    end = played("azul", players, seed=1, decisions=10_000)
    outcome, outlooks = end.outcome(), evaluate(end)
    assert outcome is not None
    assert [seen.margin for seen in outlooks] == [margin_of(outcome.scores, n) for n in range(players)]
    assert [seen.win for seen in outlooks] == [*outcome.shares()]


@pytest.mark.parametrize("players", [2, 4])
def test_without_a_network_the_terms_of_the_evaluation_answer(players: int) -> None:
    position = played("azul", players, seed=2, decisions=30)
    worth = terms(position) @ weights_of(position.game, LINEAR)[0]  # the phases differ in their weights
    assert worth.shape == (players,)
    outlooks = evaluate(position, LINEAR)
    assert outlooks != evaluate(position)
    assert sum(seen.win for seen in outlooks) == pytest.approx(1)
    doubled = evaluate(position, 2 * weights_of(position.game, LINEAR))
    assert [seen.margin for seen in doubled] == pytest.approx([2 * seen.margin for seen in outlooks])


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="have the shape"):
        evaluate(new("azul"), np.zeros((1, 2), np.int32))


@pytest.mark.parametrize(("box", "players"), [("azul", 2), ("garden", 3)])
def test_a_batch_is_evaluated_as_its_positions_are(box: str, players: int) -> None:
    positions = [played(box, players, seed=seed, decisions=5 * seed) for seed in range(1, 5)]
    asked = Evaluator(box, players=players)
    for found in (asked(positions), asked(np.stack([position.row for position in positions]))):
        assert found.margin.shape == found.win.shape == (4, players)
        assert [*found] == [evaluate(position) for position in positions]


def test_states_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="uint8 rows"):
        Evaluator("azul")(np.zeros((3, 5), np.uint8))
    with pytest.raises(ValueError, match="alone"):
        Evaluator("azul")([new("garden")])


def test_a_network_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played("azul", 2, seed=3, decisions=10)
    first = evaluate(position)
    monkeypatch.setattr(np, "load", None)
    assert evaluate(position) == first
