"""Static evaluation of Queen's Garden: weighted terms that a player would recognise.

Hexagons in a garden score in known later rounds, so their points are exact. Stored hexagons are valued by
their prospects: their cost, whether it can be paid, and which group they would join. Weights differ by
round, by how much of the round's stack is left, by the side of the scoring board and by the number of
seats.

Cells are handled as bit sets: evaluating a side takes about a microsecond.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.core.contract import Evaluate
from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.games.queens_garden.components import (
    AROUND_BITS, CELLS, COLOURS, ELEMENTS, EXPANSION_SPACES, FIELD_BITS, FIELDS, FOUNTAIN_CELLS, HEXAGONS,
    NEAR_BITS, PATTERNS, PAVILION, PAVILION_POINTS, PLACE_BITS, PLACES, REWARD, RIM, ROUNDS, SMALLEST_GROUP,
    STACK, STORAGE_SPACES,
)
from azulejos.games.queens_garden.garden import centre_of, lowest, value_of
from azulejos.games.queens_garden.layout import BACK, EMPTY, NO_EXPANSION, State
from azulejos.games.queens_garden.prospects import (
    SIZE, VALUES, WORTH, held_hexagon, kinds_stored, lacking, likely, wheel_from_now,
)
from azulejos.games.queens_garden.shortlist import NONSENSE, promise
from azulejos.games.queens_garden.storage import count, expansion_room
from azulejos.parts.evaluation import MIX, fingerprint, read_weights

# First index of each part in the fingerprint.
STORED_AT: Final = CELLS
PLACES_AT: Final = STORED_AT + HEXAGONS
SLOTS_AT: Final = PLACES_AT + PLACES
OTHERS_AT: Final = SLOTS_AT + EXPANSION_SPACES


@rule
def mark_of(s: State, seat: int) -> int:
    """Fingerprint of everything that the terms of a side depend on; never 0."""
    mark = fingerprint(s.garden[seat], 0) + fingerprint(s.stored[seat], STORED_AT)
    mark += fingerprint(s.places[seat], PLACES_AT) + fingerprint(s.slots[seat], SLOTS_AT)
    mark += int(s.jokers[seat]) * MIX[OTHERS_AT] + int(s.score[seat]) * MIX[OTHERS_AT + 1]
    mark += ((s.round * 2 + s.variant) * 2 + int(s.passed[seat])) * MIX[OTHERS_AT + 2]
    if s.seat == seat:
        mark += (1 + 6 * int(s.held) + int(s.due)) * MIX[OTHERS_AT + 3]
    return int(mark + (2 if s.marker == seat else 1) * MIX[OTHERS_AT + 4])


# --- the terms of a side: where each begins -------------------------------------------------------------

POINTS: Final = 0
"""Certain points: the score, and what the garden scores in this round, later rounds and at the end."""
PAIRS: Final = 1
"""Values of the groups of two that can still grow."""
OPEN_OF: Final = PAIRS + 1
"""5 terms: groups of 1, 2, 3, 4, 5 hexagons beside a free cell."""
MISSING: Final = OPEN_OF + 5
"""Values that are missing from open groups of three or more."""
JOKERS_HELD: Final = MISSING + 1
MANY_JOKERS: Final = JOKERS_HELD + 1
"""Jokers beyond three."""
STORED: Final = MANY_JOKERS + 1
"""Tiles in the storage."""
EXPANSIONS_STORED: Final = STORED + 1
STORED_VALUES: Final = EXPANSIONS_STORED + 1
"""Values of the stored pieces, which are subtracted at the end of the game."""
STORED_WHEEL: Final = STORED_VALUES + 1
"""Points that the stored pieces would score on the wheel if they were placed now."""
FITTING: Final = STORED_WHEEL + 1
"""Pairs of stored hexagons that share a colour or pattern: one can pay for the other."""
LONGEST: Final = FITTING + 1
"""The largest number of different stored hexagons of one colour or pattern."""
READY: Final = LONGEST + 1
"""4 terms for hexagons that other pieces (and jokers) can pay for now: number, values, wheel, growth."""
ALMOST: Final = READY + 4
"""The same for hexagons whose payment lacks one piece."""
FAR: Final = ALMOST + 4
"""The same for hexagons whose payment lacks more pieces."""
BEST_READY: Final = FAR + 4
"""The most points that one ready hexagon scores, from wheel and growth."""
READY_EXPANSIONS: Final = BEST_READY + 1
"""Stored expansions that can be paid for and have a free place."""
NEARLY: Final = READY_EXPANSIONS + 1
"""3 terms: jokers for elements with 3, 4 or 5 of their six cells filled, if the others can be filled."""
BARRED: Final = NEARLY + 3
"""Jokers for elements with 4 or 5 filled cells where an expansion is missing."""
ROOM: Final = BARRED + 1
"""Free cells of the garden."""
TIGHT: Final = ROOM + 1
"""How far the number of free cells is below five."""
FREE_PLACES: Final = TIGHT + 1
BACKS: Final = FREE_PLACES + 1
"""Face-down expansions in the garden."""
FULL_STORAGE: Final = BACKS + 1
"""No room for another tile."""
CROWDED: Final = FULL_STORAGE + 1
"""Pieces in the storage beyond ROOMY: a storage full of unaffordable pieces is a dead end."""
NO_SLOT: Final = CROWDED + 1
"""No room for another expansion."""
DUE: Final = NO_SLOT + 1
"""Pieces still owed for the piece just placed."""
PASSED: Final = DUE + 1
"""Has passed in this round."""
STARTS: Final = PASSED + 1
"""Starts the next round."""
MOVER: Final = STARTS + 1
"""The seat to act next."""
TERMS: Final = MOVER + 1

ROOMY: Final = 7
ROOMY_GARDEN: Final = 5

# Data stored after the terms of a seat.
SEEN: Final = 127
"""The fingerprint of the side that the terms were computed from (`parts.evaluation`)."""
FIELD_CELLS: Final = SEEN + 1
"""[field]: cells of the garden with that colour or pattern."""
FIRST_GROUP: Final = FIELD_CELLS + FIELDS
"""[field]: index of its first group; the last entry is the end of all groups."""
NOTED: Final = FIRST_GROUP + FIELDS + 1
"""Groups: the free cells beside each, and from bit CELLS on the hexagons in it."""

STAGES: Final = 3
"""The beginning, middle and end of a round; at the end the stack is used up."""
PHASES: Final = ROUNDS * STAGES
"""Weights by round and stage, ..."""
TABLES: Final = 6
"""... for each table: two seats, two seats of the variant, three seats, and so on."""


# --- the garden -----------------------------------------------------------------------------------------


@rule
def cells_of(s: State, seat: int) -> int:
    """The cells that exist, as a bit set."""
    cells = (1 << FOUNTAIN_CELLS) - 1
    for place in range(PLACES):
        if s.places[seat, place] != NO_EXPANSION:
            cells |= PLACE_BITS[place]
            if s.places[seat, place] > BACK:
                cells &= ~(1 << centre_of(place))
    return cells


@rule
def note_fields(s: State, seat: int, terms: Cells) -> int:
    """Record the cells of each colour and pattern and add the wheel points; returns the filled cells."""
    for field in range(FIELDS):
        terms[FIELD_CELLS + field] = 0
    filled = 0
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY:
            hexagon = int(s.garden[seat, cell]) - 1
            filled |= 1 << cell
            terms[FIELD_CELLS + hexagon // PATTERNS] |= 1 << cell
            terms[FIELD_CELLS + COLOURS + hexagon % PATTERNS] |= 1 << cell
            terms[POINTS] += wheel_from_now(s, hexagon)
    return filled


@rule
def note_groups(s: State, seat: int, free: int, terms: Cells) -> None:
    """Record every group with its hexagons and the free cells beside it, field by field."""
    noted = NOTED
    for field in range(FIELDS):
        terms[FIRST_GROUP + field] = noted
        rest = int(terms[FIELD_CELLS + field])
        while rest:
            group = rest & -rest
            edge = group
            near = 0
            members = 0
            while edge:
                at = lowest(edge)
                edge &= edge - 1
                hexagon = int(s.garden[seat, at]) - 1
                members |= 1 << (hexagon % PATTERNS if field < COLOURS else hexagon // PATTERNS)
                near |= int(NEAR_BITS[at])
                more = int(NEAR_BITS[at]) & rest & ~group
                group |= more
                edge |= more
            rest &= ~group
            terms[noted] = (near & free) | members << CELLS
            noted += 1
            group_terms(s.variant, field, members, bool(near & free), terms)
    terms[FIRST_GROUP + FIELDS] = noted


@rule
def group_terms(variant: int, field: int, members: int, is_open: bool, terms: Cells) -> None:
    size = int(SIZE[members])
    terms[POINTS] += WORTH[variant, field, members]
    if is_open and size < PATTERNS:
        terms[OPEN_OF + size - 1] += 1
        if size == 2:
            terms[PAIRS] += VALUES[field, members]
        elif size >= SMALLEST_GROUP:
            terms[MISSING] += VALUES[field, 63 & ~members]


@rule
def element_terms(s: State, seat: int, filled: int, cells: int, terms: Cells) -> None:
    """Terms for pavilions and for elements that are nearly surrounded."""
    for place in range(PLACES):
        if s.places[seat, place] == NO_EXPANSION:
            terms[FREE_PLACES] += 1
        elif s.places[seat, place] == BACK:
            terms[BACKS] += 1
        else:
            terms[POINTS] += PAVILION_POINTS * (ROUNDS + 1 - s.round)
    for element in range(ELEMENTS):
        if element < PAVILION or s.places[seat, element - PAVILION] > BACK:
            around = int(AROUND_BITS[element])
            lying = count(around & filled)
            if 3 <= lying < RIM:
                if around & ~cells == 0:
                    terms[NEARLY + lying - 3] += REWARD[element]
                elif lying >= 4:
                    terms[BARRED] += REWARD[element]


# --- the storage ----------------------------------------------------------------------------------------


@rule
def growth(variant: int, hexagon: int, terms: Cells) -> int:
    """Half points gained by the groups that a hexagon could join, both at once if one cell allows it."""
    colour, pattern = hexagon // PATTERNS, hexagon % PATTERNS
    best = 0
    for i in range(terms[FIRST_GROUP + colour], terms[FIRST_GROUP + colour + 1]):
        members = int(terms[i]) >> CELLS
        if members >> pattern & 1 or int(terms[i]) & (1 << CELLS) - 1 == 0:
            continue
        gain = likely(variant, colour, members | 1 << pattern) - likely(variant, colour, members)
        best = max(best, gain + pattern_growth(variant, hexagon, int(terms[i]), terms))
    return max(best, pattern_growth(variant, hexagon, (1 << CELLS) - 1, terms))


@rule
def pattern_growth(variant: int, hexagon: int, cells: int, terms: Cells) -> int:
    """The same for groups of its pattern beside any of the cells."""
    colour, field = hexagon // PATTERNS, COLOURS + hexagon % PATTERNS
    best = 0
    for i in range(terms[FIRST_GROUP + field], terms[FIRST_GROUP + field + 1]):
        members = int(terms[i]) >> CELLS
        if members >> colour & 1 == 0 and int(terms[i]) & cells & (1 << CELLS) - 1:
            gain = likely(variant, field, members | 1 << colour) - likely(variant, field, members)
            best = max(best, gain)
    return best


@rule
def stored_terms(s: State, seat: int, kinds: int, hexagon: int, terms: Cells) -> int:
    """Add the terms of a stored hexagon; returns how many pieces its payment lacks."""
    wheel = wheel_from_now(s, hexagon)
    grown = growth(s.variant, hexagon, terms)
    short = lacking(kinds, int(s.jokers[seat]), hexagon)
    at = READY if short <= 0 else (ALMOST if short == 1 else FAR)
    terms[at] += 1
    terms[at + 1] += value_of(hexagon)
    terms[at + 2] += wheel
    terms[at + 3] += grown
    terms[STORED_VALUES] += value_of(hexagon)
    terms[STORED_WHEEL] += wheel
    if short <= 0:
        terms[BEST_READY] = max(int(terms[BEST_READY]), 2 * wheel + grown)
    return short


@rule
def storage_terms(s: State, seat: int, terms: Cells) -> None:
    kinds = kinds_stored(s, seat)
    terms[JOKERS_HELD] = s.jokers[seat]
    terms[MANY_JOKERS] = max(0, int(s.jokers[seat]) - 3)
    for hexagon in range(HEXAGONS):
        for _ in range(s.stored[seat, hexagon]):
            terms[STORED] += 1
            stored_terms(s, seat, kinds, hexagon, terms)
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] != EMPTY:
            terms[EXPANSIONS_STORED] += 1
            short = stored_terms(s, seat, kinds, int(s.slots[seat, slot]) - 1, terms)
            if short <= 0 and terms[FREE_PLACES] > 0:
                terms[READY_EXPANSIONS] += 1
    if s.seat == seat and held_hexagon(s) >= 0:
        stored_terms(s, seat, kinds, held_hexagon(s), terms)
    for field in range(FIELDS):
        of_field = count(kinds & FIELD_BITS[field])
        terms[FITTING] += of_field * (of_field - 1) // 2
        terms[LONGEST] = max(int(terms[LONGEST]), of_field)
    room = STORAGE_SPACES - int(s.jokers[seat]) - int(terms[STORED])
    terms[FULL_STORAGE] = 1 if room == 0 else 0
    terms[CROWDED] = max(0, STORAGE_SPACES - room - ROOMY)
    terms[NO_SLOT] = 1 if expansion_room(s, seat) == 0 else 0


@rule
def give_up_storage(terms: Cells) -> None:
    """After a seat's last pass, stored pieces only cost their values, and jokers are a point each."""
    terms[POINTS] += terms[JOKERS_HELD] - terms[STORED_VALUES]
    for term in range(JOKERS_HELD, NEARLY):
        terms[term] = 0
    terms[FULL_STORAGE] = terms[CROWDED] = terms[NO_SLOT] = 0


