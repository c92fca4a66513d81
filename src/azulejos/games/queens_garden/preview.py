"""What a move would do, in words: the rules are asked, on a copy of the state."""

from __future__ import annotations

from typing import Any

from azulejos.core import layout
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.games.queens_garden.components import COLOURS, FACE_DOWN_PRICE, FIELD_BITS, PATTERNS
from azulejos.games.queens_garden.display import count, faces_offered, tiles_offered
from azulejos.games.queens_garden.garden import gather, set_down, surrounding_reward, value_of
from azulejos.games.queens_garden.layout import ACTING, HELD_BACK, PAYING, State
from azulejos.games.queens_garden.moves import Acquire, Buy, Cell, Jokers, Slot, Source, Tile
from azulejos.games.queens_garden.names import FIELD_NAMES, hexagon_name


def effect(position: Position, action: int) -> Message:
    """One short line, to stand beside what was pointed at."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Acquire):
        bits = (tiles_offered(s) | faces_offered(s)) & FIELD_BITS[move.field]
        return nmsg("{name}: {n} hexagon", "{name}: {n} hexagons",
                    n=count(bits), name=FIELD_NAMES[move.field])
    if isinstance(move, Tile):
        return _piece_effect(s, move.hexagon)
    if isinstance(move, Slot):
        return _piece_effect(s, int(s.slots[s.seat, move.slot]) - 1)
    if isinstance(move, Cell):
        return _cell_effect(position, move.cell)
    if isinstance(move, Source):
        return _source_effect(s, move.source)
    if isinstance(move, Buy):
        return msg("a face-down expansion for {n} points", n=FACE_DOWN_PRICE)
    if isinstance(move, Jokers):
        return nmsg("pay the rest with {n} joker", "pay the rest with {n} jokers", n=int(s.due))
    return msg("pass") if s.stage == ACTING else msg("no more discards")


def _piece_effect(s: Any, hexagon: int) -> Message:
    if s.stage == PAYING:
        return nmsg("pays; then {n} more", "pays; then {n} more", n=int(s.due) - 1)
    if s.stage != ACTING:
        return msg("discard for −{points}", points=value_of(hexagon))
    return msg("place {hexagon}: costs {cost}, itself counting as one",
               hexagon=hexagon_name(hexagon), cost=value_of(hexagon))


def _source_effect(s: Any, source: int) -> Message:
    if s.face[source] == 1 + s.choosing:
        return msg("take the expansion")
    if source == s.top:
        return msg("take the tile of the stack's top")
    return msg("take the tile of expansion {n}", n=source + 1)


def _cell_effect(position: Position, cell: int) -> Message:
    """The groups that the hexagon would join, and the jokers that it would bring."""
    s = layout.view(State, position.row)
    seat, held = s.seat, s.held
    set_down(s, seat, held, cell)
    if held == HELD_BACK:
        return msg("seven free cells")
    hexagon = int(s.garden[seat, cell]) - 1
    colour = count(gather(s.garden[seat], cell, hexagon, True))
    pattern = count(gather(s.garden[seat], cell, hexagon, False))
    said = msg("{colour} group: {n}; {pattern} group: {m}", colour=FIELD_NAMES[hexagon // PATTERNS],
               pattern=FIELD_NAMES[COLOURS + hexagon % PATTERNS], n=colour, m=pattern)
    jokers = surrounding_reward(s, seat, cell)
    if not jokers:
        return said
    return msg("{groups}; {jokers}", groups=said, jokers=nmsg("+{n} joker", "+{n} jokers", n=jokers))
