"""Records are declared once: bounds, shapes and meanings."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from azulejos.core import layout, registry
from azulejos.core.game import Game
from azulejos.core.layout import Cells, cell, cells

GAMES = registry.games()


class Small:
    wide: Annotated[Cells, cells((2, 3), -500, 500, "wide")]
    narrow: Annotated[int, cell(-1, 9, "narrow")]


def row() -> layout.Row:
    return np.zeros(layout.dtype_of(Small).itemsize, np.uint8)


def test_fields_get_the_narrowest_width_with_a_spare_bit() -> None:
    dtype = layout.dtype_of(Small)
    assert dtype["narrow"].itemsize == 1
    assert dtype["wide"].base.itemsize == 2
    widths = [layout.cell(0, high, "").width for high in (63, 64, 2**14 - 1, 2**14)]
    assert widths == ["i1", "i2", "i2", "i4"]


def test_a_field_without_bounds_is_refused() -> None:
    class Careless:
        number: int

    with pytest.raises(TypeError, match="number"):
        layout.dtype_of(Careless)


def test_a_view_writes_through_and_reads_plain_integers() -> None:
    bytes_ = row()
    record = layout.view(Small, bytes_)
    record.narrow = 7
    record.wide[1, 2] = -300
    assert type(record.narrow) is int
    assert layout.as_dict(Small, bytes_) == {"wide": [[0, 0, 0], [0, 0, -300]], "narrow": 7}


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"nothing": 1}, "unknown field"),
        ({"narrow": 10}, "must stay within -1..9"),
        ({"narrow": [1]}, "needs shape"),
        ({"wide": [[1, 2], [3, 4]]}, "needs shape"),
        ({"wide": [[0, 0, 0], [0, 0, 501]]}, "must stay within"),
        ({"narrow": "x"}, "narrow"),
    ],
)
def test_what_does_not_fit_is_named(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        layout.fill(Small, row(), values)


def test_values_out_of_bounds_are_found() -> None:
    bytes_ = row()
    assert layout.out_of_bounds(Small, bytes_) is None
    bytes_.view(layout.dtype_of(Small))["narrow"] = 100
    assert layout.out_of_bounds(Small, bytes_) == "narrow"


@given(st.lists(st.integers(-5, 100), min_size=1, max_size=40))
def test_numbers_round_trip_through_text(numbers: list[int]) -> None:
    text = layout.encode(numbers)
    assert not set(text) & set(",/=& ")
    assert layout.decode(text, len(numbers)) == numbers


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_record_has_the_fields_of_the_contract_and_explains_itself(game: Game) -> None:
    fields = layout.fields_of(game.state)
    assert {"players", "to_move", "round", "score"} <= set(fields)
    assert all(field.doc for field in fields.values())
    assert fields["score"].shape == (4,)
    assert layout.dtype_of(game.state)["score"].base.itemsize >= 2, "scores never fit into 8 bits"
