"""One game as learners see it, shared by the adapters: only decisions, with numbers instead of names."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.position import Position, new

REWARDS: Final = ("outcome", "points")


class Episode:
    """A position whose draws come from a random generator, with features, masks and rewards."""

    def __init__(self, name: str, *, players: int = 2, reward: str = "outcome", **options: str) -> None:
        if reward not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        self.start = new(name, players=players, **options)
        self.position = self.start.copy()
        self.reward = reward
        self.planes = self.start.game.planes(players, self.start.options)
        self.decisions = self.start.game.decisions

    def reset(self, rng: Any) -> None:
        self.position = self.start.copy()
        self.position.deal(rng)

    def play(self, action: int, rng: Any) -> tuple[float, ...]:
        """Apply the action and draw; return each seat's reward. An illegal action raises IllegalMove."""
        before = self.position.scores
        self.position.play(action)
        self.position.deal(rng)
        if self.reward == "points":
            return tuple(float(b - a) for a, b in zip(before, self.position.scores, strict=True))
        return outcome_rewards(self.position)

    def observe(self, seat: int) -> Cells:
        """float32 [feature]: the position as a seat sees it."""
        return self.position.observation(seat)

    def mask(self, seat: int) -> Cells:
        """int8 [action]: 1 for each legal action of the seat; all 0 when another seat is to move."""
        mask = np.zeros(self.decisions, np.int8)
        if self.position.to_move == seat:
            mask[self.position.legal_actions()] = 1
        return mask


def outcome_rewards(position: Position) -> tuple[float, ...]:
    """A win is worth 1, shared on a tie; the rewards of all seats add up to 0."""
    outcome = position.outcome()
    players = position.players
    if outcome is None:
        return (0.0,) * players
    return tuple((share * players - 1) / (players - 1) for share in outcome.shares())
