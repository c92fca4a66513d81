"""Log entry of a move: the pieces it concerned and what happened to them."""

from __future__ import annotations

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import Piece
from azulejos.games.queens_garden.components import FIELD_BITS, HEXAGONS
from azulejos.games.queens_garden.display import faces_offered, tiles_offered
from azulejos.games.queens_garden.layout import DISCARDING, PAYING, State
from azulejos.games.queens_garden.moves import Acquire, Jokers, Pass, Slot, Source, Tile
from azulejos.games.queens_garden.names import FIELD_NAMES, hexagon_name, kind
from azulejos.games.queens_garden.storage import hexagon_of


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """Hexagons that were acquired, paid or discarded; None for moves that name their places themselves."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Acquire):
        bits = (tiles_offered(s) | faces_offered(s)) & FIELD_BITS[move.field]
        taken = [_piece(hexagon) for hexagon in range(HEXAGONS) if bits >> hexagon & 1]
        return taken, msg("acquire {name}", name=FIELD_NAMES[move.field])
    if isinstance(move, Source):
        return [_piece(int(s.choosing))], msg("expansion {n}", n=move.source + 1)
    if isinstance(move, Jokers):
        return [Piece("joker", "", msg("joker"), count=int(s.due))], msg("paid")
    if isinstance(move, Pass) and s.stage == DISCARDING:  # the entries before it list the discards
        return [], msg("discarded") if s.last >= 0 else msg("pass")
    if isinstance(move, Tile | Slot) and s.stage in (PAYING, DISCARDING):
        return [_piece(_hexagon(s, move))], msg("paid") if s.stage == PAYING else msg("discarded")
    return None


def _hexagon(s: State, move: Tile | Slot) -> int:
    return move.hexagon if isinstance(move, Tile) else hexagon_of(s, s.seat, HEXAGONS + move.slot)


def _piece(hexagon: int) -> Piece:
    return Piece(kind(hexagon), "", hexagon_name(hexagon))
