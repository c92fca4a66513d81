"""The players' own numbers join the seed of an ordinary table, so that nobody chooses its draws alone."""

from __future__ import annotations

import asyncio
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from azulejos.cli import main
from azulejos.core.record import Record
from azulejos.web.store.saved import HUMAN, NUMBERS, SavedSeat
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal, live_table, lobby
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.tables.table_record import record_of, table_of
from web.people import Seated, open_table, person, saved_record, seated

WEB = Path(__file__).resolve().parents[3] / "docs" / "web.md"
FIRST = {"option-start": "1"}
ONE, TWO = "1" * 32, "2" * 32


@pytest.fixture
def in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, nobody is late."""
    for module in (live_table, lobby):
        monkeypatch.setattr(module, "NUMBERS_SECONDS", 3600.0)


def add(person: Seated, number: str) -> None:
    person.tell(do="number", number=number)


@pytest.mark.usefixtures("in_time")
def test_a_game_begins_when_every_player_has_added_a_number(client: TestClient) -> None:
    path = open_table(client, seat1="friend", numbers="on", **FIRST)
    assert re.search(r'data-promise="[0-9a-f]{64}"', client.get(path).text)
    with person(client) as friend:
        friend.get(path)
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        with seated(client, path) as ana, seated(friend, path) as bo:
            add(ana, ONE)
            add(bo, "2" * 31)
            assert bo.until("refused")["text"]
            add(bo, TWO)
            add(bo, ONE)  # only the first number of a player counts
            while not ana.frame["mine"]:
                ana.until("frame")
    record = saved_record(client, path)
    assert record.tags["Numbers"] == f"{ONE} {TWO}"
    assert "Seed" not in record.tags


def test_nobody_stops_a_deal_by_silence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (live_table, lobby):
        monkeypatch.setattr(module, "NUMBERS_SECONDS", 0.01)
    path = open_table(client, numbers="on", **FIRST)
    with seated(client, path) as ana:
        while not ana.frame["mine"]:
            ana.until("frame")
        add(ana, ONE)  # too late
        ana.play_any(random.Random(1))
    assert "Numbers" not in saved_record(client, path).tags
    assert "has chosen alone" in client.get(path).text


@pytest.mark.usefixtures("in_time")
def test_a_spectator_adds_nothing(client: TestClient) -> None:
    path = open_table(client, numbers="on", **FIRST)
    with person(client) as stranger, seated(stranger, path) as eye, seated(client, path) as ana:
        add(eye, TWO)
        add(ana, ONE)
        while not ana.frame["mine"]:
            ana.until("frame")
    assert saved_record(client, path).tags["Numbers"] == f"{ONE} {ONE}"


def two_people(**options: Any) -> Any:
    people = tuple(SavedSeat(seat=seat, kind=HUMAN, name=f"{seat}") for seat in range(2))
    return new_table("azul", people, {}, mixed=True, **options)


@pytest.mark.usefixtures("in_time")
def test_two_servers_agree_on_the_numbers_of_the_first_deal(database: str) -> None:
    """The numbers are in the log, in one transaction with the draws; whoever comes second sees them."""

    async def run() -> None:
        stores = [await Store.open(database) for _ in range(2)]
        for _ in range(5):
            saved = two_people()
            await stores[0].create(saved)
            tables = [LiveTable(store, saved) for store in stores]
            for table in tables:
                await table.start()
            await asyncio.gather(
                *(table.people.add_number(frozenset({seat}), number)
                  for seat, (table, number) in enumerate(zip(tables, (ONE, TWO), strict=True)))
            )
            for table in tables:
                await table.refresh()
            assert tables[0].log.everything == tables[1].log.everything
            first, *draws = tables[0].log.everything
            assert (first.event, first.move) == (NUMBERS, f"{ONE} {TWO}")
            assert draws
            verdict = fair_deal.verify(
                saved.start(), [entry.action for entry in draws], seed=saved.seed,
                promised=saved.promise, numbers=tables[0].log.numbers,
            )
            assert verdict.honest
        for store in stores:
            await store.close()

    asyncio.run(run())


def test_each_number_changes_the_key_and_none_leaves_the_seed() -> None:
    seed = fair_deal.new_seed()
    keys = {fair_deal.key_of(seed, numbers) for numbers in ([ONE, TWO], [TWO, ONE], [ONE, "-"], ["-", ONE])}
    assert len(keys | {seed}) == 5
    assert fair_deal.key_of(seed) == fair_deal.key_of(seed, ["-", "-"]) == seed


def finished_record(client: TestClient) -> Record:
    """The record of a game of two bots, with numbers in its key as if people had added them."""
    saved = two_people()
    position, numbers = saved.start(), (ONE, "-")
    dealer, rng = fair_deal.Dealer(fair_deal.key_of(saved.seed, numbers)), random.Random(1)
    while not position.is_over:
        fair_deal.deal(position, dealer)
        if not position.is_over:
            position.play(rng.choice(position.legal_actions()))
    record = Record.from_position(position)
    record.tags |= {"Seed": saved.seed, "Promise": saved.promise, "Numbers": " ".join(numbers)}
    return record


def test_the_program_of_the_docs_checks_a_finished_game(client: TestClient, tmp_path: Path) -> None:
    found = re.search(r"```python\n(import hashlib, hmac.*?)```", WEB.read_text("utf-8"), re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) <= 26
    record = finished_record(client)

    def check(one: Record) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", found[1]], input=one.write(), text=True,
                              capture_output=True, check=False)

    assert check(record).stdout == "every draw follows from the promised seed\n"
    file = tmp_path / "game.txt"
    file.write_text(record.write())
    assert "Every draw follows" in CliRunner().invoke(main, ["verify", str(file)]).output
    record.tags["Numbers"] = f"{TWO} -"
    assert "was not drawn like this" in check(record).stderr
    file.write_text(record.write())
    assert CliRunner().invoke(main, ["verify", str(file)]).exit_code == 1


def test_a_record_keeps_the_numbers(client: TestClient) -> None:
    record = finished_record(client)
    table = table_of(record)
    assert table.numbers == (ONE, "-")
    assert record_of(table).tags["Numbers"] == f"{ONE} -"
    opened = client.post("/open", data={"text": record.write()}, follow_redirects=False)
    path = opened.headers["location"].partition("#")[0]
    assert saved_record(client, path).tags["Numbers"] == f"{ONE} -"
    for wrong in (f"{ONE}", f"{ONE} {TWO} {TWO}", f"{ONE} x", f"{ONE} {TWO[1:]}"):
        record.tags["Numbers"] = wrong
        with pytest.raises(ValueError, match="Numbers is 32"):
            table_of(record)
