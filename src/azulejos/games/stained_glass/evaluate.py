"""Static evaluation of Stained Glass: weighted terms that a player would recognise.

The value of a side is the weighted sum of its terms. Weights differ by round and by the side of the boards.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.core.contract import Evaluate
from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.games.stained_glass.components import (
    ORNAMENTS, PANES_PER_POINT, ROUNDS, STRIP_SPACES, WINDOW_POINTS, WINDOWS,
)
from azulejos.games.stained_glass.layout import EMPTY, LOWER, OFFER, UPPER, State
from azulejos.games.stained_glass.moves import BREAK, KEEP, RESET, TARGETS
from azulejos.games.stained_glass.rules import (
    complete_windows, ornament_points, panes_in_windows, panes_left, window_points,
)
from azulejos.games.stained_glass.strips import free_spaces, has_strip, panes_on
from azulejos.parts.evaluation import read_weights
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at

# --- the terms of a side: where each begins -------------------------------------------------------------

POINTS: Final = 0
BONUS: Final = 1
"""The bonus for the board's side if the game ended now."""
LOSS: Final = 2
"""Points that the broken glass would cost now."""
LEFT_POINTS: Final = 3
"""Points that the panes left on strips would be worth now."""
STARTS: Final = 4
"""Starts the next round."""
WINDOW: Final = 5
"""16 terms: a pane in the upper, in the lower space of each window."""
FILL: Final = WINDOW + 2 * WINDOWS
"""5 terms: strips with 0..4 panes."""
FILL_POINTS: Final = FILL + STRIP_SPACES
"""5 terms: points for completing the strips with 0..4 panes."""
GLAZIER: Final = FILL_POINTS + STRIP_SPACES
"""7 terms: the glazier is above window 2..8."""
BEHIND: Final = GLAZIER + WINDOWS - 1
"""Panes on strips that the glazier has passed."""
STEP: Final = BEHIND + 1
"""7 terms: the step on the broken-glass track, 1..7."""
BONUS_PANES: Final = STEP + 7
"""Panes on strips that match the next round's bonus colour."""
COMPLETE: Final = BONUS_PANES + 1
"""Complete windows."""
BEST_COLOUR: Final = COMPLETE + 1
"""Panes of the best colour in the windows."""
SECOND_COLOUR: Final = BEST_COLOUR + 1
"""Panes of the second best colour in the windows."""
MOVER: Final = SECOND_COLOUR + 1
"""The seat to move, while panes are on offer."""
TERMS: Final = MOVER + 1

WITHIN: Final = ROUNDS
"""Weights between rounds, by the next round; from WITHIN on, weights within rounds 1..6."""
PHASES: Final = WITHIN + ROUNDS
"""Phases of side A; those of side B follow."""


@rule
def strip_terms(s: State, seat: int, terms: Cells) -> None:
    bonus = int(s.track[min(s.round if s.stage >= OFFER else s.round - 1, ROUNDS - 1)]) - 1
    for window in range(WINDOWS):
        if has_strip(s, seat, window):
            panes = panes_on(s, seat, window)
            if panes < STRIP_SPACES:
                terms[FILL + panes] += 1
                terms[FILL_POINTS + panes] += WINDOW_POINTS[window] + window_points(s, seat, window + 1)
                if window < s.glazier[seat]:
                    terms[BEHIND] += panes
                if bonus >= 0:
                    terms[BONUS_PANES] += int(s.panes[seat, window, bonus])


@rule
def side_terms(s: State, seat: int, terms: Cells) -> None:
    for term in range(TERMS):
        terms[term] = 0
    terms[POINTS] = s.score[seat]
    terms[LOSS] = s.losses[s.broken[seat]]
    terms[LEFT_POINTS] = panes_left(s, seat) // PANES_PER_POINT
    holder = s.start_tile if s.start_tile >= 0 else s.starter
    terms[STARTS] = 1 if holder == seat else 0
    for window in range(WINDOWS):
        terms[WINDOW + 2 * window] = 1 if s.windows[seat, window, UPPER] != EMPTY else 0
        terms[WINDOW + 2 * window + 1] = 1 if s.windows[seat, window, LOWER] != EMPTY else 0
    terms[MOVER] = 1 if s.to_move == seat and s.stage >= OFFER else 0
    if s.glazier[seat] > 0:
        terms[GLAZIER + s.glazier[seat] - 1] = 1
    if s.broken[seat] > 0:
        terms[STEP + s.broken[seat] - 1] = 1
    strip_terms(s, seat, terms)
    bonus_terms(s, seat, terms)


