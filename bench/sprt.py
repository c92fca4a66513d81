"""How often the sequential test of `azulejos match --sprt` errs, and how many games it takes.

    python -m bench.sprt [TESTS]

Pairs of games are drawn as two bots would play them: a deal favours one seat order or neither, and a share
of the games is a tie. "stronger" for a difference of LOW and "not stronger" for one of HIGH are the errors
that the test promises to keep at 5 %.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from azulejos.arena.match import Result
from azulejos.arena.statistics import Sprt, Trial, expected

LONGEST = 20_000
"""Deals after which a test counts as undecided."""


@dataclass(frozen=True)
class Kind:
    """A kind of match: how many games are ties, and how much the deal and the seat decide."""

    name: str
    ties: float
    seat: float


KINDS = (
    Kind("independent games", 0.02, 0.0),
    Kind("the seat decides much", 0.02, 0.35),
    Kind("many ties", 0.4, 0.1),
)


@dataclass(frozen=True)
class Errs:
    """The outcome of many tests."""

    stronger: float
    weaker: float
    deals: float


def results(kind: Kind, elo: float, rng: random.Random) -> Iterator[Result]:
    """Games of a match without end between bots that differ by `elo`."""
    share = expected(elo)
    for deal in range(LONGEST):
        tilt = rng.choice((-1, 1)) * kind.seat * min(share, 1 - share) * 2
        for order, chance in (((0, 1), share + tilt), ((1, 0), share - tilt)):
            won = rng.random() < chance
            ranks = (1, 1) if rng.random() < kind.ties else (1, 2) if won == (order[0] == 0) else (2, 1)
            yield Result(deal=deal, order=order, scores=(0, 0), ranks=ranks, plies=0, seconds=(0, 0))


def measure(test: Sprt, kind: Kind, elo: float, *, tests: int, seed: int = 0) -> Errs:
    """Run so many tests of bots that differ by `elo`, counted in wins apart from ties."""
    verdicts, deals = [], 0
    for number in range(tests):
        trial, games = Trial(test), results(kind, elo, random.Random(f"{seed}/{number}"))
        while trial.verdict is None and trial.deals < LONGEST:
            trial.take([next(games), next(games)])
        verdicts.append(trial.verdict)
        deals += trial.deals
    return Errs(verdicts.count(True) / tests, verdicts.count(False) / tests, deals / tests)


def main(tests: str = "1000") -> None:
    for test in (Sprt(low=0, high=20), Sprt(low=0, high=100)):
        for kind in KINDS:
            for elo in (test.low, test.high):
                found = measure(test, kind, elo / (1 - kind.ties), tests=int(tests))
                print(f"sprt {test.low:g} {test.high:g}, {kind.name}, {elo:g} Elo: stronger "
                      f"{found.stronger:.1%}, not stronger {found.weaker:.1%}, {found.deals:.0f} deals")


if __name__ == "__main__":
    main(*sys.argv[1:])
