"""Static evaluation of Azul: weighted terms that a player would recognise.

A side is evaluated as if the round ended now: complete lines tile the wall and floor penalties are charged.
Its value is the weighted sum of its terms. Weights differ by round, because a fourth tile in a row is worth
more in round 5 than in round 1.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.core.contract import Evaluate
from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.games.azul.layout import (
    COLOUR_BONUS, COLUMN_BONUS, EMPTY, FLOOR_PENALTY, FLOOR_SPACES, LINES, OFFER, ROW_BONUS, WALL_COLUMN,
    State,
)
from azulejos.games.azul.moves import COLUMN, FLOOR, TARGETS
from azulejos.parts.bag import total
from azulejos.parts.evaluation import MIX, fingerprint, read_weights
from azulejos.parts.offer import CENTRE, COLOURS, FACTORIES, tiles_at

# --- the terms of a side: where each begins -------------------------------------------------------------

POINTS: Final = 0
POOR: Final = 1
"""1 with fewer than 8 points: a floor penalty may then cost less than its face value."""
STARTS: Final = 2
"""Starts the next round."""
CELL: Final = 3
"""25 terms: a tile on this space (numbered by the columns of the coloured wall, on grey walls too)."""
ROW_OF: Final = CELL + LINES * LINES
"""5 terms: rows with 1..5 tiles."""
COLUMN_OF: Final = ROW_OF + 5
"""5 terms: columns with 1..5 tiles."""
COLOUR_OF: Final = COLUMN_OF + 5
"""5 terms: colours with 1..5 tiles on the wall."""
BEGUN: Final = COLOUR_OF + 5
"""10 terms: line 2 with 1 tile, line 3 with 1, with 2, line 4 with 1, ... line 5 with 4."""
LINE_POINTS: Final = BEGUN + 10
"""5 terms: points that the tile of a begun line would score now."""
LINE_COLUMN: Final = LINE_POINTS + LINES
"""Total number of tiles in the columns that begun lines will go to."""
LINE_COLOUR: Final = LINE_COLUMN + 1
"""Total number of wall tiles in the colours of begun lines."""
SHORTAGE: Final = LINE_COLOUR + 1
"""Tiles that begun lines still need and that are in neither the bag nor the lid."""
NEIGHBOURS: Final = SHORTAGE + 1
"""5 terms: the sum of the points that the empty spaces of a row would score now."""
MOVER: Final = NEIGHBOURS + LINES
"""The seat to move, while tiles are on offer."""
FINISHABLE: Final = MOVER + 1
"""5 terms: a begun line that a single take could complete now."""
TERMS: Final = FINISHABLE + LINES
SEEN: Final = TERMS
"""Stored after the terms: the fingerprint of the side they were computed from (`parts.evaluation`)."""

FIRST_BEGUN: Final = (0, 0, 1, 3, 6)
LAST: Final = 6
"""Weights between rounds, by the next round: 1, 2, 3, 4, 5, 6 or later. LAST: a row is complete."""
WITHIN: Final = LAST + 1
"""Weights within rounds 1, 2, 3, 4, 5 or later: three sets each, by the number of tiles on offer."""
PHASES: Final = WITHIN + 3 * 5
FEW_TILES: Final = 6
SOME_TILES: Final = 13


def _run_lengths() -> Cells:
    """RUN[tiles, at]: length of the run through `at` after placing a tile there; `tiles` is a bit set."""
    table = np.zeros((1 << LINES, LINES), np.int64)
    for tiles in range(1 << LINES):
        for at in range(LINES):
            low = high = at
            while low > 0 and tiles >> (low - 1) & 1:
                low -= 1
            while high < LINES - 1 and tiles >> (high + 1) & 1:
                high += 1
            table[tiles, at] = high - low + 1
    return table


RUN: Final = _run_lengths()
FULL: Final = (1 << LINES) - 1
COUNT: Final = np.array([bits.bit_count() for bits in range(1 << LINES)], np.int64)


# A wall as bit fields: `rows` has LINES bits per row, `columns` LINES bits per column, `colours` a 3-bit
# count per colour.


@rule
def cell_points(rows: int, columns: int, row: int, column: int) -> int:
    """Points for a tile placed on an empty space (azul.md 6)."""
    across = RUN[rows >> LINES * row & FULL, column]
    down = RUN[columns >> LINES * column & FULL, row]
    if across == 1:
        return int(down)
    if down == 1:
        return int(across)
    return int(across + down)


@rule
def read_wall(s: State, seat: int) -> tuple[int, int, int]:
    rows = 0
    columns = 0
    colours = 0
    for row in range(LINES):
        for column in range(LINES):
            tile = int(s.wall[seat, row, column])
            if tile != EMPTY:
                rows |= 1 << (LINES * row + column)
                columns |= 1 << (LINES * column + row)
                colours += 1 << 3 * (tile - 1)
    return rows, columns, colours


@rule
def target_column(s: State, seat: int, line: int, colour: int, rows: int, columns: int) -> int:
    """The column for a line's tile: as printed, or the best open one of a grey wall; -1 if none is open."""
    if not s.grey:
        return WALL_COLUMN[line][colour]
    best = -1
    best_points = 0
    for column in range(LINES):
        if rows >> (LINES * line + column) & 1 == 0 and not column_holds(s, seat, column, colour):
            points = cell_points(rows, columns, line, column)
            if points > best_points:
                best_points = points
                best = column
    return best


