"""Gymnasium: many games at once, against opponents or in self-play (docs/learning.md).

    envs = gymnasium.make_vec("azulejos/azul-v1", num_envs=4096, opponent="greedy")
    envs = SeatVectorEnv(256, "azul", opponent=["random", "level:2", policy])
    envs = SelfPlayEnv(4096, "azul", observation="uint8", copy=False)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from azulejos.bots.evaluation import weights_of
from azulejos.bots.words import open as open_bot
from azulejos.core.chance import seeded
from azulejos.core.extras import explained
from azulejos.core.layout import Cells
from azulejos.core.registry import find
from azulejos.engine.batch import Batch, Step
from azulejos.engine.policy_batch import OpponentsTurn, Policy, PolicyBatch
from azulejos.engine.seat_batch import OPPONENTS, SeatBatch
from azulejos.envs import episode
from azulejos.protocol.bot import Limit

try:
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise explained(error) from error

MODES: Final = {
    AutoresetMode.SAME_STEP: "same_step", AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.DISABLED: "disabled",
}
Mode = AutoresetMode | str


class BatchEnv(VectorEnv[Cells, Cells, Cells]):
    """N games on the batch engine. `infos["to_play"]` is the seat that acts and sees the observation.

    The reward is that of the seat that just acted; `infos["seat_rewards"]` has the rewards of all seats.
    With `copy=False` arrays are returned as they are, and overwritten two steps later. An illegal action
    raises IllegalMove before anything is played.
    """

    def __init__(
        self, num_envs: int, batch: Batch, *, copy: bool = True, render_mode: str | None = None
    ) -> None:
        self.num_envs = num_envs
        self.batch = batch
        self.copy = copy
        self.render_mode = episode.checked(render_mode)
        [mode] = [mode for mode, name in MODES.items() if name == batch.autoreset]
        self.metadata = {
            "render_modes": list(episode.MODES), "render_fps": 2, "autoreset_mode": mode,
        }
        low, high = batch.bounds
        self.single_observation_space = spaces.Box(low, high, dtype=low.dtype.type)
        self.single_action_space = spaces.Discrete(batch.game.decisions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._now = batch.empty(num_envs)
        self._next = self._now if copy else replace(
            batch.empty(num_envs), states=self._now.states, key=self._now.key
        )
        self._never = np.zeros(num_envs, np.bool_)
        self._begun = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        """One seed makes all games; a list has one for each. `options["reset_mask"]` resets some games."""
        listed = None if seed is None or isinstance(seed, int | np.integer) else [*seed]
        one = None if listed is not None else seed
        super().reset(seed=one)  # type: ignore[arg-type]  # a list never comes here
        which = self._which(options)
        self.batch.restart(self._now, self._keys(listed), which)
        self._begun = True
        return self._given(self._now.observation), self._infos(self._now)

    def _which(self, options: dict[str, Any] | None) -> Cells | None:
        which = (options or {}).get("reset_mask")
        if which is None:
            return None
        if not isinstance(which, np.ndarray) or which.dtype != np.bool_ or which.shape != (self.num_envs,):
            raise ValueError(f"reset_mask is an array of {self.num_envs} bools")
        if not self._begun and not which.all():
            raise ResetNeeded("reset all games before some of them")
        return which

    def _keys(self, listed: list[int | None] | None) -> Cells:
        keys = seeded(int(self.np_random.integers(2**62)), self.num_envs)
        if listed is not None:
            if len(listed) != self.num_envs:
                raise ValueError(f"{self.num_envs} games need as many seeds, not {len(listed)}")
            for game, own in enumerate(listed):
                if own is not None:
                    keys[game] = seeded(own)[0]
        return keys

    def step(self, actions: Cells) -> tuple[Cells, Cells, Cells, Cells, dict[str, Any]]:
        if not self._begun:
            raise ResetNeeded("reset the environment before the first step")
        before, after = self._now, self._next
        self.batch.step(before.states, actions, before.key, out=after)
        self._now, self._next = after, before
        given = self._given
        return (given(after.observation), given(after.earned), given(after.done), self._never.copy(),
                self._infos(after))

    def action_masks(self) -> Cells:
        """bool [game, action]: the legal actions of the seat to move."""
        return self._given(self._now.mask)

    def positions(self) -> list[Any]:
        """The games as positions, without their histories."""
        return [self.batch.position(row) for row in self._now.states]

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode is None:
            return None
        return tuple(episode.render(position, self.render_mode) for position in self.positions())

    def _given(self, array: Cells) -> Cells:
        return array.copy() if self.copy else array

    def _infos(self, now: Step) -> dict[str, Any]:
        given = self._given
        infos = {
            "action_mask": given(now.mask), "to_play": given(now.to_play),
            "seat_rewards": given(now.reward), "scores": given(now.scores),
        }
        if self.batch.autoreset == "same_step":
            infos |= {"final_obs": given(now.final), "_final_obs": given(now.done)}
        return infos


class SelfPlayEnv(BatchEnv):
    """The agent plays every seat."""

    def __init__(
        self, num_envs: int = 1, name: str = "azul", *, players: int = 2, reward: str = "outcome",
        threads: int = 2, observation: str = "float32", autoreset_mode: Mode = "same_step",
        copy: bool = True, render_mode: str | None = None, **options: str,
    ) -> None:
        batch = Batch(name, players=players, reward=reward, threads=threads, observation=observation,
                      autoreset=_name_of(autoreset_mode), **options)
        super().__init__(num_envs, batch, copy=copy, render_mode=render_mode)


Opponent = str | Policy


class SeatVectorEnv(BatchEnv):
    """One seat of each game is the agent; `seat` as in `SeatEnv`.

    `opponent` plays the others: "random" and "greedy" in compiled code, the word of any other bot with
    `nodes` an action, or a function of your own (`engine.policy_batch.Policy`), such as a network or an
    earlier version of it. Of a list, each game draws one when it begins; a list may grow.
    """

    def __init__(
        self, num_envs: int = 1, name: str = "azul", *, players: int = 2,
        opponent: Opponent | Sequence[Opponent] = "random", nodes: int = 100, seat: int | None = None,
        reward: str = "outcome", threads: int = 2, observation: str = "float32",
        autoreset_mode: Mode = "same_step", copy: bool = True, render_mode: str | None = None,
        **options: str,
    ) -> None:
        settings: dict[str, Any] = {
            "players": players, "seat": seat, "reward": reward, "threads": threads,
            "observation": observation, "autoreset": _name_of(autoreset_mode), **options,
        }
        batch: Batch
        if isinstance(opponent, str) and opponent in OPPONENTS:
            weights = weights_of(find(name)[0], "") if opponent == "greedy" else None
            batch = SeatBatch(name, opponent=opponent, weights=weights, **settings)
        else:
            listed = [opponent] if isinstance(opponent, str) or callable(opponent) else opponent
            batch = PolicyBatch(name, opponents=OpponentPool(listed, nodes), **settings)
        super().__init__(num_envs, batch, copy=copy, render_mode=render_mode)


class OpponentPool(Sequence[Policy]):
    """Opponents as functions; changes of the list show here."""

    def __init__(self, listed: Sequence[Opponent], nodes: int) -> None:
        self.listed, self.nodes = listed, nodes
        self._bots: dict[str, BotPolicy] = {}
        for each in listed:
            self._policy(each)

    def __len__(self) -> int:
        return len(self.listed)

    def __getitem__(self, number: Any) -> Any:
        return self._policy(self.listed[number])

    def _policy(self, opponent: Opponent) -> Policy:
        if not isinstance(opponent, str):
            return opponent
        if opponent not in self._bots:
            self._bots[opponent] = BotPolicy(opponent, self.nodes)
        return self._bots[opponent]


class BotPolicy:
    """A bot that chooses in many games, one after the other."""

    def __init__(self, word: str, nodes: int | None = 100) -> None:
        self.word, self.limit = word, Limit(nodes=nodes)
        self.bot = open_bot(word)
        self._rng = random.Random(word)

    def __reduce__(self) -> tuple[Any, ...]:
        return BotPolicy, (self.word, self.limit.nodes)

    def __call__(self, seen: OpponentsTurn) -> Cells:
        number = seen.batch.game.moves.number
        chosen = [self.bot.play(position, self.limit, rng=self._rng).move for position in seen.positions]
        return np.array([number(move) for move in chosen], np.int64)


def _name_of(mode: Mode) -> str:
    if mode in MODES.values():
        return str(mode)
    try:
        return MODES[AutoresetMode(mode)]
    except ValueError:
        known = ", ".join(MODES.values())
        raise ValueError(f"autoreset_mode must be one of {known}, not {mode!r}") from None
