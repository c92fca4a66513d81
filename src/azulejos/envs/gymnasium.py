"""Gymnasium: one seat against bots, in one game or thousands, and self-play (docs/learning.md).

    import gymnasium
    import azulejos.envs.gymnasium
    env = gymnasium.make("azulejos/azul-v1", opponent="search", nodes=1000)
    envs = gymnasium.make_vec("azulejos/azul-v1", num_envs=4096, opponent="greedy")
    envs = gymnasium.make_vec("azulejos/azul-selfplay-v1", num_envs=4096)
"""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np

from azulejos.bots.words import open as open_bot
from azulejos.core.extras import explained
from azulejos.core.layout import Cells
from azulejos.core.notation import IllegalMove
from azulejos.core.observation import bounds
from azulejos.core.registry import presets
from azulejos.envs import episode
from azulejos.envs.episode import Episode
from azulejos.protocol.bot import Limit

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
except ModuleNotFoundError as error:
    raise explained(error) from error

ILLEGAL_REWARD: Final = -1.0


class SeatEnv(gymnasium.Env[Cells, Any]):
    """One seat is the agent, a bot plays the others. `action_masks()` is what sb3-contrib expects.

    `opponent` is the name of a bot and `nodes` its limit per move. `seat` is the agent's seat; None draws
    one for every game. An illegal action loses: the episode ends with reward -1 and the reason in the info.
    """

    metadata: dict[str, Any] = {"render_modes": list(episode.MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self, name: str = "azul", *, players: int = 2, opponent: str = "random", nodes: int = 100,
        seat: int | None = None, reward: str = "outcome", render_mode: str | None = None, **options: str,
    ) -> None:
        if seat is not None and not 0 <= seat < players:
            raise ValueError(f"seat must be 0 to {players - 1} or None, not {seat}")
        self.table = Episode(name, players=players, reward=reward, **options)
        self.render_mode = episode.checked(render_mode)
        self.opponent = opponent
        self.limit = Limit(nodes=nodes)
        self.fixed_seat = seat
        self.seat = seat or 0
        self.bots = [open_bot(opponent) for _ in range(players)]
        self.observation_space = spaces.Box(*bounds(self.table.planes), dtype=np.float32)
        self.action_space = spaces.Discrete(self.table.decisions)
        self._rng: random.Random | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cells, dict[str, Any]]:
        super().reset(seed=seed)
        self.bots = [open_bot(self.opponent) for _ in self.bots]
        if self.fixed_seat is None:
            self.seat = int(self.np_random.integers(len(self.bots)))
        self._rng = random.Random(int(self.np_random.integers(2**62)))
        self.table.reset(self._rng)
        self._others_play()
        return self.table.observe(self.seat), self._info()

    def step(self, action: Any) -> tuple[Cells, float, bool, bool, dict[str, Any]]:
        if self._rng is None:
            raise ResetNeeded("reset the environment before the first step")
        try:
            earned = self.table.play(int(action), self._rng)[self.seat]
        except IllegalMove as error:
            info = {**self._info(), "illegal": str(error)}
            return self.table.observe(self.seat), ILLEGAL_REWARD, True, False, info
        earned += self._others_play()
        over = self.table.position.is_over
        return self.table.observe(self.seat), earned, over, False, self._info()

    def _others_play(self) -> float:
        """Play the other seats until the agent's turn or the end; return the agent's reward."""
        earned = 0.0
        position = self.table.position
        while not position.is_over and position.to_move != self.seat:
            move = self.bots[position.to_move].play(position, self.limit, rng=self._rng).move
            earned += self.table.play(move, self._rng)[self.seat]
        return earned

    def action_masks(self) -> Cells:
        """bool [action]: the legal actions of the agent."""
        return self.table.mask(self.seat).astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.table.mask(self.seat), "seat": self.seat,
            "scores": self.table.position.scores,
        }

    def render(self) -> Any:
        return episode.render(self.table.position, self.render_mode)


def _no_single_game(**settings: Any) -> SeatEnv:
    """Self-play has many games; Gymnasium asks for this function where one is wanted."""
    raise ValueError("self-play is a vector environment: gymnasium.make_vec")


for _name in presets():
    gymnasium.register(
        f"azulejos/{_name}-v1", entry_point=f"{__name__}:SeatEnv",
        vector_entry_point="azulejos.envs.vector:SeatVectorEnv", kwargs={"name": _name},
    )
    gymnasium.register(
        f"azulejos/{_name}-selfplay-v1", entry_point=f"{__name__}:_no_single_game",
        vector_entry_point="azulejos.envs.vector:SelfPlayEnv", kwargs={"name": _name},
    )
