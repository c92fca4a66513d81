"""Random numbers for compiled loops (xorshift64: shifts only, so it runs interpreted too)."""

from __future__ import annotations

import bisect
import functools
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from azulejos.core.jit import rule
from azulejos.core.late import np
from azulejos.core.layout import Cells

Outcome = TypeVar("Outcome")

_MASK = 2**64 - 1


def seeded(seed: int, count: int = 1) -> Cells:
    """`count` generator states, unrelated to each other, none of them zero."""
    return np.array(mixed(seed, count), np.uint64)


def mixed(seed: int, count: int) -> list[int]:
    """The same as plain numbers, by SplitMix64's finaliser: neighbouring seeds give unrelated ones."""
    found = []
    for i in range(1, count + 1):
        x = i + (seed + 1) * 0x9E3779B97F4A7C15 & _MASK
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
        found.append(max(x ^ (x >> 31), 1))
    return found


@rule
def advance(rng: Cells) -> None:
    """Set the generator rng[0] to its next state."""
    x = rng[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    rng[0] = x


@rule
def below(rng: Cells, n: int) -> int:
    """A number 0 <= x < n; advances the generator rng[0].

    Multiply and shift: a remainder cost 40 ns, half of a random move. The bias is below n / 2**32.
    """
    advance(rng)
    return int(np.int64(((rng[0] >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)))


@rule
def drawn(actions: Cells, weights: Cells, total: int, rng: Cells) -> int:
    """An outcome, chosen by its weight."""
    ticket = below(rng, total)
    i = 0
    while ticket >= weights[i]:
        ticket -= weights[i]
        i += 1
    return int(actions[i])


def tickets_from(rng: Any) -> Callable[[int], int]:
    """The same from a common random generator: a function whose value for n is below n.

    `rng` is a `random.Random`, a `numpy.random.Generator`, or such a function itself, which is checked.
    """
    if type(rng) is random.Random:
        return functools.partial(_below, rng.getrandbits)
    if isinstance(rng, random.Random):
        return rng.randrange
    if hasattr(rng, "integers"):
        return lambda n: int(rng.integers(n))
    if callable(rng):
        return functools.partial(checked, rng)
    raise TypeError("rng must be a random.Random, a numpy.random.Generator or a function")


def _below(getrandbits: Callable[[int], int], n: int) -> int:
    """The same as `randrange`, in half the time."""
    width = n.bit_length()
    number = getrandbits(width)
    while number >= n:
        number = getrandbits(width)
    return number


def checked(ticket: Callable[[int], int], n: int) -> int:
    number = ticket(n)
    if not 0 <= number < n:
        raise ValueError(f"a ticket of {n} is 0 to {n - 1}, not {number}")
    return number


def draw(odds: Mapping[Outcome, int], ticket: Callable[[int], int]) -> Outcome:
    """The outcome that a ticket draws. `ticket(n)` is below n, the sum of all odds."""
    sums = list(itertools.accumulate(odds.values()))
    return next(itertools.islice(odds, bisect.bisect_right(sums, checked(ticket, sums[-1])), None))
