"""People and programs at a table, for tests: they open tables, sit down, and use the live protocol."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from azulejos import Record


def open_table(client: TestClient, **form: str) -> str:
    """Open a table (two people at one screen by default); return its path."""
    fields = {"box": "azul", "seat0": "you", "seat1": "you", "name0": "Ana", "name1": "Bo"} | form
    answer = client.post("/tables", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def saved_record(client: TestClient, path: str) -> Record:
    """The record that the page of a table saves; both forms hold the same. They are read again if a bot has
    played meanwhile."""
    while True:
        text = client.get(f"{path}/record.txt").text
        lines = client.get(f"{path}/record.jsonl").text
        if client.get(f"{path}/record.txt").text == text:
            record = Record.read(text)
            assert Record.read(lines) == record
            return record


def saved_moves(client: TestClient, path: str) -> list[str]:
    """The moves of the saved record, chance included."""
    record = saved_record(client, path)
    return [record.start.game.moves.text(action) for action in record.actions]


@contextmanager
def person(client: TestClient) -> Iterator[TestClient]:
    """Another browser at the same running server."""
    other = TestClient(client.app, headers={"origin": "http://testserver"})
    other.portal = client.portal
    yield other


WITHOUT_ID = ("look", "mark", "preview", "why", "hello", "earlier", "hint", "coach", "number", "thinks",
              "found", "searched",
              "weigh")


class Page:
    """A page's knowledge: the plan, and how to read frames with it. Places are named by their ids here."""

    def __init__(self, html: str, plan: bytes) -> None:
        found = re.search(r'data-digest="([^"]+)" data-protocol="([^"]+)"', html)
        assert found is not None
        self.hello = {"do": "hello", "protocol": found[2], "plan": found[1]}
        self.plan = json.loads(plan)
        self.ids = [slot["id"] for slot in self.plan["slots"]]
        self.numbers = {name: number for number, name in enumerate(self.ids)}
        self.keys: dict[str, str] = {slot["id"]: slot.get("key", "") for slot in self.plan["slots"]}
        self._changed: dict[str, str] = {}

    @staticmethod
    def address(html: str) -> str:
        found = re.search(r'data-plan="([^"]+)"', html)
        assert found is not None
        return unescape(found[1])

    def read(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message with its defaults filled in, and ids in place of numbers."""
        kind = message["type"]
        if kind == "frame":
            return self._frame(message)
        if kind == "preview":
            effects = {one["move"]: one for one in message.get("effects", [])}
            blocked = message.get("blocked", [])
            named = [{"slot": self.ids[one["slot"]], "reason": one["reason"]} for one in blocked]
            return {**message, "effects": effects, "blocked": named}
        if kind == "judged":
            return {"type": kind, **self._verdict(message["verdict"])}
        if kind in ("refused", "why"):
            return {"section": "", "plain": False, **message}
        return message

    def _frame(self, message: dict[str, Any]) -> dict[str, Any]:
        news, offer = message["news"], message.get("offer", {})
        if news.get("whole"):
            self._changed.clear()
        for number, change in news.get("places", {}).items():
            name = self.ids[int(number)]
            self._changed[name] = (change or {}).get("key", self.keys[name])
        flags = dict.fromkeys(("live", "more", "mine", "over", "confirm", "undo"), False)
        walk = {"back": None, "on": None, **message["walk"]}
        walk.pop("deals", None)
        empty: dict[str, Any] = {
            "told": [], "clocks": [], "thinking": None, "away": [], "asked": None, "called": False,
            "can_take_back": False,
        }
        band = " ".join(message["band"].values())
        return {
            **flags, **empty, **message, "walk": walk, "band": band, "scored": news.get("scored", []),
            "choices": self._choices(offer), "selection": self._selection(offer),
        }

    def _choices(self, offer: dict[str, Any]) -> list[dict[str, Any]]:
        paths = [path for product in offer.get("choices", []) for path in itertools.product(*product)]
        named = [[self.ids[number] for number in path] for path in sorted(paths)]
        plain = [{"text": "".join(map(self._key, path)), "path": path} for path in named]
        others = [
            {"text": one["move"], "path": [self.ids[number] for number in one["path"]]}
            for one in offer.get("moves", [])
        ]
        return plain + others

    def _key(self, name: str) -> str:
        return self._changed.get(name, self.keys[name])

    def _selection(self, offer: dict[str, Any]) -> dict[str, Any] | None:
        return self._verdict(offer["selection"]["verdict"]) if "selection" in offer else None

    def _verdict(self, verdict: dict[str, Any]) -> dict[str, Any]:
        marked = [self.ids[number] for number in verdict["marked"]]
        return {"problem": "", "move": "", **verdict, "marked": marked}

    def write(self, message: dict[str, Any]) -> str:
        """A command, with numbers in place of ids."""
        numbered = {
            name: [self.numbers[one] for one in value] if name in ("path", "slots") else value
            for name, value in message.items()
        }
        return json.dumps(numbered)


class Seated:
    """One live connection and the last frame it received."""

    def __init__(self, socket: WebSocketTestSession, page: Page) -> None:
        self.socket = socket
        self.page = page
        self.frame: dict[str, Any] = {}
        self._ids = itertools.count(1)
        socket.send_text(json.dumps(page.hello))

    def hear(self) -> dict[str, Any]:
        message = self.page.read(json.loads(self.socket.receive_text()))
        if message["type"] == "frame":
            self.frame = message
        return message

    def tell(self, **message: Any) -> None:
        if message["do"] not in WITHOUT_ID:
            message.setdefault("id", next(self._ids))
        self.socket.send_text(self.page.write(message))

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind. A refusal in place of `done` fails instead of waiting on."""
        while True:
            message = self.hear()
            assert kind != "done" or message["type"] != "refused", message["text"]
            if message["type"] == kind:
                return message

    def until_frame(self, **wanted: Any) -> dict[str, Any]:
        """The next frame with these values."""
        while True:
            frame = self.until("frame")
            if all(frame[name] == value for name, value in wanted.items()):
                return frame

    def play(self, move: str) -> None:
        self.tell(do="play", move=move, ply=self.frame["ply"], at_once=True)

    def play_any(self, rng: random.Random) -> str:
        move: str = rng.choice(self.frame["choices"])["text"]
        self.play(move)
        return move

    def turn(self, rng: random.Random) -> None:
        """Play any move and receive frames until its end is shown; earlier ones show moments on the way."""
        self.play_any(rng)
        ply = self.until("done")["ply"]
        while self.frame["ply"] < ply:
            self.hear()


def page_of(client: TestClient, path: str) -> Page:
    html = client.get(path).text
    return Page(html, client.get(Page.address(html)).content)


@contextmanager
def seated(client: TestClient, path: str) -> Iterator[Seated]:
    page = page_of(client, path)
    with client.websocket_connect(f"{path}/live") as socket:
        someone = Seated(socket, page)
        someone.until("frame")
        yield someone


def leave(client: TestClient, milliseconds: float) -> None:
    """Let all visitors have so much time left: how much they have used until now depends on the machine."""
    app: Any = client.app
    for bucket in app.state.charges.loop._visitors._buckets.values():
        bucket.pay(bucket.left() - milliseconds)
