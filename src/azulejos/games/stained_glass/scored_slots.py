"""Which slots earned points: the page highlights them while the score counts up."""

from __future__ import annotations

import numpy as np

from azulejos.core.position import Scored
from azulejos.games.stained_glass.components import ORNAMENTS, STRIP_SPACES, WINDOWS
from azulejos.games.stained_glass.layout import EMPTY, LOWER, UPPER, State
from azulejos.games.stained_glass.reasons import (
    BEST_COLOUR,
    BONUS_COLOUR,
    BROKEN,
    ORNAMENT,
    PANES_LEFT,
    TRACK_END,
    WINDOW,
)
from azulejos.games.stained_glass.strips import has_strip

PLACES = {UPPER: "upper", LOWER: "lower"}


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board, seat = f"seat{scored.seat + 1}", scored.seat
    if scored.code in (TRACK_END, BROKEN):
        return [f"{board}.broken"]
    if scored.code == BONUS_COLOUR:
        return _strip(board, scored.place)
    if scored.code == PANES_LEFT:
        return [slot for w in range(WINDOWS) if has_strip(after, seat, w) for slot in _strip(board, w)]
    panes = after.windows[seat]
    if scored.code == WINDOW:
        return _spaces(board, [(w, s) for w in range(scored.place, WINDOWS) for s in PLACES if panes[w, s]])
    if scored.code == ORNAMENT:
        near = ORNAMENTS[scored.place - WINDOWS]
        ornament = f"{board}.ornament{scored.place - WINDOWS + 1}"
        return [ornament, *_spaces(board, [(w, s) for w in near for s in PLACES if panes[w, s]])]
    assert scored.code == BEST_COLOUR
    best = np.bincount(panes[panes != EMPTY].astype(np.int64)).argmax()
    return _spaces(board, [(w, s) for w in range(WINDOWS) for s in PLACES if panes[w, s] == best])


def _strip(board: str, window: int) -> list[str]:
    return [f"{board}.strip{window + 1}.{place + 1}" for place in range(STRIP_SPACES)]


def _spaces(board: str, spaces: list[tuple[int, int]]) -> list[str]:
    return [f"{board}.window{window + 1}.{PLACES[space]}" for window, space in spaces]
