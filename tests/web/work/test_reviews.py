"""Which review is made next."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from azulejos.web.refused import Refused
from azulejos.web.store.store import Store
from azulejos.web.work.pool import Pool
from azulejos.web.work.reviews import KEPT_FREE, MOST_OF_ADDRESS, MOST_OF_ONE, MOST_WAITING, Reviews
from insight.games import record as finished_game


def idle(store: Store) -> Reviews:
    """Reviews of which none begins."""

    async def never(niceness: int) -> Any:
        await asyncio.get_running_loop().create_future()

    return Reviews(store, Pool(start=never))


def test_one_visitor_leaves_room_for_the_reviews_of_others(tmp_path: Path) -> None:
    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        reviews, game = idle(store), finished_game("azul", 2, 1)
        for number in range(MOST_OF_ONE):
            await reviews.start(f"t{number}", game, owner="greedy")
        with pytest.raises(Refused, match="other games"):
            await reviews.start("one more", game, owner="greedy")
        await reviews.start("another", game, owner="patient")
        await reviews.close()
        await store.close()

    asyncio.run(act())


def test_cookies_of_one_address_leave_room_for_others(tmp_path: Path) -> None:
    """Eight cookies took all twenty places, and everybody else was refused."""

    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        reviews, game = idle(store), finished_game("azul", 2, 1)
        for number in range(MOST_OF_ADDRESS):
            await reviews.start(f"t{number}", game, owner=f"cookie {number}", address="one")
        with pytest.raises(Refused, match="other games"):
            await reviews.start("one more", game, owner="a fresh cookie", address="one")
        for number in range(MOST_WAITING - KEPT_FREE - MOST_OF_ADDRESS):
            await reviews.start(f"u{number}", game, owner=f"other {number}", address="two")
        with pytest.raises(Refused, match="Many games"):
            await reviews.start("of two", game, owner="a fresh cookie", address="two")
        for number in range(KEPT_FREE):
            await reviews.start(f"v{number}", game, owner=f"new {number}", address=f"new {number}")
        await reviews.close()
        await store.close()

    asyncio.run(act())
