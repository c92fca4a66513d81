"""Observations of Stained Glass for machine learning; `planes` gives the meaning of each number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Observe
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.observation import Plane
from azulejos.games.stained_glass.components import (
    PANES_PER_COLOUR, ROUNDS, STRIP_SPACES, WINDOWS, read_track,
)
from azulejos.games.stained_glass.layout import BACK, EMPTY, FRONT, KEEPING, KINDS, OFFER, State
from azulejos.parts.offer import COLOURS, FACTORIES
from azulejos.parts.planes import (
    FULL_SCORE, offer_planes, score_plane, seat_after, turn_planes, within_a_byte, write_counts,
    write_offer, write_turn,
)

BELOW: Final = 100
"""Points below 0 that are told apart."""


def planes(players: int, options: Mapping[str, str]) -> tuple[Plane, ...]:
    steps = len(read_track(options["broken"])) - 1
    boards = [plane for turn in range(players) for plane in _board(turn, steps)]
    return (*boards, *_table(players))


def _board(turn: int, steps: int) -> list[Plane]:
    """`turn` 0 is the observer, 1 the next seat clockwise."""
    return [
        Plane(f"windows.{turn}", (WINDOWS, 2, COLOURS), "[window, upper or lower, colour] holds a pane"),
        Plane(f"strips.{turn}", (WINDOWS, KINDS),
              "[window, colour or joker] spaces of the strip above it / 5", unit=STRIP_SPACES),
        Plane(f"backs.{turn}", (WINDOWS, KINDS),
              "[window, colour or joker] spaces on the back of a strip that shows its front / 5",
              unit=STRIP_SPACES),
        Plane(f"panes.{turn}", (WINDOWS, COLOURS), "[window, colour] panes on the strip / 5",
              unit=STRIP_SPACES),
        Plane(f"glazier.{turn}", (WINDOWS,), "[window] the glazier stands above it"),
        Plane(f"broken.{turn}", (1,), "step on the broken-glass track / 8", unit=steps),
        Plane(f"lost.{turn}", (1,), "points lost through broken glass so far / 100, at most 2.55",
              255 / FULL_SCORE, unit=FULL_SCORE),
        Plane(f"start.{turn}", (1,), "took the start tile in this round"),
        score_plane(turn, BELOW),
    ]


def _table(players: int) -> list[Plane]:
    return [
        *offer_planes(players, PANES_PER_COLOUR),
        Plane("start.centre", (1,), "the start tile lies in the centre"),
        Plane("bag", (COLOURS,), "[colour] panes / 20", unit=PANES_PER_COLOUR),
        Plane("tower", (COLOURS,), "[colour] panes / 20", unit=PANES_PER_COLOUR),
        Plane("track", (ROUNDS, COLOURS), "[round, colour] pane on the round track"),
        *turn_planes(players),
        Plane("round", (ROUNDS,), "[round] is being played"),
        Plane("stage", (2,), "taking panes, keeping a pane"),
    ]


@rule
def observe(s: State, seat: int, out: Cells) -> None:
    out[:] = 0
    at = 0
    for turn in range(s.players):
        at = write_board(s, seat_after(seat, turn, int(s.players)), out, at)
    write_table(s, seat, out, at)


@rule
def write_board(s: State, seat: int, out: Cells, at: int) -> int:
    """Write the planes of one board from index `at`; returns the index of the next plane."""
    for window in range(WINDOWS):
        for space in range(2):
            piece = int(s.windows[seat, window, space])
            if piece != EMPTY:
                out[at + piece - 1] = 1
            at += COLOURS
    at = write_strips(s, seat, False, out, at)
    at = write_strips(s, seat, True, out, at)
    for window in range(WINDOWS):
        at = write_counts(s.panes[seat, window], out, at)
    out[at + int(s.glazier[seat])] = 1
    at += WINDOWS
    out[at] = s.broken[seat]
    out[at + 1] = within_a_byte(s.lost[seat])
    out[at + 2] = s.start_tile == seat
    out[at + 3] = within_a_byte(s.score[seat] + BELOW)
    return at + 4


@rule
def write_strips(s: State, seat: int, below: bool, out: Cells, at: int) -> int:
    """Write the visible face of each strip, or the back of those not turned over yet."""
    for window in range(WINDOWS):
        strip = int(s.strip[seat, window]) - 1
        face = int(s.face[seat, window])
        if strip >= 0 and (not below or face == FRONT):
            write_counts(s.strips[strip, BACK if below else face], out, at)
        at += KINDS
    return at


@rule
def write_table(s: State, seat: int, out: Cells, at: int) -> None:
    at = write_offer(s.factories, s.centre, FACTORIES[s.players], out, at)
    out[at] = s.start_tile < 0
    at = write_counts(s.bag, out, at + 1)
    at = write_counts(s.tower, out, at)
    for number in range(ROUNDS):
        if s.track[number] != EMPTY:
            out[at + int(s.track[number]) - 1] = 1
        at += COLOURS
    at = write_turn(s.players, s.to_move, s.starter, seat, out, at)
    if s.round > 0:
        out[at + s.round - 1] = 1
    at += ROUNDS
    out[at] = s.stage == OFFER
    out[at + 1] = s.stage == KEEPING


OBSERVE: Final = Observe(planes=planes, observe=observe)
