"""Statistics of results: shares with intervals, margins, Elo; a test that stops early; tables."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

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


# --- a test that stops early --------------------------------------------------------------------------
# A deal is played in both seat orders, so its two games are not independent: the unit is the deal, whose
# two games bring the first bot 0, 1/2, 1, 3/2 or 2 wins. The test compares the likelihoods of those five
# frequencies when their mean is that of `high` Elo and when it is that of `low` (a generalised sequential
# probability ratio test). A few equal deals decide nothing: a deal moves the ratio by no more than the
# logarithm of the ratio of the two means. `python -m bench.sprt` measures how often the test errs.


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


# --- tables -------------------------------------------------------------------------------------------


HEADINGS = ("bot", "games", "wins", "95 %", "margin", "±", "points", "s/game", "Elo")


def row(line: Summary) -> tuple[str, ...]:
    """One row of the table, as text."""
    return (
        line.word, str(line.games), f"{line.wins.middle:.1%}",
        f"{line.wins.low:.1%} to {line.wins.high:.1%}", f"{line.margin.middle:+.1f}",
        f"{(line.margin.high - line.margin.low) / 2:.1f}", f"{line.points:.1f}", f"{line.seconds:.1f}",
        f"{line.elo:+.0f}",
    )


def luck_line(line: Summary) -> str:
    """What is left of a bot's margin without the luck of the deals, and how many games that saves."""
    if line.adjusted is None:
        raise ValueError("luck was not measured in this match")
    half, raw = (interval.high - interval.middle for interval in (line.adjusted, line.margin))
    return (f"{line.word}: margin without luck {line.adjusted.middle:+.1f} ± {half:.1f}, "
            f"as precise as {line.games * (raw / half) ** 2:.0f} games with luck")


def as_csv(match: Match, results: Sequence[Result]) -> str:
    """One line per game and seat."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("deal", "seat", "bot", "score", "rank", "share", "plies", "seconds"))
    for result in results:
        for seat, bot in enumerate(result.order):
            writer.writerow((
                result.deal, seat + 1, match.words[bot], result.scores[seat], result.ranks[seat],
                round(result.shares()[seat], 4), result.plies, result.seconds[seat],
            ))
    return out.getvalue()


def as_data(match: Match, results: Sequence[Result]) -> dict[str, Any]:
    """The match and its table."""
    lines = [asdict(line) for line in table(match, results)]
    return {"match": match.described(), "games": len(results), "bots": lines}


def as_json(match: Match, results: Sequence[Result]) -> str:
    return json.dumps(as_data(match, results), indent=1)


def write(path: Path, match: Match, results: Sequence[Result]) -> None:
    """Write .csv, .json or .svg, depending on the ending of the name."""
    if path.suffix not in WRITERS:
        raise ValueError(f"{path.name} should end in {', '.join(WRITERS)}")
    path.write_text(WRITERS[path.suffix](match, results), encoding="utf-8")


# --- a chart of the win shares --------------------------------------------------------------------------

WIDTH, LEFT, BAR, MARGIN = 640, 180, 28, 16


def as_svg(match: Match, results: Sequence[Result]) -> str:
    """A bar for each bot with its interval; the dashed line is the fair share."""
    lines = table(match, results)
    height = BAR * len(lines) + 3 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="sans-serif" font-size="13">',
        f"<title>{match.game}: {escape(' '.join(match.words))}, {len(results)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        *(part for i, line in enumerate(lines) for part in _bar(line, MARGIN + i * BAR)),
    ]
    fair = _x(1 / len(match.bots))
    parts.append(
        f'<path d="M{fair} {MARGIN / 2} V{height - MARGIN}" stroke="#444" stroke-dasharray="4 3"/></svg>'
    )
    return "\n".join(parts) + "\n"


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - 70), 1)


def _bar(line: Summary, y: float) -> list[str]:
    wins: Interval = line.wins
    middle = y + BAR / 2
    return [
        f'<text x="{LEFT - 8}" y="{middle + 4}" text-anchor="end">{escape(line.word)}</text>',
        f'<rect x="{LEFT}" y="{y + 4}" width="{_x(wins.middle) - LEFT:.1f}" height="{BAR - 8}" '
        f'fill="#2a6fb0"/>',
        f'<path d="M{_x(wins.low)} {middle} H{_x(wins.high)}" stroke="#e08a1e" stroke-width="3"/>',
        f'<text x="{_x(1.0) + 8}" y="{middle + 4}">{wins.middle:.1%}</text>',
    ]


WRITERS: Final = {".csv": as_csv, ".json": as_json, ".svg": as_svg}
