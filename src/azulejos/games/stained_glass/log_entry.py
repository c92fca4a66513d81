"""Log entry of a move: the pieces it concerned and what happened to them."""

from __future__ import annotations

from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Piece
from azulejos.games.stained_glass.moves import COLOUR_NAMES, Keep, Reset
from azulejos.games.stained_glass.strips import leftmost_strip

PANE_KINDS: Final = ("blue", "pink", "orange", "yellow", "white")


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """The glazier that goes back, or the pane that is kept; None for a take, which names its places."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Reset):
        window = leftmost_strip(s, s.to_move) + 1
        return [Piece("glazier", "", msg("glazier"))], msg("back above window {n}", n=window)
    if isinstance(move, Keep):
        pane = Piece(PANE_KINDS[move.colour], "", COLOUR_NAMES[move.colour])
        return [pane], msg("kept for window {n}", n=int(s.glazier[s.to_move]) + 1)
    return None
