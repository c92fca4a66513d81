"""Results for people and for programs: tables, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

from azulejos.arena.match import Match, Result
from azulejos.arena.statistics import Interval, Summary, table

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
