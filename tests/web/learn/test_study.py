"""The study board: trees of lines, the socket, the judge's queue, and visitors who ask for too much."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import azulejos
from azulejos.core.message import Problem, raw
from azulejos.core.position import Position, new
from azulejos.core.record import Player, Record
from azulejos.insight.results import PositionValue
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.budgets import Limits, Pace
from azulejos.web.guard.doors import MAX_BODY
from azulejos.web.learn import studies
from azulejos.web.learn.line_tree import LineTree, tree_of
from azulejos.web.store import schema
from azulejos.web.store.faults import Unsaved
from azulejos.web.store.store import Store
from azulejos.web.work.judge import Analyst, Request, Rest
from azulejos.web.work.pool import Lane, Pool
from azulejos.web.work.worker import Process
from web.boards import PLAN, Page, begin, live, record
from web.people import person
from web.server import Server
from web.watched import threads_of
from web.work.test_pool import Slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def branched(branches: int) -> LineTree:
    """A game with many branches, some of them from other branches."""
    tree, rng = tree_of(record(8)), random.Random(2)
    while branches:
        node = rng.choice([each for each in tree.nodes.values() if tree.position(each).to_move >= 0])
        moves = tree.position(node).game.moves
        before = len(tree.nodes)
        tree.play(node, moves.text(rng.choice(tree.position(node).legal_actions())))
        branches -= len(tree.nodes) > before
    return tree


# --- the tree --------------------------------------------------------------------------------------------


def test_a_tree_is_a_record_with_variations_and_comes_back_unchanged() -> None:
    tree = branched(30)
    tree.comment(tree.at("3"), "too greedy? {yes}")
    again = tree_of(Record.read(tree.record().write()))
    assert again.record().write_json() == tree.record().write_json()
    assert [(again.actions(node), node.comment, again.turns[node]) for node in again.walk()] == \
        [(tree.actions(node), node.comment, tree.turns[node]) for node in tree.walk()]
    tree_of(Record.read(tree.record().write_json()))


def test_a_move_that_is_there_is_followed_and_an_illegal_one_refused() -> None:
    tree = tree_of(record())
    node = tree.at("3")
    text = tree.start.game.moves.text(node.children[0].action)
    assert tree.play(node, text) == [node.children[0]]
    with pytest.raises(Problem):
        tree.play(node, "9b9")
    with pytest.raises(Problem):
        tree.play(tree.root, text)


def test_promoting_a_branch_makes_it_the_line_of_the_record() -> None:
    tree = branched(5)
    leaf = next(node for node in tree.nodes.values() if tree.branchings(node))
    tree.promote(leaf)
    assert tree.branchings(leaf) == 0
    path = [action for node in tree.path(leaf) for action in tree.actions(node)]
    assert tree.record().actions[: len(path)] == path


# --- the socket ------------------------------------------------------------------------------------------


def test_lines_and_comments_are_saved_and_seen_by_others_who_cannot_change_them(client: TestClient) -> None:
    address = begin(client, record().write())
    with live(client, address) as socket:
        page = Page(socket, PLAN)
        board = page.at(4)
        move = Position.from_text(board["position"]).legal_moves[-1].text
        page.say(do="add", id=1, node=4, move=move)
        added = page.until("board")["node"]
        page.until("done")
        page.say(do="comment", id=2, node=added, text="better?")
        page.until("done")
    assert "{better?}" in client.get(f"{address}/record.txt").text
    with person(client) as other:
        assert "belongs to somebody else" in other.get(address).text
        with live(other, address) as socket:
            page = Page(socket, PLAN)
            comments = {number: twig["comment"] for number, twig in page.nodes.items() if "comment" in twig}
            assert list(comments.values()) == ["better?"]
            page.say(do="comment", id=1, node=1, text="not mine")
            page.until("done")
            page.say(do="duplicate", id=2)
            copy = page.until("opened")["address"]
        assert "not mine" not in other.get(f"{address}/record.txt").text
        assert "not mine" in other.get(f"/{copy}/record.txt").text


def test_an_illegal_move_and_a_position_that_does_not_add_up_are_refused(client: TestClient) -> None:
    with live(client, begin(client, record().write())) as socket:
        page = Page(socket, PLAN)
        text = page.at(4)["position"]
        page.say(do="add", id=1, node=4, move="9b9")
        assert page.until("refused")["id"] == 1
        page.say(do="arrange", id=2, position=f"{text},lid=50000", check=True)
        assert page.until("refused")["text"]
        page.say(do="arrange", id=3, position=text, check=True)
        assert page.until("opened")["id"] == 3


def test_play_on_opens_a_table_at_the_same_position(client: TestClient) -> None:
    address = begin(client, record().write())
    with live(client, address) as socket:
        text = Page(socket, PLAN).at(5)["position"]
    answer = client.post(f"{address}/play", data={"at": "5"})
    table = str(answer.url)
    assert client.get(f"{table}/position.txt?ply=24").text.split("/")[0] == text.split("/")[0]
    assert client.get(f"{address}/picture.svg?at=5").headers["content-type"] == "image/svg+xml"


def test_rubbish_is_answered_with_a_sentence(client: TestClient) -> None:
    assert client.post("/study", data={"text": "azul,players=2/bag=99"}).status_code == 409
    assert client.post("/study", data={"text": "[Game \"azul\"]"}).status_code == 409
    assert client.get("/study/nothing").status_code == 404
    with live(client, begin(client, record().write())) as socket:
        page = Page(socket, PLAN)
        for text in ("{", "[]", '{"do":"visit"}', '{"do":"visit","node":99999}', '{"do":"x"}', "9" * 9000):
            socket.send_text(text)
            assert page.until("refused")["text"]


# --- the judge's queue -----------------------------------------------------------------------------------


def asking(visitor: str, heard: Callable[[PositionValue], None] = lambda _: None,
           rests: list[Rest] | None = None, address: str = "") -> Request:
    told = [] if rests is None else rests
    return Request(visitor=visitor, address=address or visitor, position=visitor, engine="", hear=heard,
                   rest=told.append)


def of_one(worker: Slow, **paces: Any) -> Pool:
    """A pool with one worker."""

    async def start(niceness: int) -> Slow:
        return worker

    return Pool(sizes={Lane.PAGES: 1}, start=start, **paces)


def test_one_position_for_each_visitor_and_everybody_in_turn() -> None:
    async def act() -> list[str]:
        worker = Slow()
        pool = of_one(worker)
        analyst = Analyst(pool)
        for _ in range(1000):
            analyst.ask(asking("greedy"))
        analyst.ask(asking("patient"))
        await asyncio.sleep(0.001)
        assert len(analyst.asked) == 2
        assert len(pool.queue(Lane.PAGES).waiting) + len(pool.queue(Lane.PAGES).running) <= 3
        for _ in range(4):
            analyst.ask(asking("greedy"))
            worker.stop()
            await asyncio.sleep(0.001)
        await analyst.close()
        await pool.close()
        return worker.served

    served = asyncio.run(act())
    assert "patient" in served[:3]


def test_a_budget_bounds_what_a_visitor_and_an_address_can_use() -> None:
    async def act() -> tuple[float, list[Rest]]:
        now, rests = 0.0, list[Rest]()
        worker = Slow()
        pool = of_one(worker, visitor_pace=Pace(5, 0), address_pace=Pace(8, 0), clock=lambda: now)
        analyst = Analyst(pool)
        for visitor in ("a", "b", "c"):
            for _ in range(50):
                analyst.ask(asking(visitor, rests=rests, address="one"))
                await asyncio.sleep(0.001)
                worker.stop()
                await asyncio.sleep(0.001)
        await analyst.close()
        await pool.close()
        return pool.seconds, rests

    used, rests = asyncio.run(act())
    assert 5 <= used <= 9
    assert set(rests) == {Rest.SPENT}


def test_opening_a_study_starts_one_process_before_anything_is_asked(client: TestClient) -> None:
    analyst: Analyst = client.app.state.analyst  # type: ignore[attr-defined]
    for _ in range(3):
        assert client.get("/study").status_code == 200
    (worker,) = analyst.pool.workers
    assert isinstance(worker, Process)
    os.kill(worker.pid, 0)


@pytest.mark.slow
def test_the_judge_answers_on_a_page_and_stops_when_it_leaves(client: TestClient) -> None:
    with live(client, begin(client, record(12).write())) as socket:
        page = Page(socket, PLAN)
        last = max(page.nodes)
        page.at(last)
        page.say(do="judge", node=last)
        found = page.until("outlook")
        assert found["turns"][0]["points"]["value"] == 0
    analyst: Analyst = client.app.state.analyst  # type: ignore[attr-defined]
    assert not analyst.asked


@pytest.mark.slow
def test_five_hundred_branches_open_and_walk(client: TestClient) -> None:
    address = begin(client, branched(500).record().write())
    with live(client, address) as socket:
        page = Page(socket, PLAN)
        assert len(page.nodes) > 500
        assert page.at(max(page.nodes))["position"]


@pytest.mark.slow
def test_a_shared_link_opens_identically_in_another_browser(browser: Browser, server: Server) -> None:
    pages = []
    text, address = record(8).write(), ""
    for visitor in range(2):
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        if visitor == 0:
            answer = page.request.post(f"{server.url}/study", form={"text": text},
                                       headers={"origin": server.url}, max_redirects=0)
            address = server.url + answer.headers["location"]
            page.goto(f"{address}#4")
            page.wait_for_selector("[data-ready]")
            page.keyboard.press("ArrowRight")
            page.wait_for_function("() => location.hash === '#5'")
            page.locator("#comment").fill("the question")
            page.locator("#comment").blur()
            page.wait_for_selector(".move.commented")
            address = page.url
        else:
            page.goto(address)
        page.wait_for_selector("[data-ready]")
        page.wait_for_selector(".move[aria-current]")
        pages.append(page)
    seen = [
        (page.locator("#status").inner_text(), page.locator("#where").inner_text(),
         page.locator("#comment").input_value(), page.locator(".move").count(),
         page.locator(".mat .piece").count())
        for page in pages
    ]
    assert seen[0] == seen[1]
    assert seen[0][2] == "the question"
    for page in pages:
        page.context.close()


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
