"""Visitors who ask too much of studies, personal documents, reviews, hints, daily deals and duplicates."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import azulejos
from azulejos.core.message import raw
from azulejos.core.position import new
from azulejos.core.record import Player
from azulejos.insight.judge import VERSION
from azulejos.insight.level import VERSION as LEVEL_VERSION
from azulejos.insight.progress import JudgedGame, Progress, merged, written
from azulejos.insight.review import weights_version
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.buckets import Pace
from azulejos.web.guard.doors import MAX_BODY
from azulejos.web.guard.prices import Limits
from azulejos.web.learn import daily, daily_service, studies
from azulejos.web.learn.daily import RANKED, new_deal
from azulejos.web.learn.daily_service import Daily
from azulejos.web.learn.duplicate import create as create_duplicate
from azulejos.web.learn.duplicate import new_duplicate
from azulejos.web.learn.line_tree import LineTree, tree_of
from azulejos.web.pages import mistakes
from azulejos.web.pages.templates import fragment
from azulejos.web.refused import Refused
from azulejos.web.store import schema
from azulejos.web.store.faults import Unsaved
from azulejos.web.store.personal import Personal
from azulejos.web.store.saved import now
from azulejos.web.store.store import Store
from azulejos.web.tables import advice
from azulejos.web.tables.advice import Advice, Job
from azulejos.web.tables.table_record import record_of
from azulejos.web.wire.messages import PROTOCOL as TABLE_PROTOCOL
from azulejos.web.wire.plan import plan_of
from azulejos.web.work.reviews import MOST_OF_ONE, Reviews
from insight.games import record as finished_game
from patience import PATIENCE
from web.learn.test_mistakes import bring, card, late_position
from web.learn.test_study import PLAN, Page, begin, live, record
from web.pages.test_review import finished_table
from web.people import open_table, person, seated

SOURCES = Path(azulejos.__file__).parents[1]


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[TestClient]:
    """A server with little room: four pieces of 500 bytes at once, for all visitors of an address."""
    limits = replace(UNLIMITED, stored=Pace(2000, 0.001))
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/strict.sqlite", secret="s", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


def threads_of(
    monkeypatch: pytest.MonkeyPatch, where: str, what: Callable[..., Any]
) -> list[str]:
    """The names of the threads in which a function is called from now on."""
    found: list[str] = []

    def noted(*args: Any, **names: Any) -> Any:
        found.append(threading.current_thread().name)
        return what(*args, **names)

    monkeypatch.setattr(where, noted)
    return found


# --- studies -------------------------------------------------------------------------------------------


def test_a_study_is_read_and_written_apart_from_the_tables(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study of 5000 moves takes a second to read."""
    reading = threads_of(monkeypatch, "azulejos.web.learn.studies.tree_of", tree_of)
    writing = threads_of(monkeypatch, "azulejos.web.learn.studies.written", studies.written)
    address = begin(client, record().write())
    assert client.get(address).status_code == 200
    with live(client, address) as socket:
        page = Page(socket, PLAN)
        page.say(do="comment", id=1, node=1, text="well")
        page.until("done")
    assert reading
    assert len(writing) == 2
    assert all(name.startswith("slow work") for name in (*reading, *writing))


def test_a_study_that_was_read_is_not_read_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = begin(client, record().write())
    reading = threads_of(monkeypatch, "azulejos.web.learn.studies.tree_of", tree_of)
    for path in ("", "/record.txt", "/picture.svg?at=3"):
        assert client.get(address + path).status_code == 200
    with live(client, address) as socket:
        page = Page(socket, PLAN)
        page.say(do="comment", id=1, node=1, text="well")
        page.until("done")
    assert len(reading) == 1
    assert "well" in client.get(f"{address}/record.txt").text, "what was changed is read"


def test_visitors_see_their_own_changes_of_a_study_only(client: TestClient) -> None:
    """Trees that were read are shared; nobody else's changes may be in them."""
    address = begin(client, record().write())
    with person(client) as other, live(other, address) as socket:
        page = Page(socket, PLAN)
        page.say(do="comment", id=1, node=1, text="rubbish")
        page.until("done")
        page.say(do="remove", id=2, node=3)
        page.until("done")
    assert "rubbish" not in client.get(f"{address}/record.txt").text
    with live(client, address) as socket:
        assert 3 in Page(socket, PLAN).nodes


