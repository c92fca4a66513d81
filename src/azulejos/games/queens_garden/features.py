"""Network inputs for a position of Queen's Garden: the non-zero inputs and their amounts.

A side is described by the terms of `evaluate`, and by what these add up: its groups, the prices of its
stored hexagons, its elements, and what the display offers to it. New inputs are added at the end: networks
that were trained without them still fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from azulejos.core.contract import Features
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_INPUTS
from azulejos.games.queens_garden.components import (
    AROUND_BITS, CELLS, COLOURS, ELEMENTS, EXPANSION_SPACES, FIELD_BITS, FIELDS, HEXAGONS, MAX_STACK,
    PATTERNS, PAVILION, PLACES, RIM, ROUNDS, STACK_TILES, STATUE, STORAGE_SPACES,
)
from azulejos.games.queens_garden.display import faces_offered, fits, tiles_offered
from azulejos.games.queens_garden.evaluate import (
    FIELD_CELLS, FIRST_GROUP, FREE_PLACES, ROOM as FREE_CELLS, SEEN, STAGES, TERMS, cells_of, side_terms,
    stage_of,
)
from azulejos.games.queens_garden.garden import filled_cells, lowest, value_of
from azulejos.games.queens_garden.layout import BACK, EMPTY, ENDED, FACE_DOWN, LOT, TAKEN, State
from azulejos.games.queens_garden.prospects import SIZE, kinds_stored, lacking, wheel_from_now
from azulejos.games.queens_garden.storage import count, expansion_room, tile_room
from azulejos.parts.evaluation import MIX, fingerprint
from azulejos.parts.offer_inputs import add, add_count

NETWORKS_FOLDER: Final = Path(__file__).with_name("networks")

# --- networks: one for the beginning, middle and end of each round --------------------------------------

NETWORKS: Final = ROUNDS * STAGES
GROUPS: Final = {
    f"round {1 + number}": range(STAGES * number, STAGES * (1 + number)) for number in range(ROUNDS)
}
"""Networks that are first trained together."""

# --- inputs of a side: where each begins ----------------------------------------------------------------

MOST: Final = 255
"""Larger amounts count as this."""

TERM: Final = 0
"""[term]: the terms of `evaluate`."""
GROUP: Final = TERM + TERMS
"""[field, hexagons - 2, beside a free cell]: number of such groups."""
GROUP_KINDS: Final = 2 * (PATTERNS - 1)
LYING: Final = GROUP + FIELDS * GROUP_KINDS
"""[field]: hexagons of the garden."""
KINDS: Final = LYING + FIELDS
"""[field, hexagons - 1]: different hexagons of the storage."""
HOLDS: Final = KINDS + FIELDS * PATTERNS
"""[hexagon]: how many the storage holds."""
PRICE: Final = HOLDS + HEXAGONS
"""[lacks 0, 1 or more pieces, value - 1]: stored hexagons whose payment lacks this."""
LACKS: Final = 3
JOKERS: Final = PRICE + LACKS * PATTERNS
"""[jokers - 1]"""
TILES: Final = JOKERS + STORAGE_SPACES
"""[tiles - 1]: tiles in the storage."""
FREE: Final = TILES + STORAGE_SPACES
"""[cells - 1]: free cells. At most 24."""
MOST_FREE: Final = 24
OPEN_PLACES: Final = FREE + MOST_FREE
"""[places - 1]: places without an expansion."""
ELEMENT: Final = OPEN_PLACES + PLACES
"""[fountain, statue or bench, pavilion; can be surrounded; filled cells]: number of such elements."""
ELEMENT_KINDS: Final = 3
NAMES: Final = ELEMENT + ELEMENT_KINDS * 2 * RIM
"""[names - 1]: colours and patterns of which an acquisition fits in the storage."""
TAKE: Final = NAMES + FIELDS
"""[hexagons - 1]: the most that one acquisition brings."""
TAKE_WHEEL: Final = TAKE + PATTERNS
"""The most wheel points that the hexagons of one acquisition would score."""
TAKE_NEW: Final = TAKE_WHEEL + 1
"""[hexagons - 1]: the most different hexagons of one name in the storage after one acquisition."""
IN_REACH: Final = TAKE_NEW + PATTERNS
"""[value - 1]: stored hexagons for which one acquisition brings what their payment lacks."""
REACH_WHEEL: Final = IN_REACH + PATTERNS
"""Their wheel points."""
DISTANCE: Final = REACH_WHEEL + 1
"""[turns - 1]: seats that come before this one, with more than two seats."""
SIDE_INPUTS: Final = DISTANCE + 3

# --- inputs of the table --------------------------------------------------------------------------------

ON_OFFER: Final = 0
"""[field]: tiles on the display."""
FACES: Final = ON_OFFER + FIELDS
"""[field]: face-up expansions."""
OFFERED: Final = FACES + FIELDS
"""[pieces - 1]: tiles and face-up expansions. At most 24."""
MOST_OFFERED: Final = 24
TOP: Final = OFFERED + MOST_OFFERED
"""[top of the stack - 1]"""
PASSED: Final = TOP + MAX_STACK
"""[seats - 1]: seats that have passed."""
STAGE: Final = PASSED + 3
"""[stage of the round]"""
VARIANT: Final = STAGE + STAGES
"""The variant side of the scoring board."""
TABLE_INPUTS: Final = VARIANT + 1


@rule
def network_for(s: State) -> int:
    if s.stage == LOT or s.stage == ENDED:
        return -1
    return int(STAGES * (s.round - 1) + stage_of(s))


@rule
def viewpoint(s: State) -> int:
    return int(s.seat)


@rule
def side_inputs(s: State, seat: int, inputs: Cells, amounts: Cells) -> int:
    terms = amounts[MAX_INPUTS:]
    terms[SEEN] = 0
    side_terms(s, seat, terms)
    found = 0
    for term in range(TERMS):
        if terms[term] > 0:
            found = add(found, inputs, amounts, TERM + term, min(int(terms[term]), MOST))
    found = garden_inputs(s, seat, terms, found, inputs, amounts)
    found = storage_inputs(s, seat, found, inputs, amounts)
    found = add_count(found, inputs, amounts, FREE, min(int(terms[FREE_CELLS]), MOST_FREE))
    found = add_count(found, inputs, amounts, OPEN_PLACES, int(terms[FREE_PLACES]))
    if s.players > 2:
        turns = (seat - s.seat) % int(s.players)
        found = add_count(found, inputs, amounts, DISTANCE, turns)
    return found


@rule
def garden_inputs(s: State, seat: int, terms: Cells, found: int, inputs: Cells, amounts: Cells) -> int:
    """Groups from two hexagons on, hexagons of each field, and how far elements are surrounded."""
    for field in range(FIELDS):
        lying = count(int(terms[FIELD_CELLS + field]))
        if lying > 0:
            found = add(found, inputs, amounts, LYING + field, lying)
        for at in range(terms[FIRST_GROUP + field], terms[FIRST_GROUP + field + 1]):
            size = int(SIZE[int(terms[at]) >> CELLS])
            if size > 1:
                is_open = int(int(terms[at]) & (1 << CELLS) - 1 != 0)
                kind = field * GROUP_KINDS + 2 * (size - 2) + is_open
                found = add(found, inputs, amounts, GROUP + kind, 1)
    filled, cells = filled_cells(s.garden[seat]), cells_of(s, seat)
    for element in range(ELEMENTS):
        if element < PAVILION or s.places[seat, element - PAVILION] > BACK:
            around = int(AROUND_BITS[element])
            lying = count(around & filled)
            if 0 < lying < RIM:
                kind = 2 if element >= PAVILION else int(element >= STATUE)
                possible = int(around & ~cells == 0)
                found = add(found, inputs, amounts, ELEMENT + (2 * kind + possible) * RIM + lying, 1)
    return found


@rule
def storage_inputs(s: State, seat: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """What the storage holds, what it lacks, and what one acquisition would add to it."""
    kinds, jokers, room = kinds_stored(s, seat), int(s.jokers[seat]), int(tile_room(s, seat))
    found = add_count(found, inputs, amounts, JOKERS, jokers)
    found = add_count(found, inputs, amounts, TILES, STORAGE_SPACES - room - jokers)
    for field in range(FIELDS):
        different = count(kinds & FIELD_BITS[field])
        found = add_count(found, inputs, amounts, KINDS + field * PATTERNS, different)
    offered, names = 0, 0
    if not s.passed[seat]:
        tiles, faces = tiles_offered(s), faces_offered(s)
        offered = tiles | faces
        names = fitting_names(tiles, faces, room, expansion_room(s, seat))
        found = name_inputs(s, kinds, offered, names, found, inputs, amounts)
    rest = kinds
    while rest:
        hexagon = lowest(rest)
        rest &= rest - 1
        copies = copies_of(s, seat, hexagon)
        found = add(found, inputs, amounts, HOLDS + hexagon, copies)
        short = lacking(kinds, jokers, hexagon)
        price = PRICE + min(max(short, 0), LACKS - 1) * PATTERNS + value_of(hexagon) - 1
        found = add(found, inputs, amounts, price, copies)
        if short > 0 and short <= most_added(kinds, jokers, offered, names, hexagon):
            found = add(found, inputs, amounts, IN_REACH + value_of(hexagon) - 1, copies)
            found = add(found, inputs, amounts, REACH_WHEEL, wheel_from_now(s, hexagon))
    return found


@rule
def copies_of(s: State, seat: int, hexagon: int) -> int:
    copies = int(s.stored[seat, hexagon])
    for slot in range(EXPANSION_SPACES):
        copies += int(s.slots[seat, slot] == 1 + hexagon)
    return copies


@rule
def fitting_names(tiles: int, faces: int, tile_spaces: int, expansion_spaces: int) -> int:
    """The names of which some selection fits in the storage, as in `display.names_that_fit`."""
    names = 0
    for field in range(FIELDS):
        bits = FIELD_BITS[field]
        if (tiles | faces) & bits and fits(tiles & bits, faces & bits, tile_spaces, expansion_spaces):
            names |= 1 << field
    return names


@rule
def name_inputs(
    s: State, kinds: int, offered: int, names: int, found: int, inputs: Cells, amounts: Cells
) -> int:
    """What the best acquisitions bring."""
    most, wheel, together = 0, 0, 0
    for field in range(FIELDS):
        if names >> field & 1:
            taken = offered & FIELD_BITS[field]
            most = max(most, count(taken))
            together = max(together, count((taken | kinds) & FIELD_BITS[field]))
            scored = 0
            while taken:
                scored += wheel_from_now(s, lowest(taken))
                taken &= taken - 1
            wheel = max(wheel, scored)
    found = add_count(found, inputs, amounts, NAMES, count(names))
    found = add_count(found, inputs, amounts, TAKE, most)
    found = add_count(found, inputs, amounts, TAKE_NEW, together)
    return add(found, inputs, amounts, TAKE_WHEEL, wheel)


@rule
def most_added(kinds: int, jokers: int, offered: int, names: int, hexagon: int) -> int:
    """How many pieces fewer the payment of a stored hexagon lacks after the best acquisition."""
    before = lacking(kinds, jokers, hexagon)
    best = 0
    for field in (hexagon // PATTERNS, COLOURS + hexagon % PATTERNS):
        if names >> field & 1:
            after = lacking(kinds | offered & FIELD_BITS[field], jokers, hexagon)
            best = max(best, before - after)
    return best


@rule
def table_inputs(s: State, inputs: Cells, amounts: Cells) -> int:
    found, pieces = 0, 0
    for source in range(min(s.top + 1, MAX_STACK)):
        if FACE_DOWN < s.face[source] < TAKEN:
            found = field_inputs(FACES, int(s.face[source]) - 1, found, inputs, amounts)
            pieces += 1
        for i in range(STACK_TILES):
            if s.tiles[source, i] == EMPTY:
                break
            found = field_inputs(ON_OFFER, int(s.tiles[source, i]) - 1, found, inputs, amounts)
            pieces += 1
    found = add_count(found, inputs, amounts, OFFERED, min(pieces, MOST_OFFERED))
    found = add_count(found, inputs, amounts, TOP, int(s.top))
    found = add_count(found, inputs, amounts, PASSED, passes(s))
    found = add(found, inputs, amounts, STAGE + stage_of(s), 1)
    if s.variant:
        found = add(found, inputs, amounts, VARIANT, 1)
    return found


@rule
def field_inputs(first: int, hexagon: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """Add a hexagon to the counts of its colour and its pattern."""
    found = add(found, inputs, amounts, first + hexagon // PATTERNS, 1)
    return add(found, inputs, amounts, first + COLOURS + hexagon % PATTERNS, 1)


@rule
def passes(s: State) -> int:
    passed = 0
    for seat in range(s.players):
        passed += int(s.passed[seat])
    return passed


# --- what the inputs depend on --------------------------------------------------------------------------

SIDE_FIELDS: Final = ("score", "passed", "stored", "jokers", "slots", "garden", "places")
TABLE_FIELDS: Final = ("top", "tiles", "face", "passed")
REST_BITS: Final = 26
"""Bits of the context for what is not a tile on offer."""
SPREAD: Final = 0x2545F49
"""Spreads a set of 36 hexagons over 62 bits."""


@rule
def table_context(s: State) -> int:
    """The hexagons on offer, and the wheel."""
    wheel = fingerprint(s.wheel_points, 0) + fingerprint(s.wheel_round, FIELDS)
    rest = wheel + int(s.variant) * MIX[2 * FIELDS] ^ faces_offered(s) * SPREAD
    return int(tiles_offered(s) << REST_BITS | rest >> 20 & (1 << REST_BITS) - 1)


@rule
def side_context(s: State, seat: int, table: int) -> int:
    """That, and who is to move, with what in the hand, and who starts the next round."""
    turns = (seat - s.seat) % int(s.players)
    own = turns << 1 | int(s.marker == seat)
    if s.seat == seat:
        own |= (int(s.held) * 6 + int(s.due)) << 3
    return int(table ^ own * MIX[0])


def family(players: int, options: Mapping[str, str]) -> str:
    """Both sides of the scoring board share networks, because inputs follow the wheel: networks that had
    only seen the standard side won 77 % of 50 games of the variant against the linear evaluation
    (docs/lab/networks.md). So do three and four seats."""
    return "both-2" if players == 2 else "three-four"


FEATURES: Final = Features(
    folder=NETWORKS_FOLDER, family=family, networks=NETWORKS, groups=GROUPS, side_size=SIDE_INPUTS,
    table_size=TABLE_INPUTS, side_fields=SIDE_FIELDS, table_fields=TABLE_FIELDS, network_for=network_for,
    viewpoint=viewpoint, side_inputs=side_inputs, table_inputs=table_inputs, side_context=side_context,
    table_context=table_context,
)
