"""The rules of Queen's Garden (queens-garden.md): rounds, turns, scoring, and the functions of the
contract.

A turn is a sequence of small actions:

    acquire a colour or pattern, then choose the source of each hexagon that several expansions offer;
    a piece of the storage, its cell, then the payment piece by piece, jokers last;
    a face-down expansion, its place;
    pass, then discards one by one, then the end.

It ends as soon as nothing can be added. ``garden.py`` says which cells a hexagon may occupy, ``storage.py``
how it may be paid for, ``display.py`` what may be taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Rules
from azulejos.core.game import first_seat
from azulejos.core.grid import fill
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.points import award
from azulejos.core.verbs import CHANCE, LEGAL, OVER
from azulejos.games.queens_garden.census import makes_sense, pieces_add_up
from azulejos.games.queens_garden.components import (
    COLOURS, COPIES, EXPANSIONS, FACE_DOWN_PRICE, FIELDS, FIRST_JOKERS, FIRST_POINTS, HEXAGONS,
    MARKER_PRICE, MAX_STACK, ROUNDS, STACK, STACK_TILES,
)
from azulejos.games.queens_garden.display import (
    clear_display, lay_tile, names_that_fit, refused_name, refused_source, sources_on, take_from, tiles_on,
    to_turn_up,
)
from azulejos.games.queens_garden.garden import (
    cells_beside, cells_for, filled_cells, fits_somewhere, has_free_place, hexagon_on, lowest, refused_cell,
    set_down, surrounding_reward, value_of,
)
from azulejos.games.queens_garden.layout import (
    ACT_NOW, ACTING, BACK_TOO_DEAR, CANNOT_PAY, CHOOSE_NOW, CHOOSING, DISCARD_NOW, DISCARDING, EMPTY, ENDED,
    FILLING, FITS_NOWHERE, HELD_BACK, HELD_EXPANSION, HELD_TILE, LOT, NO_BACK_LEFT, NO_FREE_PLACE,
    NOT_DRAWN, NOT_STORED, NOTHING, PAY_NOW, PAYING, PLACE_NOW, PLACING, TOO_FEW_JOKERS, TURNING_UP,
    UNDECIDED, State,
)
from azulejos.games.queens_garden.moves import (
    ACQUIRE, BUY, CELL, DRAW, JOKERS, PASS, PIECE, REFUSED, SEAT, SOURCE, TURN_UP, end_reason,
)
from azulejos.games.queens_garden.reasons import BACK_BOUGHT, DISCARDED, PASSED_FIRST
from azulejos.games.queens_garden.scoring import score_end, score_round
from azulejos.games.queens_garden.storage import (
    can_afford, has_discard, hexagon_of, hexagons_stored, is_affordable, pay, pieces_stored,
    refused_discard, refused_payment, sort_slots, throw_away, tile_room,
)
from azulejos.games.queens_garden.wheel import set_wheel, wheel_of
from azulejos.parts.bag import can_draw, draw_odds, even_odds, possible_draws
from azulejos.parts.listing import choices

# --- the start ---------------------------------------------------------------------------------------


def start(s: State, players: int, options: Mapping[str, str]) -> None:
    """Fill the bag, the four stacks and the supply; the first start player is drawn by lot or given."""
    s.players = players
    s.variant = int(options["side"] == "variant")
    set_wheel(s, wheel_of(options))
    fill(s.bag, COPIES)
    fill(s.unseen, 1)
    s.supply = EXPANSIONS - ROUNDS * STACK[players]
    fill(s.score[:players], FIRST_POINTS)
    fill(s.jokers[:players], FIRST_JOKERS)
    s.marker = s.named = s.choosing = s.laid_at = s.last = -1
    s.to_move = CHANCE
    s.stage = LOT
    seat = first_seat(players, options)
    if seat is not None:
        begin_round(s, seat)


# --- setting up a round ------------------------------------------------------------------------------


@rule
def begin_round(s: State, starter: int) -> None:
    """The next stack, with four tiles on its top (queens-garden.md 1)."""
    s.round += 1
    s.seat = starter
    s.marker = -1
    s.top = 0
    for seat in range(s.players):
        s.passed[seat] = 0
    fill_on(s)


@rule
def fill_on(s: State) -> None:
    """Put four tiles on the top of the stack one by one, while tiles last; if there are none at all, lay
    out the whole stack (queens-garden.md 7)."""
    if s.top < STACK[s.players]:
        tiles = tiles_on(s, s.top)
        if tiles < STACK_TILES and can_draw(s.bag, s.tower):
            s.stage = FILLING
            s.to_move = CHANCE
            return
        if tiles == 0:
            s.top = STACK[s.players]
    turn_up_on(s)


@rule
def turn_up_on(s: State) -> None:
    """Turn empty expansions beside the stack face up one by one; then the turn begins."""
    if to_turn_up(s) >= 0:
        s.stage = TURNING_UP
        s.to_move = CHANCE
    else:
        act(s)


@rule
def turn_up(s: State, hexagon: int) -> None:
    s.face[to_turn_up(s)] = 1 + hexagon
    s.unseen[hexagon] = 0
    turn_up_on(s)


@rule
def act(s: State) -> None:
    s.stage = ACTING
    s.to_move = s.seat


@rule
def end_turn(s: State) -> None:
    """Complete the display, then continue with the next seat that has not passed (queens-garden.md 2)."""
    sort_slots(s.slots[s.seat])
    s.named = -1
    s.choosing = -1
    s.laid_at = -1
    s.last = -1
    s.due = 0
    s.used = 0
    s.pay_by = UNDECIDED
    if not next_seat(s):
        end_round(s)
    elif s.lifted:
        s.lifted = 0
        s.top += 1
        fill_on(s)
    else:
        turn_up_on(s)


@rule
def next_seat(s: State) -> bool:
    """Move on clockwise to a seat that has not passed; False if there is none."""
    for _ in range(s.players):
        s.seat = (s.seat + 1) % s.players
        if not s.passed[s.seat]:
            return True
    return False


@rule
def end_round(s: State) -> None:
    """Score; then the first passer starts the next round (queens-garden.md 8-9)."""
    score_round(s)
    if s.round < ROUNDS:
        clear_display(s)
        begin_round(s, s.marker)
    else:
        score_end(s)
        s.stage = ENDED
        s.to_move = OVER


# --- acquiring ---------------------------------------------------------------------------------------


@rule
def acquire(s: State, field: int) -> None:
    s.named = field
    take_on(s)


@rule
def take_on(s: State) -> None:
    """Take one of each hexagon of the acquired field; ask if several expansions offer the same one."""
    seat = s.seat
    all_sources = sources_on(s, s.named)
    for i in range(COLOURS):
        hexagon = hexagon_on(s.named, i)
        sources = all_sources >> MAX_STACK * i & (1 << MAX_STACK) - 1
        if hexagon <= s.choosing:
            continue
        if sources & (sources - 1):
            s.choosing = hexagon
            s.stage = CHOOSING
            return
        for source in range(MAX_STACK):
            if sources >> source & 1:
                take_from(s, seat, source, hexagon)
    end_turn(s)


@rule
def choose(s: State, source: int) -> None:
    take_from(s, s.seat, source, s.choosing)
    take_on(s)


# --- placing -----------------------------------------------------------------------------------------


@rule
def held_as(s: State, seat: int, piece: int) -> int:
    """The value of `held` for a piece of the storage."""
    return (HELD_TILE if piece < HEXAGONS else HELD_EXPANSION) + hexagon_of(s, seat, piece)


@rule
def refused_pick(s: State, seat: int, piece: int) -> int:
    """LEGAL if a piece can be paid for and has a legal cell (queens-garden.md 3-4)."""
    hexagon = hexagon_of(s, seat, piece)
    if hexagon < 0:
        return NOT_STORED
    if not can_afford(s, seat, hexagon):
        return CANNOT_PAY
    if piece >= HEXAGONS and not has_free_place(s, seat):
        return NO_FREE_PLACE
    return LEGAL if fits_somewhere(s, seat, held_as(s, seat, piece)) else FITS_NOWHERE


@rule
def pick(s: State, piece: int) -> None:
    s.held = held_as(s, s.seat, piece)
    s.stage = PLACING
    if piece < HEXAGONS:
        s.stored[s.seat, piece] -= 1
    else:
        s.slots[s.seat, piece - HEXAGONS] = EMPTY


@rule
def refused_back(s: State, seat: int) -> int:
    """A face-down expansion costs six points (queens-garden.md 5)."""
    if s.supply == 0:
        return NO_BACK_LEFT
    if s.score[seat] < FACE_DOWN_PRICE:
        return BACK_TOO_DEAR
    return LEGAL if has_free_place(s, seat) else NO_FREE_PLACE


@rule
def buy(s: State) -> None:
    s.held = HELD_BACK
    s.stage = PLACING
    s.supply -= 1


@rule
def set_piece(s: State, cell: int) -> None:
    """Place the piece in the hand; its cost becomes due, with the piece itself counting as one."""
    held = s.held
    set_down(s, s.seat, held, cell)
    s.held = NOTHING
    s.laid_at = cell
    if held == HELD_BACK:
        award(s, s.seat, -FACE_DOWN_PRICE, BACK_BOUGHT, cell)
        end_turn(s)
    else:
        s.due = value_of(int(s.garden[s.seat, cell]) - 1) - 1
        s.stage = PAYING
        settle(s)


@rule
def pay_jokers(s: State) -> None:
    s.jokers[s.seat] -= s.due
    s.due = 0
    settle(s)


@rule
def settle(s: State) -> None:
    """Once everything is paid, award jokers for newly surrounded elements, as many as fit."""
    if s.due == 0:
        s.jokers[s.seat] += min(surrounding_reward(s, s.seat, s.laid_at), tile_room(s, s.seat))
        end_turn(s)


# --- passing -----------------------------------------------------------------------------------------


@rule
def discard(s: State, piece: int) -> None:
    award(s, s.seat, -value_of(hexagon_of(s, s.seat, piece)), DISCARDED, -1)
    throw_away(s, s.seat, piece)
    s.last = piece
    discard_on(s)


@rule
def discard_on(s: State) -> None:
    s.stage = DISCARDING
    if not has_discard(s, s.seat):
        leave_round(s)


@rule
def leave_round(s: State) -> None:
    """The first to pass takes the marker and loses a point, but not below 0 (queens-garden.md 6)."""
    s.passed[s.seat] = 1
    if s.marker < 0:
        s.marker = s.seat
        award(s, s.seat, -min(MARKER_PRICE, int(s.score[s.seat])), PASSED_FIRST, -1)
    end_turn(s)


# --- the functions of the contract -------------------------------------------------------------------


@rule
def apply(s: State, action: int) -> None:
    if action < PIECE:
        acquire(s, action - ACQUIRE)
    elif action < CELL:
        use_piece(s, action - PIECE)
    elif action < SOURCE:
        set_piece(s, action - CELL)
    elif action < BUY:
        choose(s, action - SOURCE)
    elif action == BUY:
        buy(s)
    elif action == JOKERS:
        pay_jokers(s)
    elif action == PASS:
        if s.stage == ACTING:
            discard_on(s)
        else:
            leave_round(s)
    elif action < DRAW:
        begin_round(s, action - SEAT)
    elif action < TURN_UP:
        lay_tile(s, action - DRAW)
        fill_on(s)
    else:
        turn_up(s, action - TURN_UP)


@rule
def use_piece(s: State, piece: int) -> None:
    """Place, pay or discard a piece of the storage."""
    if s.stage == ACTING:
        pick(s, piece)
    elif s.stage == PAYING:
        pay(s, s.seat, piece)
        settle(s)
    else:
        discard(s, piece)


@rule
def refusal(s: State, action: int) -> int:
    if s.stage == ACTING:
        return refused_act(s, action)
    if s.stage == CHOOSING:
        return refused_source(s, s.seat, action - SOURCE) if SOURCE <= action < BUY else CHOOSE_NOW
    if s.stage == PLACING:
        return refused_cell(s, s.seat, s.held, action - CELL) if CELL <= action < SOURCE else PLACE_NOW
    if s.stage == PAYING:
        if action == JOKERS:
            return LEGAL if s.jokers[s.seat] >= s.due else TOO_FEW_JOKERS
        return refused_payment(s, s.seat, action - PIECE) if PIECE <= action < CELL else PAY_NOW
    if s.stage == DISCARDING:
        if action == PASS:
            return LEGAL
        return refused_discard(s, s.seat, action - PIECE) if PIECE <= action < CELL else DISCARD_NOW
    return LEGAL if may_come(s, action) else NOT_DRAWN


@rule
def refused_act(s: State, action: int) -> int:
    """At the beginning of a turn."""
    if action < PIECE:
        return refused_name(s, s.seat, action - ACQUIRE)
    if action < CELL:
        return refused_pick(s, s.seat, action - PIECE)
    if action == BUY:
        return refused_back(s, s.seat)
    return LEGAL if action == PASS else ACT_NOW


@rule
def may_come(s: State, action: int) -> bool:
    """Whether a draw may have this outcome."""
    if s.stage == FILLING:
        return DRAW <= action < TURN_UP and bool(s.bag[action - DRAW] > 0)
    if s.stage == TURNING_UP:
        return action >= TURN_UP and bool(s.unseen[action - TURN_UP] > 0)
    return s.stage == LOT and SEAT <= action < SEAT + s.players


@rule
def legal(s: State, actions: Cells) -> int:
    if s.stage == FILLING:
        return possible_draws(s.bag, DRAW, actions)
    if s.stage == TURNING_UP:
        return possible_draws(s.unseen, TURN_UP, actions)
    if s.stage == PLACING:
        return legal_cells(s, actions)
    if s.stage == CHOOSING:
        return choices(s, SOURCE, BUY, 0, actions)
    if s.stage == LOT:
        return choices(s, SEAT, SEAT + s.players, 0, actions)
    if s.stage == ENDED:
        return 0
    n = legal_pieces(s, legal_names(s, actions), actions) if s.stage == ACTING else legal_uses(s, actions)
    return choices(s, BUY, SEAT, n, actions)


@rule
def legal_names(s: State, actions: Cells) -> int:
    names = names_that_fit(s, s.seat)
    n = 0
    for field in range(FIELDS):
        if names >> field & 1:
            actions[n] = ACQUIRE + field
            n += 1
    return n


@rule
def legal_pieces(s: State, n: int, actions: Cells) -> int:
    """What `refused_pick` allows. A cell without neighbours takes every piece: most need no look around."""
    seat = s.seat
    filled = filled_cells(s.garden[seat])
    lonely = ~cells_beside(filled)
    stored, jokers = hexagons_stored(s, seat), int(s.jokers[seat])
    pieces = pieces_stored(s, seat)
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        if is_affordable(stored, jokers, hexagon_of(s, seat, piece)):
            held = held_as(s, seat, piece)
            if cells_for(s, seat, held, filled) & lonely or fits_somewhere(s, seat, held):
                actions[n] = PIECE + piece
                n += 1
    return n


@rule
def legal_uses(s: State, actions: Cells) -> int:
    """Pieces that pay or are discarded."""
    n = 0
    pieces = pieces_stored(s, s.seat)
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        if refusal(s, PIECE + piece) == LEGAL:
            actions[n] = PIECE + piece
            n += 1
    return n


@rule
def legal_cells(s: State, actions: Cells) -> int:
    """What `refused_cell` allows."""
    seat, held = s.seat, s.held
    filled = filled_cells(s.garden[seat])
    cells = cells_for(s, seat, held, filled)
    lonely = cells & ~cells_beside(filled)
    n = 0
    while cells:
        cell = lowest(cells)
        cells &= cells - 1
        if lonely >> cell & 1 or refused_cell(s, seat, held, cell) == LEGAL:
            actions[n] = CELL + cell
            n += 1
    return n


@rule
def odds(s: State, weights: Cells) -> int:
    """Tiles in proportion to their number in the bag; expansions and start players equally likely."""
    if s.stage == FILLING:
        return draw_odds(s.bag, weights)
    if s.stage == TURNING_UP:
        return draw_odds(s.unseen, weights)
    return even_odds(s.players if s.stage == LOT else 0, weights)


@rule
def standing(s: State, seat: int) -> int:
    """Points; ties are shared (queens-garden.md 12)."""
    return int(s.score[seat])


@rule
def in_turn(s: State) -> bool:
    return CHOOSING <= s.stage <= DISCARDING


@rule
def census(s: State) -> bool:
    """The pieces add up, the fields agree, and the game can continue."""
    if not pieces_add_up(s) or not makes_sense(s):
        return False
    if s.stage == ENDED or s.stage == ACTING:
        return True
    for action in range(TURN_UP + HEXAGONS):
        if refusal(s, action) == LEGAL:
            return True
    return False


RULES: Final = Rules(
    start=start, legal=legal, refusal=refusal, refused=REFUSED, odds=odds, apply=apply, standing=standing,
    in_turn=in_turn, census=census, steps=frozenset({CHOOSE_NOW, PLACE_NOW, PAY_NOW}),
    end_reason=end_reason, round_end=end_round,
)
