"""Every door at which texts arrive that we did not write. A door raises only what it may raise."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import shlex
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from click.testing import CliRunner
from starlette.types import ASGIApp

import azulejos
from azulejos import Position, Record, bots
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.message import Problem, msg
from azulejos.core.registry import read_components, write_components
from azulejos.insight import practice
from azulejos.insight.judge import VERSION
from azulejos.insight.level import VERSION as LEVEL_VERSION
from azulejos.insight.progress import Attempt, Card, CardAnswer, JudgedGame, Progress, Sentence, written
from azulejos.insight.progress import read as read_progress
from azulejos.insight.puzzles import pack
from azulejos.insight.review import weights_version
from azulejos.protocol.speaker import Speaker
from azulejos.web.learn.line_tree import tree_of
from azulejos.web.learn.questions import card_script
from azulejos.web.learn.study_conversation import position_of
from azulejos.web.pages import mistakes, you
from azulejos.web.pages.study import opened_study
from azulejos.web.pages.you import plot, rows_of
from azulejos.web.wire import messages
from azulejos.web.wire.messages import read_from_study, read_from_table

Door = Callable[[str], None]


def dealt() -> Position:
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    return position


def position(text: str) -> None:
    with contextlib.suppress(ValueError):
        Position.from_text(text).legal_actions()


def move(text: str) -> None:
    for game in registry.games():
        with contextlib.suppress(ValueError):
            game.moves.parse_line(text)


def record(text: str) -> None:
    with contextlib.suppress(ValueError):
        Record.read_all(text)


def components(text: str) -> None:
    for game in registry.games():
        with contextlib.suppress(ValueError):
            read_components(text, game)


def message(text: str) -> None:
    with contextlib.suppress(msgspec.MsgspecError):
        read_from_table(text)


def study_message(text: str) -> None:
    with contextlib.suppress(msgspec.MsgspecError):
        read_from_study(text)


def study(text: str) -> None:
    """A record or a position that somebody studies; what is read is written again."""
    with contextlib.suppress(ValueError, RecursionError):
        tree, _ = opened_study(text, {})
        tree.record().write_json()


def arranged_position(text: str) -> None:
    with contextlib.suppress(Problem):
        position_of(text)


def document(text: str) -> None:
    """What somebody has practised; whatever is read is shown on their pages."""
    with contextlib.suppress(Problem):
        found = read_progress(text.encode("utf-8", "replace"))
        you.summary(found)
        you.level_of(found)
        if found.games:
            plot(rows_of(found.games))
        practice.skill(practice.results(found.attempts, {"azul/1": 2.0}))
        for planned in you.plan_for(found)[:3]:
            _ask(planned.card)


def _ask(card: Card) -> None:
    if mistakes.is_readable(card):
        names = mistakes.seat_names(card, Position.from_text(card.position), "en")
        with contextlib.suppress(ValueError):
            card_script(card, names, "en")


def address(text: str) -> None:
    """The address of a node of a study."""
    TREE.position(TREE.at(text[:1000]))


def command(text: str) -> None:
    """A command line: an exit code, and a sentence if it is not 0."""
    with contextlib.suppress(ValueError):  # quotation marks that do not end
        result = CliRunner().invoke(main, shlex.split(text.replace("\0", "")))  # no system passes those on
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code == 0 or result.output.strip()


class Lines:
    """A conversation in the engine protocol."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._speaker = Speaker(lambda: bots.open("random"), self.said.append, name="random")

    def __call__(self, text: str) -> None:
        for line in text.splitlines():
            if line.split()[:1] != ["quit"]:
                assert self._speaker.hear(line)


TREE = tree_of(Record.from_position(dealt()))

DOORS: dict[str, Door] = {
    "position": position, "move": move, "record": record, "components": components, "message": message,
    "line": Lines(), "command": command, "study_message": study_message, "study": study,
    "arranged": arranged_position, "document": document, "address": address,
}


def seeds() -> dict[str, list[str]]:
    """Good texts for each door, to be damaged."""
    start = dealt()
    game = Record.from_position(start)
    return {
        "position": [azulejos.new(box).text() for box in registry.presets()] + [start.text()],
        "move": [moves.text for each in registry.games() for moves in each.moves.moves[::97]],
        "record": [game.write(), game.write_json(), '[Game "azul"]\n[Players "2"]\n\n@1 +b\n'],
        "components": [
            write_components(each, each.read_options(each.presets[0].options)) for each in registry.games()
        ],
        "message": [
            '{"do":"play","id":1,"ply":3,"move":"2r4","at_once":true}', '{"do":"look","ply":null}',
            '{"do":"mark","slots":[1,2,3],"ply":3}', '{"do":"ask","id":1,"ply":3,"text":"s"}',
            json.dumps({"do": "hello", "protocol": messages.PROTOCOL, "plan": "x"}),
        ],
        "line": [
            f"position {start.text()} moves 1b1", "go id 1 nodes 1", "newgame azul seat 1", "isready",
            "setoption name Seed value 7", "uai", "stop",
        ],
        "study_message": [
            json.dumps({"do": "hello", "protocol": messages.PROTOCOL, "plan": "x"}),
            '{"do":"visit","node":1}', '{"do":"add","id":1,"node":1,"move":"2r4"}',
            '{"do":"draw","id":2,"node":0}', '{"do":"comment","id":3,"node":1,"text":"well"}',
            '{"do":"remove","id":4,"node":2}', '{"do":"promote","id":5,"node":1}',
            '{"do":"title","id":6,"title":"x"}', '{"do":"duplicate","id":7}', '{"do":"pause"}',
            json.dumps({"do": "arrange", "id": 8, "position": start.text(), "check": True}),
            '{"do":"mark","slots":[1,2],"ply":1}', '{"do":"preview","path":[1],"ply":1}',
            '{"do":"why","path":[1]}',
        ],
        "study": [game.write(), game.write_json(), start.text()],
        "arranged": [start.text(), azulejos.new("garden").text()],
        "document": [written(progress(start)).decode()],
        "address": ["", "1", "12.1.3", "1.0.1"],
        "command": ["games", "rules azul", f"show {shlex.quote(start.text())}", "verify nothing.txt"],
    }


