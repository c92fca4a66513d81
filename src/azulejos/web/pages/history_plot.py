"""What somebody gave away in each game, as a plot and as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from azulejos.insight.progress import JudgedGame

WIDTH, HEIGHT, FOOT = 600, 200, 24
MEAN_OF = 5
"""Games in the running mean."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A game as a line of the table."""

    day: date
    box: str
    turns: int
    given: float
    """Points given away a turn."""


def rows_of(games: Sequence[JudgedGame]) -> list[Row]:
    """Games with a turn to judge, oldest first."""
    return [
        Row(day=datetime.fromtimestamp(game.at / 1000, UTC).date(), box=game.box, turns=len(game.losses),
            given=sum(own for own, _ in game.losses) / len(game.losses))
        for game in sorted(games, key=lambda game: game.at) if game.losses
    ]


def running_mean(values: Sequence[float]) -> list[float]:
    parts = [values[max(0, end - MEAN_OF) : end] for end in range(1, len(values) + 1)]
    return [sum(part) / len(part) for part in parts]


def plot(rows: Sequence[Row]) -> str:
    """SVG elements: a dot for each game, the running mean as a line; the less, the higher."""
    given = [row.given for row in rows]
    most = max(1.0, *given)

    def x(index: int) -> float:
        return round(30 + (WIDTH - 50) * (index / max(1, len(rows) - 1)), 1)

    def y(points: float) -> float:
        return round(10 + (HEIGHT - 20) * points / most, 1)

    drawn = [f'<path class="grid" d="M30 {y(value)}H{WIDTH}"/><text class="scale" x="0" y="{y(value) + 5}">'
             f'{value:.1f}</text>' for value in (0, most / 2, most)]
    drawn += [f'<circle class="game" cx="{x(i)}" cy="{y(value)}" r="5"/>' for i, value in enumerate(given)]
    line = " ".join(f"{x(i)},{y(value)}" for i, value in enumerate(running_mean(given)))
    return "".join([*drawn, f'<polyline class="mean" points="{line}"/>'])
