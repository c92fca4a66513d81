"""Which steps of a turn the search tries: most turns of Queen's Garden differ only in unimportant details.

A turn has 350 variants on average and 17,000 at most: every cell with every payment. Only the best few
cells of each piece are tried. Payments do not depend on the cell; only the cheapest of each kind is tried.
"""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Shortlist
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import LEGAL
from azulejos.games.queens_garden.components import CELLS, HEXAGONS, PLACES, ROUNDS, STORAGE_SPACES, TOUCHED
from azulejos.games.queens_garden.garden import has_free_place, place_of, refused_cell, value_of
from azulejos.games.queens_garden.layout import (
    ACTING, BY_COLOUR, BY_PATTERN, CHOOSING, DISCARDING, EMPTY, NO_EXPANSION, PAYING, PIECES, PLACING,
    UNDECIDED, State,
)
from azulejos.games.queens_garden.moves import BUY, CELL, JOKERS, PASS, PIECE, SOURCE
from azulejos.games.queens_garden.prospects import (
    cell_promise, held_hexagon, kinds_stored, lacking, wheel_from_now, wheel_now,
)
from azulejos.games.queens_garden.rules import legal, legal_names, refused_back, refused_pick
from azulejos.games.queens_garden.storage import (
    hexagon_of, mark, refused_discard, refused_payment, shared, tile_room,
)

NONSENSE: Final = -40
"""Moves that score lower (giving up points that cost nothing) are skipped if a better one exists."""
FOOLISH: Final = -50


@rule
def promise(s: State, action: int) -> int:
    """Placing scores higher than acquiring, and a cell with matching neighbours higher than one without."""
    if action < PIECE:
        return 4
    if action < CELL:
        return piece_promise(s, action - PIECE)
    if action < SOURCE:
        return cell_promise(s, action - CELL)
    if action == BUY:
        return -15
    if action == JOKERS:
        return FOOLISH if a_twin_pays(s) else -4 * int(s.due)
    if action == PASS and s.stage == ACTING:
        return FOOLISH if points_lie_ready(s) else -12
    return 0


@rule
def piece_promise(s: State, piece: int) -> int:
    """Score of a piece to place, pay or discard; pieces that score on the wheel are best placed."""
    hexagon = hexagon_of(s, s.seat, piece)
    likes = wheel_from_now(s, hexagon)
    if s.stage == ACTING:
        return 8 + 3 * likes + value_of(hexagon)
    if s.stage == DISCARDING:
        return -20 if is_burden(s, s.seat, piece) else FOOLISH
    return -3 * likes


@rule
def points_lie_ready(s: State) -> bool:
    """Whether passing wastes points: a piece can be paid for without jokers and scores in this round.

    In the last round any piece counts, because stored pieces cost points at the end."""
    kinds = kinds_stored(s, s.seat)
    for piece in range(PIECES):
        hexagon = hexagon_of(s, s.seat, piece)
        if hexagon < 0 or lacking(kinds, 0, hexagon) > 0:
            continue
        if (s.round == ROUNDS or wheel_now(s, hexagon) > 0) and refused_pick(s, s.seat, piece) == LEGAL:
            return True
    return False


@rule
def a_twin_pays(s: State) -> bool:
    """Whether a tile can pay that the storage holds twice."""
    for hexagon in range(HEXAGONS):
        if s.stored[s.seat, hexagon] > 1 and refused_payment(s, s.seat, hexagon) == LEGAL:
            return True
    return False


MOST_CELLS: Final = 6
"""Cells tried for each piece."""
JOKER_KEEP: Final = 34
"""The value of a joker on the scale of `keep`."""
NEVER: Final = 1 << 20
CROWDED: Final = 7
"""With more pieces than this in the storage, one of them may be a burden."""


@rule
def shortlist(s: State, actions: Cells) -> int:
    if s.stage == ACTING:
        return openings(s, actions)
    if s.stage == CHOOSING:
        return copies(s, actions)
    if s.stage == PLACING:
        return cells(s, actions)
    if s.stage == PAYING:
        return payments(s, actions)
    return discards(s, actions)


@rule
def openings(s: State, actions: Cells) -> int:
    """Every name, every affordable piece (even if no cell accepts it), a purchase, a pass."""
    n = legal_names(s, actions)
    kinds = kinds_stored(s, s.seat)
    places = has_free_place(s, s.seat)
    for piece in range(PIECES):
        hexagon = hexagon_of(s, s.seat, piece)
        if hexagon < 0 or (piece >= HEXAGONS and not places):
            continue
        if lacking(kinds, int(s.jokers[s.seat]), hexagon) <= 0:
            actions[n] = PIECE + piece
            n += 1
    if refused_back(s, s.seat) == LEGAL:
        actions[n] = BUY
        n += 1
    actions[n] = PASS
    return n + 1


@rule
def copies(s: State, actions: Cells) -> int:
    """Of identical hexagons, the first (from beside the stack) and the last (from its top)."""
    n = legal(s, actions)
    if n > 2:
        actions[1] = actions[n - 1]
        n = 2
    return n


# --- cells ----------------------------------------------------------------------------------------------


