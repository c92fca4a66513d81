"""A full garbage collection waits until the server is idle."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from azulejos.web import garbage


class Knot:
    """Refers to itself, so only a garbage collection removes it."""

    def __init__(self) -> None:
        self.me = self


@pytest.mark.parametrize(("idle", "collected"), [(1.0, True), (0.0, False)])
def test_full_collections_wait_until_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, idle: float, collected: bool
) -> None:
    monkeypatch.setattr(garbage, "EVERY", 0.0)
    monkeypatch.setattr(garbage, "PATIENCE", 10**9)
    before = gc.get_threshold()

    async def check() -> None:
        async with garbage.collecting_when_quiet(lambda: idle):
            await asyncio.sleep(0)
            knot = weakref.ref(Knot())
            for _ in range(5):
                await asyncio.sleep(0)
            assert (knot() is None) is collected

    asyncio.run(check())
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
