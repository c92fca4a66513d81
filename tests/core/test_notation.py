"""One prefix parser for every game: it reads what it has written and points at errors."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from azulejos import InvalidMove
from azulejos.core.notation import MoveTable


@dataclass(frozen=True)
class Word:
    text: str


TABLE = MoveTable([Word("2r4"), Word("2r5"), Word("c1"), Word("<"), Word("<b")])


@pytest.mark.parametrize(
    ("text", "column", "complaint"),
    [
        ("", 0, "empty text"),
        ("2q4", 1, "2q4 cannot be read at character 2; expected one of: r"),
        ("  2r9", 4, "expected one of: 4 5"),
        ("2r", 2, "2r is not finished; it goes on with one of: 4 5"),
        ("c1x", 2, "c1 is a move, but x after it cannot be read"),
        ("x", 0, "expected one of: 2 < c"),
    ],
)
def test_errors_point_at_the_character(text: str, column: int, complaint: str) -> None:
    with pytest.raises(InvalidMove) as refusal:
        TABLE.parse(text)
    assert complaint in str(refusal.value)
    assert refusal.value.column == column
    assert refusal.value.pointer().splitlines()[-1] == " " * column + "^"


def test_a_line_holds_several_moves() -> None:
    assert TABLE.parse_line(" 2R4  <b c1 ") == [0, 4, 2]


def test_two_moves_may_not_share_a_text() -> None:
    with pytest.raises(ValueError, match="share a text"):
        MoveTable([Word("a"), Word("a")])
