"""One seat for the learner in many games: the opponents play as the bots of the same name do."""

from __future__ import annotations

import numpy as np
import pytest

import azulejos
from azulejos.bots.evaluation import weights_of
from azulejos.bots.simple import GreedyBot
from azulejos.core.registry import find
from azulejos.engine.batch import Batch
from azulejos.engine.seat_batch import SeatBatch
from azulejos.protocol.bot import Limit
from engine.test_batch import advance, as_position, same


def against_greedy(name: str, *, threads: int = 2) -> SeatBatch:
    return SeatBatch(name, opponent="greedy", weights=weights_of(find(name)[0], ""), threads=threads)


@pytest.mark.parametrize("name", ["azul-grey", "sintra-a", "garden"])
def test_greedy_opponents_answer_as_the_greedy_bot(name: str) -> None:
    batch, bot, compared = against_greedy(name), GreedyBot(), 0
    now = advance(batch, batch.init(1, 12), 5)
    for _ in range(8):
        actions = now.mask.argmax(axis=1)
        after = batch.step(now.states, actions, now.key)
        for i in range(12):
            position = as_position(batch, now.states[i])
            position.play(int(actions[i]))
            while not (position.is_chance or position.is_over or position.to_move == now.to_play[i]):
                position.play(bot.play(position, Limit(nodes=1)).move)
            if position.to_move == now.to_play[i]:
                compared += 1
                assert position == as_position(batch, after.states[i])
        now = after
    assert compared > 20


def test_random_opponents_play_every_legal_action() -> None:
    """From one position, the state after a step differs as often as there are replies."""
    batch = SeatBatch("azul", seat=1)
    start = Batch("azul", start="1").init(3, 1)
    replies = np.flatnonzero(start.mask[0])
    now = batch.init(3, 4000)
    now.states[:] = azulejos.new("azul", start="1").row
    batch._first = start.states[0]
    batch.init(5, 4000, out=now)
    assert len(np.unique(now.states, axis=0)) == len(replies)


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_the_learner_is_always_to_move(opponent: str) -> None:
    weights = weights_of(find("azul")[0], "")
    batch = SeatBatch("azul", players=3, opponent=opponent, weights=weights)
    now = advance(batch, batch.init(1, 64), 30)
    for i in range(64):
        assert as_position(batch, now.states[i]).to_move == now.to_play[i]
    assert set(now.to_play) == {0, 1, 2}


def test_a_fixed_seat_stays() -> None:
    batch = SeatBatch("azul", players=4, seat=2)
    now = batch.init(1, 16)
    for _ in range(40):
        now = advance(batch, now, 1)
        assert (now.to_play == 2).all()


def test_rewards_of_finished_games() -> None:
    batch, ended = SeatBatch("azul"), 0
    now = batch.init(1, 64)
    for _ in range(60):
        now = advance(batch, now, 1)
        assert np.allclose(now.reward.sum(axis=1), 0)
        assert (now.reward[~now.done] == 0).all()
        best = now.scores.argmax(axis=1)
        decided = now.done & (now.scores[:, 0] != now.scores[:, 1])
        assert (now.reward[decided, best[decided]] == 1).all()
        assert now.final[now.done].any(axis=1).all()
        ended += int(now.done.sum())
    assert ended > 64


def test_points_of_a_game_add_up_to_its_scores() -> None:
    batch = SeatBatch("azul", reward="points", seat=0)
    now, total = batch.init(1, 1), np.zeros(2)
    total += as_position(batch, now.states[0]).scores
    while not now.done[0]:
        now = advance(batch, now, 1)
        total += now.reward[0]
    assert tuple(total) == tuple(now.scores[0])


def test_threads_change_nothing() -> None:
    games = [against_greedy("azul", threads=threads) for threads in (1, 2)]
    one, two = (advance(batch, batch.init(1, 300), 3) for batch in games)
    assert same(one, two)


@pytest.mark.parametrize(("settings", "complaint"), [
    ({"opponent": "search"}, "random, greedy"), ({"opponent": "greedy"}, "weights"),
    ({"seat": 2}, "seat must be"), ({"seat": -1}, "seat must be"),
])
def test_what_it_cannot_do_is_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        SeatBatch("azul", **settings)  # type: ignore[arg-type]
