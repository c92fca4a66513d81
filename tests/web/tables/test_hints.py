"""Hints and the coach at a table: for whom, what is sent, and what the record keeps."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

import azulejos
from azulejos import Position, Record
from azulejos.insight import Chance, Kind, Margin, Verdict
from azulejos.insight.hint import advisers
from azulejos.insight.judge import Effort, judge_for
from azulejos.insight.results import Coaching
from azulejos.web.store.saved import BACK, COACH, HINT, NOTES, SavedAction
from azulejos.web.tables.live_table import LiveTable, Warned
from azulejos.web.tables.table_record import record_of, table_of
from patience import PATIENCE
from web.people import Seated, open_table, person, saved_record, seated
from web.played import wavering
from web.searching import found_for

ALONE = {"seat1": "bot:random"}
LITTLE = Effort(nodes=100, deals=1, deal_nodes=10)


@pytest.fixture
def quick(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    """Explanations need compiled speed."""
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    client.app.state.lobby.advice.patience = PATIENCE  # type: ignore[attr-defined]
    client.app.state.lobby.advice.before_bots = PATIENCE  # type: ignore[attr-defined]
    client.app.state.lobby.advice.efforts = (LITTLE,)  # type: ignore[attr-defined]
    return client


def test_three_steps_are_given_one_by_one_and_kept_in_the_record(quick: TestClient) -> None:
    path = open_table(quick, **ALONE)
    with seated(quick, path) as ana:
        while not ana.frame["mine"]:
            ana.hear()
        ply, steps = ana.frame["ply"], []
        assert ana.frame["hints"]
        ana.tell(do="hint", ply=ply, step=2)
        assert "cannot be read" in ana.until("refused")["text"], "the first step comes first"
        for step in (1, 2, 3):
            ana.tell(do="hint", ply=ply, step=step)
            steps.append(ana.until("hint"))
        assert [told["step"] for told in steps] == [1, 2, 3]
        assert [told.get("more", False) for told in steps] == [True, True, False]
        assert all(told["said"] and told["lights"] for told in steps)
        where, why, which = steps
        assert where["lights"] == why["lights"], "the reason does not tell the turn"
        assert set(which["arrow"]) <= set(where["lights"])
        assert "arrow" not in where
        assert "arrow" not in why
        record = saved_record(quick, path)
        assert record.line[-1].hint is None, "the turn is not played yet"
        ana.turn(random.Random(1))
        record = _record(quick, path)
        assert record.line[ply].hint == 3
        assert record.line[ply].helped


@pytest.mark.parametrize("leaves", [False, True])
def test_the_page_searches_for_a_hint_and_if_it_leaves_the_server_does(
    quick: TestClient, leaves: bool
) -> None:
    with seated(quick, open_table(quick, seat1="bot:level:1")) as ana:
        without = ana.until("prepare")
        while not ana.frame["mine"]:
            ana.hear()
        ana.tell(do="coach", on=True)
        files = ana.until("prepare")
        assert files["memory"] != without["memory"], "with networks"
        ana.tell(do="thinks", on=True, memory=files["memory"])
        start, ply, asked = azulejos.new("azul"), ana.frame["ply"], 0
        judge = judge_for(start)
        for step in (1, 2):  # where, which one search can tell, and why
            ana.tell(do="hint", ply=ply, step=step)
            while (heard := ana.hear())["type"] != "hint" or heard["step"] != step:
                if heard["type"] == "search":
                    asked += 1
                    if leaves:
                        ana.tell(do="thinks", on=False)
                    else:
                        found = [found_for(judge, start, one) for one in heard["searches"]]
                        ana.tell(do="searched", task=heard["task"], found=found)
            assert heard["said"]
        assert asked == 1 if leaves else asked > 1


@pytest.mark.parametrize("form", [
    {"seat1": "you", "name1": "Bo"}, {"seat1": "friend"}, {"seat1": "friend", "seat2": "bot:random"},
])
def test_there_are_no_hints_where_another_person_plays_or_may_join(
    quick: TestClient, form: dict[str, str]
) -> None:
    path = open_table(quick, **form)
    with person(quick) as other, seated(quick, path) as ana:
        if form["seat1"] == "friend":
            other.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
            _play_before(ana, other, path)
        while not ana.frame["mine"]:
            ana.hear()
        assert "hints" not in ana.frame
        ana.tell(do="hint", ply=ana.frame["ply"], step=1)
        assert "alone against bots" in ana.until("refused")["text"]
        ana.tell(do="coach", on=True)
        ana.turn(random.Random(1))
        assert not _table(quick, path).coached


def test_a_spectator_gets_no_hint(quick: TestClient) -> None:
    path = open_table(quick, **ALONE)
    with person(quick) as other, seated(other, path) as cleo:
        cleo.tell(do="hint", ply=cleo.frame["ply"], step=1)
        assert "your turn" in cleo.until("refused")["text"]


def test_a_spectator_does_not_switch_the_coach_off(quick: TestClient) -> None:
    path = open_table(quick, **ALONE)
    with person(quick) as other, seated(quick, path) as ana, seated(other, path) as cleo:
        ana.tell(do="coach", on=True)
        ana.tell(do="ask", text="s", ply=0)
        ana.until("said")
        for on in (False, True):  # a page says what its own settings are
            cleo.tell(do="coach", on=on)
            cleo.tell(do="ask", text="s", ply=0)
            cleo.until("said")
            assert _table(quick, path).coached


def test_the_coach_speaks_after_a_mistake_and_offers_to_take_it_back(quick: TestClient) -> None:
    path = open_table(quick, **ALONE)
    with seated(quick, path) as ana:
        while not ana.frame["mine"]:
            ana.hear()
        ply, table = ana.frame["ply"], _table(quick, path)
        before = table.position.copy()
        ana.turn(random.Random(1))
        quick.portal.call(table.warn, _mistake(before, table))  # type: ignore[union-attr]
        while "warned" not in ana.frame:
            ana.hear()
        assert "gives away about 6" in ana.frame["warned"]
        assert _record(quick, path).line[ply].coach
        while not ana.frame["can_take_back"]:
            ana.hear()
        ana.tell(do="propose", what="back")
        while ana.frame["ply"] != ply:
            ana.hear()
        assert "warned" not in ana.frame
        ana.turn(random.Random(2))
        step = _record(quick, path).line[ply]
        assert step.helped, "the turn after a warning counts as helped"
        assert not step.coach


def test_a_bot_waits_for_the_answer_to_the_coach(
    quick: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Coaching, "speaks", True)
    path = open_table(quick, **ALONE)
    with seated(quick, path) as ana:
        while not ana.frame["mine"]:
            ana.hear()
        ana.tell(do="coach", on=True)
        ply = ana.frame["ply"]
        ana.turn(random.Random(1))
        while "warned" not in ana.frame:
            assert ana.frame["ply"] <= ply + 1, "the coach speaks before the bot answers"
            ana.hear()
        assert ana.frame["ply"] == ply + 1
        ana.tell(do="propose", what="back")
        while ana.frame["ply"] != ply:
            ana.hear()
        ana.turn(random.Random(2))
        while "warned" not in ana.frame:
            ana.hear()
        assert ana.frame["ply"] == ply + 1
        ana.tell(do="coach", on=True, heard=True)
        while ana.frame["ply"] == ply + 1:
            ana.hear()


def _play_before(ana: Seated, other: TestClient, path: str) -> None:
    """Bo, on the second seat, makes one turn if the draw lets him have it before Ana."""
    while ana.frame["to_move"] not in (0, 1):
        ana.hear()
    if ana.frame["to_move"] == 1:
        with seated(other, path) as bo:
            while not bo.frame["mine"]:
                bo.hear()
            bo.turn(random.Random(2))


def _record(client: TestClient, path: str) -> Record:
    """The record at this moment; a bot may be playing."""
    return Record.read(client.get(f"{path}/record.txt").text)


def _table(client: TestClient, path: str) -> LiveTable:
    found: LiveTable = client.portal.call(  # type: ignore[union-attr]
        client.app.state.lobby.table, path.rpartition("/")[2]  # type: ignore[attr-defined]
    )
    return found


def _mistake(before: Position, table: LiveTable) -> Warned:
    (adviser, _), = advisers(judge_for(before), before, [LITTLE])
    action = int(table.position.history.actions[before.ply])
    sure = Verdict(Kind.EXACT, Margin.exactly(6.0), Chance.exactly(0.2))
    turn = replace(adviser.judged((action,)), verdict=sure)
    return Warned(coaching=Coaching(turn=turn, win=0.5), before=before,
                  branches=len(table.log.branches))


def test_hints_and_warnings_come_back_from_a_record() -> None:
    """A log with notes becomes a record and a log again; how far a hint went is kept, not when."""
    table, rng = wavering(7, plies=200), random.Random(3)
    log: list[SavedAction] = []
    ply = 0
    for entry in table.actions:
        ply = entry.action if entry.event == BACK else ply
        if entry.seat >= 0 and entry.event != BACK and rng.random() < 0.3:
            log.append(replace(entry, action=rng.randint(1, 3), move="", event=HINT))
        log.append(entry)
        if entry.seat >= 0 and entry.event != BACK and rng.random() < 0.2:
            log.append(replace(entry, action=ply, move="", event=COACH))
        ply += entry.event != BACK
    noted = replace(table, actions=tuple(log))
    record = record_of(noted, with_secrets=True)
    assert {node.hint for node in record.root.walk()} == {None, 1, 2, 3}
    for again in (record, Record.read(record.write()), Record.read(record.write_json())):
        assert again == record
        found = table_of(again)
        assert [entry for entry in found.actions if entry.event not in NOTES] == [*table.actions]
        assert [(e.event, e.action) for e in found.actions] == [(e.event, e.action) for e in log]