def test_kept_studies_are_bounded(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "KEPT_NODES", 20)
    addresses = [begin(client, record(moves).write()) for moves in (4, 5, 6, 7)]
    for address in addresses:
        assert client.get(address).status_code == 200
    kept = client.app.state.studies._kept  # type: ignore[attr-defined]
    assert sum(len(tree.nodes) for tree in kept.values()) <= 20
    assert kept


def test_a_study_that_cannot_be_read_says_so_and_gives_its_record(client: TestClient) -> None:
    address = begin(client, record().write())
    well = begin(client, record(3).write())
    store: Store = client.app.state.lobby.store  # type: ignore[attr-defined]
    damage = update(schema.studies).where(schema.studies.c.id == address.rpartition("/")[2])

    async def spoil() -> None:
        changed = damage.values(record='{"azulejos": 1, "box": "chess"}', version=7)
        await store.database.write(lambda connection: connection.execute(changed))

    client.portal.call(spoil)  # type: ignore[union-attr]
    for path in ("", "/picture.svg", "/picture.png"):
        answer = client.get(address + path)
        assert answer.status_code == 409
        assert "cannot read this study" in answer.text
    assert client.post(f"{address}/play").status_code == 409
    assert "chess" in client.get(f"{address}/record.txt").text
    with pytest.raises(WebSocketDisconnect) as closed, live(client, address) as socket:
        socket.receive_text()
    assert closed.value.code == 4404
    assert client.get("/study").status_code == client.get(well).status_code == 200


def test_a_change_that_was_not_saved_is_saved_when_it_is_made_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that is there is only followed: but not if saving it has failed."""
    address = begin(client, record().write())
    database = client.app.state.lobby.store.database  # type: ignore[attr-defined]

    async def broken(_act: object) -> None:
        raise Unsaved(raw("no space"))

    with live(client, address) as socket:
        page = Page(socket, PLAN)
        move = azulejos.Position.from_text(page.at(4)["position"]).legal_moves[-1].text
        with monkeypatch.context() as fault:
            fault.setattr(database, "write", broken)
            page.say(do="add", id=1, node=4, move=move)
            assert "could not save" in page.until("refused")["text"]
        page.say(do="add", id=2, node=4, move=move)
        page.until("done")
    with live(client, address) as socket:
        assert len(Page(socket, PLAN).nodes) == len(page.nodes)
        assert move in client.get(f"{address}/record.txt").text


def test_of_previews_that_come_together_the_last_is_answered(client: TestClient) -> None:
    with live(client, begin(client, record().write())) as socket:
        page = Page(socket, PLAN)
        page.at(4)
        for _ in range(30):
            page.say(do="preview", path=[0], ply=4)
        found = [page.until("preview") for _ in range(30)]
        assert not found[-1].get("superseded")
        page.at(3)


def test_a_large_study_is_sent_as_fast_as_the_visitor_can_pay(tmp_path: Path) -> None:
    """It is complete at last, and meanwhile the visitor cannot have more."""
    limits = Limits(visitor=Pace(300, 3000), address=Pace(10_000, 10_000))
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite", secret="s", limits=limits))
    tree, rng = LineTree(new("azul", players=2), (Player("1"), Player("2"))), random.Random(1)
    while len(tree.nodes) < 400:
        drawn = tree.start.copy()
        drawn.deal(rng)
        tree.deal(tree.root, drawn)
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        client.get("/")
        address = begin(client, record(1).write())
        store = app.state.lobby.store
        larger = update(schema.studies).values(record=tree.record().write_json(), version=2)

        async def grow() -> None:
            await store.database.write(lambda connection: connection.execute(larger))

        client.portal.call(grow)  # type: ignore[union-attr]
        connected = 0
        while connected < 2:
            with contextlib.suppress(WebSocketDisconnect), live(client, address) as socket:
                assert len(Page(socket, PLAN).nodes) == 400
                connected += 1


def test_an_address_has_so_many_boards_and_gets_them_back(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every board holds a tree in memory."""
    monkeypatch.setattr(client.app.state, "limits", replace(UNLIMITED, boards=2))  # type: ignore[attr-defined]
    address = begin(client, record().write())
    for _ in range(2):
        with live(client, address) as one, live(client, address) as two:
            Page(one, PLAN)
            Page(two, PLAN)
            with pytest.raises(WebSocketDisconnect) as refused, live(client, address) as socket:
                socket.receive_text()
            assert refused.value.code == 1013


