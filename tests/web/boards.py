"""Study boards for tests: a socket, and what the server said."""

from __future__ import annotations

import json
import random
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from azulejos.core.position import Position, new
from azulejos.core.record import Record
from azulejos.web.wire.messages import PROTOCOL
from azulejos.web.wire.plan import plan_of


def played(moves: int, seed: int = 1, box: str = "azul") -> Position:
    position, rng = new(box), random.Random(seed)
    position.deal(rng)
    for _ in range(moves):
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    return position


def record(moves: int = 6) -> Record:
    return Record.from_position(played(moves), seats=["Ana", "Ben"])


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
