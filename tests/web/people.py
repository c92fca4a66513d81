"""People and programs at a table, for tests: they open tables, sit down, and speak the live protocol."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from azulejos import Record


def open_table(client: TestClient, **form: str) -> str:
    """Open a table (two people at one screen unless said otherwise); its path."""
    fields = {"box": "azul", "seat0": "you", "seat1": "you", "name0": "Ana", "name1": "Bo"} | form
    answer = client.post("/tables", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def saved_record(client: TestClient, path: str) -> Record:
    """What the page of a table saves; both forms hold the same."""
    record = Record.read(client.get(f"{path}/record.txt").text)
    assert Record.read(client.get(f"{path}/record.jsonl").text) == record
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


class Seated:
    """One live connection, and the last frame it was shown."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.frame: dict[str, Any] = {}

    def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.receive_text())
        if message["type"] == "frame":
            self.frame = message
        return message

    def tell(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def until(self, kind: str) -> dict[str, Any]:
        """The next message of a kind; a refusal in place of a `done` is a failure, not a wait."""
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
        """Play any move and hear until its end is shown; frames before that show moments on the way."""
        self.play_any(rng)
        ply = self.until("done")["ply"]
        while self.frame["ply"] < ply:
            self.hear()


@contextmanager
def seated(client: TestClient, path: str) -> Iterator[Seated]:
    with client.websocket_connect(f"{path}/live") as socket:
        someone = Seated(socket)
        someone.until("frame")
        yield someone
