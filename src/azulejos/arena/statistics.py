"""Statistics of results: shares with intervals, margins, ratings, and early stopping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from azulejos.arena.match import Match, Result

Z = 1.96
"""For 95 % confidence intervals."""
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
    rating: float


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
    rated = ratings(match, results)
    return [_summary(match, results, word, rated[word]) for word in dict.fromkeys(match.bots)]


def _summary(match: Match, results: Sequence[Result], word: str, rating: float) -> Summary:
    held = [
        (result, seat)
        for result in results for seat, bot in enumerate(result.order) if match.bots[bot] == word
    ]
    games = len(held)
    return Summary(
        word=word, games=games, fair=1 / len(match.bots),
        wins=wilson(sum(result.shares()[seat] for result, seat in held), games),
        margin=mean([margin(result, seat) for result, seat in held]),
        adjusted=_adjusted(held),
        points=sum(result.scores[seat] for result, seat in held) / max(1, games),
        seconds=sum(result.seconds[seat] for result, seat in held) / max(1, games),
        rating=rating,
    )


def _adjusted(held: Sequence[tuple[Result, int]]) -> Interval | None:
    if not held or not all(result.luck for result, _ in held):
        return None
    margins, lucks = [margin(*each) for each in held], [result.luck[seat] for result, seat in held]
    factor = luck_factor(margins, lucks)
    return mean([points - factor * luck for points, luck in zip(margins, lucks, strict=True)])


def ratings(match: Match, results: Sequence[Result]) -> dict[str, float]:
    """OpenSkill's conservative rating (Plackett-Luce, mu - 3 sigma), with games in the order of deals."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated = {word: model.rating(name=word) for word in match.bots}
    for result in sorted(results, key=lambda result: result.fixture):
        words = [match.bots[bot] for bot in result.order]
        if len(set(words)) == len(words):
            teams = model.rate([[rated[word]] for word in words], ranks=[float(r) for r in result.ranks])
            rated.update({word: team[0] for word, team in zip(words, teams, strict=True)})
    return {word: rating.ordinal() for word, rating in rated.items()}


# --- stopping early -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """Wald's test for a match of two: is the first stronger by `high` Elo rather than by `low`?"""

    low: float = 0.0
    high: float = 20.0
    error: float = 0.05

    @property
    def bound(self) -> float:
        return math.log((1 - self.error) / self.error)

    def ratio(self, shares: Sequence[float]) -> float:
        """The log likelihood ratio of the first bot's shares, by the normal approximation."""
        if len(shares) < 2:
            return 0.0
        middle = sum(shares) / len(shares)
        variance = sum((share - middle) ** 2 for share in shares) / len(shares)
        low, high = expected(self.low), expected(self.high)
        return len(shares) * (high - low) * (2 * middle - low - high) / (2 * max(variance, 0.01))

    def verdict(self, shares: Sequence[float]) -> bool | None:
        """True: stronger; False: not stronger; None: undecided, play on."""
        ratio = self.ratio(shares)
        return None if abs(ratio) < self.bound else ratio > 0


def expected(elo: float) -> float:
    """The win share for an Elo difference."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def first_shares(results: Sequence[Result]) -> list[float]:
    """The first bot's share of each game."""
    return [result.shares()[result.order.index(0)] for result in results]