def test_a_study_that_was_saved_can_be_opened_again(client: TestClient) -> None:
    """A record with comments is longer than a form."""
    address = begin(client, record().write())
    with live(client, address) as socket:
        page = Page(socket, PLAN)
        for node in range(1, 7):
            page.say(do="comment", id=node, node=node, text="well played " * 150)
            page.until("done")
    saved = client.get(f"{address}/record.txt").text
    more = saved + "\n" * (MAX_BODY - len(saved) + 1)
    again = begin(client, more)
    assert client.get(f"{again}/record.txt").text == saved


def test_an_address_cannot_fill_the_database_with_studies(strict: TestClient) -> None:
    answers = []
    for _ in range(20):
        strict.cookies.clear()
        answers.append(strict.post("/study", data={"text": record().write()}, follow_redirects=False))
    codes = [answer.status_code for answer in answers]
    assert codes[0] == 303
    assert codes[-1] == 409
    assert "nothing more can be saved" in answers[-1].text


def test_a_study_with_a_line_of_many_nodes_is_walked_without_recursion() -> None:
    tree = LineTree(new("garden", players=4), [Player(f"{seat}") for seat in range(4)])
    node, rng = tree.root, random.Random(1)
    limit = sys.getrecursionlimit()
    while not tree.position(node).is_over:
        here = tree.position(node).copy()
        if here.is_chance:
            here.deal(rng)
            node = tree.deal(node, here)
        else:
            node = tree.play(node, here.game.moves.text(rng.choice(here.legal_actions())))[-1]
    fresh = tree.copy()
    depth = len(tree.path(node))
    assert depth > 150
    sys.setrecursionlimit(_frames() + 100)
    try:
        assert fresh.position(fresh.nodes[tree.numbers[node]]).is_over
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> int:
    frame, count = sys._getframe(), 0
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count


def test_a_judge_that_stands_still_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    from azulejos.web.work import analyst as module

    monkeypatch.setattr(module, "STARTING", -module.SHORT)
    monkeypatch.setattr(module, "LONGEST", 0.6)

    async def act() -> list[module.Rest]:
        heard: list[module.Rest] = []
        ended = asyncio.Event()
        analyst = module.Analyst(workers=1)
        process = await asyncio.create_subprocess_exec(
            "sleep", "600", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )
        analyst._idle.append(module._Worker(process))

        def rest(why: module.Rest) -> None:
            heard.append(why)
            ended.set()

        analyst.ask(module.Request(visitor="ana", address="one", position="", engine="",
                                   hear=lambda outlook: None, rest=rest))
        await ended.wait()
        assert process.returncode is not None
        await analyst.close()
        return heard

    assert [why.value for why in asyncio.run(act())] == ["away"]


# --- personal documents --------------------------------------------------------------------------------


def test_a_document_is_merged_while_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction waits for nothing but the database: everybody's moves wait for it."""
    merging = threads_of(monkeypatch, "azulejos.web.store.personal.merged", merged)

    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        await Personal(store).add("ana", Progress())
        await store.close()

    asyncio.run(act())
    assert merging
    assert not any(name.startswith("writer") for name in merging)


def judged(**changes: Any) -> JudgedGame:
    values: dict[str, Any] = {
        "table": "t", "seat": 0, "at": 1, "box": "azul", "players": 2, "judge": VERSION,
        "weights": weights_version(new("azul").game), "level": LEVEL_VERSION,
        "losses": ((1.0, (1.0,) * 7),),
    }
    return JudgedGame(**values | changes)


@pytest.mark.parametrize("losses", [
    ((1.0, ()),), ((1.0, (1.0,) * 3), (2.0, (1.0,) * 7)), ((1.0, (1.0,) * 20),),
])  # fmt: skip
def test_a_page_is_shown_whatever_a_file_says_about_losses(
    client: TestClient, losses: tuple[tuple[float, tuple[float, ...]], ...]
) -> None:
    bring(client, games=(judged(losses=losses),))
    assert client.get("/you").status_code == 200


def test_losses_beyond_any_game_are_refused(client: TestClient) -> None:
    file = written(Progress(games=(judged(losses=((1e308, (-1e308,) * 7),) * 2),)))
    answer = client.post("/you/import", files={"file": ("x.json", file)})
    assert answer.status_code == 409
    assert "damaged" in answer.text