def progress(start: Position) -> Progress:
    """One entry of each kind."""
    moves = [start.game.moves.text(action) for action in start.legal_actions()[:3]]
    weights = weights_version(start.game)
    return Progress(
        attempts=(Attempt(puzzle="azul/1", at=5, first="right", tries=1, solved=True, day="2026-11-17"),),
        answers=(CardAnswer(card="a1", at=6, first="wrong", hints=1),),
        cards=(Card(
            id="a1", at=1, position=start.text(), table="t", ply=3, played=moves[1], better=moves[0],
            lost=3.5, judge=VERSION, weights=weights, costs=dict.fromkeys(moves, 1.5),
            replies={moves[0]: moves[1]}, names=("Ana", "Bo"), reasons=(Sentence.of(msg("You")),),
        ),),
        games=(JudgedGame(
            table="t", seat=0, at=2, box="azul", players=2, judge=VERSION, weights=weights,
            level=LEVEL_VERSION, losses=((1.5, (0.5,) * 7), (0.0, (1.0,) * 7)), cards=1,
        ),),
    )


# --- HTTP --------------------------------------------------------------------------------------------


ENDLESS = b"x=" * 2000
"""A body that never ends: it is sent again and again."""


class Client:
    """Speaks to an application directly, as a server does."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.cookie, self.location = "", ""
        """From the last answers that had any."""

    async def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, str]:
        given = {"host": "localhost", "content-type": "application/x-www-form-urlencoded"} | (headers or {})
        sent: list[dict[str, Any]] = []
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": path, "raw_path": path.encode("utf-8", "replace"), "root_path": "",
            "query_string": query.encode("ascii", "replace"), "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80), "state": {},
            "headers": [(k.encode(), v.encode("latin-1", "replace")) for k, v in given.items()],
        }
        chunks = itertools.repeat(ENDLESS) if body == ENDLESS else iter([body])

        async def receive() -> dict[str, Any]:
            for chunk in chunks:
                return {"type": "http.request", "body": chunk, "more_body": body == ENDLESS}
            return dict(await asyncio.get_running_loop().create_future())  # the client says no more

        async def send(message: Any) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        for name, value in sent[0].get("headers", ()):
            if name == b"location":
                self.location = value.decode("latin-1")
            elif name == b"set-cookie" and value.startswith(b"azulejos_key="):
                self.cookie = value.partition(b";")[0].decode()
        text = b"".join(message.get("body", b"") for message in sent[1:])
        return int(sent[0]["status"]), text.decode("utf-8", "replace")


FORM = {
    "table": "1", "seat": "0", "again": "yes", "at": "1.0", "ply": "3", "form": "bot", "bot": "level:1",
    "text": "azul", "players": "2", "name": "Ana",
    "box": "azul", "seat0": "you", "seat1": "bot:random", "name0": "Ana", "minutes": "5", "listed": "on",
    "option-wall": "coloured", "components": "",
}


PATHS = (
    "/tables", "/wishes", "/open", "/t/AAAAAAAAAAAA/sit", "/t/AAAAAAAAAAAA?watch",
    "/t/AAAAAAAAAAAA/carry/x.y", "/t/AAAAAAAAAAAA/position.svg?ply=3", "/rules/azul",
    "/learn/azul?table=x", "/new?box=azul", "/plan/x/en?box=azul&players=2&form=wide", "/static/base.css",
    "/t/TABLE", "/t/TABLE/review", "/t/TABLE/review/3/played/1.svg", "/t/TABLE/review/part?seat=0",
    "/t/TABLE/review/3/turn.svg?better",
    "/t/TABLE/study", "/t/TABLE/sit", "/t/TABLE/again", "/t/TABLE/branch", "/study?text=x", "/study/STUDY",
    "/study/STUDY/record.txt", "/study/STUDY/picture.svg?at=1.0.1", "/study/STUDY/picture.png?at=1",
    "/study/STUDY/play", "/study/AAAAAAAAAAAA/remove", "/you", "/you/progress.json", "/you/progress",
    "/you/import", "/you/mistakes?after=a1", "/you/mistakes/a1", "/you/mistakes/a1/script.json",
    "/drills?box=azul&kind=gain", "/drills/azul/gain-PUZZLE", "/drills/azul/reply-PUZZLE/picture.svg?dark",
    "/puzzles?box=azul", "/puzzles/sprint?box=azul", "/puzzles/azul/PUZZLE?way=sprint-7",
    "/puzzles/today?box=azul", "/puzzles/azul/PUZZLE", "/puzzles/azul/PUZZLE/play",
    "/puzzles/azul/PUZZLE/picture.svg?dark", "/puzzle/x/en/azul/PUZZLE", "/daily", "/daily/2026-11-17",
    "/daily/2026-11-17/play", "/duplicate", "/duplicate/DUPLICATE", "/duplicate/DUPLICATE/sit",
)
"""TABLE, STUDY and the others stand for one that exists (`Rooms`)."""
HEADERS = {
    "host": "localhost:8137", "origin": "http://localhost", "accept-language": "pl;q=0.8, en",
    "cookie": "azulejos_key=ImFiYyI.x; azulejos_wishes=language=pl; azulejos_last=box=azul&seat0=you",
    "accept": "text/html",
    "content-type": "multipart/form-data; boundary=x", "content-length": "17", "if-none-match": '"abc"',
    "x-forwarded-for": "192.0.2.1", "range": "bytes=0-9",
}


class Asked(NamedTuple):
    """A request."""

    method: str
    path: str
    body: bytes
    headers: dict[str, str]


class Rooms(NamedTuple):
    """What a server has: paths lead to it."""

    names: dict[str, str]
    cookie: str

    def fill(self, path: str) -> str:
        for name, value in self.names.items():
            path = path.replace(name, value)
        return path


async def furnish(client: Client) -> Rooms:
    """A table, a study, a duplicate and a document, all of one visitor."""
    async def location(path: str, **given: str) -> str:
        status, _ = await client.ask("POST", path, urlencode(given).encode(), {"cookie": client.cookie})
        assert status == 303, path
        return client.location.rpartition("/")[2]

    await client.ask("GET", "/")
    names = {
        "TABLE": await location("/tables", **FORM | {"seat1": "you"}),
        "STUDY": await location("/study", text=Record.from_position(dealt()).write()),
        "DUPLICATE": await location("/duplicate", form="bot", box="azul", bot="level:1"),
        "PUZZLE": pack("azul")[0].id,
    }
    body = multipart(written(progress(dealt())).decode())
    cookie = {"cookie": client.cookie, "content-type": "multipart/form-data; boundary=x"}
    assert (await client.ask("POST", "/you/import", body, cookie))[0] == 200
    return Rooms(names, client.cookie)


def multipart(text: str) -> bytes:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
    return head + text.encode("utf-8", "replace") + b"\r\n--x--\r\n"


def bodies(damage: Callable[[str], str], rng: random.Random, path: str) -> tuple[bytes, dict[str, str]]:
    """A body that a path may expect, damaged, and its headers."""
    if path.startswith("/you/import") and rng.random() < 0.7:
        text = damage(written(progress(dealt())).decode())
        return multipart(text), {"content-type": "multipart/form-data; boundary=x"}
    if path.startswith("/you/progress") and rng.random() < 0.7:
        entries = {"attempts": [{"puzzle": "azul/1", "at": 5, "first": "right", "day": "2026-11-17"}],
                   "answers": [{"card": "a1", "at": 6, "first": "wrong"}]}
        return damage(json.dumps(entries)).encode("utf-8", "replace"), {}
    given = dict(FORM)
    name = rng.choice(list(given))
    given[name] = damage(given[name] or "x")
    body = urlencode(given, errors="replace").encode()
    return damage(body.decode()).encode("utf-8", "replace") if rng.random() < 0.3 else body, {}


def forms(damage: Callable[[str], str], rng: random.Random, rooms: Rooms) -> Iterator[Asked]:
    """Requests with a damaged path, form or header, without end."""
    while True:
        method, path = rng.choice(["GET", "POST"]), rooms.fill(rng.choice(PATHS))
        body, headers = bodies(damage, rng, path)
        headers["cookie"] = rooms.cookie
        if rng.random() < 0.3:
            header = rng.choice(list(HEADERS))
            headers[header] = damage(HEADERS[header])
        yield Asked(method, damage(path) if rng.random() < 0.5 else path, body, headers)


async def ask_all(
    client: Client, requests: Iterator[Asked], count: int,
    found: Callable[[str, int, str], Awaitable[None]],
) -> None:
    for _ in range(count):
        asked = next(requests)
        status, text = await client.ask(*asked)
        await found(f"{asked}", status, text)
        await asyncio.sleep(0)


def corpus() -> dict[str, list[str]]:
    import tomllib

    entries = tomllib.loads((Path(__file__).parent / "corpus.toml").read_text(encoding="utf-8"))
    return {door: [one["text"] * one.get("times", 1) for one in found] for door, found in entries.items()}
