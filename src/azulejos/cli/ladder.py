"""Let the levels of a game play against each other, each against the next, and print the steps.

    azulejos ladder azul --deals 100
    azulejos ladder azul --prices
    azulejos ladder azul --calibrate --out levels.toml
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from azulejos.arena import calibrate as calibration
from azulejos.arena.match import Match
from azulejos.arena.prices import BLUNDER, Price, prices
from azulejos.arena.run import run
from azulejos.arena.statistics import Interval, Line, table
from azulejos.arena.workers import Workers
from azulejos.bots.bot import Budget
from azulejos.bots.levels import standards
from azulejos.bots.registry import levels, make
from azulejos.cli.common import GameCommand, OutFile, console, progress, takes_game, takes_workers
from azulejos.core.position import Position

if TYPE_CHECKING:
    from rich.table import Table


JUDGE = 4
"""Who judges may search so many times what the strongest level may: a weaker judge finds fault with it."""


@click.command(cls=GameCommand)
@click.option("--deals", "-d", default=50, show_default=True, type=click.IntRange(min=1),
              help="Deals of each pair; each is played in every seat order.")
@click.option("--nodes", default=300_000, show_default=True, type=click.IntRange(min=1),
              help="What the strongest level may search; the others bring their own limits.")
@click.option("--seed", default=0, show_default=True)
@click.option("--prices", "turns", is_flag=False, flag_value=200, type=click.IntRange(min=1),
              metavar="[TURNS]", help="What each level gives away, judged by the strongest.")
@click.option("--calibrate", is_flag=True,
              help="Play skills against each other and propose which of them the levels should have.")
@click.option("--out", type=OutFile(),
              help="Write the levels with what was found, as a game's levels.toml.")
@takes_workers
@takes_game
def ladder(
    start: Position, deals: int, nodes: int, seed: int, turns: int | None, calibrate: bool,
    out: Path | None, workers: Workers,
) -> None:
    """Play each level of GAME against the one below it (with more seats: against a table of them)."""
    known = [{"skill": s.skill, "price": s.price, "blunders": s.blunders} for s in standards(start.game)]
    if turns is not None:
        found = _priced(start, turns, nodes, seed)
        for level, price in zip(known, found, strict=True):
            level.update(price=round(price.points.middle, 2), blunders=round(price.blunders.middle, 3))
    elif calibrate:
        for level, skill in zip(known, _calibrated(start, deals, nodes, seed, workers), strict=True):
            level["skill"] = skill
    else:
        offered = levels(start.game)
        _climb(start, [level.word for level in offered], [str(level.name) for level in offered],
               deals, nodes, seed, workers)
    if out is not None:
        out.write_text(_as_toml(known), encoding="utf-8")


# --- steps ----------------------------------------------------------------------------------------------


def _climb(
    start: Position, words: Sequence[str], names: Sequence[str], deals: int, nodes: int, seed: int,
    workers: Workers,
) -> list[Line]:
    """Each word against those of the word below: printed, and returned without the lowest."""
    shown = _table("level", "name", "wins against the one below", "95 %", "Elo step", "margin")
    shown.add_row(words[0], names[0], "", "", "", "")
    steps = []
    with progress() as bar:
        seats = start.players
        task = bar.add_task(f"climbing {start.preset.name}", total=seats * deals * (len(words) - 1))
        for below, word in pairwise(words):
            match = Match(game=start.preset.name, bots=(word, *(below,) * (seats - 1)),
                          options=start.header()["options"], nodes=nodes, seed=seed)
            results = run(match, deals=deals, workers=workers,
                          after=lambda results: bar.update(task, advance=1))
            steps.append(table(match, results)[0])
            shown.add_row(word, names[words.index(word)], *_step(steps[-1]))
    console().print(shown)
    return steps


def _step(line: Line) -> tuple[str, str, str, str]:
    won = line.wins
    return (f"{won.middle:.1%}", f"{won.low:.1%} to {won.high:.1%}",
            f"{calibration.elo_of(won.middle):+.0f}", f"{line.margin.middle:+.1f}")


def _calibrated(start: Position, deals: int, nodes: int, seed: int, workers: Workers) -> list[float]:
    """The skills that the levels should have, by the strength of many skills and of the strongest."""
    skills = [skill for skill in calibration.SKILLS if 10**skill < nodes]
    words = [f"skill:{skill:g}" for skill in (*skills, math.inf)]
    won: list[Interval] = [line.wins for line in _climb(start, words, words, deals, nodes, seed, workers)]
    rungs = calibration.curve((*skills, math.log10(nodes)), won)
    found = calibration.proposed(rungs, rungs[-1].elo)
    console().print("levels: " + ", ".join(f"{skill:g}" for skill in found))
    return found


# --- prices ---------------------------------------------------------------------------------------------


def _priced(start: Position, turns: int, nodes: int, seed: int) -> list[Price]:
    offered = levels(start.game)
    with progress() as bar:
        task = bar.add_task(f"judging {start.preset.name}", total=turns)
        found = prices(
            start, [make(level.word) for level in offered], turns=turns, budget=Budget(nodes=nodes),
            judge=Budget(nodes=JUDGE * nodes), seed=seed, after=lambda: bar.update(task, advance=1),
        )
    shown = _table("level", "name", "points a turn", "±", f"turns that cost more than {BLUNDER:g}", "95 %")
    for number, (level, price) in enumerate(zip(offered, found, strict=True), 1):
        half = (price.points.high - price.points.low) / 2
        shown.add_row(str(number), str(level.name), f"{price.points.middle:.2f}", f"{half:.2f}",
                      f"{price.blunders.middle:.1%}",
                      f"{price.blunders.low:.1%} to {price.blunders.high:.1%}")
    console().print(shown)
    return found


def _table(*headings: str) -> Table:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        shown.add_column(heading, justify="left" if heading == "name" else "right", no_wrap=True)
    return shown


def _as_toml(known: Sequence[dict[str, float | None]]) -> str:
    head = "# The seven levels: see bots/levels.py; measured by `azulejos ladder` (docs/bots.md).\n"
    return head + "".join("\n[[level]]\n" + _lines(level) for level in known)


def _lines(level: dict[str, float | None]) -> str:
    return "".join(f"{key} = {value:g}\n" for key, value in level.items() if value is not None)
