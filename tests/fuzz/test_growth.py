"""Texts that grow instead of being damaged: at every door, twice as much takes about twice as long."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from fuzz.doors import DOORS, seeds
from fuzz.growth import GROWTH
from fuzz.long_run import besiege

SIGNS = 8_000
"""Of a text; then twice as many."""
SLACK = 0.004
"""Seconds that a measurement may be wrong."""
MOST = 1.0

def seconds(door: Callable[[str], None], text: str) -> float:
    began = time.thread_time()
    door(text)
    return time.thread_time() - began


@pytest.mark.parametrize("growth", GROWTH)
@pytest.mark.parametrize("door", sorted(DOORS))
def test_twice_as_much_takes_twice_as_long(door: str, growth: str) -> None:
    grow, enter = GROWTH[growth], DOORS[door]
    for seed in seeds()[door][:2]:
        once, twice = grow(seed or "1", SIGNS), grow(seed or "1", 2 * SIGNS)
        for _ in range(4):  # another process may have disturbed this one
            short, long = seconds(enter, once), seconds(enter, twice)
            if long < 3 * short + SLACK and long < MOST:
                break
        else:
            pytest.fail(f"{len(once)} signs {short * 1e3:.0f} ms, {len(twice)} signs {long * 1e3:.0f} ms")


def test_the_long_run_notices_exceptions_and_what_takes_long() -> None:
    def enter(text: str) -> None:
        if "7" in text:
            raise KeyError(text)

    assert not besiege("position", 300, 1).faults
    assert besiege("position", 300, 1, enter).faults
