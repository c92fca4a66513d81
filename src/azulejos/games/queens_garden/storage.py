"""Storages: free spaces, payments piece by piece, discards (queens-garden.md 2, 3, 6).

A *piece* of a storage is 0-35, a tile of that hexagon, or 36-37, the expansion in a slot. The pieces of a
payment come in ascending order, jokers last, so that each payment is exactly one sequence of actions. A
piece is legal only if the rest can be paid too.
"""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import LEGAL
from azulejos.games.queens_garden.components import (
    COLOURS, EXPANSION_SPACES, FIELD_BITS, HEXAGONS, PATTERNS, STORAGE_SPACES,
)
from azulejos.games.queens_garden.garden import hexagon_on, lowest, value_of
from azulejos.games.queens_garden.layout import (
    BY_COLOUR, BY_PATTERN, DISCARD_TOO_DEAR, EMPTY, IDENTICAL_PAYS, NOT_STORED, NOTHING_SHARED,
    OTHER_COLOUR, OTHER_PATTERN, OUT_OF_ORDER, PAYS_ALREADY, REST_UNPAID, UNDECIDED, State,
)


@rule
def tile_room(s: State, seat: int) -> int:
    """Free spaces for tiles and jokers."""
    room = STORAGE_SPACES - int(s.jokers[seat])
    for hexagon in range(HEXAGONS):
        room -= s.stored[seat, hexagon]
    return room


@rule
def expansion_room(s: State, seat: int) -> int:
    room = 0
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] == EMPTY:
            room += 1
    return room


@rule
def hexagon_of(s: State, seat: int, piece: int) -> int:
    """The hexagon of a piece; -1 if the storage does not hold the piece."""
    if piece < HEXAGONS:
        return piece if s.stored[seat, piece] > 0 else -1
    return int(s.slots[seat, piece - HEXAGONS]) - 1


@rule
def tiles_stored(s: State, seat: int) -> int:
    """A bit set of the hexagons that lie in the storage as tiles."""
    tiles = 0
    for hexagon in range(HEXAGONS):
        tiles |= int(s.stored[seat, hexagon] > 0) << hexagon
    return tiles


@rule
def pieces_stored(s: State, seat: int) -> int:
    """A bit set of the pieces that are there."""
    pieces = tiles_stored(s, seat)
    for slot in range(EXPANSION_SPACES):
        pieces |= int(s.slots[seat, slot] != EMPTY) << (HEXAGONS + slot)
    return pieces


@rule
def hexagons_stored(s: State, seat: int) -> int:
    """A bit set of the hexagons in the storage, as tiles or on expansions."""
    hexagons = tiles_stored(s, seat)
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] != EMPTY:
            hexagons |= 1 << (int(s.slots[seat, slot]) - 1)
    return hexagons


@rule
def sort_slots(slots: Cells) -> None:
    """Sort in ascending order, empty slots last."""
    if slots[1] != EMPTY and (slots[0] == EMPTY or slots[1] < slots[0]):
        first = int(slots[0])
        slots[0] = slots[1]
        slots[1] = first


@rule
def store_expansion(s: State, seat: int, hexagon: int) -> None:
    free = 0 if s.slots[seat, 0] == EMPTY else 1
    s.slots[seat, free] = 1 + hexagon
    sort_slots(s.slots[seat])


@rule
def throw_away(s: State, seat: int, piece: int) -> None:
    """Move a tile to the tower or an expansion under the supply. Slots are sorted after the turn."""
    if piece < HEXAGONS:
        s.stored[seat, piece] -= 1
        s.tower[piece] += 1
    else:
        s.slots[seat, piece - HEXAGONS] = EMPTY
        s.supply += 1


# --- payments ----------------------------------------------------------------------------------------


@rule
def payers(s: State, seat: int, field: int, used: int, last: int) -> int:
    """How many different hexagons of a colour or pattern could still pay: pieces after `last` that are not
    in the bit set `used`."""
    expansions = 0
    for slot in range(EXPANSION_SPACES):
        if s.slots[seat, slot] != EMPTY and HEXAGONS + slot > last:
            expansions |= 1 << (int(s.slots[seat, slot]) - 1)
    hexagons = 0
    for i in range(COLOURS):
        hexagon = hexagon_on(field, i)
        if used >> i & 1:
            continue
        if expansions >> hexagon & 1 or (hexagon > last and s.stored[seat, hexagon] > 0):
            hexagons += 1
    return hexagons


