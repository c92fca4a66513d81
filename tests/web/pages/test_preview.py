"""How other programs show the link of a table."""

from __future__ import annotations

import random
import re
import struct
import zlib
from html import unescape

import numpy as np
from starlette.testclient import TestClient

from azulejos.web.guard.prices import price_of_request
from web.people import open_table, person, seated


def tags(html: str) -> dict[str, str]:
    found = re.findall(r'<meta property="og:([\w:]+)" content="([^"]*)">', html)
    return {name: unescape(text) for name, text in found}


def pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The picture, read by what the format says and not by what our writer does."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        data = png[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", png, at + 8 + size) == (zlib.crc32(name + data),)
        chunks[name], at = data, at + 12 + size
    width, height, depth, colour = struct.unpack_from(">IIBB", chunks[b"IHDR"])
    assert (depth, colour) == (8, 2)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, 3)


def test_a_table_is_previewed_with_its_players_and_its_position(client: TestClient) -> None:
    path = open_table(client)
    told = tags(client.get(path).text)
    assert told["title"] == "Azul: Ana, Bo"
    before = client.get(told["image"])
    assert before.headers["content-type"] == "image/png"
    picture = pixels(before.content)
    assert picture.shape == (630, 1200, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20
    with seated(client, path) as ana:
        ana.turn(random.Random(1))
    after = tags(client.get(path).text)["image"]
    assert after != told["image"]
    assert (pixels(client.get(after).content) != picture).any()


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


def test_pictures_cost_more_than_pages() -> None:
    assert price_of_request("GET", "/t/x/preview.png") > 10 * price_of_request("GET", "/t/x")
