"""Take-backs in the log, in memory and in records: nothing that was played is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from click.testing import CliRunner

from azulejos import Record
from azulejos.cli.store import verify
from azulejos.web.store.saved import BACK, SavedAction, SavedTable
from azulejos.web.store.store import Store
from azulejos.web.tables.table_log import TableLog
from azulejos.web.tables.table_record import played_lines, record_of, table_of
from web.played import turns, wavering


@pytest.mark.parametrize("seed", range(4))
def test_a_log_with_take_backs_comes_back_from_its_record(seed: int) -> None:
    table = wavering(seed, twice=seed % 2 == 1)
    assert any(entry.event == BACK for entry in table.actions)
    record = record_of(table, with_secrets=True)
    for again in (record, Record.read(record.write()), Record.read(record.write_json())):
        assert table_of(again) == table
    assert record.replay() == table.replay()


def test_what_was_taken_back_last_is_kept_although_nothing_was_played_instead() -> None:
    table = wavering(5, plies=40)
    before = table.replay()
    back = SavedAction(action=before.ply - 1, seat=before.to_move, at=table.actions[-1].at, event=BACK)
    table = replace(table, actions=(*table.actions, back))
    record = record_of(table, with_secrets=True)
    taken = (record.line[-1] if record.line else record.root).variations[-1]
    assert [node.action for node in (taken, *taken.line())] == [before.history.step(-1).action]
    assert "* (" in record.write()
    assert table_of(Record.read(record.write())) == table
    assert table_of(Record.read(record.write_json())) == table


def test_a_timeline_knows_what_stands_and_charges_what_was_taken_back() -> None:
    table = wavering(1)
    whole, grown = TableLog(table), TableLog(replace(table, actions=()))
    for turn in turns(table.actions):
        grown.extend(turn)
    position = table.replay()
    assert [entry.action for entry in whole.entries] == list(position.history.actions)
    assert whole.entries == grown.entries
    assert (whole.decisions, whole.stops, whole.used) == (grown.decisions, grown.stops, grown.used)
    played = [entry for entry in table.actions if entry.event != BACK and entry.seat >= 0]
    assert sum(whole.used) == 7 * len(played), "the time of moves that were taken back is not given back"
    assert len(whole.branches) == sum(entry.event == BACK for entry in table.actions)


def test_the_store_keeps_take_backs(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = wavering(2)
        await store.create(replace(table, actions=(), state="waiting"))
        await store.append(table.id, 0, table.actions, over=True)
        loaded = await store.load(table.id)
        await store.close()
        assert loaded is not None
        assert loaded.actions == table.actions
        assert loaded.replay() == table.replay()

    asyncio.run(check())


def test_verify_checks_what_was_taken_back_too() -> None:
    table = wavering(3, plies=2000)
    record = record_of(table)
    assert len(list(played_lines(table.actions))) > 1
    good = CliRunner().invoke(verify, ["-"], input=record.write())
    assert (good.exit_code, "Every draw follows" in good.output) == (0, True), good.output
    bent = replace(table, actions=bend(table))
    bad = CliRunner().invoke(verify, ["-"], input=record_of(bent).write())
    assert bad.exit_code == 1
    assert "does not follow from the seed" in bad.output


def bend(table: SavedTable) -> tuple[SavedAction, ...]:
    """The log with one more line, taken back at once, in which a draw is another one."""
    position = table.start()
    right = table.actions[0].action
    wrong = next(int(action) for action in position.legal_actions() if action != right)
    at = table.actions[0].at
    drawn = SavedAction(action=wrong, seat=-1, at=at, move=position.game.moves.text(wrong))
    return (drawn, SavedAction(action=0, seat=-1, at=at, event=BACK), *table.actions)