# --- a side, a position ---------------------------------------------------------------------------------


@rule
def side_terms(s: State, seat: int, terms: Cells) -> None:
    """The terms of a side, recomputed only if its fingerprint has changed."""
    mark = mark_of(s, seat)
    if terms[SEEN] == mark:
        return
    terms[SEEN] = mark
    for term in range(TERMS):
        terms[term] = 0
    terms[POINTS] = s.score[seat]
    filled = note_fields(s, seat, terms)
    cells = cells_of(s, seat)
    free = cells & ~filled
    note_groups(s, seat, free, terms)
    element_terms(s, seat, filled, cells, terms)
    terms[ROOM] = count(free)
    terms[TIGHT] = max(0, ROOMY_GARDEN - int(terms[ROOM]))
    storage_terms(s, seat, terms)
    if s.round == ROUNDS and s.passed[seat]:
        give_up_storage(terms)
    terms[PASSED] = s.passed[seat]
    terms[STARTS] = 1 if s.marker == seat else 0
    if s.seat == seat and not s.passed[seat]:
        terms[MOVER] = 1
        terms[DUE] = s.due


@rule
def stage_of(s: State) -> int:
    """How far the round has progressed, judged by the stack."""
    if s.top >= STACK[s.players]:
        return 2
    return 1 if 2 * s.top >= STACK[s.players] else 0


