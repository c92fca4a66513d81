"""Log entry of a move: the pieces it concerned and what happened to them."""

from __future__ import annotations

from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Piece
from azulejos.games.azul import boards
from azulejos.games.azul.moves import COLOUR_NAMES, Column

KINDS: Final = ("blue", "yellow", "red", "black", "white", "marker")
"""Kind of piece by the contents of a space, minus one."""


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """The tile for which a column was chosen; None for moves that name their places themselves."""
    s, move = position.state, position.game.moves[action]
    if not isinstance(move, Column):
        return None
    line = boards.complete_line(s, s.to_move)
    colour = int(s.line_colour[s.to_move, line])
    where = msg("wall, row {row}, column {column}", row=line + 1, column=move.column + 1)
    return [Piece(KINDS[colour], "", COLOUR_NAMES[colour])], where
