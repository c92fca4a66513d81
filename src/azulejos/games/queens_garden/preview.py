"""The effect of a move in words, found by applying the rules to a copy of the state."""

from __future__ import annotations

import functools

from azulejos.core import plain
from azulejos.core.contract import Preview
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.scene import Prospect
from azulejos.games.queens_garden.components import CELLS, COLOURS, FACE_DOWN_PRICE, FIELD_BITS, PATTERNS
from azulejos.games.queens_garden.display import faces_offered, tiles_offered
from azulejos.games.queens_garden.garden import gather, on_field, set_down, surrounding_reward, value_of
from azulejos.games.queens_garden.layout import ACTING, HELD_BACK, PAYING, State
from azulejos.games.queens_garden.moves import (
    FIELD_NAMES, Acquire, Buy, Cell, Jokers, Slot, Source, Tile, cell_text, offered,
)
from azulejos.games.queens_garden.scoring import worth
from azulejos.games.queens_garden.storage import count


def effect(position: Position, action: int) -> Message:
    """One short line, shown beside the target of a move."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Acquire):
        bits = (tiles_offered(s) | faces_offered(s)) & FIELD_BITS[move.field]
        return nmsg("{n} hexagon", "{n} hexagons", n=count(bits))
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
    if s.stage != ACTING:
        return msg("no more discards")
    if s.marker >= 0:
        return msg("out until the next round")
    return msg("out until the next round, which you will begin; costs 1 point")


def _piece_effect(s: State, hexagon: int) -> Message:
    if s.stage == PAYING:
        return nmsg("pays; {n} more to pay", "pays; {n} more to pay", n=int(s.due) - 1)
    if s.stage != ACTING:
        return msg("discard: −{points}", points=value_of(hexagon))
    if value_of(hexagon) == 1:
        return msg("place it at no further cost")
    return nmsg("place it; costs {n} more piece", "place it; costs {n} more pieces",
                n=value_of(hexagon) - 1)


def _source_effect(s: State, source: int) -> Message:
    if s.face[source] == 1 + s.choosing:
        return msg("take the expansion")
    if source == s.top:
        return msg("take the tile from the top of the stack")
    return msg("take the tile from expansion {n}", n=source + 1)


def concerns(position: Position, action: int) -> list[str]:
    """Slots of the pieces that a move takes or joins."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Acquire):
        return [slot for slot, hexagon in offered(s) if on_field(hexagon, move.field)]
    if not isinstance(move, Cell) or s.held == HELD_BACK:
        return []
    ahead = _with(position, move.cell)
    joined = _group(ahead, move.cell, True) | _group(ahead, move.cell, False)
    return [f"seat{s.seat + 1}.{cell_text(cell)}" for cell in range(CELLS) if joined >> cell & 1]


def ahead(position: Position, action: int) -> Prospect:
    """What the groups of a placed hexagon gain at the end of the game."""
    s, move = position.state, position.game.moves[action]
    if not isinstance(move, Cell) or s.held == HELD_BACK:
        return Prospect()
    gains = _gains(s, _with(position, move.cell))
    return Prospect(points=((f"seat{s.seat + 1}.{cell_text(move.cell)}", sum(gains)),))


def _gains(before: State, after: State) -> list[int]:
    """What the groups by colour and by pattern gain."""
    seat = after.seat
    return [more - less for more, less in zip(worth(after, seat), worth(before, seat), strict=True)]


def _with(position: Position, cell: int) -> State:
    """The state after placing the piece in the hand."""
    s: State = plain.copied(State, position.packed)
    set_down(s, s.seat, s.held, cell)
    return s


def _group(s: State, cell: int, by_colour: bool) -> int:
    return gather(s.garden[s.seat], cell, int(s.garden[s.seat, cell]) - 1, by_colour)


def _cell_effect(position: Position, cell: int) -> Message:
    """The groups that the hexagon would join, their gain, and the jokers it would earn."""
    if position.state.held == HELD_BACK:
        return msg("seven free cells")
    before, after = position.state, _with(position, cell)
    seat, hexagon = after.seat, int(after.garden[after.seat, cell]) - 1
    gains = _gains(before, after)
    fields = (hexagon // PATTERNS, COLOURS + hexagon % PATTERNS)
    sizes = [count(_group(after, cell, by_colour)) for by_colour in (True, False)]
    groups = [_joined(FIELD_NAMES[field], size, gain)
              for field, size, gain in zip(fields, sizes, gains, strict=True) if size > 1]
    jokers = surrounding_reward(after, seat, cell)
    if jokers:
        groups.append(nmsg("+{n} joker", "+{n} jokers", n=jokers))
    return functools.reduce(_and, groups) if groups else msg("no group yet")


def _and(first: Message, second: Message) -> Message:
    return msg("{first}; {second}", first=first, second=second)


def _joined(name: Message, hexagons: int, gain: int) -> Message:
    if not gain:
        return msg("{name} group: {n}", name=name, n=hexagons)
    return msg("{name} group: {n} ({points} at the end)", name=name, n=hexagons, points=f"+{gain}")


PREVIEW = Preview(effect=effect, concerns=concerns, ahead=ahead)
