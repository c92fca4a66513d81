"""One state for compiled code and for interpreted rules: two views of the same bytes."""

from __future__ import annotations

import random
from typing import Annotated, Any

import numpy as np
import pytest

import azulejos
from azulejos.core import chance, layout, plain
from azulejos.core.layout import Cells, cell, cells
from azulejos.core.state import Interpreted, OneState


class Sample:
    small: Annotated[int, cell(-2, 3, "one byte")]
    large: Annotated[int, cell(0, 100_000, "four bytes")]
    line: Annotated[Cells, cells(5, -1, 500, "[i]")]
    grid: Annotated[Cells, cells((2, 3), 0, 9, "[i, j]")]
    cube: Annotated[Cells, cells((2, 3, 4), 0, 9, "[i, j, k]")]
    bare: Annotated[Cells, cells((2, 3), 0, 9, "[i, j], never by rows", rows=False)]


def both() -> tuple[Any, Any]:
    """Records of plain integers and of NumPy scalars over the same bytes, filled with different numbers."""
    memory = bytearray(layout.dtype_of(Sample).itemsize)
    record = layout.view(Sample, np.frombuffer(memory, np.uint8))
    record.small, record.large = -2, 70_000
    for name in ("line", "grid", "cube", "bare"):
        getattr(record, name).flat[:] = np.arange(getattr(record, name).size) % 10
    return plain.record_of(Sample)(memory), record


def test_plain_records_read_what_numpy_reads() -> None:
    s, record = both()
    assert (s.small, s.large) == (record.small, record.large) == (-2, 70_000)
    assert [*s.line] == record.line.tolist()
    for i, j in np.ndindex(2, 3):
        assert s.grid[i, j] == record.grid[i, j]
        assert s.bare[i, j] == record.bare[i, j]
        assert [*s.cube[i, j]] == record.cube[i, j].tolist()
        assert [s.cube[i, j, k] for k in range(4)] == record.cube[i, j].tolist()
        assert s.cube[i][j, 1] == record.cube[i, j, 1]
    assert [*s.grid[1]] == record.grid[1].tolist()
    assert (len(s.line), len(s.grid), len(s.grid[0]), len(s.cube)) == (5, 2, 3, 2)
    assert type(s.grid[1, 1]) is type(s.small) is int


def test_plain_records_write_where_numpy_reads() -> None:
    s, record = both()
    s.small = 3
    s.line[4] = -1
    s.grid[1, 2] += 2
    s.grid[0][1] = 8
    s.cube[1, 2, 3] = 9
    s.bare[0, 2] = 5
    assert (record.small, record.line[4], record.grid[1, 2], record.grid[0, 1]) == (3, -1, 7, 8)
    assert (record.cube[1, 2, 3], record.bare[0, 2]) == (9, 5)


@pytest.mark.parametrize("name", azulejos.presets())
def test_what_an_action_scores_is_noted_once(name: str) -> None:
    """Over a whole game, the points noted for all actions add up to the scores."""
    position, rng = azulejos.new(name, players=3), random.Random(4)
    first = position.scores
    verbs, here = Interpreted(position.game), OneState(position.game, position.row.tobytes())
    noted = [0, 0, 0]
    while here.to_move != azulejos.OVER:
        for points in verbs.apply(here, rng.choice(verbs.legal(here))):
            noted[points.seat] += points.points
    record = layout.view(position.game.state, np.frombuffer(here.memory, np.uint8))
    assert [a + b for a, b in zip(first, noted, strict=True)] == record.score[:3].tolist()


def test_tickets_are_those_of_randrange() -> None:
    ours, theirs = chance.tickets_from(random.Random(5)), random.Random(5)
    numbers = [1, 2, 3, 64, 65, 100, 2**40]
    assert [ours(n) for n in numbers * 20] == [theirs.randrange(n) for n in numbers * 20]


def test_only_generators_and_functions_draw() -> None:
    position = azulejos.new("azul")
    with pytest.raises(TypeError, match="rng must be"):
        position.deal(7)
    assert [move.text for move in position.copy().deal(lambda n: 0)][:3] == ["@1", "+b", "+b"]
    assert position.ply == 0
