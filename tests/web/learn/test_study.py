"""The study board: trees of lines, the socket, the judge's queue, and visitors who ask for too much."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from azulejos.core.message import Problem
from azulejos.core.position import Position, new
from azulejos.core.record import Record
from azulejos.insight.results import Outlook
from azulejos.web.guard.buckets import Pace
from azulejos.web.learn.line_tree import LineTree, tree_of
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of
from azulejos.web.work.analyst import Analyst, Request, Rest
from web.people import person
from web.server import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def played(moves: int, seed: int = 1, box: str = "azul") -> Position:
    position, rng = new(box), random.Random(seed)
    position.deal(rng)
    for _ in range(moves):
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    return position


def record(moves: int = 6) -> Record:
    return Record.from_position(played(moves), seats=["Ana", "Ben"])


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


def begin(client: TestClient, text: str) -> str:
    answer = client.post("/study", data={"text": text}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


class Page:
    """A study board, as the server sees it."""

    def __init__(self, socket: WebSocketTestSession, plan: str) -> None:
        self.socket = socket
        self.nodes: dict[int, dict[str, Any]] = {}
        self.socket.send_json({"do": "hello", "protocol": PROTOCOL, "plan": plan})
        self.until("done")

    def say(self, **message: Any) -> None:
        self.socket.send_json(message)

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(self.socket.receive_text())
            if message["type"] == "nodes":
                self.nodes |= {twig["number"]: twig for twig in message["nodes"]}
            if message["type"] == kind:
                return message

    def at(self, node: int) -> dict[str, Any]:
        self.say(do="visit", node=node)
        return self.until("board")


def live(client: TestClient, address: str) -> WebSocketTestSession:
    return client.websocket_connect(f"{address}/live", headers={"origin": "http://testserver"})


PLAN = plan_of(new("azul"), "en").digest


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


class Slow:
    """A worker that never finds anything until it is stopped."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()
        self.served: list[str] = []

    async def ask(self, question: Any, request: Request) -> None:
        self.stopped.clear()
        self.served.append(request.visitor)
        request.used = 1.0
        await self.stopped.wait()

    def stop(self) -> None:
        self.stopped.set()

    async def close(self) -> None:
        pass


def asking(visitor: str, heard: Callable[[Outlook], None] = lambda _: None,
           rests: list[Rest] | None = None, address: str = "") -> Request:
    told = [] if rests is None else rests
    return Request(visitor=visitor, address=address or visitor, position="", engine="", hear=heard,
                   rest=told.append)


def test_one_position_for_each_visitor_and_everybody_in_turn() -> None:
    async def act() -> list[str]:
        analyst, worker = Analyst(workers=1), Slow()
        analyst._idle.append(worker)  # type: ignore[arg-type]
        for _ in range(1000):
            analyst.ask(asking("greedy"))
        analyst.ask(asking("patient"))
        await asyncio.sleep(0)
        assert len(analyst.running) == 1
        assert len(analyst.waiting) <= 2
        for _ in range(4):
            analyst.ask(asking("greedy"))
            worker.stop()
            await asyncio.sleep(0.001)
        await analyst.close()
        return worker.served

    served = asyncio.run(act())
    assert "patient" in served[:3]


def test_a_budget_bounds_what_a_visitor_and_an_address_can_use() -> None:
    async def act() -> tuple[float, list[Rest]]:
        now, rests = 0.0, list[Rest]()
        analyst = Analyst(workers=1, visitor_pace=Pace(5, 0), address_pace=Pace(8, 0), clock=lambda: now)
        worker = Slow()
        analyst._idle.append(worker)  # type: ignore[arg-type]
        for visitor in ("a", "b", "c"):
            for _ in range(50):
                analyst.ask(asking(visitor, rests=rests, address="one"))
                await asyncio.sleep(0)
                worker.stop()
                await asyncio.sleep(0)
                await asyncio.sleep(0)
        await analyst.close()
        return analyst.seconds, rests

    used, rests = asyncio.run(act())
    assert 5 <= used <= 9
    assert set(rests) == {Rest.SPENT}


def test_opening_a_study_starts_one_process_before_anything_is_asked(client: TestClient) -> None:
    analyst: Analyst = client.app.state.analyst  # type: ignore[attr-defined]
    for _ in range(3):
        assert client.get("/study").status_code == 200
    assert len(analyst._idle) == 1
    assert analyst._idle[0]._process.returncode is None


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
    assert not analyst.waiting


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


