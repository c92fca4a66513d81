"""The graph of a review as SVG: expected margin and chance to win, turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from azulejos.insight.results import JudgedTurn, Moment, Review

WIDTH, HEIGHT, WIN_TOP, WIN_HEIGHT = 600, 240, 260, 80
STEP = 5
"""Points between two lines of the grid."""


def graph(review: Review, seat: int, mattered: Sequence[JudgedTurn]) -> str:
    """SVG elements; their classes give the colours."""
    moments = review.moments
    if len(moments) < 2:
        return ""
    margins = [moment.margin[seat] for moment in moments]
    most = STEP * -(-max(STEP, *(abs(bound) for m in margins for bound in (m.low, m.high))) // STEP)

    def x(index: int) -> float:
        return round(WIDTH * index / (len(moments) - 1), 1)

    def y(points: float) -> float:
        return round(HEIGHT / 2 * (1 - points / most), 1)

    drawn = [*_rounds(moments, x), f'<path class="zero" d="M0 {HEIGHT / 2}H{WIDTH}"/>']
    drawn += [f'<text class="scale" x="4" y="14">+{most:.0f}</text>',
              f'<text class="scale" x="4" y="{HEIGHT - 4}">−{most:.0f}</text>']
    upper = [f"{x(i)},{y(m.high)}" for i, m in enumerate(margins)]
    lower = [f"{x(i)},{y(m.low)}" for i, m in enumerate(margins)]
    drawn.append(f'<polygon class="doubt" points="{" ".join(upper + lower[::-1])}"/>')
    line = " ".join(f"{x(i)},{y(m.value)}" for i, m in enumerate(margins))
    drawn.append(f'<polyline class="margin" points="{line}"/>')
    chances = [1 - moment.win[seat].value for moment in moments]
    wins = " ".join(f"{x(i)},{WIN_TOP + WIN_HEIGHT * lost:.1f}" for i, lost in enumerate(chances))
    base = WIN_TOP + WIN_HEIGHT
    drawn.append(f'<polygon class="win" points="0,{base} {wins} {WIDTH},{base}"/>')
    drawn.append(f'<path class="half" d="M0 {WIN_TOP + WIN_HEIGHT / 2}H{WIDTH}"/>')
    index = {moment.ply: i for i, moment in enumerate(moments) if moment.seat is not None}
    for number, turn in enumerate(mattered, start=1):
        i = index.get(turn.ply)
        if i is not None:
            drawn.append(f'<g class="mark" transform="translate({x(i)} {y(margins[i].value)})">'
                         f'<circle r="11"/><text y="5">{number}</text></g>')
    return "".join(drawn)


def _rounds(moments: Sequence[Moment], x: Callable[[int], float]) -> list[str]:
    """Alternating bands for the rounds."""
    drawn: list[str] = []
    first = 0
    for i in range(1, len(moments) + 1):
        if i == len(moments) or moments[i].round != moments[first].round:
            if moments[first].round % 2:
                end = x(min(i, len(moments) - 1))
                drawn.append(f'<rect class="band" x="{x(first)}" width="{end - x(first):.1f}" '
                             f'height="{WIN_TOP + WIN_HEIGHT}"/>')
            first = i
    return drawn
