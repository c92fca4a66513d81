"""Records: both forms keep everything, and only a record that can be replayed is accepted."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
import re

import pytest
from hypothesis import given, settings

import azulejos
from azulejos import Player, Position, Record, RecordError
from azulejos.core import registry
from azulejos.core.record import DEEPEST, MOST_ACTIONS
from core.strategies import positions, random_position, records

BOXES = sorted(azulejos.presets())


def finished(name: str = "azul", players: int = 2, seed: int = 1) -> Record:
    position = random_position(name, players, seed, 10_000)
    return Record.from_position(position, seats=["Ada", Player("Bo", "random 1")])


@pytest.mark.parametrize("name", BOXES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_come_back(name: str, players: int) -> None:
    record = finished(name, players)
    assert Record.read(record.write()) == record
    assert Record.read(record.write_json()) == record
    assert record.replay().is_over


@settings(max_examples=60)
@given(records())
def test_text_keeps_everything(record: Record) -> None:
    assert Record.read(record.write()) == record


@settings(max_examples=60)
@given(records())
def test_json_keeps_everything(record: Record) -> None:
    assert Record.read(record.write_json()) == record


@settings(max_examples=30)
@given(positions(plies=120))
def test_replay_reaches_the_position(position: Position) -> None:
    assert Record.from_position(position).replay() == position


def test_writing_twice_gives_the_same_text() -> None:
    text = finished().write()
    assert Record.read(text).write() == text


def test_several_records_in_one_text() -> None:
    one, two = finished(seed=1), finished("azul-grey", 3, seed=2)
    assert Record.read_all(one.write() + "\n" + two.write()) == [one, two]
    assert Record.read_all(one.write_json() + two.write_json()) == [one, two]


def test_every_move_can_stand_in_a_record() -> None:
    """No move text looks like a number, a header, a comment, a variation or the word deal."""
    for game in registry.games():
        for move in game.moves:
            assert move.text == move.text.strip().lower()
            assert not set(move.text) & set("{}() \t\n")
            assert move.text != "deal"
            assert not move.text.startswith("[")
            assert not (move.text[:-1].isdecimal() and move.text.endswith("."))


def test_a_record_from_a_given_position() -> None:
    start = Position.from_text(random_position("azul", 2, 5, 40).text())
    start.deal(random.Random(1))
    start.play(next(iter(start.legal_moves)))
    record = Record.from_position(start)
    assert '[Position "azul,players=2/' in record.write()
    assert Record.read(record.write()).replay() == start


# --- what it looks like --------------------------------------------------------------------------------

EXAMPLE = """\
[Game "azul"]
[Players "2"]
[Options "start=1"]
[Rules "1"]
[Seat1 "Ada"]
[Seat2 "Bo"]
[Seat2Bot "random 0.1.0"]
[Result "*"]

