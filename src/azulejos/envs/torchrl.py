"""TorchRL: many games at once as an `EnvBase`, with the mask that its `ActionMask` reads.

    env = TransformedEnv(Games(256, "azul", opponent="greedy"), ActionMask())
    rollout = env.rollout(100, break_when_any_done=False)

Tensors share the memory of the arrays of `SelfPlayEnv` and `SeatVectorEnv`; nothing is copied once more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from azulejos.core.extras import explained
from azulejos.envs.vector import BatchEnv, SeatVectorEnv, SelfPlayEnv

try:
    import torch
    from tensordict import TensorDict
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ModuleNotFoundError as error:
    raise explained(error) from error


class Games(EnvBase):  # type: ignore[misc]  # a base class without types, if it is installed at all
    """One seat in many games against `opponent`; without one, self-play (`to_play` is the seat that acts).

    Other settings are those of `SeatVectorEnv` and `SelfPlayEnv`. Games that are over begin again when
    TorchRL resets them.
    """

    def __init__(self, count: int, box: str = "azul", *, opponent: Any = None, **settings: Any) -> None:
        super().__init__(batch_size=torch.Size([count]))
        settings["autoreset_mode"] = "disabled"
        self.games: BatchEnv = (
            SelfPlayEnv(count, box, **settings) if opponent is None
            else SeatVectorEnv(count, box, opponent=opponent, **settings)
        )
        space: Any = self.games.single_observation_space
        seen = torch.from_numpy(np.empty(0, space.dtype)).dtype
        actions, one = self.games.batch.game.decisions, (count, 1)
        low, high = (torch.from_numpy(np.broadcast_to(bound, (count, *space.shape)).copy())
                     for bound in (space.low, space.high))
        self.observation_spec = Composite(
            observation=Bounded(low, high, (count, *space.shape), dtype=seen),
            action_mask=Binary(actions, (count, actions), dtype=torch.bool),
            to_play=Categorical(self.games.batch.players, (count,), dtype=torch.int8),
            shape=(count,),
        )
        self.action_spec = Categorical(actions, (count,), dtype=torch.int64)
        self.reward_spec = Unbounded(one, dtype=torch.float32)
        ended = Binary(1, one, dtype=torch.bool)
        self.done_spec = Composite(done=ended, terminated=ended.clone(), shape=(count,))
        self._seed: int | None = None

    def _reset(self, tensordict: TensorDict | None = None, **ignored: Any) -> TensorDict:
        which = None if tensordict is None else tensordict.get("_reset", None)
        options = None if which is None else {"reset_mask": which.reshape(-1).numpy()}
        seed, self._seed = self._seed, None
        observation, infos = self.games.reset(seed=seed, options=options)
        over = np.zeros(self.games.num_envs, np.bool_)
        return self._told(observation, infos, over)

    def _step(self, tensordict: TensorDict) -> TensorDict:
        observation, reward, over, _, infos = self.games.step(tensordict["action"].numpy())
        told = self._told(observation, infos, over)
        told["reward"] = torch.from_numpy(reward)[:, None]
        return told

    def _told(self, observation: Any, infos: dict[str, Any], over: Any) -> TensorDict:
        done = torch.from_numpy(over)[:, None]
        return TensorDict({
            "observation": torch.from_numpy(observation),
            "action_mask": torch.from_numpy(infos["action_mask"]),
            "to_play": torch.from_numpy(infos["to_play"]), "done": done, "terminated": done.clone(),
        }, batch_size=self.batch_size)

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed
