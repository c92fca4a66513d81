"""Checks that a state is consistent and playable; positions read from text must pass them."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.stained_glass.components import (
    MOST_STEPS, PANES_PER_COLOUR, ROUNDS, STRIP_SPACES, WINDOWS,
)
from azulejos.games.stained_glass.layout import (
    BACK, EMPTY, ENDED, FILLING, FRONT, JOKER, KEEPING, LOT, LOWER, OFFER, STRIPS, UPPER, State,
)
from azulejos.games.stained_glass.strips import has_strip, on_jokers, panes_on, spaces
from azulejos.parts.bag import total
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES, offer_is_empty
from azulejos.parts.offer_game import tiles_off_boards


@rule
def panes_add_up(s: State) -> bool:
    """Twenty panes of each colour in all."""
    for colour in range(COLOURS):
        panes = tiles_off_boards(s.bag, s.tower, s.factories, s.centre, colour)
        for slot in range(ROUNDS):
            if s.track[slot] == 1 + colour:
                panes += 1
        for seat in range(s.players):
            panes += panes_of(s, seat, colour)
        if panes != PANES_PER_COLOUR:
            return False
    return True


@rule
def panes_of(s: State, seat: int, colour: int) -> int:
    """Panes of a colour on a seat's board."""
    panes = 0
    for window in range(WINDOWS):
        panes += int(s.panes[seat, window, colour])
        for space in (UPPER, LOWER):
            if s.windows[seat, window, space] == 1 + colour:
                panes += 1
    return panes


@rule
def boards_are_sound(s: State) -> bool:
    """Five spaces on every side, every strip once, no overfull strip; windows without a strip are full."""
    for strip in range(WINDOWS):
        for face in (FRONT, BACK):
            if total(s.strips[strip, face]) != STRIP_SPACES:
                return False
    for seat in range(s.players):
        if s.broken[seat] > s.last_step:
            return False
        for window in range(WINDOWS):
            if not place_is_sound(s, seat, window):
                return False
    return losses_are_sound(s)


@rule
def losses_are_sound(s: State) -> bool:
    """Every step of the broken-glass track costs more than the one before; the rest is unused."""
    if s.losses[0] != 0:
        return False
    for step in range(1, 1 + MOST_STEPS):
        if (s.losses[step] > s.losses[step - 1]) != (step <= s.last_step):
            return False
    return True


@rule
def place_is_sound(s: State, seat: int, window: int) -> bool:
    """Checks one window and the strip above it."""
    upper = s.windows[seat, window, UPPER] != EMPTY
    lower = s.windows[seat, window, LOWER] != EMPTY
    if lower and not upper:
        return False
    if not has_strip(s, seat, window):
        return panes_on(s, seat, window) == 0 and (lower or s.stage <= STRIPS)
    for other in range(window):
        if s.strip[seat, other] == s.strip[seat, window]:
            return False
    keeps = s.stage == KEEPING and seat == s.to_move and window == s.glazier[seat]
    if not panes_have_spaces(s, seat, window) or (panes_on(s, seat, window) == STRIP_SPACES) != keeps:
        return False
    return not lower


@rule
def panes_have_spaces(s: State, seat: int, window: int) -> bool:
    """Panes that exceed the spaces of their own colour fit on joker spaces."""
    beyond = 0
    for colour in range(COLOURS):
        beyond += on_jokers(s, seat, window, colour)
    return beyond <= spaces(s, seat, window, JOKER)


@rule
def stage_is_sound(s: State) -> bool:
    """The stage agrees with the seat to move and with the pieces on the table."""
    if s.starter >= s.players or s.start_tile >= s.players:
        return False
    if s.stage == ENDED:
        return s.to_move == OVER and s.round == ROUNDS and offer_is_empty(s.factories, s.centre)
    if s.stage == OFFER or s.stage == KEEPING:
        return seat_can_move(s)
    if s.to_move != CHANCE:
        return False
    if s.stage == FILLING:
        return filling_goes_on(s)
    return setting_up_goes_on(s)


@rule
def seat_can_move(s: State) -> bool:
    if not 0 <= s.to_move < s.players or not track_is_sound(s):
        return False
    if s.stage == OFFER:
        return not offer_is_empty(s.factories, s.centre)
    return panes_on(s, s.to_move, s.glazier[s.to_move]) == STRIP_SPACES


@rule
def filling_goes_on(s: State) -> bool:
    """A pane is due and there is one to draw."""
    return s.laid < FACTORIES[s.players] * FACTORY_TILES and total(s.bag) > 0 and track_is_sound(s)


@rule
def track_is_sound(s: State) -> bool:
    """The round track holds panes from the current round on."""
    if s.round == 0:
        return False
    for slot in range(ROUNDS):
        if (s.track[slot] != EMPTY) != (slot >= s.round - 1):
            return False
    return True


@rule
def setting_up_goes_on(s: State) -> bool:
    """`laid` equals the number of pieces set up, and more are to follow."""
    if s.round != 0 or s.laid < 0:
        return False
    all_strips = s.players * WINDOWS
    if s.stage == LOT:
        return s.laid == 0 and strips_in_order(s, 0) and bonus_in_order(s, 0)
    if s.stage == STRIPS:
        return s.laid < all_strips and strips_in_order(s, s.laid) and bonus_in_order(s, 0)
    return s.laid < ROUNDS and strips_in_order(s, all_strips) and bonus_in_order(s, s.laid)


@rule
def strips_in_order(s: State, laid: int) -> bool:
    """The first `laid` strips are in place, seat by seat, window by window."""
    for seat in range(s.players):
        for window in range(WINDOWS):
            if has_strip(s, seat, window) != (seat * WINDOWS + window < laid):
                return False
    return True


@rule
def bonus_in_order(s: State, laid: int) -> bool:
    """The first `laid` panes are on II..VI, then I; those on II..VI differ; the others are in the bag."""
    for slot in range(ROUNDS):
        if (s.track[(slot + 1) % ROUNDS] != EMPTY) != (slot < laid):
            return False
    for colour in range(COLOURS):
        if s.bag[colour] < PANES_PER_COLOUR - 1:
            return False
    return total(s.bag) + laid == PANES_PER_COLOUR * COLOURS
