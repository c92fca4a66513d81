"""Network inputs for a position of Stained Glass: the non-zero inputs and their amounts.

Each input costs time, so there are few: the state of a window with its strip is one input. factors.py lists
what different inputs have in common. New inputs are added at the end: networks that were trained without
them still fit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from azulejos.core.contract import Features
from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.games.stained_glass.components import (
    MOST_STEPS, ORNAMENTS, PANES_PER_POINT, ROUNDS, STRIP_SPACES, WINDOW_POINTS, WINDOWS,
)
from azulejos.games.stained_glass.layout import EMPTY, LOWER, OFFER, UPPER, State
from azulejos.games.stained_glass.rules import complete_windows, ornament_points
from azulejos.games.stained_glass.strips import free_jokers, has_strip, spaces
from azulejos.parts.offer import COLOURS, FACTORIES
from azulejos.parts.offer_inputs import (
    MARKER_THERE, MASK, OFFER_INPUTS, SIZES, SIZES_IN, add, add_count, add_set, piles_of, source_inputs,
)

FOLDER: Final = Path(__file__).with_name("networks")

# --- networks: between rounds (by the next round), then within rounds -----------------------------------

BETWEEN: Final = ROUNDS - 1
NETWORKS: Final = BETWEEN + ROUNDS
GROUPS: Final = {"between": range(BETWEEN), "within": range(BETWEEN, NETWORKS)}
"""Networks that are first trained together."""

# --- inputs of a side: where each begins ----------------------------------------------------------------

SETS: Final = 1 << WINDOWS
"""Number of sets of windows, as bit sets."""
LEVEL: Final = 60
"""Added to the score, which may be negative."""

POINTS: Final = 0
LOSS: Final = 1
"""Points that the broken glass would cost now."""
BONUS: Final = 2
"""The bonus for the board's side if the game ended now."""
LEFT: Final = 3
"""Points that the panes left on strips would be worth now."""
UPPERS: Final = 4
"""[set of windows]: a pane in the upper space."""
LOWERS: Final = UPPERS + SETS
"""[set of windows]: a pane in the lower space."""
STRIP: Final = LOWERS + SETS
"""[window, upper space filled, spaces missing - 1, kinds missing - 1]: the strip above a window."""
MISSING: Final = STRIP_SPACES
STRIP_STATES: Final = 2 * MISSING * MISSING
NEED: Final = STRIP + WINDOWS * STRIP_STATES
"""[colour, spaces - 1]: number of strips with so many free spaces of a colour. At most 3."""
MOST_NEEDED: Final = 3
CHAIN: Final = NEED + COLOURS * MOST_NEEDED
"""[spaces missing - 1]: points for completing the strips within reach of the glazier."""
CHAIN_BEHIND: Final = CHAIN + MISSING
"""[spaces missing - 1]: the same for strips that the glazier has passed."""
BONUS_NOW: Final = CHAIN_BEHIND + MISSING
"""[spaces missing - 1]: panes of this round's bonus colour on strips within reach."""
BONUS_NEXT: Final = BONUS_NOW + MISSING
"""[spaces missing - 1]: panes and free spaces of the next round's bonus colour on all strips."""
GLAZIER: Final = BONUS_NEXT + MISSING
"""[window]"""
STEP: Final = GLAZIER + WINDOWS
"""[step - 1] on the broken-glass track."""
BEGINS: Final = STEP + MOST_STEPS
"""Holds the start tile and starts the next round."""
COMPLETE: Final = BEGINS + 1
"""[windows - 1]: complete windows."""
COLOUR: Final = COMPLETE + WINDOWS
"""[colour, panes - 1]: side B, panes of a colour in the windows."""
BEST: Final = COLOUR + COLOURS * 2 * WINDOWS
"""[panes - 1]: side B, panes of the best colour."""
ORNAMENT: Final = BEST + 2 * WINDOWS
"""[ornament, panes - 1]: side A, panes around an ornament."""
FIT: Final = ORNAMENT + 4 * len(ORNAMENTS)
"""[window, panes - 1]: the most panes that one take would add to a strip within reach."""
FINISHABLE: Final = FIT + WINDOWS * MISSING
"""[set of windows]: a source has enough panes to complete the strip in one take."""
EXACTLY: Final = FINISHABLE + SETS
"""[set of windows]: a source has exactly enough panes."""
HOMELESS: Final = EXACTLY + SETS
"""[piles - 1]: different combinations of colour and size on offer that no strip within reach accepts."""
MOST_HOMELESS: Final = 12
DISTANCE: Final = HOMELESS + MOST_HOMELESS
"""[turns - 1]: turns until the seat's next one, with more than two seats."""
SIDE_INPUTS: Final = DISTANCE + 3

# --- inputs of the table --------------------------------------------------------------------------------

BAG: Final = 0
"""[colour]: panes in the bag, between rounds."""
SUPPLY: Final = BAG + COLOURS
"""[colour]: panes in the bag and the tower, between rounds."""
TRACK: Final = SUPPLY + COLOURS
"""[round, colour]: bonus colours of this round and later ones."""
ON_OFFER: Final = TRACK + ROUNDS * COLOURS
"""What lies in the centre and on factories (`parts.offer_inputs`)."""
TABLE_INPUTS: Final = ON_OFFER + OFFER_INPUTS

