"""One game as learners see it, shared by the adapters: only decisions, with numbers instead of names."""

from __future__ import annotations

import sys
from typing import Any, Final

import numpy as np

from azulejos import svg
from azulejos.core.contract import needed
from azulejos.core.layout import Cells
from azulejos.core.message import msg
from azulejos.core.notation import Move
from azulejos.core.position import Position, legal_mask, new
from azulejos.core.scene import scene_of
from azulejos.core.terminal import COLUMNS, plain
from azulejos.render.pixels import scene_pixels

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
        self._nothing = (0.0,) * self.start.players

    def reset(self, rng: Any) -> None:
        self.position = self.start.copy()
        self.position.deal(rng)

    def play(self, action: Move | int, rng: Any) -> tuple[float, ...]:
        """Apply the action and draw; return each seat's reward. An illegal action raises IllegalMove."""
        position = self.position
        before = position.scores if self.reward == "points" else ()
        position.play(action)
        position.deal(rng)
        if self.reward == "points":
            return tuple(float(b - a) for a, b in zip(before, position.scores, strict=True))
        return outcome_rewards(position) if position.is_over else self._nothing

    def observe(self, seat: int) -> Cells:
        """float32 [feature]: the position as a seat sees it."""
        return self.position.observation(seat)

    def mask(self, seat: int) -> Cells:
        """int8 [action]: 1 for each legal action of the seat; all 0 when another seat is to move."""
        if self.position.to_move != seat:
            return np.zeros(self.decisions, np.int8)
        return legal_mask(self.position)


def outcome_rewards(position: Position) -> tuple[float, ...]:
    """A win is worth 1, shared on a tie; the rewards of all seats add up to 0."""
    outcome = position.outcome()
    players = position.players
    if outcome is None:
        return (0.0,) * players
    return tuple((share * players - 1) / (players - 1) for share in outcome.shares())


# --- how it is shown ----------------------------------------------------------------------------------


MODES: Final = ("human", "ansi", "rgb_array", "svg")


def checked(mode: str | None) -> str | None:
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode must be one of {', '.join(MODES)} or None, not {mode!r}")
    return mode


def render(position: Position, mode: str | None) -> Any:
    """Return a text, an RGB array or an SVG picture; "human" prints the text, None draws nothing."""
    if mode == "svg":
        return svg.position(position)
    if mode == "rgb_array":
        return scene_pixels(scene_of(position, _names(position)))
    if mode == "ansi":
        return _text(position)
    if mode == "human":
        sys.stdout.write(_text(position) + "\n\n")
    return None


def _text(position: Position) -> str:
    terminal = needed(position.game, position.game.terminal, "terminal.py")
    return plain(terminal.draw(position.state, _names(position), str, COLUMNS))


def _names(position: Position) -> tuple[str, ...]:
    return tuple(str(msg("Player {n}", n=seat + 1)) for seat in range(position.players))