@rule
def can_afford(s: State, seat: int, hexagon: int) -> bool:
    """Whether a hexagon's cost can be paid, the hexagon itself counting as one (queens-garden.md 3)."""
    return is_affordable(hexagons_stored(s, seat), int(s.jokers[seat]), hexagon)


@rule
def is_affordable(stored: int, jokers: int, hexagon: int) -> bool:
    """The same with this storage: different hexagons of one pattern or of one colour pay, and jokers."""
    others = value_of(hexagon) - 1 - jokers
    if others <= 0:
        return True
    stored &= ~(1 << hexagon)
    if count(stored & FIELD_BITS[COLOURS + hexagon % PATTERNS]) >= others:
        return True
    return count(stored & FIELD_BITS[hexagon // PATTERNS]) >= others


@rule
def count(bits: int) -> int:
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@rule
def shared(placed: int, paid: int) -> int:
    """What a paying hexagon has in common with the placed one: BY_PATTERN, BY_COLOUR or nothing."""
    if placed == paid:
        return UNDECIDED
    if placed % PATTERNS == paid % PATTERNS:
        return BY_PATTERN
    return BY_COLOUR if placed // PATTERNS == paid // PATTERNS else UNDECIDED


@rule
def mark(pay_by: int, hexagon: int) -> int:
    """The bit that distinguishes a hexagon from the others of its payment."""
    return 1 << (hexagon // PATTERNS if pay_by == BY_PATTERN else hexagon % PATTERNS)


@rule
def refused_payment(s: State, seat: int, piece: int) -> int:
    """LEGAL if a piece can pay for the hexagon just placed and the rest of the payment remains possible."""
    paid = hexagon_of(s, seat, piece)
    placed = int(s.garden[seat, s.laid_at]) - 1
    if paid < 0:
        return NOT_STORED
    if piece <= s.last:
        return OUT_OF_ORDER
    if paid == placed:
        return IDENTICAL_PAYS
    pay_by = shared(placed, paid)
    if pay_by == UNDECIDED:
        return NOTHING_SHARED
    if s.pay_by != UNDECIDED and s.pay_by != pay_by:
        return OTHER_COLOUR if s.pay_by == BY_COLOUR else OTHER_PATTERN
    if s.used & mark(pay_by, paid):
        return PAYS_ALREADY
    used = s.used | mark(pay_by, paid) | mark(pay_by, placed)
    field = COLOURS + placed % PATTERNS if pay_by == BY_PATTERN else placed // PATTERNS
    rest = payers(s, seat, field, used, piece) + int(s.jokers[seat])
    return LEGAL if rest >= s.due - 1 else REST_UNPAID


@rule
def pay(s: State, seat: int, piece: int) -> None:
    paid = hexagon_of(s, seat, piece)
    s.pay_by = shared(int(s.garden[seat, s.laid_at]) - 1, paid)
    s.used |= mark(s.pay_by, paid)
    s.last = piece
    s.due -= 1
    throw_away(s, seat, piece)


# --- discards ----------------------------------------------------------------------------------------


@rule
def refused_discard(s: State, seat: int, piece: int) -> int:
    """On passing: in ascending order, and of no more value than the score (queens-garden.md 6)."""
    hexagon = hexagon_of(s, seat, piece)
    if hexagon < 0:
        return NOT_STORED
    if piece < s.last:
        return OUT_OF_ORDER
    return LEGAL if value_of(hexagon) <= s.score[seat] else DISCARD_TOO_DEAR


@rule
def has_discard(s: State, seat: int) -> bool:
    first = max(int(s.last), 0)
    pieces = pieces_stored(s, seat) >> first << first
    while pieces:
        if refused_discard(s, seat, lowest(pieces)) == LEGAL:
            return True
        pieces &= pieces - 1
    return False
