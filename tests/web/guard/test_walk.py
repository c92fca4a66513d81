"""Every route and every message, with the largest objects that the server allows: none keeps the event loop
for more than 20 ms. What is not listed here fails: say how it is visited."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, get_args

import pytest
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient

import azulejos
from azulejos.core import registry
from azulejos.core.record import GameNode, Record
from azulejos.core.registry import write_components
from azulejos.insight.progress import written
from azulejos.insight.puzzles import pack
from azulejos.web.pages import machine_page
from azulejos.web.pages.replay import MAX_ACTIONS
from azulejos.web.pages.study import MOST_READ
from azulejos.web.store.saved import CarryLink
from azulejos.web.tables import fair_deal
from azulejos.web.wire import messages
from fuzz.doors import dealt, progress
from web.boards import Page as StudyPage
from web.boards import begin
from web.guard.loop_time import HARD, LoopTime, watched_loop
from web.people import page_of, seated

BOX, SEATS = "garden", 4
"""The longest games: 440 actions."""


def long_game() -> Record:
    """A finished game of the longest kind."""
    position, rng = azulejos.new(BOX, players=SEATS), random.Random(3)
    while not position.is_over:
        position.play(rng.choice(position.legal_actions()))
    return Record.from_position(position, seats=["Ana", "Bo", "Cai", "Dua"])


def played_from_seed() -> Record:
    """A finished game whose deal can be played again."""
    seed = "5" * 64
    position, dealer, rng = azulejos.new("azul"), fair_deal.Dealer(seed), random.Random(3)
    while not position.is_over:
        if position.is_chance:
            fair_deal.deal(position, dealer)
        else:
            position.play(rng.choice(position.legal_actions()))
    tags = {"Seed": seed, "Promise": fair_deal.commitment(seed)}
    return Record.from_position(position, seats=["Ana", "Bo"], tags=tags)


def with_lines(record: Record, count: int) -> Record:
    """The same game with so many more actions in variations, spread over all of it."""
    nodes = [node for node in record.line if node.parent is not None]
    for node in itertools.islice(itertools.cycle(nodes), count):
        assert node.parent is not None
        node.parent.children.append(GameNode(node.action, node.parent))
    return record


def last_turn(record: Record) -> int:
    """The ply of the last turn of the first seat."""
    position, last = record.start.copy(), 0
    for ply, action in enumerate(record.actions):
        last = ply if position.to_move == 0 else last
        position.play(action)
    return last


class Rooms(NamedTuple):
    """What the visitor has."""

    finished: str
    running: str
    waiting: str
    study: str
    duplicate: str
    puzzle: str
    circle: str
    deal: str


@pytest.fixture(autouse=True)
def interpreted() -> None:
    """Not here: what a server answers with its modules in a tenth of a second would take minutes."""


@pytest.fixture
def rooms(client: TestClient) -> Rooms:
    def post(path: str, **form: str) -> str:
        answer = client.post(path, data=form, follow_redirects=False)
        assert answer.status_code == 303, f"{path}: {answer.text[:2000]}"
        return str(answer.headers["location"]).partition("#")[0].rpartition("/")[2]

    client.get("/")
    game = long_game()
    finished = post("/open", text=with_lines(long_game(), MAX_ACTIONS - len(game.line) - 10).write_json())
    short = post("/open", text=played_from_seed().write_json())
    document = written(progress(dealt()))
    assert client.post("/you/import", files={"file": ("x", document)}).status_code == 200
    return Rooms(
        finished=finished, running=post(f"/t/{finished}/branch", ply=str(last_turn(game))),
        waiting=post("/tables", box=BOX, seat0="you", seat1="friend"),
        study=begin(client, with_lines(long_game(), MOST_READ // 6).write_json()).rpartition("/")[2],
        duplicate=post("/duplicate", form="bot", box="azul", bot="level:1"), puzzle=pack("azul")[0].id,
        circle=post("/circles", title="Friends", name="Ana"), deal=post(f"/t/{short}/deal"),
    )


# --- routes --------------------------------------------------------------------------------------------

PIECES = "\n".join("x" * 90 for _ in range(170))
FORMS: dict[str, dict[str, str]] = {
    "/wishes": {"language": "pl", "scheme": "dark"},
    "/tables": {"box": BOX, "seat0": "you", "seat1": "you", "seat2": "you", "seat3": "you",
                "components": PIECES},
    "/t/{id}/sit": {"seat": "1", "name": "Bo" * 12}, "/t/{id}/bot": {"seat": "1", "bot": "level:1"},
    "/t/{id}/for": {"seat": "1", "name": "Bo"}, "/t/{id}/back": {"seat": "0"}, "/t/{id}/again": {},
    "/t/{id}/forget": {"seat": "0"}, "/t/{id}/name": {"name": "Ana"},
    "/open": {"text": "LONG RECORD"}, "/t/{id}/branch": {"ply": "100"}, "/t/{id}/review": {},
    "/you/progress": {}, "/you/import": {}, "/you/forget": {"sure": "no"},
    "/me/name": {"name": "Ana"}, "/me/share": {"shared": "yes"}, "/me/carry": {}, "/me/from": {"code": "x"},
    "/me/renew": {}, "/me/remove": {"sure": "no"},
    "/notices/add": {"kind": "x", "address": "x"}, "/notices/push": {}, "/notices/remove": {"id": "x"},
    "/notices/{id}/yes/{word}": {}, "/notices/{id}/{word}": {},
    "/puzzles/{box}/{id}/play": {}, "/daily/{day}/play": {"name": "Ana"},
    "/daily/{day}/{kind}/play": {"name": "Ana"},
    "/duplicate": {"form": "bot", "box": "azul", "bot": "level:1"},
    "/duplicate/{id}/sit": {"table": "1", "seat": "0"},
    "/study": {"text": "LONG RECORD"}, "/study/{id}/play": {"at": "3"}, "/study/{id}/remove": {},
    "/t/{id}/study": {"ply": "200"},
    "/meet/quick": {"box": "azul", "name": "Ana"}, "/circles": {"title": "x" * 60, "name": "Ana"},
    "/c/{id}/join": {"name": "Ana"}, "/c/{id}/leave": {},
    "/c/{id}/table": {"box": "garden", "players": "4"},
    "/t/{id}/deal": {}, "/deal/{id}/play": {}, "/t/{id}/programs": {"seat": "1"}, "/t/{id}/program": {},
}
"""What each form of the site sends; "LONG RECORD" stands for the longest that is read."""
LIVE = {"/t/{id}/live", "/study/{id}/live", "/t/{id}/program/live"}
"""Live connections."""
LAST = ("/me/remove", "/me/renew", "/study/{id}/remove", "/you/forget", "/t/{id}/forget")
"""After these, others would find less."""


def filled(path: str, rooms: Rooms, static: dict[str, str]) -> Iterator[str]:
    """The addresses of a route. An unknown part fails."""
    if path in static:
        yield static[path]
        return
    tables = [rooms.finished, rooms.running, rooms.waiting]
    ids = (
        tables if path.startswith("/t/") else [rooms.study] if path.startswith("/study/")
        else [rooms.duplicate] if path.startswith("/duplicate/")
        else [rooms.circle] if path.startswith("/c/")
        else [rooms.deal] if path.startswith("/deal/")
        else [rooms.puzzle] if path.startswith("/puzzle") else ["AAAA"]
    )
    values = {
        "id": ids, "box": ["azul"], "game": ["queens_garden"], "language": ["en"], "digest": ["x"],
        "drill": [f"gain-{rooms.puzzle}", f"reply-{rooms.puzzle}"],
        "word": ["x.y"], "ply": ["200"], "line": ["played"], "count": ["1"], "card": ["a1"],
        "day": ["2026-11-17"], "name": ["style.css"], "code": ["1234"], "file": ["engine.wasm"],
        "what": ["memory"], "kind": ["easy"],
    }
    parts = re.findall(r"{(\w+)(?::\w+)?}", path)
    assert set(parts) <= set(values), f"say in `filled` what the parts of {path} may be"
    for chosen in itertools.product(*(values[part] for part in parts)):
        address = path
        for part, value in zip(parts, chosen, strict=True):
            address = re.sub(rf"{{{part}(:\w+)?}}", value, address)
        yield address


def known_addresses(client: TestClient, rooms: Rooms) -> dict[str, str]:
    """Addresses with digests, as the pages name them."""
    html = client.get("/").text + client.get(f"/t/{rooms.running}").text + client.get("/learn/azul").text
    html += client.get(f"/puzzles/azul/{rooms.puzzle}").text
    found = {}
    for prefix, route in {
        "plan": "/plan/{digest}/{language}", "sprite": "/sprite/{digest}", "art": "/art/{digest}/{name}",
        "living": "/living/{digest}/{language}", "lesson": "/lesson/{digest}/{language}/{box}",
        "puzzle": "/puzzle/{digest}/{language}/{box}/{id}",
    }.items():
        match = re.search(rf'"(/{prefix}/[^"]+)"', html)
        if match is not None:
            found[route] = match[1].replace("&amp;", "&")
    return found


@pytest.fixture
def loop(client: TestClient) -> Iterator[LoopTime]:
    with watched_loop() as times:
        yield times


def too_long(found: dict[str, tuple[float, str]]) -> list[str]:
    slow = sorted(found.items(), key=lambda item: -item[1][0])
    for what, (used, _) in slow[:8]:
        print(f"{used:7.1f} ms  {what}")
    return [f"{what}: {used:.0f} ms in {where}" for what, (used, where) in slow if used > HARD]


def test_every_route_and_every_message_is_visited(client: TestClient) -> None:
    """Those that are new have to be added to the walk, which `make test-all` takes."""
    app: Any = client.app
    nowhere = Rooms("a", "a", "a", "a", "a", "a", "a", "a")
    assert {route.path for route in app.routes if isinstance(route, WebSocketRoute)} == LIVE
    for route in app.routes:
        if isinstance(route, Route):
            assert list(filled(route.path, nowhere, {}))
            assert "POST" not in (route.methods or ()) or route.path in FORMS, \
                f"say in FORMS what the form of {route.path} sends"
    frame = {"ply": 0, "choices": []}
    assert set(table_messages(frame, 1)) == set(get_args(messages.FromTable)), "add it to `table_messages`"
    assert set(study_messages("")) == set(get_args(messages.FromStudy)), "add it to `study_messages`"


@pytest.mark.slow
def test_no_route_keeps_the_loop(client: TestClient, rooms: Rooms, loop: LoopTime) -> None:
    app: Any = client.app
    longest = {"/open": long_game().write_json(),
               "/study": with_lines(long_game(), MOST_READ // 8).write_json()}
    static, found = known_addresses(client, rooms), {}
    routes = sorted(app.routes, key=lambda route: getattr(route, "path", "") in LAST)
    for route in routes:
        if isinstance(route, Mount | WebSocketRoute):
            continue
        assert isinstance(route, Route)
        for address in filled(route.path, rooms, static):
            if "GET" in (route.methods or ()):
                used = loop.least(partial(client.get, address, follow_redirects=False))
                found[f"GET {address}"] = used, loop.what
            if "POST" in (route.methods or ()):
                form = {name: longest[route.path] if text == "LONG RECORD" else text
                        for name, text in FORMS[route.path].items()}
                used = loop.least(partial(client.post, address, data=form, follow_redirects=False), times=3)
                found[f"POST {address}"] = used, loop.what
    assert len(found) > 90
    assert too_long(found) == []


@pytest.mark.slow
def test_every_game_reads_its_components_off_the_loop(client: TestClient, loop: LoopTime) -> None:
    found = {}
    for game in registry.games():
        text = write_components(game, game.read_options(game.presets[0].options))
        filler = text + "\n".join(f"k{number} = 1" for number in range(1000))
        form = {"box": game.presets[0].name, "seat0": "you", "seat1": "you", "components": filler}
        used = loop.least(partial(client.post, "/tables", data=form, follow_redirects=False))
        found[game.name] = used, loop.what
    assert too_long(found) == []


# --- messages ------------------------------------------------------------------------------------------


def table_messages(frame: dict[str, Any], slots: int) -> dict[type[Any], list[dict[str, Any]]]:
    ply, choices = frame["ply"], frame["choices"]
    move = choices[0]["text"] if choices else "x"
    many = list(range(0, slots, max(1, slots // 100)))
    return {
        messages.Hello: [{"do": "hello", "protocol": "x", "plan": "x"}],
        messages.AddNumber: [{"do": "number", "number": "1" * 32}],
        messages.Play: [{"do": "play", "id": 1, "ply": ply, "move": move},
                        {"do": "play", "id": 2, "ply": ply, "move": f"{move} " * 400}],
        messages.Undo: [{"do": "undo", "id": 3, "ply": ply}],
        messages.Confirm: [{"do": "confirm", "id": 4, "ply": ply}],
        messages.EnterText: [{"do": "ask", "id": 5, "ply": ply, "text": word} for word in "lfbs"],
        messages.ShowMoment: [{"do": "look", "ply": 200}, {"do": "look", "stop": 3}, {"do": "look"}],
        messages.JudgeMarked: [{"do": "mark", "slots": many, "ply": ply}],
        messages.GetPreview: [{"do": "preview", "path": [place], "ply": ply} for place in many[:20]],
        messages.GetReason: [{"do": "why", "path": [place]} for place in many[:20]],
        messages.GetHint: [{"do": "hint", "ply": ply, "step": 1}],
        messages.Coach: [{"do": "coach", "on": True}, {"do": "coach", "on": False}],
        messages.CanThink: [{"do": "thinks", "on": True}, {"do": "thinks", "on": False}],
        messages.FoundMove: [{"do": "found", "task": 1, "action": 1, "nodes": 9}],
        messages.Searched: [{"do": "searched", "task": 1, "found": [{"line": [123] * 60}] * 12}],
        messages.GetLog: [{"do": "earlier"}], messages.WeighGame: [{"do": "weigh"}],
        messages.Speak: [{"do": "speak", "id": 6, "text": "x" * 1500}],
        messages.Propose: [{"do": "propose", "id": 7, "what": "back"}],
        messages.AnswerRequest: [{"do": "reply", "id": 8, "yes": False}],
        messages.ResumeSeat: [{"do": "return", "id": 9, "seat": 0}],
        messages.ReplacePlayer: [{"do": "replace", "id": 10, "seat": 1}],
    }


@pytest.mark.slow
def test_no_message_of_a_table_keeps_the_loop(client: TestClient, rooms: Rooms, loop: LoopTime) -> None:
    found: dict[str, tuple[float, str]] = {}
    path = f"/t/{rooms.running}"
    slots = len(page_of(client, path).ids)
    with seated(client, path) as ana:
        assert ana.frame["mine"]
        said = table_messages(ana.frame, slots)

        def send(message: dict[str, Any]) -> None:
            ana.socket.send_text(json.dumps(message))
            ana.socket.send_text(json.dumps({"do": "ask", "id": 99, "ply": 0, "text": "s"}))
            ana.until("said")

        for message in itertools.chain(*said.values()):
            used = loop.least(partial(send, message))
            found[json.dumps(message)[:100]] = used, loop.what
    assert too_long(found) == []


def study_messages(position: str) -> dict[type[Any], list[dict[str, Any]]]:
    return {
        messages.Hello: [{"do": "hello", "protocol": "x", "plan": "x"}],
        messages.ShowNode: [{"do": "visit", "node": node} for node in (1, 300, 900)],
        messages.AddMove: [{"do": "add", "id": 1, "node": 0, "move": "x" * 300}],
        messages.DrawPieces: [{"do": "draw", "id": 2, "node": 0}],
        messages.SetComment: [{"do": "comment", "id": 3, "node": 1, "text": "x" * 1500}],
        messages.PromoteLine: [{"do": "promote", "id": 5, "node": 3}],
        messages.SetTitle: [{"do": "title", "id": 6, "title": "x" * 200}],
        messages.SetPosition: [{"do": "arrange", "id": 8, "position": position, "check": True},
                               {"do": "arrange", "id": 9, "position": "x" * 1900, "check": True}],
        messages.CopyStudy: [{"do": "duplicate", "id": 7}],
        messages.JudgeNode: [{"do": "judge", "node": 3}], messages.StopJudging: [{"do": "pause"}],
        messages.JudgeMarked: [{"do": "mark", "slots": [*range(100)], "ply": 1}],
        messages.GetPreview: [{"do": "preview", "path": [1], "ply": 1}],
        messages.GetReason: [{"do": "why", "path": [1]}],
        messages.CanThink: [{"do": "thinks", "on": True}],
        messages.FoundTurns: [{"do": "rated", "task": 1, "nodes": 1, "turns": [], "means": [0.1] * 100,
                               "last": True}],
        messages.RemoveNode: [{"do": "remove", "id": 4, "node": 900}],
    }


@pytest.mark.slow
def test_no_message_of_a_study_keeps_the_loop(client: TestClient, rooms: Rooms, loop: LoopTime) -> None:
    found: dict[str, tuple[float, str]] = {}
    said = study_messages(long_game().start.text())
    html = client.get(f"/study/{rooms.study}").text
    plan = re.search(r'data-digest="([^"]+)"', html)
    assert plan is not None
    with client.websocket_connect(f"/study/{rooms.study}/live") as socket:
        loop.forget()
        board = StudyPage(socket, plan[1])
        found["hello of a large study"] = loop.longest, loop.what

        def send(message: dict[str, Any]) -> None:
            board.say(**message)
            board.at(1)

        for message in itertools.chain(*said.values()):
            used = loop.least(partial(send, message), times=3)
            found[json.dumps(message)[:100]] = used, loop.what
    assert too_long(found) == []


def test_a_table_is_drawn_off_the_loop(client: TestClient, loop: LoopTime) -> None:
    """For the first time in a language, or with components of its own, which somebody can bring again and
    again: the longest step was 92 ms."""
    seats = {f"seat{seat}": "you" for seat in range(SEATS)}
    path = client.post("/tables", data={"box": BOX, **seats}, follow_redirects=False).headers["location"]
    client.get(path)  # the template is compiled
    found = {}
    for language in ("pl", "cs", "et", "zh-Hant"):
        loop.forget()
        client.get(path, headers={"accept-language": language})
        found[language] = loop.longest, loop.what
    assert too_long(found) == []


PROGRAM = "p" * 40


def program_says(told: str) -> list[str]:
    """Everything that a program may say, the answer last."""
    number, moves = re.findall(r"go id (\d+) searchmoves (.*)", told)[0]
    return ["", "readyok", f"info string {'x' * 900}", "bestmove id 99 zz", "bestmove id x y",
            f"bestmove id {number} {'z' * 60}", "\u0301" * 900, f"bestmove id {number} {moves.split()[0]}"]


@pytest.mark.slow
def test_no_message_of_a_program_keeps_the_loop(client: TestClient, rooms: Rooms, loop: LoopTime) -> None:
    """Late in the longest game: the question lists every legal move."""
    app: Any = client.app
    path, store = f"/t/{rooms.running}", app.state.lobby.store
    key = machine_page.key_of(PROGRAM)
    portal: Any = client.portal
    (_, owner), *_ = portal.call(store.holders, rooms.running)
    assert portal.call(store.carry, CarryLink(table=rooms.running, seat=0, maker=owner, revocations=0), key)
    found: dict[str, tuple[float, str]] = {}
    headers = {"authorization": f"Bearer {PROGRAM}"}
    used = loop.least(lambda: client.get(f"{path}/program", headers=headers))
    found["GET program"] = used, loop.what
    said = program_says(client.get(f"{path}/program", headers=headers).text)
    for line in said[:-1]:
        used = loop.least(partial(client.post, f"{path}/program", content=line, headers=headers))
        found[f"POST program {line[:60]}"] = used, loop.what
    with client.websocket_connect(f"{path}/program/live") as socket:
        def say(line: str) -> None:
            socket.send_text(line)
            socket.send_text("bestmove id 999999 zz")
            socket.receive_text()

        loop.forget()
        socket.send_text(f"token {PROGRAM}")
        told = socket.receive_text()
        found["hello of a program"] = loop.longest, loop.what
        for line in program_says(told)[:-2]:
            used = loop.least(partial(say, line))
            found[f"line {line[:60]}"] = used, loop.what
        loop.forget()
        socket.send_text(program_says(told)[-1])
        socket.receive_text()
        found["the answer of a program"] = loop.longest, loop.what
    assert too_long(found) == []


@pytest.mark.slow
def test_a_long_table_is_opened_off_the_loop(client: TestClient, rooms: Rooms, loop: LoopTime) -> None:
    """After a restart, the first page of a table reads and replays all of it."""
    app: Any = client.app
    found = {}
    for name in (rooms.finished, rooms.running):
        def open_again(name: str = name) -> None:
            for kept in (app.state.lobby._recent, app.state.lobby._tables):
                kept.pop(name, None)
            assert client.get(f"/t/{name}").status_code == 200

        found[name] = loop.least(open_again), loop.what
    assert too_long(found) == []


# --- twice as much takes twice as long -------------------------------------------------------------------

def test_the_walk_would_notice_a_slow_handler(client: TestClient, loop: LoopTime) -> None:
    """A step of 60 ms on the loop is seen, whatever else runs."""
    import time

    app: Any = client.app

    async def slow(_request: Any) -> Any:
        from starlette.responses import PlainTextResponse

        until = time.thread_time() + 0.06
        while time.thread_time() < until:
            pass
        return PlainTextResponse("")

    app.routes.insert(0, Route("/slow", slow))
    assert loop.least(lambda: client.get("/slow")) > 2 * HARD
