"""Every way in which the readers of records refuse a text, with a sentence that says where."""

from __future__ import annotations

import json
import random

import pytest

import azulejos
from azulejos import Record
from azulejos.core.notation import InvalidMove
from azulejos.core.record import RecordError


def begun() -> Record:
    position, rng = azulejos.new("azul"), random.Random(1)
    for _ in range(30):
        position.play(rng.choice(position.legal_actions()))
    return Record.from_position(position)


TEXT, LINES = begun().write(), begun().write_json().splitlines()
HEAD, MOVES = TEXT.split("\n\n", 1)
FIRST = " ".join(MOVES.split()[:3])
"""The first moves, up to where something may be noted."""


@pytest.mark.parametrize(("text", "words"), [
    (f'{HEAD}\n[Game "azul"]\n\n{MOVES}', "twice"),
    (HEAD.replace('"azul"', '"\\x"') + f"\n\n{MOVES}", "cannot be read"),
    (f'{HEAD}\n[Options "wall"]\n\n{MOVES}', "wall=grey"),
    (f"{HEAD}\n\n{FIRST} 7. {MOVES}", ""),
    (f"{HEAD}\n\n7. {MOVES}", ""),
    (f"{HEAD}\n\n(", ""),
    (f"{HEAD}\n\n{FIRST} ?? !!", ""),
    (f"{HEAD}\n\n{FIRST} {{[%clk", ""),
    (f"{HEAD}\n\n{FIRST} {{[%clk x]}}", "clk"),
    (f"{HEAD}\n\n{FIRST} {{[%clk 9:99:99]}}", "clk"),
    (f"{HEAD}\n\n{FIRST} {{[%eval nan]}}", "eval"),
    (f"{HEAD}\n\n{FIRST} {{[%coach no]}}", "coach"),
    (f"{HEAD}\n\n{FIRST} {{[%bot no]}}", "bot"),
    (f"{HEAD}\n\n{FIRST} {{[%unknown 1]}}", "was expected"),
    (f"{HEAD}\n\n{FIRST} {{[%coach", ""),
    (f"{HEAD}\n[Position \"garden,players=2\"]\n\n{MOVES}", ""),
    (f"{HEAD}\n[Date \"yesterday\"]\n[Players \"9\"]\n\n{MOVES}", ""),
])
def test_a_damaged_text_is_refused(text: str, words: str) -> None:
    with pytest.raises(RecordError) as found:
        Record.read_all(text)
    assert words in str(found.value)


def changed(number: int, **values: object) -> str:
    lines = [*LINES]
    lines[number] = json.dumps(json.loads(lines[number]) | values)
    return "\n".join(lines)


@pytest.mark.parametrize(("text", "words"), [
    ("\n".join(LINES[1:]), "begins with its line of headers"),
    (changed(0, record=99), "the format is"),
    (changed(0, players=9), ""),
    (changed(0, position="azul,players=3/x"), ""),
    (changed(0, position=azulejos.new("azul", players=3).text()), ""),
    (changed(2, eval=float("inf")), ""),
    (changed(2, at="2026-11-16"), ""),
    (changed(2, at="1960-11-16T18:30:00.000Z"), ""),
    (changed(2, move="zz"), ""),
    (changed(2, clock="1"), ""),
    ("\n".join([*LINES, '{"unplayed":[]}', '{"move":"1b1"}']), ""),
    ("\n".join([*LINES, "[]"]), ""),
])
def test_a_damaged_json_record_is_refused(text: str, words: str) -> None:
    with pytest.raises(RecordError) as found:
        Record.read_all(text)
    assert words in str(found.value)


def test_a_record_equals_no_other_thing_and_is_drawn_in_notebooks() -> None:
    assert begun() != 1
    assert begun() == begun()
    assert "<" in begun()._repr_html_()


def test_a_move_is_a_text_or_the_number_of_an_action() -> None:
    moves = azulejos.new("azul").game.moves
    assert moves.number(moves.moves[3]) == 3
    assert moves.number(3) == 3
    with pytest.raises(TypeError, match="a move is"):
        moves.number(1.5)
    for wrong in (-1, len(moves.moves)):
        with pytest.raises(InvalidMove):
            moves.number(wrong)