@rule
def column_holds(s: State, seat: int, column: int, colour: int) -> bool:
    for row in range(LINES):
        if s.wall[seat, row, column] == 1 + colour:
            return True
    return False


@rule
def tile_now(s: State, seat: int, rows: int, columns: int, colours: int) -> tuple[int, int, int, int]:
    """The wall after tiling all complete lines, and the score after tiling and floor penalties."""
    score = int(s.score[seat])
    for line in range(LINES):
        if s.line_tiles[seat, line] == line + 1:
            colour = int(s.line_colour[seat, line])
            column = target_column(s, seat, line, colour, rows, columns)
            if column >= 0:
                score += cell_points(rows, columns, line, column)
                rows |= 1 << (LINES * line + column)
                columns |= 1 << (LINES * column + line)
                colours += 1 << 3 * colour
    occupied = 0
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] != EMPTY:
            occupied += 1
    return rows, columns, colours, max(0, score - FLOOR_PENALTY[occupied])


@rule
def wall_terms(rows: int, columns: int, colours: int, terms: Cells) -> None:
    for row in range(LINES):
        tiles = int(COUNT[rows >> LINES * row & FULL])
        if tiles > 0:
            terms[ROW_OF + tiles - 1] += 1
        near = 0
        for column in range(LINES):
            if rows >> (LINES * row + column) & 1:
                terms[CELL + row * LINES + column] = 1
            else:
                near += cell_points(rows, columns, row, column)
        terms[NEIGHBOURS + row] = near
    for column in range(LINES):
        tiles = int(COUNT[columns >> LINES * column & FULL])
        if tiles > 0:
            terms[COLUMN_OF + tiles - 1] += 1
    for colour in range(COLOURS):
        tiles = colours >> 3 * colour & 7
        if tiles > 0:
            terms[COLOUR_OF + tiles - 1] += 1


@rule
def line_terms(s: State, seat: int, rows: int, columns: int, colours: int, terms: Cells) -> None:
    for line in range(1, LINES):
        tiles = int(s.line_tiles[seat, line])
        if 0 < tiles <= line:
            colour = int(s.line_colour[seat, line])
            terms[BEGUN + FIRST_BEGUN[line] + tiles - 1] = 1
            terms[LINE_COLOUR] += colours >> 3 * colour & 7
            terms[SHORTAGE] += max(0, line + 1 - tiles - int(s.bag[colour]) - int(s.lid[colour]))
            column = target_column(s, seat, line, colour, rows, columns)
            if column >= 0:
                terms[LINE_POINTS + line] = cell_points(rows, columns, line, column)
                terms[LINE_COLUMN] += COUNT[columns >> LINES * column & FULL]


@rule
def mark_of(s: State, seat: int) -> int:
    """Fingerprint of everything that the terms of a board depend on; never 0."""
    mark = fingerprint(s.line_colour[seat], 0) + fingerprint(s.line_tiles[seat], LINES)
    mark += fingerprint(s.floor[seat], 2 * LINES)
    first = 2 * LINES + FLOOR_SPACES
    for row in range(LINES):
        mark += fingerprint(s.wall[seat, row], first + LINES * row)
    first += LINES * LINES
    mark += fingerprint(s.bag, first) + fingerprint(s.lid, first + COLOURS)
    first += 2 * COLOURS
    return int(mark + int(s.score[seat]) * MIX[first] + (1 + int(s.grey)) * MIX[first + 1])


@rule
def board_terms(s: State, seat: int, terms: Cells) -> None:
    """The terms of a board, as if the round ended now."""
    for term in range(TERMS):
        terms[term] = 0
    rows, columns, colours = read_wall(s, seat)
    rows, columns, colours, points = tile_now(s, seat, rows, columns, colours)
    terms[POINTS] = points
    terms[POOR] = 1 if points < 8 else 0
    wall_terms(rows, columns, colours, terms)
    line_terms(s, seat, rows, columns, colours, terms)


@rule
def side_terms(s: State, seat: int, terms: Cells) -> None:
    """The terms of one side; its board terms are reused if the fingerprint is unchanged."""
    mark = mark_of(s, seat)
    if terms[SEEN] != mark:
        terms[SEEN] = mark
        board_terms(s, seat, terms)
    holder = s.marker if s.marker >= 0 else s.starter
    terms[STARTS] = 1 if holder == seat else 0
    for term in range(MOVER, TERMS):
        terms[term] = 0
    if s.stage >= OFFER:
        offer_terms(s, seat, terms)


