"""Which slots earned points: the page highlights them while the score counts up."""

from __future__ import annotations

from azulejos.core.position import Scored
from azulejos.games.queens_garden.components import CELLS, HEXAGONS
from azulejos.games.queens_garden.garden import gather
from azulejos.games.queens_garden.layout import State
from azulejos.games.queens_garden.moves import cell_text
from azulejos.games.queens_garden.names import kind
from azulejos.games.queens_garden.reasons import BONUS, GROUP, JOKERS_LEFT, PAVILION_SEEN, PIECES_LEFT


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board, seat = f"seat{scored.seat + 1}", scored.seat
    if scored.code == JOKERS_LEFT:
        return [f"{board}.jokers"]
    if scored.code == PIECES_LEFT:
        left = [hexagon for hexagon in range(HEXAGONS) if after.stored[seat, hexagon]]
        return [f"{board}.tile.{kind(hexagon)}" for hexagon in left]
    if scored.place < 0:
        return []
    group = 1 << scored.place
    if GROUP <= scored.code < PAVILION_SEEN:
        field = (scored.code - GROUP) % (BONUS - GROUP)
        hexagon = int(after.garden[seat, scored.place]) - 1
        group = gather(after.garden[seat], scored.place, hexagon, field < (BONUS - GROUP) // 2)
    return [f"{board}.{cell_text(cell)}" for cell in range(CELLS) if group >> cell & 1]
