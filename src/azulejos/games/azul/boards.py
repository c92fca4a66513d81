"""Changes to one player's board: pattern lines, wall, floor line (azul.md 3, 5-7, 11-13)."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.points import award
from azulejos.core.verbs import LEGAL
from azulejos.games.azul.layout import (
    CAUGHT, COLOUR_IN_COLUMN, COLOUR_IN_ROW, EMPTY, FLOOR_PENALTY, FLOOR_SPACES, LINE_BEGUN, LINE_FULL,
    LINES, MARKER, OPEN_DISC, SPACE_TAKEN, State,
)
from azulejos.games.azul.moves import FLOOR
from azulejos.games.azul.reasons import FLOOR_LINE, TILE
from azulejos.parts.offer import ALL_COLOURS, COLOURS


@rule
def colours_for(s: State, seat: int, line: int) -> int:
    """The colours that a pattern line accepts, as a bit set (azul.md 3).

    A full line accepts none, a begun line only its own colour, an empty line every colour that is missing
    from its wall row."""
    tiles = s.line_tiles[seat, line]
    if tiles > 0:
        return (1 << int(s.line_colour[seat, line])) * int(tiles <= line)
    held = 0
    for column in range(LINES):
        held |= 1 << int(s.wall[seat, line, column])
    return ALL_COLOURS & ~(held >> 1)


@rule
def refused_line(s: State, seat: int, line: int, colour: int) -> int:
    """LEGAL if a pattern line accepts a colour (azul.md 3)."""
    if colours_for(s, seat, line) >> colour & 1:
        return LEGAL
    if s.line_tiles[seat, line] > line:
        return LINE_FULL
    return LINE_BEGUN if s.line_tiles[seat, line] > 0 else COLOUR_IN_ROW


@rule
def put(s: State, seat: int, colour: int, tiles: int, target: int) -> None:
    """Place as many tiles as fit in the line; the rest fall to the floor line (azul.md 3)."""
    fitting = 0
    if target != FLOOR:
        fitting = min(tiles, target + 1 - s.line_tiles[seat, target])
        s.line_colour[seat, target] = colour
        s.line_tiles[seat, target] += fitting
    for _ in range(tiles - fitting):
        drop(s, seat, 1 + colour)


@rule
def drop(s: State, seat: int, piece: int) -> None:
    """Drop a piece on an open ZERO disc or the first free floor space; beyond a full floor, on the lid."""
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] == EMPTY:
            if s.disc[seat] == OPEN_DISC:
                s.disc[seat] = CAUGHT + piece
            else:
                s.floor[seat, space] = piece
            return
    if piece != MARKER:
        s.lid[piece - 1] += 1


@rule
def complete_line(s: State, seat: int) -> int:
    """The topmost complete line, or -1."""
    for line in range(LINES):
        if s.line_tiles[seat, line] == line + 1:
            return line
    return -1


@rule
def refused_column(s: State, seat: int, line: int, column: int) -> int:
    """Grey wall: LEGAL for a free space whose column does not hold the colour yet (azul.md 11)."""
    if s.wall[seat, line, column] != EMPTY:
        return SPACE_TAKEN
    for row in range(LINES):
        if s.wall[seat, row, column] == 1 + s.line_colour[seat, line]:
            return COLOUR_IN_COLUMN
    return LEGAL


@rule
def has_open_column(s: State, seat: int, line: int) -> bool:
    for column in range(LINES):
        if refused_column(s, seat, line, column) == LEGAL:
            return True
    return False


@rule
def set_tile(s: State, seat: int, line: int, column: int) -> None:
    """Move one tile to the wall and score it; the line's other tiles go to the lid (azul.md 5)."""
    colour = s.line_colour[seat, line]
    s.wall[seat, line, column] = 1 + colour
    s.lid[colour] += line
    s.line_tiles[seat, line] = 0
    s.line_colour[seat, line] = 0
    s.tiled = 1
    award(s, seat, tile_points(s, seat, line, column), TILE, line * LINES + column)


@rule
def tile_points(s: State, seat: int, row: int, column: int) -> int:
    """Lengths of the runs of at least 2 through a tile; 1 point if it has no neighbour (azul.md 6)."""
    across = 1 + run(s, seat, row, column, 0, -1) + run(s, seat, row, column, 0, 1)
    down = 1 + run(s, seat, row, column, -1, 0) + run(s, seat, row, column, 1, 0)
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@rule
def run(s: State, seat: int, row: int, column: int, down: int, right: int) -> int:
    """Number of consecutive tiles beside a space in one direction."""
    length = 0
    row += down
    column += right
    while 0 <= row < LINES and 0 <= column < LINES and s.wall[seat, row, column] != EMPTY:
        length += 1
        row += down
        column += right
    return length


@rule
def line_falls(s: State, seat: int, line: int) -> None:
    """Drop all tiles of a line that has no open wall space to the floor line (azul.md 13)."""
    for _ in range(line + 1):
        drop(s, seat, 1 + s.line_colour[seat, line])
    s.line_tiles[seat, line] = 0
    s.line_colour[seat, line] = 0


@rule
def charge_floor(s: State, seat: int) -> None:
    """Subtract the floor penalty, but not below 0 points; floor tiles go to the lid (azul.md 7)."""
    occupied = 0
    for space in range(FLOOR_SPACES):
        piece = s.floor[seat, space]
        if piece != EMPTY:
            occupied += 1
            if piece != MARKER:
                s.lid[piece - 1] += 1
            s.floor[seat, space] = EMPTY
    loss = min(FLOOR_PENALTY[occupied], s.score[seat])
    if loss > 0:
        award(s, seat, -loss, FLOOR_LINE, -1)


@rule
def complete_rows(s: State, seat: int) -> int:
    rows = 0
    for row in range(LINES):
        tiles = 0
        for column in range(LINES):
            if s.wall[seat, row, column] != EMPTY:
                tiles += 1
        if tiles == LINES:
            rows += 1
    return rows


@rule
def complete_columns(s: State, seat: int) -> int:
    columns = 0
    for column in range(LINES):
        tiles = 0
        for row in range(LINES):
            if s.wall[seat, row, column] != EMPTY:
                tiles += 1
        if tiles == LINES:
            columns += 1
    return columns


@rule
def complete_colours(s: State, seat: int) -> int:
    colours = 0
    for colour in range(COLOURS):
        tiles = 0
        for row in range(LINES):
            for column in range(LINES):
                if s.wall[seat, row, column] == 1 + colour:
                    tiles += 1
        if tiles == LINES:
            colours += 1
    return colours
