"""The store has the same guarantees on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, inspect, text

from azulejos import Player, Position, Record
from azulejos.games.stained_glass.components import STRIPS
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.company import Answer
from azulejos.web.store.faults import Overtaken, Unsaved
from azulejos.web.store.saved import BOT, HUMAN, OPEN, SavedAction, SavedSeat, SavedTable, Unreplayable
from azulejos.web.store.store import Store, default_url
from azulejos.web.tables import fair_deal
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.tables.requests import AGAIN, ASKED, NO
from azulejos.web.tables.table_record import record_of, table_of
from azulejos.web.tables.table_state import new_table

PEOPLE = (SavedSeat(seat=0, kind=HUMAN, name="Ana"), SavedSeat(seat=1, kind=OPEN))
BOTS = tuple(SavedSeat(seat=i, kind=BOT, name=f"Sand {i}", bot="random") for i in range(2))


def entry(action: int, seat: int = 0) -> SavedAction:
    return SavedAction(action=action, seat=seat, at=1)


def played_out(seed: int = 1) -> SavedTable:
    """A whole game, played at random with a seed fixed at the start."""
    table = new_table("azul", BOTS, {})
    position, rng, entries = table.start(), random.Random(seed), []
    dealer, table_moves = fair_deal.Dealer(table.seed), position.game.moves
    while not position.is_over:
        seat = position.to_move
        action = dealer.draw(position) if seat < 0 else rng.choice(position.legal_actions())
        entries.append(replace(entry(int(action), seat), move=table_moves.text(int(action))))
        position.play(int(action))
    return replace(table, actions=tuple(entries), state="over")


def test_a_table_comes_back_as_it_was_saved(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {"wall": "grey"}, listed=True, minutes=5)
        await store.create(table)
        await store.append(table.id, 0, [entry(3), entry(4, -1)], over=False)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert loaded.changed >= table.changed
        expected = replace(table, state="playing", changed=loaded.changed, actions=(entry(3), entry(4, -1)))
        assert loaded == expected
        assert await store.load("nothing") is None
        await store.close()

    asyncio.run(check())


def test_no_two_actions_share_a_ply(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        await store.append(table.id, 0, [entry(1), entry(2)], over=False)
        with pytest.raises(Overtaken):
            await store.append(table.id, 1, [entry(3), entry(5)], over=True)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert [a.action for a in loaded.actions] == [1, 2]
        assert loaded.state == "playing"
        await store.close()

    asyncio.run(check())


def test_only_one_of_two_gets_a_free_seat(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        taken = await asyncio.gather(*(store.sit(table.id, 1, f"p{i}", f"key{i}") for i in range(4)))
        assert sorted(taken) == [False, False, False, True]
        winner = taken.index(True)
        assert await store.seats_of(table.id, f"key{winner}") == {1}
        assert await store.seats_of(table.id, f"key{(winner + 1) % 4}") == frozenset()
        assert [t.id for t in await store.mine(f"key{winner}")] == [table.id]
        await store.close()

    asyncio.run(check())


def test_lists_show_only_what_may_be_seen(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        secret, shown = new_table("azul", PEOPLE, {}), new_table("azul", PEOPLE, {}, listed=True)
        await store.create(secret)
        await store.create(shown)
        assert [table.id for table in await store.listed()] == [shown.id]
        await store.close()

    asyncio.run(check())


def test_twenty_rematches_are_one_table(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        games = [new_table("azul", PEOPLE, {}) for _ in range(5)]
        created = await asyncio.gather(*(store.create(game, rematch_of=table.id) for game in games))
        assert len({*created}) == 1
        found = [game.id for game in games if await store.load(game.id) is not None]
        assert found == created[:1]
        await store.close()

    asyncio.run(check())


def test_the_same_answer_may_be_given_many_times_at_once(database: str) -> None:
    async def check() -> None:
        store = await Store.open(database)
        table = new_table("azul", PEOPLE, {})
        await store.create(table)
        asked = [Answer(AGAIN, 0, seat, ASKED) for seat in (1, 0)]
        await asyncio.gather(*(store.company.answer(table.id, asked) for _ in range(10)))
        assert await store.company.answers(table.id) == asked[::-1]
        await store.company.answer(table.id, [replace(asked[0], answer=NO)])
        assert [one.answer for one in await store.company.answers(table.id)] == [ASKED, NO]
        await store.close()

    asyncio.run(check())


def test_opening_twice_migrates_once_and_the_tables_are_as_declared(database: str) -> None:
    async def check() -> None:
        await (await Store.open(database)).close()
        store = await Store.open(database)
        found = await store.database.read(_columns)
        await store.close()
        assert found == {name: set(t.columns.keys()) for name, t in schema.metadata.tables.items()}

    asyncio.run(check())


def _columns(connection: Connection) -> dict[str, set[str]]:
    tables = schema.metadata.tables
    return {name: {column["name"] for column in inspect(connection).get_columns(name)} for name in tables}


def test_a_store_of_a_later_program_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    asyncio.run(_open_and_close(url))
    monkeypatch.setattr(schema, "MIGRATIONS", ())
    with pytest.raises(schema.TooNew):
        asyncio.run(_open_and_close(url))


async def _open_and_close(url: str) -> None:
    await (await Store.open(url)).close()


def test_a_full_disk_changes_nothing_and_says_so(tmp_path: Path) -> None:
    async def check() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        lobby = Lobby(store)
        table = new_table("azul", (PEOPLE[0], replace(PEOPLE[0], seat=1)), {})
        room = await lobby.create(table, [(0, "key"), (1, "key")])
        await _fill_disk(store)
        with pytest.raises(Refused, match="nothing was changed"):
            await _play_on(room)
        loaded = await store.load(table.id)
        assert loaded is not None
        assert loaded.replay() == room.position
        await lobby.close()
        await store.close()

    asyncio.run(check())


async def _play_on(room: LiveTable) -> None:
    """Play until something happens: the allocated page may still have room for some moves."""
    for _ in range(200):
        before = room.ply
        await room.play(frozenset({0, 1}), next(iter(room.position.legal_moves)).text, before, at_once=True)
        assert room.ply > before


async def _fill_disk(store: Store) -> None:
    """SQLite's own simulation of a full disk: a limit on the number of pages."""
    pages = await store.database.read(lambda c: c.execute(text("PRAGMA page_count")).scalar_one())
    store.database.engine.dispose()

    def limit(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA max_page_count={pages}")
        cursor.close()

    event.listen(store.database.engine, "connect", limit)


def test_a_database_that_cannot_be_opened_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, but long enough to be read as one" * 100)
    with pytest.raises(Unsaved):
        asyncio.run(_open_and_close(f"sqlite:///{tmp_path}/file"))
    with pytest.raises(ValueError, match="sqlite"):
        asyncio.run(_open_and_close("mysql://localhost/x"))


def test_the_default_is_a_file_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_DATA", str(tmp_path))
    assert default_url() == f"sqlite:///{tmp_path}/games.sqlite"


# --- deals and lines -----------------------------------------------------------------------------------


def test_draws_follow_from_the_promised_seed() -> None:
    table = played_out()
    actions = [a.action for a in table.actions]
    verdict = fair_deal.verify(table.start(), actions, seed=table.seed, promised=table.promise)
    assert verdict.honest
    assert verdict.draws == sum(a.seat < 0 for a in table.actions)


def test_a_bent_draw_or_seed_is_found() -> None:
    table = played_out()
    other = fair_deal.new_seed()
    actions = [a.action for a in table.actions]
    assert not fair_deal.verify(table.start(), actions, seed=other, promised=table.promise).honest
    bent = fair_deal.verify(table.start(), actions, seed=other, promised=fair_deal.commitment(other))
    assert not bent.honest
    assert "does not follow from the seed" in str(bent.reason)


def test_a_table_comes_back_from_its_record() -> None:
    for table in (played_out(), branched(), waiting()):
        record = record_of(table, with_secrets=True)
        assert table_of(record) == table
        assert table_of(Record.read(record.write())) == table
        assert table_of(Record.read(record.write_json())) == table


def branched() -> SavedTable:
    """A running game against a bot that branched from another game, with times, clocks and a rematch."""
    begun = played_out().actions[:40]
    entries = tuple(replace(one, at=1_794_851_753_028 + 1_500 * (i // 3)) for i, one in enumerate(begun))
    seats = (SavedSeat(seat=0, kind=HUMAN, name='Ána "青"', bot="level:2"), BOTS[1])
    table = new_table("azul", seats, {"start": "2"}, listed=True, minutes=10)
    table = replace(table, options={}, dealt_from=40, branch_of="D7iFBL48kbXN", rematch="oDCHsehyOHOb")
    table = replace(table, contest="daily/2026-11-17", ranked=True, nodes=5000)
    return replace(table, actions=entries, state="playing")


def waiting() -> SavedTable:
    strips = STRIPS.replace("WWYYB", "WWYYO")
    return new_table("sintra-b", PEOPLE, {"start": "2", "strips": strips})


def test_the_record_of_a_running_game_keeps_the_seed_secret() -> None:
    table = replace(played_out(), state="playing")
    assert table.seed not in record_of(table).write()
    assert table.seed not in record_of(table).write_json()


def test_a_table_without_its_seed_goes_on_with_a_new_promise() -> None:
    table = branched()
    again = table_of(record_of(table))
    assert again.seed != table.seed
    assert again.promise == fair_deal.commitment(again.seed)
    assert again.dealt_from == len(table.actions)
    assert again.actions == table.actions


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("Table", "../etc", "letters, digits"),
    ("SeatKinds", "human", "for each seat"),
    ("SeatKinds", "human dog", "for each seat"),
    ("Minutes", "ten", "is a number"),
    ("DealtFrom", "-1", "is a number"),
    ("Created", "yesterday", "yesterday"),
    ("State", "asleep", "nobody could go on"),
])
def test_a_record_with_wrong_tags_is_no_table(name: str, text: str, reason: str) -> None:
    record = record_of(branched(), with_secrets=True)
    record.tags[name] = text
    with pytest.raises(ValueError, match=reason):
        table_of(record)


def test_a_finished_game_from_elsewhere_becomes_a_table() -> None:
    played = played_out()
    record = Record.from_position(played.replay(), seats=["Ana", Player("Bo", bot="random 0.1.0")])
    table = table_of(record)
    assert table.state == "over"
    assert [(seat.kind, seat.name, seat.bot) for seat in table.seats] == [
        (HUMAN, "Ana", ""), (HUMAN, "Bo", "")]
    assert table.replay() == played.replay()
    with pytest.raises(ValueError, match="nobody could go on"):
        table_of(Record.from_position(branched().replay()))
    later = Record(Position.from_text(branched().replay().text()), record.seats)
    with pytest.raises(ValueError, match="nobody could go on"):
        table_of(later)


def test_a_table_of_other_rules_is_not_written_as_if_it_were_of_these() -> None:
    with pytest.raises(Unreplayable, match="version 99"):
        record_of(replace(played_out(), rules_version=99))
