"""Which slots earned points: the page highlights them while the score counts up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from azulejos.core.position import Scored
from azulejos.games.azul import boards
from azulejos.games.azul.layout import LINES, State
from azulejos.games.azul.reasons import COLOUR, FLOOR_LINE, FULL_COLUMN, FULL_ROW, TILE

Space = tuple[int, int]


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board = f"seat{scored.seat + 1}"
    if scored.code == FLOOR_LINE:
        return [f"{board}.floor"]
    spaces = _run(before, after, scored) if scored.code == TILE else _complete(after, scored)
    return [f"{board}.wall{row + 1}-{column + 1}" for row, column in spaces]


def _run(before: State, after: State, scored: Scored) -> Iterator[Space]:
    """A tile with its row and column. Lines below it were tiled later in the same action."""
    seat, (row, column) = scored.seat, divmod(scored.place, LINES)
    yield row, column
    for state, down, right in ((after, 0, -1), (after, 0, 1), (after, -1, 0), (before, 1, 0)):
        for step in range(1, boards.run(state, seat, row, column, down, right) + 1):
            yield row + step * down, column + step * right


def _complete(after: State, scored: Scored) -> Iterator[Space]:
    """All complete rows, columns or colours, depending on which of them scored."""
    wall = after.wall[scored.seat]
    spaces = [(row, column) for row in range(LINES) for column in range(LINES)]
    same: dict[int, Callable[[Space], int]] = {
        FULL_ROW: lambda at: at[0], FULL_COLUMN: lambda at: at[1], COLOUR: lambda at: int(wall[at]),
    }
    key = same[scored.code]
    tiled = [at for at in spaces if wall[at]]
    return (at for at in tiled if sum(key(other) == key(at) for other in tiled) == LINES)
