"""Texts that grow instead of being damaged: at every door, twice as much takes about twice as long."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from fuzz.doors import DOORS, seeds

SIGNS = 8_000
"""Of a text; then twice as many."""
SLACK = 0.004
"""Seconds that a measurement may be wrong."""
MOST = 1.0

Growth = Callable[[str, int], str]
GROWTH: dict[str, Growth] = {
    "again and again": lambda text, n: text * (n // len(text) + 1),
    "lines again": lambda text, n: f"{text}\n" * (n // len(text) + 1),
    "digits": lambda text, n: text + "9" * n,
    "digits before": lambda text, n: "9" * n + text,
    "opened brackets": lambda _, n: "[" * n,
    "opened braces": lambda _, n: '{"a":' * (n // 5),
    "opened lines of play": lambda text, n: text + "(" * n,
    "keys with many parts": lambda _, n: "a." * (n // 2) + "a=1",
    "a table in tables": lambda _, n: "[" + "a." * (n // 2) + "a]\nk=1",
    "many keys": lambda _, n: "\n".join(f"k{number}=1" for number in range(n // 6)),
    "commas": lambda text, n: text + "," * n,
    "slashes": lambda text, n: text + "/" * n,
    "spaces": lambda text, n: " " * n + text,
    "spaces after": lambda text, n: text + " " * n,
    "quotation marks": lambda text, n: text + '"' * n,
    "marks on a letter": lambda _, n: "a" + "\u0301" * n,
    "backslashes": lambda _, n: '{"do":"' + "\\" * n,
    "its first half": lambda text, n: text[: len(text) // 2] * (2 * n // len(text) + 1) + text,
    "its last sign": lambda text, n: text + text[-1:] * n,
}


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