@rule
def bonus_terms(s: State, seat: int, terms: Cells) -> None:
    terms[COMPLETE] = complete_windows(s, seat)
    if s.side_b:
        best = 0
        second = 0
        for colour in range(COLOURS):
            panes = panes_in_windows(s, seat, colour)
            second = max(second, min(best, panes))
            best = max(best, panes)
        terms[BEST_COLOUR] = best
        terms[SECOND_COLOUR] = second
        terms[BONUS] = terms[COMPLETE] * best
    else:
        for ornament in range(len(ORNAMENTS)):
            terms[BONUS] += ornament_points(s, seat, ornament)


@rule
def terms_of(s: State, terms: Cells) -> int:
    """Compute the terms of every seat, [seat, term]; returns the phase that selects the weights."""
    for seat in range(s.players):
        side_terms(s, seat, terms[seat])
    phase = max(s.round, 1) - 1
    if s.stage >= OFFER:
        phase += WITHIN
    return phase + PHASES if s.side_b else phase


@rule
def promise(s: State, action: int) -> int:
    """Move-ordering score: high for completing a nearby strip with many panes, low for breaking glass."""
    if action >= KEEP:
        return kept_promise(s, action - KEEP)
    if action == RESET:
        return -10
    source, colour, target = action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS
    panes = tiles_at(s.factories, s.centre, source, colour)
    breaks = 1 if source == CENTRE and s.start_tile < 0 else 0
    if target == BREAK:
        return -10 * (panes + breaks)
    fitting = min(panes, free_spaces(s, s.to_move, target, colour))
    missing = STRIP_SPACES - panes_on(s, s.to_move, target) - fitting
    look = 6 * fitting - 8 * (panes - fitting + breaks) - 2 * (target - int(s.glazier[s.to_move]))
    if missing == 0:
        look += 10 + 2 * window_points(s, s.to_move, target)
    return look - 2 * missing


@rule
def kept_promise(s: State, colour: int) -> int:
    """Side B: prefers the colour with the most panes in the windows."""
    return 6 * panes_in_windows(s, s.to_move, colour) if s.side_b else 0


NONSENSE: Final = -25
"""Moves that score lower (breaking three or more panes) are skipped if a better one exists."""


# --- weights --------------------------------------------------------------------------------------------


def last_weights() -> Cells:
    """The last round: only points and bonuses count, and each also improves the chance of winning."""
    weights = np.zeros(TERMS, np.int32)
    weights[[POINTS, BONUS, LOSS, LEFT_POINTS]] = (150, 150, -150, 150)
    weights[FILL_POINTS : FILL_POINTS + STRIP_SPACES] = (0, 2, 5, 10, 20)
    return weights


def _hand_made() -> Cells:
    """Weights set by judgement, the same in every round."""
    weights = np.zeros((2 * PHASES, TERMS), np.int32)
    weights[:, [POINTS, BONUS, LOSS, STARTS]] = (100, 60, -100, 50)
    weights[:, WINDOW : WINDOW + 2 * WINDOWS : 2] = 150
    weights[:, WINDOW + 1 : WINDOW + 2 * WINDOWS : 2] = 50
    weights[:, FILL : FILL + STRIP_SPACES] = (0, 10, 30, 60, 100)
    weights[:, FILL_POINTS : FILL_POINTS + STRIP_SPACES] = (0, 8, 18, 32, 50)
    weights[:, GLAZIER : GLAZIER + WINDOWS - 1] = -20 * np.arange(1, WINDOWS)
    weights[:, BONUS_PANES] = 25
    weights[[PHASES - 1, 2 * PHASES - 1]] = last_weights()
    return weights


def _plain() -> Cells:
    """What a beginner sees: points, broken glass and filling strips, but no bonus for the board's side."""
    weights = np.zeros((2 * PHASES, TERMS), np.int32)
    weights[:, [POINTS, LOSS]] = (100, -100)
    weights[:, FILL : FILL + STRIP_SPACES] = (0, 30, 80, 150, 250)
    weights[:, WINDOW : WINDOW + 2 * WINDOWS] = 300
    return weights


WEIGHTS: Final = {
    "fitted": read_weights(Path(__file__).with_name("weights.npz")),
    "hand": _hand_made(),
    "plain": _plain(),
}
"""Sets of weights by name; the first is the default."""

EVALUATE: Final = Evaluate(
    terms=TERMS, weights=WEIGHTS, terms_of=terms_of, promise=promise, nonsense=NONSENSE,
    chance_free_rounds=True,
)
