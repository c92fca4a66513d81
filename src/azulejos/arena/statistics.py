"""Statistics of results: shares with intervals, margins, Elo."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from azulejos.arena.match import Match, Result
from azulejos.core.layout import Cells

Z = 1.96
"""For 95 % confidence intervals."""
DRAWN = 1.0
"""Games drawn with an average opponent that are assumed for the Elo of each bot, and ..."""
ROUNDS = 500
"""... rounds of improving it."""
FACTOR_GAMES = 10
"""Games after which the fitted factor of luck counts as much as the assumed one."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % confidence interval."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Summary:
    """The results of one bot; a game counts once for each seat that it held."""

    word: str
    games: int
    wins: Interval
    fair: float
    margin: Interval
    adjusted: Interval | None
    """The margin without the luck of the deals; None if that was not measured in every game."""
    points: float
    seconds: float
    elo: float
    """Against the average of the table, see `elo`."""


def wilson(successes: float, games: int) -> Interval:
    """A share with Wilson's interval; a shared win counts as a fraction."""
    if games == 0:
        return Interval(0.0, 0.0, 1.0)
    share, z2 = successes / games, Z * Z
    centre = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z / (1 + z2 / games) * math.sqrt(share * (1 - share) / games + z2 / (4 * games * games))
    return Interval(max(0.0, centre - half), share, min(1.0, centre + half))


def mean(values: Sequence[float]) -> Interval:
    """A mean with its normal confidence interval."""
    if not values:
        return Interval(-math.inf, 0.0, math.inf)
    middle = sum(values) / len(values)
    if len(values) == 1:
        return Interval(-math.inf, middle, math.inf)
    variance = sum((value - middle) ** 2 for value in values) / (len(values) - 1)
    half = Z * math.sqrt(variance / len(values))
    return Interval(middle - half, middle, middle + half)


def luck_factor(margins: Sequence[float], lucks: Sequence[float]) -> float:
    """How many points of margin a point of luck was worth to these bots, at most 1 and at least 0.

    Luck is what a deal is worth to strong players: weak ones hardly make use of it (docs/lab/insight.md).
    A few games say little, so the factor begins at 1.
    """
    mean_margin, mean_luck = (sum(values) / len(values) for values in (margins, lucks))
    spread = sum((luck - mean_luck) ** 2 for luck in lucks)
    if spread == 0:
        return 1.0
    assumed = FACTOR_GAMES * spread / len(lucks)
    pairs = zip(margins, lucks, strict=True)
    together = sum((points - mean_margin) * (luck - mean_luck) for points, luck in pairs)
    return min(1.0, max(0.0, (together + assumed) / (spread + assumed)))


def margin(result: Result, seat: int) -> int:
    """Points ahead of the best other seat."""
    return result.scores[seat] - max(score for i, score in enumerate(result.scores) if i != seat)


def table(match: Match, results: Sequence[Result]) -> list[Summary]:
    """One row for each bot of the match, in order."""
    rated = elo(match, results)
    return [_summary(match, results, word, rated[word]) for word in dict.fromkeys(match.words)]


def _summary(match: Match, results: Sequence[Result], word: str, elo: float) -> Summary:
    held = [
        (result, seat)
        for result in results for seat, bot in enumerate(result.order) if match.words[bot] == word
    ]
    games = len(held)
    return Summary(
        word=word, games=games, fair=1 / len(match.bots),
        wins=wilson(sum(result.shares()[seat] for result, seat in held), games),
        margin=mean([margin(result, seat) for result, seat in held]),
        adjusted=_adjusted(held),
        points=sum(result.scores[seat] for result, seat in held) / max(1, games),
        seconds=sum(result.seconds[seat] for result, seat in held) / max(1, games),
        elo=elo,
    )


def _adjusted(held: Sequence[tuple[Result, int]]) -> Interval | None:
    if not held or not all(result.luck for result, _ in held):
        return None
    margins, lucks = [margin(*each) for each in held], [result.luck[seat] for result, seat in held]
    factor = luck_factor(margins, lucks)
    return mean([points - factor * luck for points, luck in zip(margins, lucks, strict=True)])


def elo(match: Match, results: Sequence[Result]) -> dict[str, float]:
    """The Elo differences that fit all results best, around 0 (Bradley and Terry, by pairs of seats).

    Each bot has drawn DRAWN games with an average opponent beforehand, so that a bot that wins every game
    has a number, too.
    """
    words = list(dict.fromkeys(match.words))
    won, met = _pairs([words.index(word) for word in match.words], len(words), results)
    strength = np.ones(len(words))
    for _ in range(ROUNDS):
        wanted = won.sum(axis=1) + DRAWN / 2
        faced = (met / (strength[:, None] + strength)).sum(axis=1) + DRAWN / (strength + 1)
        strength = wanted / faced
        strength /= np.exp(np.log(strength).mean())
    return dict(zip(words, (400 * np.log10(strength)).tolist(), strict=True))


def _pairs(names: Sequence[int], count: int, results: Sequence[Result]) -> tuple[Cells, Cells]:
    """[bot, other]: games won, half for a shared rank, and games played against each other."""
    won, met = np.zeros((count, count)), np.zeros((count, count))
    for result in results:
        held = [(names[bot], rank) for bot, rank in zip(result.order, result.ranks, strict=True)]
        for (a, own), (b, other) in permutations(held, 2):
            if a != b:
                won[a, b] += 1.0 if own < other else 0.5 if own == other else 0.0
                met[a, b] += 1
    return won, met


def first_shares(results: Sequence[Result]) -> list[float]:
    """The first bot's share of each game."""
    return [result.shares()[result.order.index(0)] for result in results]