@rule
def cells(s: State, actions: Cells) -> int:
    """The best cells for the piece in the hand, best first."""
    n = 0
    bare = is_bare(s, s.seat)
    for cell in range(CELLS):
        if bare and cell > 0 and place_of(cell) != 0:
            continue
        if refused_cell(s, s.seat, s.held, cell) == LEGAL:
            n = insert_cell(s, cell, n, actions)
    return n


@rule
def is_bare(s: State, seat: int) -> bool:
    """Whether a garden is empty: all directions are then equivalent."""
    for cell in range(CELLS):
        if s.garden[seat, cell] != EMPTY:
            return False
    for place in range(PLACES):
        if s.places[seat, place] != NO_EXPANSION:
            return False
    return True


@rule
def insert_cell(s: State, cell: int, n: int, actions: Cells) -> int:
    look = cell_look(s, cell)
    i = n
    while i > 0 and cell_look(s, int(actions[i - 1]) - CELL) < look:
        if i < MOST_CELLS:
            actions[i] = actions[i - 1]
        i -= 1
    if i < MOST_CELLS:
        actions[i] = CELL + cell
    return min(n + 1, MOST_CELLS)


@rule
def cell_look(s: State, cell: int) -> int:
    """Counts matching neighbours and elements that come closer to being surrounded."""
    look = cell_promise(s, cell)
    if held_hexagon(s) >= 0:
        for i in range(TOUCHED.shape[1]):
            if TOUCHED[cell, i] >= 0:
                look += 1
    return look


# --- payments -------------------------------------------------------------------------------------------


@rule
def keep(s: State, seat: int, hexagon: int) -> int:
    """Value of keeping a stored hexagon, by its cost: cheap ones are better placed, expensive ones better
    paid.

    A hexagon that the storage holds twice is worth little.
    """
    worth = 24 + 12 * wheel_from_now(s, hexagon) // value_of(hexagon)
    return worth - 12 if s.stored[seat, hexagon] > 1 else worth


@rule
def payments(s: State, actions: Cells) -> int:
    """The first piece of the cheapest payment of each kind, with jokers and without."""
    n = 0
    for kind in (BY_PATTERN, BY_COLOUR):
        if s.pay_by == UNDECIDED or s.pay_by == kind:
            n = add_action(first_payer(s, kind, JOKER_KEEP), n, actions)
            n = add_action(first_payer(s, kind, NEVER), n, actions)
    return n


@rule
def add_action(action: int, n: int, actions: Cells) -> int:
    """Insert an action in ascending order; duplicates and -1 are ignored."""
    for i in range(n):
        if actions[i] == action:
            return n
    if action < 0:
        return n
    i = n
    while i > 0 and actions[i - 1] > action:
        actions[i] = actions[i - 1]
        i -= 1
    actions[i] = action
    return n + 1


@rule
def first_payer(s: State, kind: int, joker_price: int) -> int:
    """The action that begins the cheapest payment of the remaining cost; -1 if it cannot be paid.

    After its lowest piece is paid, the rest is still the cheapest payment, so the next step finds it again.
    """
    chosen = 0
    used = s.used
    jokers = int(s.jokers[s.seat])
    for _ in range(s.due):
        piece = cheapest_payer(s, kind, used)
        if piece >= 0 and (jokers == 0 or payer_price(s, piece) <= joker_price):
            chosen |= 1 << piece
            used |= mark(kind, hexagon_of(s, s.seat, piece))
        elif jokers > 0:
            jokers -= 1
        else:
            return -1
    for piece in range(PIECES):
        if chosen >> piece & 1:
            return PIECE + piece
    return JOKERS


@rule
def cheapest_payer(s: State, kind: int, used: int) -> int:
    """The cheapest piece to pay with; -1 if there is none."""
    placed = int(s.garden[s.seat, s.laid_at]) - 1
    best = -1
    for piece in range(s.last + 1, PIECES):
        hexagon = hexagon_of(s, s.seat, piece)
        if hexagon < 0 or shared(placed, hexagon) != kind or used & mark(kind, hexagon):
            continue
        if best < 0 or payer_price(s, piece) < payer_price(s, best):
            best = piece
    return best


@rule
def payer_price(s: State, piece: int) -> int:
    """An expansion is worth more than a tile: it adds cells and a pavilion."""
    return keep(s, s.seat, hexagon_of(s, s.seat, piece)) + (20 if piece >= HEXAGONS else 0)


# --- discards -------------------------------------------------------------------------------------------


@rule
def discards(s: State, actions: Cells) -> int:
    """On passing: nothing, or every hexagon of a crowded storage that is far from affordable."""
    for piece in range(max(s.last, 0), PIECES):
        if refused_discard(s, s.seat, piece) == LEGAL and is_burden(s, s.seat, piece):
            actions[0] = PIECE + piece
            actions[1] = PASS
            return 1 if s.last >= 0 else 2
    actions[0] = PASS
    return 1


@rule
def is_burden(s: State, seat: int, piece: int) -> bool:
    if STORAGE_SPACES - tile_room(s, seat) <= CROWDED:
        return False
    return lacking(kinds_stored(s, seat), int(s.jokers[seat]), hexagon_of(s, seat, piece)) > 2


SHORTLIST: Final = Shortlist(shortlist=shortlist)
