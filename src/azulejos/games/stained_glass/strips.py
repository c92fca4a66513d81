"""Strips above windows: free spaces, and which colours fit where (stained-glass.md 5-6, 8)."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.games.stained_glass.components import WINDOWS
from azulejos.games.stained_glass.layout import EMPTY, JOKER, State
from azulejos.parts.offer import ALL_COLOURS, COLOURS


@rule
def has_strip(s: State, seat: int, window: int) -> bool:
    return bool(s.strip[seat, window] != EMPTY)


@rule
def spaces(s: State, seat: int, window: int, kind: int) -> int:
    """Spaces of a colour (or jokers) on the strip above a window, including filled ones."""
    return int(s.strips[s.strip[seat, window] - 1, s.face[seat, window], kind])


@rule
def on_jokers(s: State, seat: int, window: int, colour: int) -> int:
    """Panes of a colour on joker spaces: those that exceed the spaces of their own colour."""
    return max(0, int(s.panes[seat, window, colour]) - spaces(s, seat, window, colour))


@rule
def free_jokers(s: State, seat: int, window: int) -> int:
    jokers = spaces(s, seat, window, JOKER)
    if jokers > 0:
        for colour in range(COLOURS):
            jokers -= on_jokers(s, seat, window, colour)
    return jokers


@rule
def free_spaces(s: State, seat: int, window: int, colour: int) -> int:
    """How many more panes of a colour the strip above a window takes, jokers included; 0 if none is
    left."""
    if not has_strip(s, seat, window):
        return 0
    own = spaces(s, seat, window, colour) - int(s.panes[seat, window, colour])
    return max(0, own) + free_jokers(s, seat, window)


@rule
def colours_for(s: State, seat: int, window: int) -> int:
    """The colours that the strip above a window still accepts, as a bit set."""
    if not has_strip(s, seat, window):
        return 0
    own_spaces = 0
    jokers = spaces(s, seat, window, JOKER)
    for colour in range(COLOURS):
        free = spaces(s, seat, window, colour) - int(s.panes[seat, window, colour])
        own_spaces |= int(free > 0) << colour
        jokers += min(0, free)
    return ALL_COLOURS if jokers > 0 else own_spaces


@rule
def panes_on(s: State, seat: int, window: int) -> int:
    """Panes on the strip above a window."""
    panes = 0
    for colour in range(COLOURS):
        panes += int(s.panes[seat, window, colour])
    return panes


@rule
def leftmost_strip(s: State, seat: int) -> int:
    """The window below the leftmost remaining strip, or WINDOWS."""
    window = 0
    while window < WINDOWS and not has_strip(s, seat, window):
        window += 1
    return window


@rule
def is_reachable(s: State, seat: int, window: int) -> bool:
    """Whether a window is below the glazier or to the right."""
    return bool(window >= s.glazier[seat])


@rule
def fits_somewhere(s: State, seat: int, colour: int) -> bool:
    """Whether a reachable strip has a space for a colour; if so, its panes must be placed."""
    for window in range(s.glazier[seat], WINDOWS):
        if colours_for(s, seat, window) >> colour & 1:
            return True
    return False
