"""PettingZoo: every box as a turn-based (AEC) environment (docs/learning.md).

    from azulejos.envs import pettingzoo
    env = pettingzoo.env("azul", players=3)

or ``pettingzoo.make("aec", "azulejos/azul-v1")`` after importing this module.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azulejos.core.extras import explained
from azulejos.core.layout import Cells
from azulejos.core.observation import bounds
from azulejos.core.registry import presets
from azulejos.envs import episode
from azulejos.envs.episode import Episode

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.env_registry.registration import register
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise explained(error) from error

MAX_CYCLES = 100_000


def env(name: str = "azul", **options: Any) -> Any:
    """The environment in PettingZoo's usual wrappers; an illegal action ends the game with reward -1."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(name, **options), illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name; the library is untyped
    """One game, truncated after `max_cycles` decisions; `reward` is "outcome" or "points"."""

    def __init__(
        self, name: str = "azul", *, players: int = 2, max_cycles: int = MAX_CYCLES,
        reward: str = "outcome", render_mode: str | None = None, **options: str,
    ) -> None:
        super().__init__()
        self.table = Episode(name, players=players, reward=reward, **options)
        self.metadata = {
            "name": f"{name}_v{self.table.start.game.version}", "is_parallelizable": False,
            "render_modes": list(episode.MODES), "render_fps": 2,
        }
        self.render_mode = episode.checked(render_mode)
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.state_space = spaces.Box(*bounds(self.table.planes), dtype=np.float32)
        view = spaces.Dict({
            "observation": self.state_space,
            "action_mask": spaces.Box(0, 1, (self.table.decisions,), np.int8),
        })
        self.observation_spaces = dict.fromkeys(self.possible_agents, view)
        self.action_spaces = {
            agent: spaces.Discrete(self.table.decisions) for agent in self.possible_agents
        }
        self._rng: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.table.reset(self._rng)
        self.cycles = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move and needs an action")
        earned = self.table.play(int(action), self._rng)
        self.cycles += 1
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, earned, strict=True))
        over = self.table.position.is_over
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and self.cycles >= self.max_cycles)
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Select the seat to move; after the end of the game, the agents leave in order."""
        seat = self.table.position.to_move
        self.agent_selection = self.possible_agents[max(seat, 0)]

    def observe(self, agent: str) -> dict[str, Cells]:
        seat = self.possible_agents.index(agent)
        return {"observation": self.table.observe(seat), "action_mask": self.table.mask(seat)}

    def state(self) -> Cells:
        """The whole position as the first seat sees it; these games have no hidden information."""
        return self.table.observe(0)

    def render(self) -> Any:
        return episode.render(self.table.position, self.render_mode)

    def close(self) -> None:
        pass


for _name in presets():
    register("aec", f"azulejos/{_name}-v1", f"{__name__}:env", kwargs={"name": _name})
