"""The graph of a review as SVG: expected margin and chance to win, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from azulejos.core.message import signed
from azulejos.insight.results import Grade, GraphPoint, JudgedTurn, Review

LEFT: Final = 44
"""Space for the numbers of the scale."""
WIDE, NARROW = 860, 400
"""Widths of the drawing."""
HEIGHT, WIN_TOP, WIN_HEIGHT = 280, 300, 60
NAMED: Final = 60
"""The least width of a round with its name; a narrower one has its number."""
STEPS: Final = (5, 10, 20, 50)
"""Points between two lines of the grid."""
MOST_LINES: Final = 8
MOST_TILES: Final = 8
"""Deals with a tile, those that changed most: where pieces are drawn after every turn, there are fifty."""


@dataclass(frozen=True, kw_only=True)
class Words:
    """What the graph says, in the reader's language."""

    ahead: str
    behind: str
    round: str
    """With {round}."""


class Graph:
    """The places of moments and points on the paper."""

    def __init__(self, review: Review, seat: int, width: int = WIDE) -> None:
        self.width = width
        self.moments, self.seat = review.moments, seat
        self.margins = [moment.margin[seat] for moment in review.moments]
        ends = [bound for margin in self.margins for bound in (margin.low, margin.high)]
        span = max(5.0, max(ends)) - min(-5.0, min(ends))
        self.step = next((step for step in STEPS if span <= MOST_LINES * step), STEPS[-1])
        self.low = self.step * (min(-5.0, min(ends)) // self.step)
        self.high = -self.step * (-max(5.0, max(ends)) // self.step)
        self._places = self._numbered()

    def _numbered(self) -> list[int]:
        """[moment]: its place; a deal takes no time, so it shares the place of the turn after it."""
        places, place = [], -1
        for i, moment in enumerate(self.moments):
            place += not (i and self.moments[i - 1].seat is None and moment.seat is not None)
            places.append(place)
        return places

    def x(self, i: int) -> float:
        return round(LEFT + (self.width - LEFT) * self._places[i] / max(1, self._places[-1]), 1)

    def y(self, points: float) -> float:
        return round(HEIGHT * (self.high - points) / (self.high - self.low), 1)

    def point(self, i: int) -> str:
        return f"{self.x(i)},{self.y(self.margins[i].value)}"


def graph(
    review: Review, seat: int, mattered: Sequence[JudgedTurn], words: Words, *, width: int = WIDE
) -> str:
    """SVG elements; their classes give the colours."""
    if len(review.moments) < 2:
        return ""
    g = Graph(review, seat, width)
    return "".join([
        *_rounds(g, words), *_grid(g, words), *_course(g), *_deals(g, review), *_win(g),
        *_losses(g, review, mattered), *_numbers(g, mattered),
    ])


def _rounds(g: Graph, words: Words) -> Iterator[str]:
    """Alternating bands for the rounds, with their names."""
    first = 0
    for i in range(1, len(g.moments) + 1):
        if i < len(g.moments) and g.moments[i].round == g.moments[first].round:
            continue
        left, right = g.x(first), g.x(min(i, len(g.moments) - 1))
        number = max(1, g.moments[i - 1].round)
        if number % 2:
            yield (f'<rect class="band" x="{left}" width="{max(0.0, right - left):.1f}" '
                   f'height="{WIN_TOP + WIN_HEIGHT}"/>')
        if right - left > NAMED / 3:
            name = words.round.format(round=number) if right - left > NAMED else str(number)
            yield f'<text class="scale" x="{left + 6}" y="{HEIGHT - 8}">{escape(name)}</text>'
        first = i


def _grid(g: Graph, words: Words) -> Iterator[str]:
    for number in range(int(g.low // g.step), int(g.high // g.step) + 1):
        points = number * g.step
        kind = "zero" if points == 0 else "grid"
        yield f'<path class="{kind}" d="M{LEFT} {g.y(points)}H{g.width}"/>'
        yield (f'<text class="scale" text-anchor="end" x="{LEFT - 6}" y="{g.y(points) + 5}">'
               f'{signed(points)}</text>')
    yield f'<text class="scale" x="{LEFT + 6}" y="16">{escape(words.ahead)}</text>'
    yield f'<text class="scale" x="{LEFT + 6}" y="{HEIGHT - 28}">{escape(words.behind)}</text>'


def _course(g: Graph) -> Iterator[str]:
    upper = [f"{g.x(i)},{g.y(margin.high)}" for i, margin in enumerate(g.margins)]
    lower = [f"{g.x(i)},{g.y(margin.low)}" for i, margin in enumerate(g.margins)]
    yield f'<polygon class="doubt" points="{" ".join(upper + lower[::-1])}"/>'
    line = " ".join(g.point(i) for i in range(len(g.moments)))
    yield f'<polyline class="margin" points="{line}"/>'


def _deals(g: Graph, review: Review) -> Iterator[str]:
    """The luck of each deal as a step; the rest of the way to the next point corrects the judge."""
    luck = {deal.ply: deal.luck[g.seat].value for deal in review.deals}
    told = sorted(luck, key=lambda ply: -abs(luck[ply]))[:MOST_TILES]
    for i, moment in enumerate(g.moments[:-1]):
        if moment.ply in luck and moment.seat is None:
            x, before = g.x(i), g.margins[i].value
            end = g.y(before + luck[moment.ply])
            if moment.ply not in told:
                yield f'<path class="deal small" d="M{x} {g.y(before)}V{end}"/>'
                continue
            yield f'<path class="deal" d="M{x} {g.y(before)}V{end}"/>'
            yield f'<rect class="deal-tile" x="{x - 7}" y="{end - 7:.1f}" width="14" height="14" rx="3"/>'


def _win(g: Graph) -> Iterator[str]:
    base = WIN_TOP + WIN_HEIGHT
    chances = [moment.win[g.seat].value for moment in g.moments]
    line = " ".join(f"{g.x(i)},{base - WIN_HEIGHT * chance:.1f}" for i, chance in enumerate(chances))
    yield f'<polygon class="win" points="{g.x(0)},{base} {line} {g.width},{base}"/>'
    yield f'<path class="half" d="M{LEFT} {base - WIN_HEIGHT / 2}H{g.width}"/>'
    yield (f'<text class="scale" text-anchor="end" x="{LEFT - 6}" y="{base - WIN_HEIGHT / 2 + 5}">'
           '50 %</text>')


def _index(g: Graph) -> dict[int, int]:
    return {moment.ply: i for i, moment in enumerate(g.moments) if moment.seat is not None}


def _losses(g: Graph, review: Review, mattered: Sequence[JudgedTurn]) -> Iterator[str]:
    """A small tile where somebody gave something away, after the turn."""
    index = _index(g)
    for turn in review.turns:
        if turn.grade is Grade.EQUAL or turn.ply not in index or turn in mattered:
            continue
        kind = "own" if turn.seat == g.seat else "theirs"
        x, _, y = g.point(index[turn.ply] + 1).partition(",")
        yield (f'<rect class="loss {kind}" x="{float(x) - 6:.1f}" y="{float(y) - 6:.1f}" width="12" '
               'height="12" rx="3"/>')


def _numbers(g: Graph, mattered: Sequence[JudgedTurn]) -> Iterator[str]:
    index = _index(g)
    for number, turn in enumerate(mattered, start=1):
        if turn.ply in index:
            place = g.point(index[turn.ply] + 1).replace(",", " ")
            yield (f'<g class="number-mark" transform="translate({place})"><circle r="12"/>'
                   f'<text y="5">{number}</text></g>')


def moment_of(review: Review, ply: int) -> GraphPoint | None:
    """The point of the graph before a turn."""
    return next((each for each in review.moments if each.ply == ply and each.seat is not None), None)
