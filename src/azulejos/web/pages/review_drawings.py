"""Drawings of a review: the graph of its course, and the ledger of luck with bars made of tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from azulejos.core.message import Message, raw, signed
from azulejos.insight import report
from azulejos.insight.results import Balance, Estimate, Grade, GraphPoint, JudgedTurn, Review

# --- the graph: expected margin and chance to win ----------------------------------------------------


LEFT: Final = 44
"""Space for the numbers of the scale."""
WIDE, NARROW = 860, 400
"""Widths of the drawing."""
GRAPH_HEIGHT, WIN_TOP, WIN_HEIGHT = 280, 300, 60
NAMED: Final = 60
"""The least width of a round with its name; a narrower one has its number."""
STEPS: Final = (5, 10, 20, 50)
"""Points between two lines of the grid."""
MOST_LINES: Final = 8
MOST_DEALS: Final = 8
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
        return round(GRAPH_HEIGHT * (self.high - points) / (self.high - self.low), 1)

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
            yield f'<text class="scale" x="{left + 6}" y="{GRAPH_HEIGHT - 8}">{escape(name)}</text>'
        first = i


def _grid(g: Graph, words: Words) -> Iterator[str]:
    for number in range(int(g.low // g.step), int(g.high // g.step) + 1):
        points = number * g.step
        kind = "zero" if points == 0 else "grid"
        yield f'<path class="{kind}" d="M{LEFT} {g.y(points)}H{g.width}"/>'
        yield (f'<text class="scale" text-anchor="end" x="{LEFT - 6}" y="{g.y(points) + 5}">'
               f'{signed(points)}</text>')
    yield f'<text class="scale" x="{LEFT + 6}" y="16">{escape(words.ahead)}</text>'
    yield f'<text class="scale" x="{LEFT + 6}" y="{GRAPH_HEIGHT - 28}">{escape(words.behind)}</text>'


def _course(g: Graph) -> Iterator[str]:
    upper = [f"{g.x(i)},{g.y(margin.high)}" for i, margin in enumerate(g.margins)]
    lower = [f"{g.x(i)},{g.y(margin.low)}" for i, margin in enumerate(g.margins)]
    yield f'<polygon class="doubt" points="{" ".join(upper + lower[::-1])}"/>'
    line = " ".join(g.point(i) for i in range(len(g.moments)))
    yield f'<polyline class="margin" points="{line}"/>'


def _deals(g: Graph, review: Review) -> Iterator[str]:
    """The luck of each deal as a step; the rest of the way to the next point corrects the judge."""
    luck = {deal.ply: deal.luck[g.seat].value for deal in review.deals}
    told = sorted(luck, key=lambda ply: -abs(luck[ply]))[:MOST_DEALS]
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


# --- the ledger: rows with numbers, and a fact beside each -------------------------------------------


WIDTH: Final = 520
HEIGHT: Final = 40
TILE: Final = 24
"""Height of a bar; what is below belongs to the whisker."""
TILE_POINTS: Final = (1, 2, 5, 10, 20, 50)
MOST_TILES: Final = 24
KINDS: Final = ("start", "luck", "received", "given", "unforeseen", "result")


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    kind: str
    what: Message
    points: Message
    interval: Message
    comment: Message
    bar: str
    """SVG elements; their classes give the colours."""


@dataclass(frozen=True, kw_only=True)
class LedgerBar:
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


def rows(review: Review, seat: int) -> list[LedgerRow]:
    bars = list(_bars(review.ledgers[seat]))
    axis = axis_of(bars)
    lines = zip(KINDS, report.ledger_lines(review, seat), report.ledger_comments(review, seat), bars,
                strict=True)
    return [
        LedgerRow(
            kind=kind, what=what, points=points, comment=comment, bar="".join(_drawn(axis, bar, kind)),
            interval=sure if bar.error else raw(""),
        )
        for kind, (what, points, sure), comment, bar in lines
    ]


def _bars(ledger: Balance) -> Iterator[LedgerBar]:
    """Each begins where the one above ended."""
    given = Estimate(-ledger.given.value, -ledger.given.high, -ledger.given.low)
    here = 0.0
    for term in (ledger.start, ledger.luck, ledger.received, given, Estimate.exactly(ledger.unforeseen)):
        yield LedgerBar(first=here, last=here + term.value, error=term.error)
        here += term.value
    yield LedgerBar(first=0.0, last=ledger.result, error=0.0)


def axis_of(bars: list[LedgerBar]) -> Axis:
    """One axis for all bars, with 0 in it, and tiles large enough that no bar has too many."""
    ends = [bar.last + sign * bar.error for bar in bars for sign in (-1, 1)]
    low, high = min(0.0, *ends), max(0.0, *ends)
    tile = next((each for each in TILE_POINTS if high - low <= MOST_TILES * each), TILE_POINTS[-1])
    return Axis(low=low - tile, high=high + tile, tile=tile)


def _drawn(axis: Axis, bar: LedgerBar, kind: str) -> Iterator[str]:
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


def _tiles(axis: Axis, bar: LedgerBar) -> Iterator[str]:
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