@rule
def offer_terms(s: State, seat: int, terms: Cells) -> None:
    terms[MOVER] = 1 if s.to_move == seat else 0
    for line in range(LINES):
        tiles = int(s.line_tiles[seat, line])
        if 0 < tiles <= line:
            colour = int(s.line_colour[seat, line])
            for source in range(FACTORIES[s.players] + 1):
                if tiles_at(s.factories, s.centre, source, colour) > line - tiles:
                    terms[FINISHABLE + line] = 1
                    break


@rule
def phase_of(s: State, terms: Cells) -> int:
    """The phase that selects the weights. `terms`: [seat, term], of all seats."""
    for seat in range(s.players):
        if terms[seat, ROW_OF + LINES - 1] > 0:
            return LAST
    if s.stage < OFFER:
        return min(max(s.round, 1), LAST) - 1
    offered = total(s.centre)
    for place in range(FACTORIES[s.players]):
        offered += total(s.factories[place])
    part = 2 if offered <= FEW_TILES else 1 if offered <= SOME_TILES else 0
    return WITHIN + 3 * (min(s.round, 5) - 1) + part


@rule
def terms_of(s: State, terms: Cells) -> int:
    """Compute the terms of every seat, [seat, term]; returns the phase that selects the weights."""
    for seat in range(s.players):
        side_terms(s, seat, terms[seat])
    return phase_of(s, terms)


@rule
def promise(s: State, action: int) -> int:
    """Move-ordering score: high for filling a line exactly with many tiles, low for overflow."""
    if action >= COLUMN:
        return 0
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    tiles = tiles_at(s.factories, s.centre, source, colour)
    falls = 1 if source == CENTRE and s.marker < 0 else 0
    if target == FLOOR:
        return -10 * (tiles + falls)
    space = target + 1 - int(s.line_tiles[s.to_move, target])
    if tiles >= space:
        return 10 + 4 * target - 8 * (tiles - space + falls)
    return 4 * tiles - 3 * space - 8 * falls


NONSENSE: Final = -25
"""Moves that score lower (three or more tiles to the floor line) are skipped if a better one exists."""


@rule
def tidy(s: State, seat: int) -> None:
    """Sort a floor line, highest piece first: the order has no effect on the game."""
    for space in range(1, FLOOR_SPACES):
        piece = s.floor[seat, space]
        if piece == EMPTY:
            return
        at = space
        while at > 0 and s.floor[seat, at - 1] < piece:
            s.floor[seat, at] = s.floor[seat, at - 1]
            at -= 1
        s.floor[seat, at] = piece


# --- weights --------------------------------------------------------------------------------------------


def last_weights() -> Cells:
    """A row is complete: only points and bonuses count, and each also improves the chance of winning."""
    weights = np.zeros(TERMS, np.int32)
    weights[POINTS] = 150
    weights[ROW_OF + LINES - 1] = 150 * ROW_BONUS
    weights[COLUMN_OF + LINES - 1] = 150 * COLUMN_BONUS
    weights[COLOUR_OF + LINES - 1] = 150 * COLOUR_BONUS
    return weights


def _hand_made() -> Cells:
    """Weights set by judgement, the same in every round."""
    weights = np.zeros((PHASES, TERMS), np.int32)
    weights[:, POINTS] = 100
    weights[:, STARTS] = 50
    weights[:, ROW_OF : ROW_OF + 5] = (10, 25, 50, 80, 200)
    weights[:, COLUMN_OF : COLUMN_OF + 5] = (20, 70, 170, 380, 700)
    weights[:, COLOUR_OF : COLOUR_OF + 5] = (10, 50, 150, 400, 1000)
    weights[:, BEGUN : BEGUN + 10] = (40, 20, 90, 10, 70, 150, 0, 40, 110, 200)
    weights[:, LINE_POINTS : LINE_POINTS + LINES] = 30
    weights[:, SHORTAGE] = -60
    weights[:, NEIGHBOURS : NEIGHBOURS + LINES] = 8
    weights[LAST] = last_weights()
    return weights


def _plain() -> Cells:
    """What a beginner sees: points, the floor line and filling lines, but no columns, colours or supply."""
    weights = np.zeros((PHASES, TERMS), np.int32)
    weights[:, POINTS] = 100
    weights[:, CELL : CELL + LINES * LINES] = np.repeat((100, 150, 200, 250, 300), LINES)
    weights[:, BEGUN : BEGUN + 10] = (60, 40, 100, 30, 90, 170, 20, 70, 140, 220)
    weights[LAST] = last_weights()
    return weights


WEIGHTS: Final = {
    "fitted": read_weights(Path(__file__).with_name("weights.npz")),
    "hand": _hand_made(),
    "plain": _plain(),
}
"""Sets of weights by name; the first is the default."""

EVALUATE: Final = Evaluate(
    terms=TERMS, weights=WEIGHTS, terms_of=terms_of, promise=promise, tidy=tidy, nonsense=NONSENSE,
    chance_free_rounds=True,
)
