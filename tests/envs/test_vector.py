"""The vector environments: Gymnasium's contract, every kind of opponent, the batch engine behind them."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium as library
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import NormalizeObservation, RecordEpisodeStatistics, TransformObservation

import azulejos.envs.gymnasium  # noqa: F401 - registers the environments
from azulejos.core.chance import seeded
from azulejos.core.layout import Cells
from azulejos.core.notation import IllegalMove
from azulejos.core.observation import scale_of, sliced
from azulejos.engine.policy_batch import OpponentsTurn
from azulejos.envs.vector import BatchEnv, SeatVectorEnv, SelfPlayEnv

MODES = ("same_step", "next_step", "disabled")


def first_legal(seen: OpponentsTurn) -> Cells:
    chosen: Cells = seen.mask.argmax(axis=1)
    return chosen


def random_steps(envs: BatchEnv, steps: int, seed: int = 1) -> list[tuple[Cells, ...]]:
    """What random play returns: observation, reward, terminated."""
    key = seeded(seed, envs.num_envs)
    found: list[tuple[Cells, ...]] = []
    for _ in range(steps):
        actions = envs.batch.random_actions(envs.action_masks(), key)
        observation, reward, done, _, _ = envs.step(actions)
        found.append((observation, reward, done))
    return found


def equal(these: list[tuple[Cells, ...]], those: list[tuple[Cells, ...]]) -> bool:
    pairs = zip(these, those, strict=True)
    return all(np.array_equal(a, b) for one, other in pairs for a, b in zip(one, other, strict=True))


def make_many(count: int, **options: Any) -> SelfPlayEnv:
    envs = library.make_vec(
        "azulejos/azul-selfplay-v1", num_envs=count, vectorization_mode="vector_entry_point", **options
    )
    assert isinstance(envs, SelfPlayEnv)
    return envs


def test_the_vector_environment_declares_what_it_does() -> None:
    envs = make_many(8, players=3)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observation, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observation)
    assert infos["action_mask"].shape == (8, envs.batch.game.decisions)


def test_self_play_gives_the_mover_its_reward() -> None:
    envs = make_many(64)
    _, infos = envs.reset(seed=1)
    key, ended = seeded(1, 64), 0
    for _ in range(150):
        movers = infos["to_play"]
        actions = envs.batch.random_actions(envs.action_masks(), key)
        observation, reward, terminated, truncated, infos = envs.step(actions)
        assert envs.observation_space.contains(observation)
        assert (reward == infos["seat_rewards"][np.arange(64), movers]).all()
        assert (reward[~terminated] == 0).all()
        assert not truncated.any()
        assert infos["final_obs"][terminated].any(axis=1).all()
        ended += terminated.sum()
    assert ended > 64


def test_what_was_seen_never_changes() -> None:
    envs = make_many(4)
    observation, infos = envs.reset(seed=1)
    kept = (observation, *infos.values(), envs.action_masks())
    copied = [array.copy() for array in kept]
    random_steps(envs, 5)
    assert all(np.array_equal(one, other) for one, other in zip(kept, copied, strict=True))


def test_without_copies_what_was_seen_lasts_for_one_more_step() -> None:
    envs = make_many(4, copy=False)
    observation, _ = envs.reset(seed=1)
    copied = observation.copy()
    [(second, *_)] = random_steps(envs, 1)
    assert (observation == copied).all()
    assert second is not observation
    random_steps(envs, 1)
    assert not (observation == copied).all()


@pytest.mark.parametrize("observation", ["float32", "uint8"])
def test_copies_change_nothing_else(observation: str) -> None:
    both = [make_many(16, copy=copy, observation=observation) for copy in (True, False)]
    for envs in both:
        envs.reset(seed=3)
    key = seeded(1, 16)
    for _ in range(100):
        actions = both[0].batch.random_actions(both[0].action_masks(), key)
        one, other = (envs.step(actions)[:3] for envs in both)
        assert equal([one], [other])


def test_whole_numbers_are_the_floats_before_they_are_scaled() -> None:
    floats, whole = make_many(8), make_many(8, observation="uint8")
    scale = scale_of(floats.batch.planes)
    assert whole.single_observation_space.dtype == np.uint8
    seen = [envs.reset(seed=2)[0] for envs in (floats, whole)]
    for (real, *_), (small, *_) in zip(random_steps(floats, 50), random_steps(whole, 50), strict=True):
        assert (scale.floats(small) == real).all()
    assert (scale.floats(seen[1]) == seen[0]).all()


def test_nothing_need_be_observed() -> None:
    envs = make_many(8, observation="none")
    assert envs.reset(seed=2)[0].shape == (8, 0)
    assert random_steps(envs, 3)[-1][0].shape == (8, 0)


# --- seeds, masks, resets ----------------------------------------------------------------------------


def test_one_seed_makes_all_games() -> None:
    first, second = make_many(4), make_many(4)
    assert (first.reset(seed=5)[0] == second.reset(seed=5)[0]).all()
    assert (first.reset()[0] == second.reset()[0]).all()


def test_every_game_may_have_a_seed_of_its_own() -> None:
    envs = make_many(3)
    found, _ = envs.reset(seed=[7, None, 7])
    assert (found[0] == found[2]).all()
    again, _ = envs.reset(seed=[7, 8, None])
    assert (again[0] == found[0]).all()
    assert not (again[1] == found[0]).all()
    with pytest.raises(ValueError, match="as many seeds"):
        envs.reset(seed=[1, 2])


def test_some_games_are_reset() -> None:
    envs = make_many(3, autoreset_mode="disabled")
    envs.reset(seed=1)
    random_steps(envs, 4)
    before = envs.positions()
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    after = envs.positions()
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, True]
    assert after[1].state.round == 1
    with pytest.raises(ValueError, match="bools"):
        envs.reset(options={"reset_mask": [True, True, True]})


def test_a_step_needs_a_reset() -> None:
    for envs in (make_many(2), SeatVectorEnv(2)):
        with pytest.raises(ResetNeeded):
            envs.step(np.zeros(2, np.int64))
    with pytest.raises(ResetNeeded):
        make_many(2).reset(options={"reset_mask": np.array([True, False])})


OPPONENTS = ["random", "greedy", "level:1", first_legal]


@pytest.mark.parametrize("opponent", OPPONENTS, ids=["random", "greedy", "level", "function"])
@pytest.mark.parametrize("mode", MODES)
def test_games_end_and_begin_as_the_mode_says(opponent: Any, mode: str) -> None:
    envs = SeatVectorEnv(6, "azul", opponent=opponent, nodes=5, autoreset_mode=mode, players=2)
    observation, infos = envs.reset(seed=1)
    key, ended, total = seeded(1, 6), np.zeros(6, np.bool_), 0
    for _ in range(90):
        actions = envs.batch.random_actions(infos["action_mask"], key)
        if mode == "disabled" and ended.any():
            with pytest.raises(IllegalMove, match="is over"):
                envs.step(actions)
            observation, infos = envs.reset(options={"reset_mask": ended})
            assert infos["action_mask"].any(axis=1).all()
            ended[:] = False
            continue
        observation, reward, done, _, infos = envs.step(actions)
        assert envs.observation_space.contains(observation)
        assert infos["action_mask"].any(axis=1).all() or mode == "disabled"
        over = np.array([position.is_over for position in envs.positions()])
        if mode == "same_step":
            assert not over.any()
            assert (infos["_final_obs"] == done).all()
        else:
            assert (over == done).all()
        if mode == "next_step":
            assert not (ended & done).any()
            assert (reward[ended] == 0).all()
        ended, total = done, total + int(done.sum())
    assert total >= 6


@pytest.mark.parametrize("opponent", [None, "greedy", ["level:1", first_legal]],
                         ids=["none", "greedy", "pool"])
def test_a_pickle_goes_on_where_it_was(opponent: Any) -> None:
    envs = SelfPlayEnv(4) if opponent is None else SeatVectorEnv(4, opponent=opponent)
    envs.reset(seed=1)
    random_steps(envs, 10)
    twin = pickle.loads(pickle.dumps(envs))
    assert equal(random_steps(twin, 30), random_steps(envs, 30))


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_pictures_of_every_game(mode: str) -> None:
    envs = library.make_vec("azulejos/azul-v1", num_envs=2, render_mode=mode)
    envs.reset(seed=1)
    pictures: Any = envs.render()
    assert len(pictures) == 2
    assert all(picture.shape[2] == 3 if mode == "rgb_array" else isinstance(picture, str)
               for picture in pictures)


def test_wrappers_of_gymnasium_are_content() -> None:
    envs: Any = SeatVectorEnv(8, autoreset_mode=AutoresetMode.NEXT_STEP)
    envs = NormalizeObservation(TransformObservation(RecordEpisodeStatistics(envs), lambda seen: seen))
    envs.reset(seed=1)
    told = []
    for _ in range(80):
        masks = envs.unwrapped.action_masks()
        *_, infos = envs.step(masks.argmax(axis=1))
        told += [*infos.get("episode", {}).get("r", [])]
    assert told


def test_another_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="same_step, next_step, disabled"):
        SelfPlayEnv(2, autoreset_mode="never")


# --- one seat in many games --------------------------------------------------------------------------


@pytest.mark.parametrize("opponent", [*OPPONENTS, ["random", first_legal]],
                         ids=["random", "greedy", "level", "function", "pool"])
def test_many_games_of_one_seat_are_what_make_vec_makes(opponent: Any) -> None:
    envs = library.make_vec("azulejos/azul-v1", num_envs=8, players=3, opponent=opponent, nodes=3, seat=1)
    assert isinstance(envs, SeatVectorEnv)
    observation, infos = envs.reset(seed=1)
    key, total = seeded(1, 8), np.zeros(8)
    for _ in range(40):
        assert envs.observation_space.contains(observation)
        assert (infos["to_play"] == 1).all()
        actions = envs.batch.random_actions(envs.action_masks(), key)
        observation, reward, _, _, infos = envs.step(actions)
        assert (reward == infos["seat_rewards"][:, 1]).all()
        total += reward
    assert (total != 0).any()


def test_a_learner_sees_the_end_of_its_game_from_its_seat() -> None:
    envs = SeatVectorEnv(16, opponent=first_legal)
    envs.reset(seed=1)
    last = None
    for _ in range(90):
        before = envs.positions()
        actions = envs.batch.random_actions(envs.action_masks(), seeded(len(before), 16))
        _, _, done, _, infos = envs.step(actions)
        if done.any():
            last = infos["final_obs"][np.flatnonzero(done)[0]]
            break
    assert last is not None
    planes = {plane.name: part for plane, part in sliced(envs.batch.planes)}
    assert not last[planes["to_move"]].any(), "the game is over"


def test_a_pool_may_grow() -> None:
    """Past selves: whoever joins the list plays the games that begin afterwards."""
    asked: list[str] = []

    def noting(name: str) -> Any:
        def policy(seen: OpponentsTurn) -> Cells:
            asked.append(name)
            return first_legal(seen)
        return policy

    pool: list[Any] = [noting("old")]
    envs = SeatVectorEnv(16, opponent=pool)
    envs.reset(seed=1)
    pool.append(noting("new"))
    random_steps(envs, 5)
    assert set(asked) == {"old"}
    random_steps(envs, 100)
    assert set(asked) == {"old", "new"}


@pytest.mark.parametrize(("id", "settings", "complaint"), [
    ("azul-v1", {"opponent": "nobody"}, "no bot is called"),
    ("azul-v1", {"opponent": []}, "an opponent"),
    ("azul-v1", {"knights": "5"}, "knights"),
    ("azul-selfplay-v1", {"opponent": "greedy"}, "opponent"),
])
def test_make_vec_refuses_what_it_would_ignore(id: str, settings: dict[str, Any], complaint: str) -> None:  # noqa: A002
    with pytest.raises(ValueError, match=complaint):
        library.make_vec(f"azulejos/{id}", num_envs=2, **settings)