LARGEST: Final = np.array([max(bits.bit_length() - 1, 0) for bits in range(MASK + 1)], np.int64)
"""[sizes of piles as bits]: the largest."""


@rule
def network_for(s: State) -> int:
    if s.stage == OFFER:
        return BETWEEN + int(s.round) - 1
    if s.stage < OFFER and s.round > 1 and s.laid == 0:
        return int(s.round) - 2
    return -1


@rule
def viewpoint(s: State) -> int:
    """The seat to move, or the one that will start the round."""
    return int(s.to_move if s.to_move >= 0 else s.starter)


@rule
def bonus_colour(s: State, ahead: int) -> int:
    """The bonus colour of this round (in progress or to come) or a later one; -1 if there is none."""
    at = int(s.round) - 1 + ahead
    return int(s.track[at]) - 1 if 0 <= at < ROUNDS else -1


@rule
def side_inputs(s: State, seat: int, inputs: Cells, amounts: Cells) -> int:
    found = add(0, inputs, amounts, POINTS, min(max(int(s.score[seat]) + LEVEL, 0), 255))
    found = add(found, inputs, amounts, LOSS, int(s.losses[s.broken[seat]]))
    uppers = 0
    lowers = 0
    for window in range(WINDOWS):
        uppers |= int(s.windows[seat, window, UPPER] != EMPTY) << window
        lowers |= int(s.windows[seat, window, LOWER] != EMPTY) << window
    found = add_set(found, inputs, amounts, UPPERS, uppers)
    found = add_set(found, inputs, amounts, LOWERS, lowers)
    found = add_set(found, inputs, amounts, GLAZIER, int(s.glazier[seat]))
    found = add_count(found, inputs, amounts, STEP, int(s.broken[seat]))
    if s.start_tile == seat:
        found = add(found, inputs, amounts, BEGINS, 1)
    if s.players > 2:
        turns = (seat - viewpoint(s)) % int(s.players)
        found = add_count(found, inputs, amounts, DISTANCE, turns)
    found = bonus_inputs(s, seat, found, inputs, amounts)
    found = strip_inputs(s, seat, uppers, found, inputs, amounts)
    if s.stage >= OFFER:
        found = offer_inputs(s, seat, found, inputs, amounts)
    return found