def test_of_many_cards_that_cannot_be_read_few_are_tried(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = late_position()
    bring(client, *(card(start, id=f"c{number}", position="azul/nothing") for number in range(150)))
    tried = threads_of(monkeypatch, "azulejos.web.pages.mistakes.is_readable", mistakes.is_readable)
    assert client.get("/you/mistakes").status_code == 200
    assert 0 < len(tried) <= mistakes.MOST_TRIED
    assert all(name.startswith("slow work") for name in tried)


def test_cards_wait_for_each_other_without_holding_pages_up(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the answers of a card are worked out, pages that need a thread are made."""
    bring(client, card(late_position()))
    begun, may_end = threading.Event(), threading.Event()

    def long(*args: object) -> None:
        begun.set()
        assert may_end.wait(PATIENCE)

    monkeypatch.setattr(mistakes, "card_script", long)
    waiting = [
        threading.Thread(target=client.get, args=("/you/mistakes/a1/script.json",)) for _ in range(40)
    ]
    for thread in waiting:
        thread.start()
    assert begun.wait(PATIENCE)
    with person(client) as other:
        assert other.get("/puzzles/today").status_code == 200
        assert other.get("/learn/azul").status_code == 200
    may_end.set()
    for thread in waiting:
        thread.join()


def test_an_address_cannot_fill_the_database_with_documents(strict: TestClient) -> None:
    file = written(Progress(games=tuple(judged(table=f"t{number}") for number in range(8))))
    codes = []
    for _ in range(10):
        strict.cookies.clear()
        codes.append(strict.post("/you/import", files={"file": ("x.json", file)}).status_code)
    assert codes[0] == 200
    assert codes[-1] == 409


# --- reviews -------------------------------------------------------------------------------------------


def test_one_visitor_leaves_room_for_the_reviews_of_others(tmp_path: Path) -> None:
    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        reviews, game = Reviews(store), finished_game("azul", 2, 1)
        async with reviews._one:  # none of them begins
            for number in range(MOST_OF_ONE):
                await reviews.start(f"t{number}", game, owner="greedy")
            with pytest.raises(Refused, match="other games"):
                await reviews.start("one more", game, owner="greedy")
            await reviews.start("another", game, owner="patient")
            for task in reviews._tasks:
                task.cancel()
        await reviews.close()
        await store.close()

    asyncio.run(act())


def test_a_review_is_shown_apart_from_the_tables(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = finished_table(client)
    records = threads_of(monkeypatch, "azulejos.web.pages.review.record_of", record_of)
    shown = threads_of(monkeypatch, "azulejos.web.pages.review.fragment", fragment)
    assert client.get(f"{path}/review").status_code == 200
    assert records
    assert shown
    assert all(name.startswith("slow work") for name in (*records, *shown))


# --- hints ---------------------------------------------------------------------------------------------


class Asked:
    """A table, as far as the order of hints needs it."""

    def __init__(self, name: str, *, owner: str, watched: bool = True) -> None:
        self.id, self.owner, self.watched = name, owner, watched
        self.timeline = type("Timeline", (), {"branches": ()})


def waiting(name: str, *, owner: str, asked: bool = True) -> Job:
    job = Job(Asked(name, owner=owner), None, 0)  # type: ignore[arg-type]
    job.asked, job.visitor = asked, owner if asked else ""
    return job


def served(advice_: Advice, jobs: list[Job], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    order = []

    async def think(job: Job) -> None:
        order.append(job.table.id)

    monkeypatch.setattr(advice_, "_think", think)

    async def act() -> None:
        advice_._waiting += jobs
        await advice_._work()

    asyncio.run(act())
    return order


def test_hints_of_many_tables_of_one_visitor_come_after_the_first_of_another(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy = [waiting(f"greedy {number}", owner="greedy") for number in range(10)]
    order = served(Advice(), [*greedy, waiting("patient", owner="patient")], monkeypatch)
    assert order.index("patient") <= 1


def test_hints_of_abandoned_tables_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advice, "MOST_KEPT", 5)
    found = Advice()
    for number in range(20):
        table = Asked(f"t{number}", owner="ana", watched=number == 0)
        found._jobs[table.id] = Job(table, None, 0)  # type: ignore[arg-type]
        found._forget_abandoned()
    assert len(found._jobs) == 5
    assert "t0" in found._jobs, "somebody looks at it"


def test_tables_that_were_left_do_not_stay_in_memory_for_their_hints(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advice, "MOST_KEPT", 3)
    for _ in range(6):
        with seated(client, open_table(client, seat1="bot:random")) as ana:
            while not ana.frame["mine"]:
                ana.hear()
    assert len(client.app.state.lobby.advice._jobs) <= 4  # type: ignore[attr-defined]


# --- daily deals ---------------------------------------------------------------------------------------


def test_a_game_that_cannot_be_checked_does_not_hold_the_others_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daily, "OPPONENT", "random")
    monkeypatch.setattr(daily, "box_of", lambda day: "azul")
    asked: list[str] = []

    async def answer(module: str, question: bytes, *, seconds: float) -> bytes:
        visitor = json.loads(question)["record"]
        asked.append("ana" if "Ana" in visitor else "bo")
        if asked[-1] == "ana":
            raise ValueError("the process has ended")
        return b'{"verdict": "ranked", "margin": 3, "points": 40}'

    monkeypatch.setattr(daily_service, "answer_of", answer)

    async def act() -> list[str]:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        service = Daily(store)
        deal = await service.store.keep(new_deal(daily.day_of(now() / 1000)))
        for name in ("Ana", "Bo"):
            table = replace(deal.table(name=name, opponent="x", ranked=True), state="over")
            await service.store.begin(table, deal.day, name)
        for _ in range(5):
            await service.check_games()
        found = [await service.store.attempt(deal.day, name) for name in ("Ana", "Bo")]
        await store.close()
        return [one.verdict for one in found if one]

    assert asyncio.run(act()) == ["", RANKED]
    assert asked.count("ana") == daily_service.MOST_FAILURES
    assert asked.count("bo") == 1


WAITING = """
import asyncio, json, sys
from azulejos.web.work.one_question import asked
async def main():
    async with asked(sys.argv[1], sys.argv[2].encode()) as answers:
        children = open("/proc/self/task/%d/children" % __import__("os").getpid()).read()
        print(children.split()[0], flush=True)
        await asyncio.sleep(3600)
asyncio.run(main())
"""

ENDLESS = """
import time
from azulejos.web.work.one_question import question
assert question() == b"well\\n"
print("asked", flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process that is not a child")
def test_processes_with_one_question_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """Reviews, cards and daily checks: whatever they are thinking about."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    environment = os.environ | {"PYTHONPATH": f"{SOURCES}:{tmp_path}", "AZULEJOS_JIT": "0"}
    command = [sys.executable, "-c", WAITING, "endless", "well"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = os.pidfd_open(int(server.stdout.readline()))
        server.kill()
        ended, _, _ = select.select([worker], [], [], PATIENCE)
        assert ended
        os.close(worker)


# --- duplicates ----------------------------------------------------------------------------------------


def test_nobody_sits_at_both_tables_of_a_duplicate(database: str) -> None:
    """Two servers seat the same visitor at the same time, each at another table."""
    async def act() -> None:
        one = await Store.open(database)
        other = await Store.open(database) if database.startswith("postgres") else one
        for _ in range(10):
            tables = new_duplicate("teams", "azul", host="Ana", bot="", bot_name="")
            made = await create_duplicate(one, "teams", tables, "ana")
            sat = await asyncio.gather(
                one.sit(made.first, 1, "Bo", "bo", not_both=made.tables),
                other.sit(made.second, 0, "Bo", "bo", not_both=made.tables),
            )
            assert sorted(sat) == [False, True]
        await one.close()
        if other is not one:
            await other.close()

    asyncio.run(act())


# --- visitors without a cookie -------------------------------------------------------------------------


def test_live_connections_without_a_cookie_share_what_their_address_has(tmp_path: Path) -> None:
    limits = Limits(visitor=Pace(100, 0.001), address=Pace(100_000, 1000), pause=0)
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite", secret="s", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        client.get("/")
        path = open_table(client)
        client.cookies.clear()
        plan = plan_of(new("azul"), "en").digest
        refused = 0
        for _ in range(6):
            with live(client, path) as socket:
                socket.send_json({"do": "hello", "protocol": TABLE_PROTOCOL, "plan": plan})
                socket.receive_text()
                socket.send_json({"do": "earlier"})
                refused += json.loads(socket.receive_text())["type"] == "refused"
        assert refused


