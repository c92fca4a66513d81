"""Measure the strength of a game's levels by playing each against the next.

    azulejos ladder azul --deals 100
    azulejos ladder azul --prices
    azulejos ladder azul --calibrate --out levels.toml
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click

from azulejos.arena import calibrate as calibration
from azulejos.arena.match import Match, Result
from azulejos.arena.prices import BLUNDER, Price, prices
from azulejos.arena.run import run
from azulejos.arena.statistics import Summary, table
from azulejos.arena.workers import Workers
from azulejos.bots.levels import Standard, standards
from azulejos.bots.words import levels
from azulejos.bots.words import open as open_bot
from azulejos.cli.common import (
    GameCommand,
    console,
    deals_option,
    nodes_option,
    out_option,
    progress,
    results_table,
    seed_option,
    takes_game,
    takes_workers,
)
from azulejos.core.game import START
from azulejos.core.position import Position
from azulejos.core.writing import header
from azulejos.protocol.bot import Limit

JUDGE = 4
"""The judge searches this many times the nodes of the strongest level: a weaker one misjudges it."""
STEP_COLUMNS = ("wins against the one below", "95 %", "Elo step", "margin")


@click.command(cls=GameCommand)
@deals_option("Deals per pair; each is played in every seat order.")
@nodes_option("Positions that the strongest level may search; the others have their own limits.", 300_000)
@seed_option
@click.option("--prices", "turns", is_flag=False, flag_value=200, type=click.IntRange(min=1),
              metavar="[TURNS]",
              help="Measure instead how many points each level gives away, judged by the strongest.")
@click.option("--calibrate", is_flag=True,
              help="Move each level until the one above wins 65 to 75 % against it, from the top down.")
@click.option("--log", type=click.Path(file_okay=False, path_type=Path),
              help="Keep all results in this folder, and continue from those already in it.")
@out_option(what="Write the measured levels to this file, in the format of a game's levels.toml.")
@takes_workers
@takes_game
def ladder(
    start: Position, deals: int, nodes: int, seed: int, turns: int | None, calibrate: bool,
    log: Path | None, out: Path | None, workers: Workers,
) -> None:
    """Play each level of GAME against the one below it (with more seats: against a table of them)."""
    known = standards(start.game, start.players, start.options)
    climb = Climb(start=start, deals=deals, nodes=nodes, seed=seed, workers=workers, log=log)
    if turns is not None:
        known = _repriced(known, _priced(start, turns, nodes, seed))
    elif calibrate:
        known = tuple(Standard(skill=skill) for skill in climb.down([level.skill for level in known]))
    else:
        offered = levels(start.game)
        climb.up([level.word for level in offered], [str(level.name) for level in offered])
    if out is not None:
        out.write_text(_as_toml(start, known), encoding="utf-8")


# --- steps ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Climb:
    """Matches between neighbouring levels, all with the same deals."""

    start: Position
    deals: int
    nodes: int
    seed: int
    workers: Workers
    log: Path | None

    def up(self, words: Sequence[str], names: Sequence[str]) -> None:
        """Play each word against the word below, and print the results."""
        shown = results_table("level", "name", *STEP_COLUMNS, words=("name",))
        shown.add_row(words[0], names[0], *[""] * len(STEP_COLUMNS))
        with progress() as bar:
            games = self.start.players * self.deals * (len(words) - 1)
            task = bar.add_task(f"climbing {self.start.preset.name}", total=games)
            for (below, word), name in zip(pairwise(words), names[1:], strict=True):
                step = self._step(word, below, lambda results: bar.update(task, advance=1))
                shown.add_row(word, name, *_cells(step, self.start.players))
        console().print(shown)

    def down(self, skills: Sequence[float]) -> list[float]:
        """Move the levels below the strongest until their steps are as desired; print what was played."""
        *lower, strongest = skills
        shown, top = results_table("skill", "below", *STEP_COLUMNS, words=()), math.log10(self.nodes)
        if top <= max(lower):
            raise click.UsageError(f"--nodes {self.nodes} is no more than a lower level searches: "
                                   f"give more than {int(10**max(lower))}")
        with progress() as bar:
            task = bar.add_task(f"calibrating {self.start.preset.name}", total=None)

            def play(upper: float, lower: float) -> calibration.Step:
                words = f"skill:{upper:g}", f"skill:{lower:g}"
                step = self._step(*words, lambda results: bar.update(task, advance=1))
                shown.add_row(f"{upper:g}", f"{lower:g}", *_cells(step, self.start.players))
                share = calibration.as_with_two(step.wins.middle, self.start.players)
                return calibration.Step(upper=upper, lower=lower, share=share, games=step.games)

            found = [*calibration.calibrated(lower, top, play), strongest]
        console().print(shown)
        console().print("levels: " + ", ".join(f"{skill:g}" for skill in found))
        return found

    def _step(self, word: str, below: str, after: Callable[[list[Result]], None]) -> Summary:
        match = Match(
            game=self.start.preset.name, bots=(word, *(below,) * (self.start.players - 1)),
            options=header(self.start)["options"], nodes=self.nodes, seed=self.seed,
        )
        book = None
        if self.log is not None:
            self.log.mkdir(parents=True, exist_ok=True)
            book = self.log / f"{word}-{below}.jsonl".replace(":", "")
        results = run(match, deals=self.deals, workers=self.workers, log=book, after=after)
        return table(match, results)[0]


def _cells(line: Summary, seats: int) -> tuple[str, str, str, str]:
    won = line.wins
    return (f"{won.middle:.1%}", f"{won.low:.1%} to {won.high:.1%}",
            f"{calibration.elo_of(calibration.as_with_two(won.middle, seats)):+.0f}",
            f"{line.margin.middle:+.1f}")


# --- prices ---------------------------------------------------------------------------------------------


def _priced(start: Position, turns: int, nodes: int, seed: int) -> list[Price]:
    offered = levels(start.game)
    with progress() as bar:
        task = bar.add_task(f"judging {start.preset.name}", total=turns)
        found = prices(
            start, [open_bot(level.word) for level in offered], turns=turns, limit=Limit(nodes=nodes),
            judge=Limit(nodes=JUDGE * nodes), seed=seed, after=lambda: bar.update(task, advance=1),
        )
    costly = f"turns that cost more than {BLUNDER:g}"
    shown = results_table("level", "name", "points a turn", "±", costly, "95 %", words=("name",))
    for number, (level, price) in enumerate(zip(offered, found, strict=True), 1):
        half = (price.points.high - price.points.low) / 2
        shown.add_row(str(number), str(level.name), f"{price.points.middle:.2f}", f"{half:.2f}",
                      f"{price.blunders.middle:.1%}",
                      f"{price.blunders.low:.1%} to {price.blunders.high:.1%}")
    console().print(shown)
    return found


def _repriced(known: Sequence[Standard], found: Sequence[Price]) -> tuple[Standard, ...]:
    points = calibration.falling([price.points.middle for price in found])
    blunders = calibration.falling([price.blunders.middle for price in found])
    return tuple(
        replace(level, price=round(lost, 2), blunders=round(share, 3))
        for level, lost, share in zip(known, points, blunders, strict=True)
    )


def _as_toml(start: Position, levels: Sequence[Standard]) -> str:
    """One table of a levels.toml (bots/levels.py), for this number of seats and these options."""
    named = [option.name for option in start.game.options if option.values and option is not START]
    columns: dict[str, list[float]] = {
        "seats": [start.players], "skills": [level.skill for level in levels],
        "prices": [level.price for level in levels if level.price is not None],
        "blunders": [level.blunders for level in levels if level.blunders is not None],
    }
    lines = [f"options.{name} = [{start.options[name]!r}]" for name in named]
    for name, values in columns.items():
        lines += [f"{name} = [{', '.join(f'{x:g}' for x in values)}]"] if values else []
    return "\n".join(["[[table]]", *lines, ""])
