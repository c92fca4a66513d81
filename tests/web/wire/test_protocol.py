"""The protocol documentation agrees with the server; a page with another protocol reloads."""

from __future__ import annotations

import json
import subprocess

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from azulejos.web.wire import written
from azulejos.web.wire.messages import PROTOCOL
from web.node import TSC
from web.people import Page, open_table, page_of, person, seated


def test_the_types_of_the_client_are_current() -> None:
    """``python -m azulejos.web.wire.written`` writes them."""
    assert (written.STATIC / "messages.d.ts").read_text("utf-8") == written.declarations()


@pytest.mark.skipif(TSC is None, reason="no TypeScript compiler is installed")
def test_the_client_is_typed() -> None:
    command = [str(TSC), "-p", str(written.STATIC / "tsconfig.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("hello", [
    {"do": "hello", "protocol": "00000000", "plan": ""},
    {"do": "hello", "protocol": PROTOCOL, "plan": "old"},
    {"do": "play", "move": "1b1", "ply": 0, "at_once": True}, {"do": "greet"},
])
def test_an_old_page_is_told_to_load_itself_again(client: TestClient, hello: dict[str, object]) -> None:
    with client.websocket_connect(f"{open_table(client)}/live") as socket:
        socket.send_text(json.dumps(hello))
        told = json.loads(socket.receive_text())
        assert told["type"] == "reload"
        assert "updated" in told["text"]
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()


def test_plans_and_sprites_are_kept_for_ever(client: TestClient) -> None:
    page = client.get(open_table(client, box="sintra-a")).text
    plan = client.get(Page.address(page))
    sprite = client.get(plan.json()["sprite"])
    for file in (plan, sprite):
        assert "immutable" in file.headers["cache-control"]
    assert sprite.headers["content-type"] == "image/svg+xml"
    assert 'id="piece-glazier"' in sprite.text
    old = client.get(Page.address(page).replace("/plan/", "/plan/0"))
    assert old.headers["cache-control"] == "no-store"
    for wrong in ("box=chess&players=2", "box=azul&players=9", "box=azul", "box=azul&players=2&wall=pink"):
        assert client.get(f"/plan/0/en?{wrong}").status_code == 404
    assert client.get("/plan/0/xx?box=azul&players=2").status_code == 404


def test_every_command_is_answered_once(client: TestClient) -> None:
    with seated(client, open_table(client)) as table:
        ply, move = table.frame["ply"], table.frame["choices"][0]["text"]
        table.tell(do="play", id=41, move=move, ply=ply)
        done = table.until("done")
        assert (done["id"], done["ply"], done["saved"]) == (41, ply + 1, ply)
        table.tell(do="play", id=42, move=move, ply=ply)
        assert table.until("refused")["id"] == 42
        table.tell(do="undo", id=43, ply=ply + 1)
        assert table.until("done")["id"] == 43
        table.tell(do="ask", id=44, text=move, ply=ply, at_once=True)
        done = table.until("done")
        assert (done["id"], done["saved"]) == (44, done["ply"])
        table.tell(do="ask", id=45, text="s", ply=ply)
        assert table.until("said")["id"] == 45


def test_spectators_share_their_frames_and_see_what_players_see(client: TestClient) -> None:
    path = open_table(client)
    with person(client) as one, person(client) as two, seated(client, path) as ana, \
            seated(one, path) as first, seated(two, path) as second:
        ply = ana.frame["ply"]
        ana.play(ana.frame["choices"][0]["text"])
        for someone in (ana, first, second):
            someone.until_frame(ply=ply + 1)
        assert first.frame == second.frame
        assert first.frame["news"]["lies"] == ana.frame["news"]["lies"]
        assert page_of(one, path).ids == ana.page.ids


def test_a_line_of_moves_is_never_more_than_one_turn(client: TestClient) -> None:
    """Neither the next player's move nor a draw can be added to one's own turn."""
    with seated(client, open_table(client)) as table:
        ply = table.frame["ply"]
        first, *others = (choice["text"] for choice in table.frame["choices"])
        next_move = next(text for text in others if text[0] != first[0])
        for line in (f"{first} {next_move}", f"{first} +b"):
            for command in ({"do": "play", "move": line}, {"do": "ask", "text": line}):
                table.tell(**command, id=9, ply=ply, at_once=True)
                assert "more than one turn" in table.until("refused")["text"]
        table.tell(do="play", id=10, move=first, ply=ply, at_once=True)
        assert table.until("done")["saved"] == ply + 1
