"""The state of a game of Stained Glass of Sintra: one fixed-size record.

Colours are numbered blue, pink, orange, yellow, white. Windows, strips and places (factories) count from
0 here and from 1 in notation and text. The state does not store which space a pane is on: coloured spaces
are filled first, so any further panes are on jokers.
"""

from __future__ import annotations

from typing import Annotated, Final

from azulejos.core.layout import Cells, cell, cells
from azulejos.core.verbs import MAX_SEATS
from azulejos.games.stained_glass.components import (
    LAST_LOSS, MOST_STEPS, PANES_PER_COLOUR, ROUNDS, STRIP_SPACES, WINDOWS,
)
from azulejos.parts.offer import COLOURS, MAX_FACTORIES
from azulejos.parts.offer_game import FIRST_REFUSAL

JOKER: Final = COLOURS
"""Index of the jokers in the counts of a strip's spaces."""

KINDS: Final = COLOURS + 1

# The faces of a strip.
FRONT: Final = 0
BACK: Final = 1

# An empty pane space, or no strip above a window.
EMPTY: Final = 0

# The pane spaces of a window.
UPPER: Final = 0
LOWER: Final = 1

# Stages of the game.
LOT: Final = 0
STRIPS: Final = 1
TRACK: Final = 2
FILLING: Final = 3
OFFER: Final = 4
KEEPING: Final = 5
ENDED: Final = 6

# Why a move is refused: what `rules.refusal` answers and `moves.REFUSED` says.
(
    TURN_NOW, KEEP_NOW,
    MUST_PLACE, NO_STRIP, LEFT_OF_GLAZIER, NO_SPACE,
    NOT_ON_STRIP,
    NO_STRIP_LEFT, ALREADY_BACK, NOTHING_BEHIND,
) = range(FIRST_REFUSAL, FIRST_REFUSAL + 10)


class State:
    players: Annotated[int, cell(2, MAX_SEATS, "number of seats")]
    to_move: Annotated[int, cell(-2, 3, "seat to move, -1 chance, -2 over")]
    score: Annotated[Cells, cells(MAX_SEATS, -1000, 1000, "[seat]: points")]
    lost: Annotated[Cells, cells(MAX_SEATS, 0, 1000, "[seat]: points lost through broken glass so far")]
    side_b: Annotated[int, cell(0, 1, "1: side B of the boards, 0: side A")]
    stage: Annotated[int, cell(0, 6, "0 lot, 1 strips, 2 round track, 3 filling, 4 offer, "
                                     "5 keeping a pane, 6 ended")]
    round: Annotated[int, cell(0, ROUNDS, "round, from 1; 0 before the first")]
    starter: Annotated[int, cell(0, 3, "seat that started this round")]
    start_tile: Annotated[int, cell(-1, 3, "seat that took the start tile this round, -1 in the centre")]
    laid: Annotated[int, cell(0, 36, "strips, track panes or factory panes laid so far in this stage")]
    bag: Annotated[Cells, cells(COLOURS, 0, PANES_PER_COLOUR, "[colour]: panes in the bag")]
    tower: Annotated[Cells, cells(COLOURS, 0, PANES_PER_COLOUR, "[colour]: panes in the glass tower")]
    factories: Annotated[
        Cells, cells((MAX_FACTORIES, COLOURS), 0, PANES_PER_COLOUR, "[place, colour]: panes offered")
    ]
    centre: Annotated[Cells, cells(COLOURS, 0, PANES_PER_COLOUR, "[colour]: panes in the centre")]
    track: Annotated[Cells, cells(ROUNDS, 0, COLOURS, "[round - 1]: 0 or 1 + colour on the round track")]
    strips: Annotated[
        Cells, cells((WINDOWS, 2, KINDS), 0, STRIP_SPACES,
                     "[strip, face, colour or joker]: spaces of the strips, the same for every seat")
    ]
    strip: Annotated[Cells, cells((MAX_SEATS, WINDOWS), 0, WINDOWS, "[seat, window]: 0 none, 1 + strip")]
    face: Annotated[Cells, cells((MAX_SEATS, WINDOWS), 0, 1, "[seat, window]: 1 if the strip's back is up")]
    panes: Annotated[
        Cells, cells((MAX_SEATS, WINDOWS, COLOURS), 0, STRIP_SPACES, "[seat, window, colour]: on the strip")
    ]
    windows: Annotated[
        Cells, cells((MAX_SEATS, WINDOWS, 2), 0, COLOURS, "[seat, window, upper or lower]: 0 or 1 + colour")
    ]
    glazier: Annotated[Cells, cells(MAX_SEATS, 0, WINDOWS - 1, "[seat]: window below the glazier")]
    broken: Annotated[Cells, cells(MAX_SEATS, 0, MOST_STEPS, "[seat]: step on the broken-glass track")]
    last_step: Annotated[int, cell(1, MOST_STEPS, "the last step of the broken-glass track")]
    losses: Annotated[
        Cells, cells(1 + MOST_STEPS, 0, LAST_LOSS, "[step]: points lost there, 0 beyond the last step")
    ]
