"""The ledger of a review: rows with numbers, bars made of tiles, and a fact beside each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, raw
from azulejos.insight import report
from azulejos.insight.results import Estimate, Ledger, Review

WIDTH: Final = 520
HEIGHT: Final = 40
TILE: Final = 24
"""Height of a bar; what is below belongs to the whisker."""
TILE_POINTS: Final = (1, 2, 5, 10, 20, 50)
MOST_TILES: Final = 24
KINDS: Final = ("start", "luck", "received", "given", "unforeseen", "result")


@dataclass(frozen=True, kw_only=True)
class Row:
    kind: str
    what: Message
    points: Message
    interval: Message
    comment: Message
    bar: str
    """SVG elements; their classes give the colours."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """From one sum of points to the next, with the interval of its end."""

    first: float
    last: float
    error: float


@dataclass(frozen=True, kw_only=True)
class Axis:
    low: float
    high: float
    tile: int
    """Points that a tile stands for."""

    def x(self, points: float) -> float:
        return round(WIDTH * (points - self.low) / (self.high - self.low), 1)


def rows(review: Review, seat: int) -> list[Row]:
    bars = list(_bars(review.ledgers[seat]))
    axis = axis_of(bars)
    lines = zip(KINDS, report.ledger_lines(review, seat), report.ledger_comments(review, seat), bars,
                strict=True)
    return [
        Row(kind=kind, what=what, points=points, comment=comment, bar="".join(_drawn(axis, bar, kind)),
            interval=sure if bar.error else raw(""))
        for kind, (what, points, sure), comment, bar in lines
    ]


def _bars(ledger: Ledger) -> Iterator[Bar]:
    """Each begins where the one above ended."""
    given = Estimate(-ledger.given.value, -ledger.given.high, -ledger.given.low)
    here = 0.0
    for term in (ledger.start, ledger.luck, ledger.received, given, Estimate.exactly(ledger.unforeseen)):
        yield Bar(first=here, last=here + term.value, error=term.error)
        here += term.value
    yield Bar(first=0.0, last=ledger.result, error=0.0)


def axis_of(bars: list[Bar]) -> Axis:
    """One axis for all bars, with 0 in it, and tiles large enough that no bar has too many."""
    ends = [bar.last + sign * bar.error for bar in bars for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    tile = next((each for each in TILE_POINTS if high - low <= MOST_TILES * each), TILE_POINTS[-1])
    return Axis(low=low - tile, high=high + tile, tile=tile)


def _drawn(axis: Axis, bar: Bar, kind: str) -> Iterator[str]:
    zero, end = axis.x(0), axis.x(bar.last)
    yield f'<path class="zero" d="M{zero} 0V{HEIGHT}"/>'
    if kind == KINDS[-1]:
        left = min(zero, end)
        yield f'<rect class="tile" x="{left}" width="{abs(end - zero):.1f}" height="{TILE}" rx="4"/>'
        return
    yield from _tiles(axis, bar)
    yield f'<path class="joint" d="M{end} {TILE}V{HEIGHT}"/>'
    if bar.error:
        left, right = axis.x(bar.last - bar.error), axis.x(bar.last + bar.error)
        yield f'<path class="whisker" d="M{left} 28v8M{right} 28v8M{left} 32H{right}"/>'


def _tiles(axis: Axis, bar: Bar) -> Iterator[str]:
    """Tiles from the beginning of a bar to its end, the last one cut to its fraction."""
    sign, left = (1 if bar.last > bar.first else -1), abs(bar.last - bar.first)
    here = bar.first
    while left > 0.005 * axis.tile:
        step = min(left, axis.tile)
        one, other = sorted((axis.x(here), axis.x(here + sign * step)))
        yield (f'<rect class="tile" x="{one + 0.5:.1f}" width="{max(0.5, other - one - 1):.1f}" '
               f'height="{TILE}" rx="3"/>')
        if step == axis.tile:
            middle = (one + other) / 2
            yield f'<path class="mark" d="M{middle:.1f} {TILE / 2 - 5}l5 5-5 5-5-5z"/>'
        here, left = here + sign * step, left - step