{The first round.}
deal +b +b +r +y +k +k +w +r +y +y +y +y +b +b +r +w +b +w +r +k
1. 3y4 {[%clk 0:01:02] [%eval +1.5] Four at once.} (1. 3y5 2. 1b2) 2. 1b2
"""


def test_the_example_of_the_documentation() -> None:
    record = Record.read(EXAMPLE)
    node = record.line[20]
    assert (node.clock, node.eval, node.comment) == (62_000, 1.5, "Four at once.")
    assert [len([first, *first.line()]) for first in record.line[19].variations] == [2]
    assert record.seats == (Player("Ada"), Player("Bo", "random 0.1.0"))
    assert record.root.comment == "The first round."
    assert record.write() == EXAMPLE


# --- strictness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("old", "new", "line", "column", "reason"), [
    ("3y4 {", "3z4 {", 12, 5, "cannot be read at character 2"),
    ("2. 1b2\n", "2. 1w2\n", 12, 71, "no white on factory 1"),
    ("2. 1b2\n", "3. 1b2\n", 12, 68, "Turn 2 begins here, not 3"),
    ("deal +b", "+b", 11, 1, "after the word deal"),
    (") 2. 1b2\n", ") deal +b\n", 12, 68, "Nothing is drawn here"),
    ("Four at once.}", "Four at once.", 12, 8, "not closed"),
    (") 2. 1b2\n", "\n", 12, 52, "not closed"),
    ("[%eval +1.5]", "[%evil +1.5]", 12, 24, "was expected"),
    ("[%clk 0:01:02]", "[%clk 0:61:02]", 12, 9, "was expected"),
    ('[Result "*"]', '[Result "3 4"]', 8, 1, "the result is *, not 3 4"),
    ('[Result "*"]', '[Result "won"]', 8, 1, "A result is"),
    ('[Players "2"]', '[Players "two"]', 2, 1, "A number was expected"),
    ('[Players "2"]', '[Players "5"]', 1, 1, "players must be 2 to 4"),
    ('[Rules "1"]', '[Rules "99"]', 1, 1, "needs version 99"),
    ('[Rules "1"]\n', "", 1, 1, "The header Rules is missing"),
    ('[Seat1 "Ada"]\n', "", 2, 1, "The header Seat1 is missing"),
    ('[Seat1 "Ada"]', '[Seat3 "Ada"]', 5, 1, "There are 2 seats"),
    ('[Seat1 "Ada"]', '[Seat1 "Ada]', 5, 1, "A header reads like"),
    ('[Seat1 "Ada"]', '[Seat2 "Ada"]', 6, 1, "twice"),
    ('"start=1"', '"start=9"', 1, 1, "start must be one of"),
    ('[Game "azul"]', '[Game "azu"]', 1, 1, "did you mean 'azul'?"),
    ('[Game "azul"]', "Game azul", 1, 1, "begins with headers"),
])
def test_mistakes_have_a_place(old: str, new: str, line: int, column: int, reason: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(RecordError) as caught:
        Record.read(EXAMPLE.replace(old, new, 1))
    assert reason in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_json_mistakes_have_a_line() -> None:
    lines = Record.read(EXAMPLE).write_json().splitlines()
    lines[21] = json.dumps({"move": "9w9"})
    with pytest.raises(RecordError, match="line 22, column 1: 9w9 cannot be read"):
        Record.read("\n".join(lines))
    lines[21] = '{"move": "3y4",}'
    with pytest.raises(RecordError, match=r"line 22, column 1[56]: This is not JSON"):
        Record.read("\n".join(lines))
    lines[21] = '{"move": "3y4", "mood": "good"}'
    with pytest.raises(RecordError, match=r"line 22.*unknown field `mood`"):
        Record.read("\n".join(lines))


def test_a_result_that_does_not_follow_is_refused() -> None:
    record = finished()
    scores = " ".join(str(score) for score in record.result() or ())
    with pytest.raises(RecordError, match="the result is"):
        Record.read(record.write().replace(f'[Result "{scores}"]', '[Result "99 98"]'))


def test_deep_nesting_is_refused_not_suffered() -> None:
    head, _, _ = EXAMPLE.partition("1. 3y4")
    with pytest.raises(RecordError, match="nested too deeply"):
        Record.read(head + "1. 3y4 (" * 5000)
    nested = '{"move": "3y4", "variations": [{"moves": [' * 5000
    with pytest.raises(RecordError):
        Record.read(Record.read(EXAMPLE).write_json().splitlines()[0] + "\n" + nested)


def test_as_many_levels_of_variations_as_are_read_are_written() -> None:
    record = Record.read(EXAMPLE)
    node, position = record.line[-1], record.replay()
    for _ in range(DEEPEST):
        one, other = position.legal_actions()[:2]
        parent, node = node, node.add(one)
        parent.add(other)
        node = parent.children[1]
        position.play(other)
    for text in (record.write(), record.write_json()):
        assert Record.read(text) == record
    one, other = position.legal_actions()[:2]
    node.add(one)
    node.add(other)
    for text in (record.write(), record.write_json()):
        with pytest.raises(RecordError, match="nested too deeply"):
            Record.read(text)


def test_what_is_read_is_bounded_with_all_variations() -> None:
    """A few bytes of text would become a few hundred in memory, and a move to play."""
    record = Record.read(EXAMPLE)
    action = record.start.game.moves.parse("3y5")
    for _ in range(MOST_ACTIONS - sum(1 for _ in record.root.walk()) + 1):
        record.line[19].add(action)
    assert len([*record.root.walk()]) == MOST_ACTIONS + 1
    text = record.write()
    assert Record.read(text) == record
    one = '{"moves":[{"move":"3y5"}]}'
    for more in (text.replace("(1. 3y5)", "(1. 3y5) (1. 3y5)", 1),
                 record.write_json().replace(one, f"{one},{one}", 1)):
        with pytest.raises(RecordError, match="at most 30000 actions"):
            Record.read(more)


@pytest.mark.parametrize(("old", "new", "reason"), [
    ("(1. 3y5 2. 1b2) 2. 1b2", "* (2. 1b2)", "the first one was taken back"),
    ("(1. 3y5 2. 1b2) 2. 1b2", "* 2. 1b2", "the first one was taken back"),
    ("(1. 3y5 2. 1b2)", "( * ({[%back 2026-11-16T18:30:00.000Z]} 1. 3y5))", "* cannot be read"),
    ("(1. 3y5 2. 1b2)", "({Nothing.})", "A move was expected"),
    ("(1. 3y5 2. 1b2)", "((1. 3y5) 1. 3y5)", "after the move that it replaces"),
    ("{The first round.}", "{[%back 2026-11-16T18:30:00.000Z]}", "Only a variation can be taken back"),
    ("{The first round.}", "{[%clk 0:00:01]}", "belongs after a move"),
    ("+1.5", "+" + "1" * 5000, "was expected"),
])
def test_variations_that_mean_nothing_are_refused(old: str, new: str, reason: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(RecordError, match=re.escape(reason)):
        Record.read(EXAMPLE.replace(old, new, 1))


@pytest.mark.parametrize("step", [
    '{"move":"3y4","clock":-1}', '{"move":"3y4","at":1e30}', '{"move":"3y4","hint":4}',
    '{"move":"3y4","eval":1e999}', '{"move":"3y4","coach":"yes"}',
    '{"move":"3y4","variations":[{"moves":[]}]}', '{"move":"3y4","variations":[{}]}',
    '{"unplayed":[{"moves":[{"move":"3y5"}]}]}', '{"unplayed":[]}', '{"move":3}', '{"move":null}',
])
def test_steps_that_mean_nothing_are_refused(step: str) -> None:
    lines = Record.read(EXAMPLE).write_json().splitlines()
    with pytest.raises(RecordError, match="line 22"):
        Record.read("\n".join([*lines[:21], step]))


def test_copies_and_pickles_are_equal_and_separate() -> None:
    record = Record.read(EXAMPLE)
    assert pickle.loads(pickle.dumps(finished())) == finished()
    twin = dataclasses.replace(record, root=record.root.copy())
    assert twin == record
    twin.line[20].comment = "Five."
    assert twin != record
    assert pickle.loads(pickle.dumps(record)) == record


def test_tags_and_seats_are_checked() -> None:
    record = finished()
    with pytest.raises(ValueError, match="2 players need as many seats"):
        Record(record.start, (Player("Ada"),))
    record.tags["Seat1"] = "x"
    with pytest.raises(ValueError, match="cannot be the name of a tag"):
        record.write()


def test_actions_that_cannot_be_played_do_not_replay() -> None:
    start = azulejos.new("azul")
    record = Record.of_actions(start, [0])
    with pytest.raises(azulejos.IllegalMove):
        record.replay()
