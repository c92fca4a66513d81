"""How the margins of many games are distributed, as a small SVG drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from azulejos.core.message import signed

WIDTH, TOP, BASE, FOOT = 340, 34, 128, 150
MOST_BARS = 24
WIDTHS = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A margin with a name, such as par."""

    margin: int
    name: str
    kind: str
    """The class of its elements."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """So many games have a margin from `low` to `high`."""

    low: int
    high: int
    games: int


def bars(margins: Mapping[int, int], *also: int) -> list[Bar]:
    """The distribution in bars of equal width, with room for further margins."""
    low, high = min(*margins, *also, 0), max(*margins, *also, 0)
    width = next((w for w in WIDTHS if high // w - low // w < MOST_BARS), WIDTHS[-1])
    starts = range(low // width * width, high + 1, width)
    return [
        Bar(low=start, high=start + width - 1,
            games=sum(games for margin, games in margins.items() if start <= margin < start + width))
        for start in starts
    ]


def drawing(found: list[Bar], marks: list[Mark]) -> Markup:
    """SVG elements; their classes give the colours."""
    step = WIDTH / len(found)
    most = max(1, *(bar.games for bar in found), 1)
    drawn = [_bar(bar, i * step, step, most, marks) for i, bar in enumerate(found)]
    drawn.append(f'<path class="axis" d="M0 {BASE}H{WIDTH}"/>')
    drawn += [_number(bar, i * step + step / 2) for i, bar in _labelled(found)]
    drawn += _names(found, marks, step)
    return Markup("".join(drawn))


def _bar(bar: Bar, x: float, step: float, most: int, marks: list[Mark]) -> str:
    height = (BASE - TOP) * bar.games / most
    kinds = " ".join(["bar", *(mark.kind for mark in marks if bar.low <= mark.margin <= bar.high)])
    return (f'<rect class="{kinds}" x="{x + step * 0.08:.1f}" y="{BASE - height:.1f}" '
            f'width="{step * 0.84:.1f}" height="{height:.1f}" rx="2"/>')


def _labelled(found: list[Bar]) -> list[tuple[int, Bar]]:
    """The first bar, the last one, and that of 0 if there is room for its number."""
    zero = next(i for i, bar in enumerate(found) if bar.low <= 0 <= bar.high)
    chosen = sorted({0, zero, len(found) - 1})
    apart = all(b - a >= len(found) / 8 for a, b in pairwise(chosen))
    return [(i, found[i]) for i in (chosen if apart else sorted({0, len(found) - 1}))]


def _number(bar: Bar, x: float) -> str:
    margin = 0 if bar.low <= 0 <= bar.high else bar.low if bar.low > 0 else bar.high
    return (f'<text class="scale" x="{min(max(x, 14), WIDTH - 14):.1f}" y="{FOOT - 4}">'
            f'{signed(margin)}</text>')


def _names(found: list[Bar], marks: list[Mark], step: float) -> list[str]:
    """A line from each mark to its name, one below the other."""
    drawn = []
    for row, mark in enumerate(marks):
        i = next(i for i, bar in enumerate(found) if bar.low <= mark.margin <= bar.high)
        x, y = i * step + step / 2, 12 + 15 * row
        anchor, beside = ("start", x + 5) if x < WIDTH / 2 else ("end", x - 5)
        drawn.append(f'<path class="line {mark.kind}" d="M{x:.1f} {y - 8}V{BASE}"/>')
        drawn.append(f'<text class="name {mark.kind}" x="{beside:.1f}" y="{y}" text-anchor="{anchor}">'
                     f'{escape(mark.name)}</text>')
    return drawn
