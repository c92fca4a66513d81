"""Which review is made next."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from azulejos.web.refused import Refused
from azulejos.web.store.store import Store
from azulejos.web.work.reviews import MOST_OF_ONE, Reviews
from insight.games import record as finished_game


def test_one_visitor_leaves_room_for_the_reviews_of_others(tmp_path: Path) -> None:
    async def act() -> None:
        store = await Store.open(f"sqlite:///{tmp_path}/games.sqlite")
        reviews, game = Reviews(store), finished_game("azul", 2, 1)
        async with reviews._one:  # none of them begins
            for number in range(MOST_OF_ONE):
                await reviews.start(f"t{number}", game, owner="greedy")
            with pytest.raises(Refused, match="other games"):
                await reviews.start("one more", game, owner="greedy")
            await reviews.start("another", game, owner="patient")
            for task in reviews._tasks:
                task.cancel()
        await reviews.close()
        await store.close()

    asyncio.run(act())
