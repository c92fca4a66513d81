"""How other programs show the link of a table."""

from __future__ import annotations

import random
import re
import struct
from html import unescape

from starlette.testclient import TestClient

from web.people import open_table, person, seated


def tags(html: str) -> dict[str, str]:
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', html)
    return {name: unescape(text) for name, text in found}


def size_of(png: bytes) -> tuple[int, ...]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_a_table_is_previewed_with_its_players_and_its_position(client: TestClient) -> None:
    path = open_table(client)
    told = tags(client.get(path).text)
    assert told["title"] == "Azul: Ana, Bo"
    before = client.get(told["image"])
    assert before.headers["content-type"] == "image/png"
    assert size_of(before.content) == (1200, 630)
    with seated(client, path) as ana:
        ana.turn(random.Random(1))
    after = tags(client.get(path).text)["image"]
    assert after != told["image"]
    assert client.get(after).content != before.content


def test_an_invitation_is_previewed_with_its_host(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as friend:
        told = tags(friend.get(path).text)
        assert told["title"] == "Ana invites you to Azul"
        assert friend.get(told["image"]).content == client.get(told["image"]).content


def test_a_moment_that_does_not_exist_has_no_picture(client: TestClient) -> None:
    path = open_table(client)
    assert client.get(f"{path}/preview.png?ply=99999").status_code == 404
    assert client.get("/t/nothing/preview.png").status_code == 404
