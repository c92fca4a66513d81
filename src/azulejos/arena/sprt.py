"""Stopping a match of two early: a sequential test on whole deals.

A deal is played in both seat orders, so its two games are not independent: the unit is the deal, whose two
games bring the first bot 0, 1/2, 1, 3/2 or 2 wins. The test compares the likelihoods of those five
frequencies when their mean is that of `high` Elo and when it is that of `low` (a generalised sequential
probability ratio test). A few equal deals decide nothing: a deal moves the ratio by no more than the
logarithm of the ratio of the two means. `python -m bench.sprt` measures how often the test errs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from azulejos.arena.match import Result

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean share of the win in the two games of a deal."""
GAMES: Final = 2
PRIOR: Final = 0.1
"""Deals of each kind that are assumed before the first: an outcome that was not seen yet is not
impossible."""


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """Is the first of two bots stronger by `high` Elo rather than by `low`? `error`: of either kind."""

    low: float = 0.0
    high: float = 20.0
    error: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(
                f"a test needs a lower and a higher number of Elo, not {self.low:g} {self.high:g}"
            )
        if not 0 < self.error < 0.5:
            raise ValueError(f"the error of a test is between 0 and 0.5, not {self.error:g}")

    @property
    def bound(self) -> float:
        """The log likelihood ratio that decides (Wald)."""
        return math.log((1 - self.error) / self.error)

    def ratio(self, counts: Sequence[float]) -> float:
        """The log likelihood ratio of so many deals with each of the SCORES."""
        seen = [count + PRIOR for count in counts]
        low, high = (_likeliest(seen, expected(elo)) for elo in (self.low, self.high))
        return sum(n * math.log(b / a) for n, a, b in zip(counts, low, high, strict=True) if n)


def expected(elo: float) -> float:
    """The share of wins for an Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _likeliest(seen: Sequence[float], mean: float) -> list[float]:
    """The likeliest probabilities of the SCORES among those with this mean: p_i = n_i / N / (1 + t d_i)."""
    total = sum(seen)
    distances = [score - mean for score in SCORES]
    low, high = -1 / distances[-1], -1 / distances[0]  # between these all probabilities are positive
    for _ in range(60):
        t = (low + high) / 2
        if sum(n * d / (1 + t * d) for n, d in zip(seen, distances, strict=True)) > 0:
            low = t
        else:
            high = t
    return [n / total / (1 + t * d) for n, d in zip(seen, distances, strict=True)]


@dataclass
class Trial:
    """A running test. Deals count in their order, however many processes play them, until one decides."""

    test: Sprt
    counts: list[int] = field(default_factory=lambda: [0] * len(SCORES))
    ratio: float = 0.0
    verdict: bool | None = None
    """True: stronger; False: not stronger; None: undecided, play on."""
    _open: dict[int, list[float]] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        return sum(self.counts)

    def take(self, results: Iterable[Result]) -> None:
        """Note finished games; half a deal, or a deal whose predecessors are not complete, has to wait."""
        for result in results:
            share = result.shares()[result.order.index(0)]
            self._open.setdefault(result.deal, []).append(share)
        while self.verdict is None and len(self._open.get(self.deals, ())) == GAMES:
            self._count(self._open.pop(self.deals))

    def _count(self, shares: Sequence[float]) -> None:
        self.counts[round(2 * sum(shares))] += 1
        self.ratio = self.test.ratio(self.counts)
        if abs(self.ratio) >= self.test.bound:
            self.verdict = self.ratio > 0