@rule
def terms_of(s: State, terms: Cells) -> int:
    """Compute the terms of every seat, [seat, term]; returns the phase that selects the weights."""
    for seat in range(s.players):
        side_terms(s, seat, terms[seat])
    table = 2 * (s.players - 2) + (1 if s.variant else 0)
    return table * PHASES + STAGES * (max(s.round, 1) - 1) + stage_of(s)


# --- weights --------------------------------------------------------------------------------------------


def _hand_made() -> Cells:
    """Weights set by judgement.

    They change little from round to round: if stored pieces lost much of their value at the end of a
    round, a seat would give up points to delay that end.
    """
    weights = np.zeros((TABLES * PHASES, TERMS), np.int32)
    weights[:, POINTS] = 100
    weights[:, PAIRS] = 50
    weights[:, OPEN_OF + 2 : OPEN_OF + 5] = (30, 60, 150)
    weights[:, NEARLY : NEARLY + 3] = (8, 20, 45)
    weights[:, [ROOM, FULL_STORAGE, DUE, FITTING]] = (5, -100, -150, 8)
    weights[:, [READY, CROWDED]] = (60, -130)
    weights[:, STARTS] = 50
    for row in range(TABLES * PHASES):
        number = row % PHASES // STAGES
        weights[row, JOKERS_HELD] = (180, 180, 170, 120)[number]
        weights[row, [STORED, EXPANSIONS_STORED]] = (90, 90, 80, 40)[number]
        weights[row, STORED_WHEEL] = 25
        weights[row, STORED_VALUES] = (-10, -10, -15, -30)[number]
        weights[row, PASSED] = (-300, -300, -300, 0)[number]
    return weights


def _plain() -> Cells:
    """What a beginner sees: points, jokers, full storages, but neither growing groups nor payments."""
    weights = np.zeros((TABLES * PHASES, TERMS), np.int32)
    weights[:, [POINTS, JOKERS_HELD, STORED, EXPANSIONS_STORED]] = (100, 120, 60, 60)
    weights[:, [FULL_STORAGE, DUE, CROWDED]] = (-100, -150, -100)
    for row in range(TABLES * PHASES):
        weights[row, PASSED] = 0 if row % PHASES // STAGES == ROUNDS - 1 else -300
    return weights


WEIGHTS: Final = {
    "fitted": read_weights(Path(__file__).with_name("weights.npz")),
    "hand": _hand_made(),
    "plain": _plain(),
}
"""Sets of weights by name; the first is the default."""

EVALUATE: Final = Evaluate(
    terms=TERMS, weights=WEIGHTS, terms_of=terms_of, promise=promise, nonsense=NONSENSE,
    swing=2000,  # margins are wide
)
