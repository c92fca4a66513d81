"""Random numbers for compiled loops (xorshift64: shifts only, so it runs interpreted too)."""

from __future__ import annotations

import bisect
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from azulejos.core.jit import rule
from azulejos.core.layout import Cells

Outcome = TypeVar("Outcome")

_MASK = 2**64 - 1


def seeded(seed: int, count: int = 1) -> Cells:
    """`count` generator states, unrelated to each other, none of them zero."""
    x = np.arange(1, count + 1, dtype=np.uint64) + np.uint64(seed * 0x9E3779B97F4A7C15 & _MASK)
    x += np.uint64(0x9E3779B97F4A7C15)  # SplitMix64's finaliser: neighbouring seeds give unrelated states
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    states: Cells = np.maximum(x, np.uint64(1))
    return states


@rule
def below(rng: Cells, n: int) -> int:
    """A number 0 <= x < n; advances the generator rng[0].

    Multiply and shift: a remainder cost 40 ns, half of a random move. The bias is below n / 2**32.
    """
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x
    return int(np.int64(((x >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)))


@rule
def drawn(actions: Cells, weights: Cells, total: int, rng: Cells) -> int:
    """An outcome, chosen by its weight."""
    ticket = below(rng, total)
    i = 0
    while ticket >= weights[i]:
        ticket -= weights[i]
        i += 1
    return int(actions[i])


def randrange(rng: Any, n: int) -> int:
    """The same from a generator that people have: `random.Random`, `numpy.random.Generator`, a function."""
    if isinstance(rng, random.Random):
        return rng.randrange(n)
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(n))
    if callable(rng):
        return int(rng(n))
    raise TypeError("rng must be a random.Random, a numpy.random.Generator or a function")


def draw(odds: Mapping[Outcome, int], ticket: Callable[[int], int]) -> Outcome:
    """The outcome that a ticket draws. `ticket(n)` is below n, the sum of all odds."""
    sums = list(itertools.accumulate(odds.values()))
    number = ticket(sums[-1])
    if not 0 <= number < sums[-1]:
        raise ValueError(f"a ticket of {sums[-1]} is 0 to {sums[-1] - 1}, not {number}")
    return next(itertools.islice(odds, bisect.bisect_right(sums, number), None))
