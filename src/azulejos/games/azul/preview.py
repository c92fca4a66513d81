"""The effect of a move in words, found by applying the rules to a copy of the state."""

from __future__ import annotations

from typing import Any

from azulejos.core import plain
from azulejos.core.contract import Preview
from azulejos.core.message import Message, msg, nmsg, signed
from azulejos.core.position import Position
from azulejos.core.scene import Piece, Prospect
from azulejos.games.azul import boards, rounds, rules
from azulejos.games.azul.layout import FLOOR_PENALTY, FLOOR_SPACES, WALL_COLUMN, State
from azulejos.games.azul.moves import COLOUR_NAMES, FLOOR, Column, Divide, Take
from azulejos.games.azul.view import KINDS
from azulejos.parts.offer import COLOURS, tiles_at
from azulejos.parts.sentences import with_leftovers


def effect(position: Position, action: int) -> Message:
    """One short line, shown beside the target of a move."""
    move = position.game.moves[action]
    if isinstance(move, Take):
        return _take_effect(position.packed, move)
    if isinstance(move, Column):
        return _column_effect(position.packed, move)
    assert isinstance(move, Divide)
    return _divide_effect(position.packed, move)


def _copy(row: bytes) -> Any:
    return plain.copied(State, row)


def _take_effect(row: bytes, move: Take) -> Message:
    before, after = _copy(row), _copy(row)
    seat = before.to_move
    tiles = tiles_at(before.factories, before.centre, move.source, move.colour)
    rules.take_tiles(after, move.source, move.colour, move.target)
    fitting = 0
    fills = False
    if move.target != FLOOR:
        fitting = int(after.line_tiles[seat, move.target]) - int(before.line_tiles[seat, move.target])
        fills = bool(after.line_tiles[seat, move.target] == move.target + 1)
    said = _fall(tiles, fitting)
    if before.marker < 0 <= after.marker:
        said = msg("{what}, with the start marker", what=said)
    loss = _floor_loss(after, seat) - _floor_loss(before, seat)
    if loss:
        said = msg("{what} ({points})", what=said, points=signed(-loss))
    if fills:
        filled = _filled(row, after, seat)
        plain = fitting == tiles and not loss and before.marker == after.marker
        said = filled if plain else msg("{first}; {second}", first=said, second=filled)
    return with_leftovers(said, before.centre, after.centre, COLOUR_NAMES)


def _fall(tiles: int, fitting: int) -> Message:
    falling = nmsg("{n} falls", "{n} fall", n=tiles - fitting)
    if fitting == 0:
        return falling
    if fitting == tiles:
        return nmsg("{n} fits", "all {n} fit", n=tiles)
    return msg("{fitting} of {tiles} fit, {falling}", fitting=fitting, tiles=tiles, falling=falling)


def _floor_loss(s: State, seat: int) -> int:
    return FLOOR_PENALTY[sum(s.floor[seat, space] != 0 for space in range(FLOOR_SPACES))]


def _filled(row: bytes, after: State, seat: int) -> Message:
    if after.grey:
        return msg("fills the line: choose its column later")
    points = _tiling_gain(row, after, seat)
    return msg("fills the line: {points}", points=signed(points))


def _tiling_gain(row: bytes, after: State, seat: int) -> int:
    """Points that the wall tiling gains through a move; `after` is used up."""
    before = _copy(row)
    rounds.tile_lines(before, seat)
    rounds.tile_lines(after, seat)
    return int(after.score[seat]) - int(before.score[seat])


def ahead(position: Position, action: int) -> Prospect:
    """The tile that the end of the round puts on the wall, its points, and what the floor line costs."""
    move, row = position.game.moves[action], position.packed
    if not isinstance(move, Take):
        return Prospect()
    before, after = _copy(row), _copy(row)
    seat = before.to_move
    rules.take_tiles(after, move.source, move.colour, move.target)
    loss = _floor_loss(after, seat) - _floor_loss(before, seat)
    points = [(f"seat{seat + 1}.floor", -loss)]
    if after.grey or move.target == FLOOR or after.line_tiles[seat, move.target] != move.target + 1:
        return Prospect(points=tuple(points))
    space = f"seat{seat + 1}.wall{move.target + 1}-{WALL_COLUMN[move.target][move.colour] + 1}"
    points.append((space, _tiling_gain(row, after, seat)))
    return Prospect((Piece(KINDS[move.colour], space),), tuple(points))


def _column_effect(row: bytes, move: Column) -> Message:
    s = _copy(row)
    seat = s.to_move
    score = int(s.score[seat])
    boards.set_tile(s, seat, boards.complete_line(s, seat), move.column)
    return msg("{points} for the tile here", points=signed(int(s.score[seat]) - score))


def _divide_effect(row: bytes, move: Divide) -> Message:
    s = _copy(row)
    there = [colour for colour in range(COLOURS) if s.factories[s.dividing, colour]]
    return msg(
        "to factory {left}: {left_colours}; to factory {right}: {right_colours}",
        left=rounds.neighbour(s, s.dividing, -1) + 1, right=rounds.neighbour(s, s.dividing, 1) + 1,
        left_colours=_listed([colour for colour in there if colour in move.left]),
        right_colours=_listed([colour for colour in there if colour not in move.left]),
    )


def _listed(colours: list[int]) -> Message:
    if not colours:
        return msg("nothing")
    said = COLOUR_NAMES[colours[0]]
    for colour in colours[1:]:
        said = msg("{first}, {second}", first=said, second=COLOUR_NAMES[colour])
    return said


PREVIEW = Preview(effect=effect, ahead=ahead)
