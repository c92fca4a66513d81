"""Several servers on one PostgreSQL: a move at one is seen at all, and bots move only once."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from web.conftest import empty_postgres
from web.people import open_table, saved_moves, seated


@pytest.fixture
def servers(postgres: str) -> Iterator[tuple[TestClient, TestClient]]:
    url = empty_postgres(postgres)
    one, two = (create_app(Settings(database=url, secret="shared", seconds=0.01)) for _ in range(2))
    origin = {"origin": "http://testserver"}
    with TestClient(one, headers=origin) as first, TestClient(two, headers=origin) as second:
        yield first, second


def test_friends_at_two_servers_play_at_one_table(servers: tuple[TestClient, TestClient]) -> None:
    here, there = servers
    path = open_table(here, seat1="friend")
    there.get(path)
    there.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
    with seated(here, path) as ana, seated(there, path) as bo:
        rng = random.Random(1)
        for _ in range(6):
            while not (ana.frame["mine"] or bo.frame["mine"]):
                (ana if not ana.frame["ply"] else bo).until("frame")
            mover, other = (ana, bo) if ana.frame["mine"] else (bo, ana)
            ply = mover.frame["ply"]
            mover.play_any(rng)
            mover.until_frame(mine=False)
            other.until_frame(mine=True)
            assert other.frame["ply"] > ply


def test_a_bot_moves_once_although_two_servers_know_the_table(
    servers: tuple[TestClient, TestClient]
) -> None:
    here, there = servers
    path = open_table(here, seat1="bot:random", seat2="bot:random")
    rng = random.Random(2)
    with seated(here, path) as ana, seated(there, path) as eye:
        while not ana.frame["over"]:
            if ana.frame["choices"]:
                ana.play_any(rng)
            ana.until("frame")
        eye.until_frame(over=True)
    assert saved_moves(here, path) == saved_moves(there, path)