@rule
def bonus_inputs(s: State, seat: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """What counts for the bonus of the board's side."""
    complete = complete_windows(s, seat)
    found = add_count(found, inputs, amounts, COMPLETE, complete)
    bonus = 0
    if s.side_b:
        counts = 0
        for window in range(WINDOWS):
            for space in (UPPER, LOWER):
                counts += 1 << 6 * int(s.windows[seat, window, space])
        best = 0
        for colour in range(COLOURS):
            panes = counts >> 6 * (1 + colour) & 63
            best = max(best, panes)
            found = add_count(found, inputs, amounts, COLOUR + colour * 2 * WINDOWS, panes)
        found = add_count(found, inputs, amounts, BEST, best)
        bonus = complete * best
    else:
        for ornament in range(len(ORNAMENTS)):
            panes = 0
            for window in ORNAMENTS[ornament]:
                for space in (UPPER, LOWER):
                    panes += int(s.windows[seat, window, space] != EMPTY)
            found = add_count(found, inputs, amounts, ORNAMENT + 4 * ornament, panes)
            bonus += ornament_points(s, seat, ornament)
    return add(found, inputs, amounts, BONUS, bonus)


@rule
def strip_inputs(s: State, seat: int, uppers: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """Strips: what they lack, what completing them brings, and bonus colours."""
    chain = 0
    left = 0
    now = bonus_colour(s, 0)
    later = bonus_colour(s, 1 if s.stage >= OFFER else 0)
    for window in range(WINDOWS - 1, -1, -1):
        upper = uppers >> window & 1
        if has_strip(s, seat, window):
            panes = 0
            kinds = 0
            bonus = 0
            next_bonus = 0
            for colour in range(COLOURS):
                lying = int(s.panes[seat, window, colour])
                free = spaces(s, seat, window, colour) - lying
                panes += lying
                if free > 0:
                    kinds += 1
                    needed = NEED + colour * MOST_NEEDED + min(free, MOST_NEEDED) - 1
                    found = add(found, inputs, amounts, needed, 1)
                if colour == now:
                    bonus = lying
                if colour == later:
                    next_bonus = lying + max(free, 0)
            left += panes
            lacking = min(max(STRIP_SPACES - panes, 1), MISSING) - 1
            which = (window * 2 + upper) * MISSING * MISSING + lacking * MISSING + max(kinds, 1) - 1
            found = add(found, inputs, amounts, STRIP + which, 1)
            reward = WINDOW_POINTS[window] + chain
            if window < s.glazier[seat]:
                found = add(found, inputs, amounts, CHAIN_BEHIND + lacking, reward)
            else:
                found = add(found, inputs, amounts, CHAIN + lacking, reward)
                if bonus > 0:
                    found = add(found, inputs, amounts, BONUS_NOW + lacking, bonus)
            if next_bonus > 0:
                found = add(found, inputs, amounts, BONUS_NEXT + lacking, next_bonus)
        chain += WINDOW_POINTS[window] * upper
    return add(found, inputs, amounts, LEFT, left // PANES_PER_POINT)


@rule
def offer_inputs(s: State, seat: int, found: int, inputs: Cells, amounts: Cells) -> int:
    """Prospects of this round: what a take would add to strips within reach."""
    outlook = prospects(s, seat, piles_of(s.factories, s.centre, FACTORIES[s.players]))
    for window in range(WINDOWS):
        found = add_count(found, inputs, amounts, FIT + window * MISSING, outlook & 7)
        outlook >>= 3
    found = add_set(found, inputs, amounts, FINISHABLE, outlook & SETS - 1)
    found = add_set(found, inputs, amounts, EXACTLY, outlook >> WINDOWS & SETS - 1)
    return add_count(found, inputs, amounts, HOMELESS, outlook >> 2 * WINDOWS)


@rule
def prospects(s: State, seat: int, piles: int) -> int:
    """Three bits for each window: FIT; then the sets FINISHABLE and EXACTLY; then HOMELESS."""
    fits = 0
    finishable = 0
    exactly = 0
    homes = 0
    for window in range(int(s.glazier[seat]), WINDOWS):
        if has_strip(s, seat, window):
            jokers = max(free_jokers(s, seat, window), 0)
            missing = STRIP_SPACES
            for colour in range(COLOURS):
                missing -= int(s.panes[seat, window, colour])
            missing = max(missing, 1)
            best = 0
            for colour in range(COLOURS):
                own = spaces(s, seat, window, colour) - int(s.panes[seat, window, colour])
                free = max(own, 0) + jokers
                if free > 0:
                    sizes = piles >> colour * SIZES & MASK
                    homes |= 1 << colour
                    best = max(best, min(free, int(LARGEST[sizes])))
                    if free >= missing:
                        finishable |= int(sizes >> missing > 0) << window
                        exactly |= (sizes >> missing & 1) << window
            fits |= min(best, MISSING) << 3 * window
    homeless = 0
    for colour in range(COLOURS):
        lost = int(SIZES_IN[piles >> colour * SIZES & MASK - 1])
        homeless += lost * (1 - (homes >> colour & 1))
    rest = finishable | exactly << WINDOWS | min(homeless, MOST_HOMELESS) << 2 * WINDOWS
    return fits | rest << 3 * WINDOWS


SIDE_FIELDS: Final = ("score", "strip", "face", "panes", "windows", "glazier", "broken")
TABLE_FIELDS: Final = ("factories", "centre", "bag", "tower")


@rule
def table_context(s: State) -> int:
    """The piles on offer, and whether the start tile is in the centre."""
    return piles_of(s.factories, s.centre, FACTORIES[s.players]) << 1 | int(s.start_tile < 0)


@rule
def side_context(s: State, seat: int, table: int) -> int:
    """What a side's inputs depend on besides its board. The bonus colours are the same in a whole round."""
    context = prospects(s, seat, table >> 1) << 1 | int(s.start_tile == seat)
    if s.players > 2:
        context = context << 2 | (seat - viewpoint(s)) % int(s.players)
    return context


@rule
def table_inputs(s: State, inputs: Cells, amounts: Cells) -> int:
    found = 0
    for at in range(max(int(s.round) - 1, 0), ROUNDS):
        if s.track[at] != EMPTY:
            found = add(found, inputs, amounts, TRACK + at * COLOURS + int(s.track[at]) - 1, 1)
    if s.stage >= OFFER:
        if s.start_tile < 0:
            found = add(found, inputs, amounts, ON_OFFER + MARKER_THERE, 1)
        places = FACTORIES[s.players]
        return source_inputs(s.factories, s.centre, places, ON_OFFER, found, inputs, amounts)
    for colour in range(COLOURS):
        in_bag = int(s.bag[colour])
        found = add(found, inputs, amounts, BAG + colour, in_bag)
        found = add(found, inputs, amounts, SUPPLY + colour, in_bag + int(s.tower[colour]))
    return found


SECOND_LOOKS: Final = 8
"""With three and four seats. A simulation then takes three quarters of the time that it takes if the
network evaluates all turns (docs/lab/networks.md)."""


def family(players: int, options: Mapping[str, str]) -> str:
    """With two seats networks differ by the side of the boards; with more, both sides share them."""
    return f"{options['side']}-{players}" if players == 2 else "three-four"


FEATURES: Final = Features(
    folder=FOLDER, family=family, networks=NETWORKS, groups=GROUPS, side_size=SIDE_INPUTS,
    table_size=TABLE_INPUTS, side_fields=SIDE_FIELDS, table_fields=TABLE_FIELDS, network_for=network_for,
    viewpoint=viewpoint, side_inputs=side_inputs, table_inputs=table_inputs, side_context=side_context,
    table_context=table_context, second_looks=SECOND_LOOKS,
)
