"""The batch engine plays the same games as positions do, many at once."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import azulejos
from azulejos.core import layout
from azulejos.core.chance import seeded
from azulejos.engine.batch import Batch, Step


def advance(batch: Batch, now: Step, steps: int, *, seed: int = 7) -> Step:
    key = seeded(seed, len(now.states))
    for _ in range(steps):
        now = batch.step(now.states, batch.random_actions(now.mask, key), now.key)
    return now


def same(one: Step, other: Step) -> bool:
    return all(
        np.array_equal(getattr(one, field.name), getattr(other, field.name))
        for field in dataclasses.fields(Step) if field.name != "final"
    )


def as_position(batch: Batch, row: layout.Row) -> azulejos.Position:
    return azulejos.Position.from_json({
        "game": batch.preset.name, "players": batch.players, "options": batch.options,
        "state": layout.as_dict(batch.game.state, row),
    })


@pytest.mark.parametrize("name", azulejos.presets())
def test_masks_turns_and_scores_are_those_of_the_position(name: str) -> None:
    batch = Batch(name, players=3)
    now = advance(batch, batch.init(1, 8), 50)
    for i, row in enumerate(now.states):
        position = as_position(batch, row)
        assert position.to_move == now.to_play[i]
        assert np.flatnonzero(now.mask[i]).tolist() == position.legal_actions()
        if not now.done[i]:
            assert position.scores == tuple(now.scores[i])


def test_a_step_is_the_action_and_then_chance() -> None:
    batch = Batch("azul")
    before = batch.init(3, 16)
    actions = batch.random_actions(before.mask, seeded(4, 16))
    after = batch.step(before.states, actions, before.key)
    for i in range(16):
        position = as_position(batch, before.states[i])
        position.play(int(actions[i]))
        assert (position.row == after.states[i]).all()


def test_the_arguments_are_left_alone_unless_they_are_the_output() -> None:
    batch = Batch("azul")
    now = batch.init(1, 8)
    states, key = now.states.copy(), now.key.copy()
    after = advance(batch, now, 1)
    assert (now.states == states).all()
    assert (now.key == key).all()
    assert batch.step(
        now.states, batch.random_actions(now.mask, seeded(7, 8)), now.key, out=now
    ) is now
    assert same(now, after)


def test_threads_do_not_change_the_games() -> None:
    one, two = Batch("azul", threads=1), Batch("azul", threads=2)
    assert same(advance(one, one.init(5, 600), 30), advance(two, two.init(5, 600), 30))


def test_seeds_make_games() -> None:
    batch = Batch("azul")
    assert same(batch.init(1, 4), batch.init(1, 4))
    assert not same(batch.init(1, 4), batch.init(2, 4))
    assert len({row.tobytes() for row in batch.init(1, 50).states}) > 40


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_finished_game_is_rewarded_and_begun_anew(players: int) -> None:
    batch = Batch("azul", players=players)
    now, key, ended = batch.init(1, 32), seeded(9, 32), 0
    for _ in range(200):
        now = batch.step(now.states, batch.random_actions(now.mask, key), now.key)
        assert np.allclose(now.reward.sum(axis=1), 0, atol=1e-6)
        assert (now.reward[~now.done] == 0).all()
        for i in np.flatnonzero(now.done):
            ended += 1
            assert as_position(batch, now.states[i]).state.round == 1
            assert now.reward[i].max() > 0 or len(set(now.scores[i])) < players
            assert now.final[i].any()
    assert ended > 0


def test_points_as_rewards_add_up_to_the_score() -> None:
    batch = Batch("azul", reward="points")
    now, key = batch.init(1, 16), seeded(2, 16)
    total = np.zeros((16, 2))
    for _ in range(120):
        now = batch.step(now.states, batch.random_actions(now.mask, key), now.key)
        total += now.reward
        assert (total == now.scores).all()
        total[now.done] = 0


def test_an_illegal_action_stops_the_step_before_it_begins() -> None:
    batch = Batch("azul")
    now = batch.init(1, 4)
    actions = batch.random_actions(now.mask, seeded(1, 4))
    actions[2] = int(np.flatnonzero(~now.mask[2])[0])
    states = now.states.copy()
    with pytest.raises(azulejos.IllegalMove, match="Game 2"):
        batch.step(now.states, actions, now.key, out=now)
    assert (now.states == states).all()


@pytest.mark.parametrize("action", [-1, 100_000])
def test_numbers_that_are_no_action_are_refused(action: int) -> None:
    batch = Batch("azul")
    now = batch.init(1, 2)
    with pytest.raises(azulejos.IllegalMove, match="there is no action"):
        batch.step(now.states, np.array([action, action]), now.key)


def test_the_reward_has_a_name() -> None:
    with pytest.raises(ValueError, match="outcome, points"):
        Batch("azul", reward="glory")
