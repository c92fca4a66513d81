"""Files of the first edition are read with their original meaning (first_edition/README.md)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from azulejos import Player, Record, RecordError
from core.test_record import EXAMPLE

FILES = Path(__file__).parent / "first_edition"


def text_of(name: str) -> str:
    return (FILES / name).read_text(encoding="utf-8")


def test_the_record_of_a_finished_table() -> None:
    record = Record.read(text_of("page-finished.json"))
    assert record.replay().is_over
    assert record.seats == (Player("Ána 青"), Player("Bo"))
    old = json.loads(text_of("page-finished.json"))
    assert record.tags == {
        "Table": "D7iFBL48kbXN", "State": "over", "SeatKinds": "human human",
        "Created": "2026-11-16T17:55:52.995890Z", "Changed": "2026-11-16T17:55:52.995890Z",
        "Minutes": "10", "Promise": old["promise"], "Seed": old["seed"],
    }
    assert [record.start.game.moves.text(action) for action in record.actions] == old["moves"]
    assert times(record) == old["at"]


def times(record: Record) -> list[int | None]:
    found: list[int | None] = []
    for step in record.steps:
        found.append(found[-1] if step.at is None else step.at)
    return found


def test_the_record_of_a_running_table_has_no_seed() -> None:
    record = Record.read(text_of("page-running.json"))
    assert not record.replay().is_over
    assert record.seats == (Player("Ana"), Player("Dust", bot="random"))
    assert "Seed" not in record.tags
    assert record.tags["SeatKinds"] == "human bot"


def test_a_store_with_a_rematch_a_branch_and_a_free_seat() -> None:
    finished, rematch, branch, waiting, running = Record.read_all(text_of("store.jsonl"))
    assert finished.tags["Rematch"] == rematch.tags["Table"]
    assert branch.tags["BranchOf"] == finished.tags["Table"]
    assert branch.tags["DealtFrom"] == "30"
    assert branch.actions[:30] == finished.actions[:30]
    assert waiting.tags["SeatKinds"] == "human open"
    assert waiting.actions == []
    assert running.tags["Seed"]


@pytest.mark.parametrize("name", ["page-finished.json", "page-running.json", "store.jsonl"])
def test_old_tables_become_records_of_today(name: str) -> None:
    for record in Record.read_all(text_of(name)):
        assert Record.read(record.write()) == record
        assert Record.read(record.write_json()) == record


def test_records_of_both_forms() -> None:
    played = Record.read(text_of("play.txt"))
    assert played.write() == text_of("play.txt")
    assert played.start.options["strips"].endswith("WWYYO-JJBPY")
    assert Record.read(text_of("notes.jsonl")) == Record.read(EXAMPLE)


@pytest.mark.parametrize(("change", "reason"), [
    ({"azulejos": 2}, "has the format 1, not 2"),
    ({"players": "two"}, "Expected `int`"),
    ({"game": "chess"}, "chess"),
    ({"rules": 9}, "needs version 9"),
    ({"seats": []}, "2 players need as many seats"),
    ({"at": [1]}, "moves need as many times, not 1"),
    ({"moves": ["+b"], "at": [1]}, "line 1"),
])
def test_a_table_that_cannot_be_read_is_refused(change: dict[str, object], reason: str) -> None:
    data = json.loads(text_of("page-finished.json")) | change
    with pytest.raises(RecordError, match=reason):
        Record.read(json.dumps(data))


def test_a_table_that_lacks_something_is_refused() -> None:
    with pytest.raises(RecordError, match="missing required field"):
        Record.read('{"azulejos": 1, "game": "azul"}')
