"""The render modes that all environments share."""

from __future__ import annotations

import sys
from typing import Any, Final

from azulejos import svg
from azulejos.core.contract import needed
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.core.terminal import COLUMNS, plain
from azulejos.render.pixels import scene_pixels

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
