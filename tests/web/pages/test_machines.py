"""Programs of anybody at a table that allows it: they play by token, and cannot hurt."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect
from websockets.typing import Origin

from patience import PATIENCE
from web.people import Seated, open_table, page_of, seated
from web.server import Server

EXAMPLES = Path(__file__).parents[3] / "examples"


def invited(client: TestClient) -> tuple[str, str]:
    """A table with a program, and its token."""
    path = open_table(client, seat1="friend", programs="on", **{"option-start": "2"})
    found = re.search(r"<code>([\w-]{30,})</code>", client.post(f"{path}/programs", data={}).text)
    assert found is not None
    return path, found[1]


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def first_move(told: str) -> tuple[str, str]:
    found = re.search(r"go id (\d+) searchmoves (\S+)", told)
    assert found is not None, told
    return found[1], found[2]


def test_a_program_plays_over_http(client: TestClient) -> None:
    path, token = invited(client)
    told = client.get(f"{path}/program", headers=bearer(token)).text
    number, move = first_move(told)
    line = f"bestmove id {number} {move}"
    assert client.post(f"{path}/program", content=line, headers=bearer(token)).status_code == 200
    again = client.post(f"{path}/program", content=line, headers=bearer(token))
    assert again.status_code == 409  # an answer to a question counts once
    assert "a program" in json.dumps(client.get(path).text)


def test_a_program_plays_over_a_connection(client: TestClient) -> None:
    path, token = invited(client)
    with client.websocket_connect(f"{path}/program/live") as socket:
        socket.send_text(f"token {token}")
        number, move = first_move(socket.receive_text())
        socket.send_text("bestmove id 99 zz")
        assert "look again" in socket.receive_text()
        socket.send_text(f"bestmove id {number} {move}")
        rng = random.Random(1)
        with seated(client, path) as ana:
            if not ana.frame["mine"]:
                ana.until_frame(mine=True)
            ana.turn(rng)
        assert first_move(socket.receive_text())[0] != number


def test_nobody_plays_without_a_token_or_where_programs_are_not_wanted(client: TestClient) -> None:
    path, token = invited(client)
    for wrong in ("", "x", "A" * 32, "." * 30):
        headers = {"authorization": f"Bearer {wrong}"}
        assert client.get(f"{path}/program", headers=headers).status_code == 403
    with client.websocket_connect(f"{path}/program/live") as socket:
        socket.send_text("token " + "A" * 40)
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    other = open_table(client, seat1="friend")
    assert client.post(f"{other}/programs", data={}).status_code == 409
    assert client.get(f"{other}/program", headers=bearer(token)).status_code == 403


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode),
                      st.from_regex(r"bestmove id [0-9]{1,8} \S{0,80}").map(str.encode)))
def test_whatever_a_program_sends_the_table_stays_as_it_is(client: TestClient, body: bytes) -> None:
    if not hasattr(client, "invited"):
        client.invited = invited(client)  # type: ignore[attr-defined]
    path, token = client.invited  # type: ignore[attr-defined]
    before = client.get(f"{path}/record.txt").text
    answer = client.post(f"{path}/program", content=body, headers=bearer(token))
    assert answer.status_code in (200, 400, 409)
    assert client.get(f"{path}/record.txt").text == before


class Line:
    """A real connection in the form in which tests of one process have theirs."""

    def __init__(self, socket: Any) -> None:
        self.send_text, self.receive_text = socket.send, socket.recv


def play_to_the_end(server: Server, person: httpx2.Client, path: str) -> None:
    """A person's turns, any of them."""
    page = page_of(cast(TestClient, person), path)
    cookie = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    address = f"{server.url.replace('http', 'ws')}{path}/live"
    with connect(address, origin=Origin(server.url), additional_headers={"cookie": cookie}) as socket:
        one = Seated(cast(WebSocketTestSession, Line(socket)), page)
        rng = random.Random(5)
        one.until("frame")
        while not one.frame["over"]:
            if one.frame["mine"] and one.frame["choices"]:
                one.turn(rng)
            else:
                one.hear()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node is installed")
def test_the_examples_play_a_game_to_its_end(server: Server) -> None:
    """One in Python over HTTP, one in JavaScript over WebSocket; the person at the table is played for."""
    with httpx2.Client(base_url=server.url, follow_redirects=True) as ana:
        given = {"box": "azul", "seat0": "you", "seat1": "friend", "seat2": "friend", "programs": "on"}
        path = ana.post("/tables", data=given).url.path
        pages = [ana.post(f"{path}/programs").text for _ in range(2)]
        tokens = [found[1] for text in pages if (found := re.search(r"<code>([\w-]{30,})</code>", text))]
        commands = [
            [sys.executable, "machine_http.py"], ["node", "--experimental-websocket", "machine.mjs"],
        ]
        programs = [
            subprocess.Popen([*tool, str(EXAMPLES / file), f"{server.url}{path}", token],
                             stdout=subprocess.PIPE, text=True)
            for (*tool, file), token in zip(commands, tokens, strict=True)
        ]
        play_to_the_end(server, ana, path)
        assert all("gameover scores" in program.communicate(timeout=PATIENCE)[0] for program in programs)
