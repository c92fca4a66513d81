"""The state of a game of Pebbles: one fixed-size record."""

from __future__ import annotations

from typing import Annotated, Final

from azulejos.core.layout import Cells, cell, cells
from azulejos.core.verbs import MAX_SEATS

COLOURS: Final = 3
PER_COLOUR: Final = 8
PEBBLES: Final = COLOURS * PER_COLOUR


class State:
    players: Annotated[int, cell(2, MAX_SEATS, "number of seats")]
    to_move: Annotated[int, cell(-2, 3, "seat to move, -1 chance, -2 over")]
    score: Annotated[Cells, cells(MAX_SEATS, 0, 300, "[seat]: points")]
    round: Annotated[int, cell(0, PEBBLES, "round, from 1")]
    seat: Annotated[int, cell(0, 3, "seat whose turn comes when the bowl is filled")]
    bag: Annotated[Cells, cells(COLOURS, 0, PER_COLOUR, "[colour]: pebbles in the bag")]
    bowl: Annotated[Cells, cells(COLOURS, 0, PER_COLOUR, "[colour]: pebbles in the bowl")]
    taken: Annotated[Cells, cells((MAX_SEATS, COLOURS), 0, PER_COLOUR, "[seat, colour]: pebbles taken")]
