"""Whatever a parser is given, it raises only ValueError."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejos import IllegalMove, InvalidMove, Position, Record, RecordError
from azulejos.core import registry
from azulejos.core.notation import MoveTable
from core.strategies import positions, random_position, records

GAMES = st.sampled_from(registry.games())
JUNK = st.text(max_size=8)
SIGNS = st.sampled_from(list("(){}[]\"\\.=/,-0"))


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A text with a few parts cut, doubled or overwritten."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 8)))
        patch = draw(st.one_of(JUNK, st.just(text[start:end] * 2), SIGNS))
        text = text[:start] + patch + text[end:]
    return text


@given(st.data())
def test_moves(data: st.DataObject) -> None:
    moves: MoveTable = data.draw(GAMES).moves
    text = data.draw(st.one_of(JUNK, damaged(data.draw(st.sampled_from(moves.moves)).text)))
    if text.strip().lower() in {move.text for move in moves}:
        assert moves.text(moves.parse(text)) == text.strip().lower()
        return
    with pytest.raises(InvalidMove) as caught:
        moves.parse(text)
    assert caught.value.text == text
    assert 0 <= caught.value.column <= len(text)


@given(st.data())
def test_lines_of_moves(data: st.DataObject) -> None:
    position = data.draw(positions(plies=60))
    before = position.copy()
    try:
        position.play(data.draw(st.one_of(JUNK, st.text(alphabet="0123byrkwcf+@!< ", max_size=12))))
    except (InvalidMove, IllegalMove):
        assert position == before


@settings(max_examples=200)
@given(st.data())
def test_positions(data: st.DataObject) -> None:
    text = data.draw(damaged(data.draw(positions(plies=80)).text()))
    with contextlib.suppress(ValueError):
        position = Position.from_text(text)
        assert Position.from_text(position.text()) == position
        position.legal_actions()


PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), JUNK),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(JUNK, inner, max_size=3)),
    max_leaves=6,
)


@settings(max_examples=200)
@given(st.data())
def test_positions_as_json(data: st.DataObject) -> None:
    plain: dict[str, Any] = json.loads(json.dumps(random_position("azul", 2, 1, 30).to_json()))
    target = data.draw(st.sampled_from([plain, plain["state"]]))
    name = data.draw(st.one_of(st.sampled_from(sorted(target)), JUNK))
    if data.draw(st.booleans()):
        target[name] = data.draw(PLAIN)
    else:
        target.pop(name, None)
    with contextlib.suppress(ValueError):
        assert Position.from_json(plain).to_json() is not None


@settings(max_examples=150)
@given(st.data())
def test_records(data: st.DataObject) -> None:
    record = data.draw(records())
    whole = data.draw(st.sampled_from([record.write(), record.write_json()]))
    with contextlib.suppress(ValueError):
        for found in Record.read_all(data.draw(damaged(whole))):
            assert Record.read(found.write()) == found


@given(st.one_of(st.text(), PLAIN.map(json.dumps)))
def test_records_from_anything(text: str) -> None:
    if not text.strip():
        assert Record.read_all(text) == []
        return
    with pytest.raises(RecordError, match="line"):
        Record.read_all(text)


@pytest.mark.parametrize("text", [
    "azul", "azul/", "azul,players=2", "azul,players=2/bag=", "azul,players=2/bag=zzzzz",
    "azul,players=2,name=x/", "azul,players=2/score=1.2.3.4.5", "azul,players=9/", "azul,players=٢/x=1",
    "azul,players=2/round=99999999999999999999", "azul,players=2/to_move=0",
])
def test_positions_that_make_no_sense(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Position.from_text(text)
