"""Bots against each other: matches with confidence intervals, and the ladder of a game's levels.

    azulejos match azul search greedy --nodes 2000 --deals 100
    azulejos match azul-grey search greedy greedy --seconds 0.1
    azulejos match azul search search:hand --nodes 3000 --sprt 0 20 --log match.jsonl
    azulejos match azul search "cmd:./mybot" --seconds 1
    azulejos match azul level:5 level:3 --luck
    azulejos match garden search greedy --seconds 1 --deals 200 --ray 10.0.0.1:6379
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import click

from azulejos.arena import skills as calibration
from azulejos.arena.match import Match, Result, usual_seconds
from azulejos.arena.run import Interrupted, check_test, run
from azulejos.arena.skills import BLUNDER, Price, prices
from azulejos.arena.statistics import (
    HEADINGS, WRITERS, Sprt, Summary, Trial, as_data, first_shares, luck_line, row, table, write,
)
from azulejos.arena.workers import Workers
from azulejos.bots.levels import Standard, standards
from azulejos.bots.words import levels, open as open_bot
from azulejos.cli import INTERRUPTED
from azulejos.cli.common import (
    GameCommand, OutFile, chosen_options, complaints, console, deals_option, foretell, json_option,
    nodes_option, out_option, progress, results_table, seconds_option, seed_option, takes_game,
    takes_workers,
)
from azulejos.core.game import MAX_SEATS, MIN_SEATS, START
from azulejos.core.position import Position, new
from azulejos.core.registry import find
from azulejos.core.writing import header
from azulejos.protocol.bot import Limit
from azulejos.protocol.external import greeted


@click.command(cls=GameCommand,
               short_help="Play bots against each other: which is stronger, with confidence intervals.")
@deals_option("Number of deals; each is played once in every seat order.")
@seconds_option("CPU time for each action, in seconds.")
@nodes_option("Positions to search for each action. Default: 2000, unless there is another limit.")
@seed_option
@json_option
@click.option("--sprt", nargs=2, type=float, metavar="LOW HIGH",
              help="Stop as soon as a test decides between LOW and HIGH Elo for the first of two bots.")
@click.option("--luck", is_flag=False, flag_value=8, default=0, metavar="[DEALS]",
              type=click.IntRange(min=0),
              help="Compare every deal with this many others (8) and show margins without luck.")
@takes_workers
@click.option("--log", type=OutFile(),
              help="Append each result to this file, and continue from the results in it.")
@click.option("--records", type=OutFile(), help="Append the record of each game to this file (JSON Lines).")
@out_option(*WRITERS, multiple=True,
            what="Write results: .csv one line per game and seat, .json the table, .svg a chart.")
@click.option("--players", "-n", type=click.IntRange(MIN_SEATS, MAX_SEATS),
              help="Number of seats. Default: one for each bot; the last bot takes those that are left.")
@click.argument("game")
@click.argument("bots", nargs=-1, required=True)
def match(
    game: str, bots: tuple[str, ...], players: int | None, deals: int, seconds: float | None,
    nodes: int | None, seed: int, as_json: bool, sprt: tuple[float, float] | None, luck: int,
    workers: Workers, log: Path | None, records: Path | None, out: tuple[Path, ...],
) -> None:
    """Play BOTS, one for each of two to four seats, against each other at GAME."""
    with complaints():
        bots += bots[-1:] * ((players or 0) - len(bots))
        if players is not None and players < len(bots):
            raise ValueError(f"{len(bots)} bots were named for {players} seats")
        planned = _planned(game, bots, seconds, nodes, seed, luck)
        test = None if sprt is None else check_test(planned, Sprt(low=sprt[0], high=sprt[1]))
    total = deals * len(planned.orders())
    foretell(f"{total} games", total * usual_seconds(planned) / workers.count)
    with progress() as bar, complaints():
        task = bar.add_task(f"playing {game}", total=total)

        def show(results: list[Result]) -> None:
            share = sum(first_shares(results)) / len(results)
            bar.update(task, completed=len(results), description=f"{bots[0]} {share:.1%}")

        try:
            played, ended = run(
                planned, deals=deals, workers=workers, log=log, records=records, sprt=test, after=show,
            ), True
        except Interrupted as left:
            played, ended = left.results, False
    if played:
        if as_json:
            click.echo(json.dumps(as_data(planned, played)))
        else:
            _print(planned, played, test)
        for path in out:
            write(path, planned, played)
    if not ended:
        click.echo(f"interrupted after {len(played)} of {total} games", err=True)
        sys.exit(INTERRUPTED)


def _planned(
    game: str, bots: tuple[str, ...], seconds: float | None, nodes: int | None, seed: int, luck: int
) -> Match:
    if not MIN_SEATS <= len(bots) <= MAX_SEATS:
        raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {len(bots)}")
    options = chosen_options(find(game)[0])
    new(game, players=len(bots), **options)
    words = tuple(greeted(open_bot(word, commands=True)).word for word in bots)
    if seconds is None and nodes is None:
        nodes = 2000
    return Match(game=game, bots=words, options=options, seconds=seconds, nodes=nodes, seed=seed, luck=luck)


def _print(planned: Match, results: list[Result], test: Sprt | None) -> None:
    out = console()
    limit = [f"{planned.seconds} s"] if planned.seconds is not None else []
    limit += [f"{planned.nodes} nodes"] if planned.nodes is not None else []
    out.print(f"{len(results)} games of {planned.game}, {len(planned.bots)} seats, "
              f"{' and '.join(limit)} an action, seed {planned.seed}")
    shown = results_table(*HEADINGS, words=("bot",))
    lines = table(planned, results)
    for line in lines:
        shown.add_row(*row(line))
    out.print(shown)
    for line in lines:
        if line.adjusted is not None:
            out.print(luck_line(line), markup=False)
    for bot, faults in _faults(planned, results).items():
        out.print(f"{bot} failed {faults} times, and random moves were played for it: azulejos bot check "
                  "says why", markup=False)
    if test is not None:
        trial = Trial(test)
        trial.take(results)
        verdict = {True: "stronger", False: "not stronger", None: "undecided"}[trial.verdict]
        out.print(f"sprt {test.low:g} {test.high:g}: {verdict} after {trial.deals} deals, log "
                  f"likelihood ratio {trial.ratio:+.2f} (decided at ±{test.bound:.2f})")


def _faults(planned: Match, results: list[Result]) -> dict[str, int]:
    """The bots that failed, and how often."""
    found: Counter[str] = Counter()
    for result in results:
        for bot, faults in zip(result.order, result.faults, strict=False):  # older logs have no faults
            found[planned.words[bot]] += faults
    return dict(+found)


# --- ladder -------------------------------------------------------------------------------------------
#     azulejos ladder azul --deals 100
#     azulejos ladder azul --prices
#     azulejos ladder azul --calibrate --out levels.toml


JUDGE = 4
"""The judge searches this many times the nodes of the strongest level: a weaker one misjudges it."""
STEP_COLUMNS = ("wins against the one below", "95 %", "Elo step", "margin")


@click.command(cls=GameCommand,
               short_help="Measure the strength of a game's levels by playing each against the next.")
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
    climb = LadderRun(start=start, deals=deals, nodes=nodes, seed=seed, workers=workers, log=log)
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
class LadderRun:
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

            def play(upper: float, lower: float) -> calibration.SkillStep:
                words = f"skill:{upper:g}", f"skill:{lower:g}"
                step = self._step(*words, lambda results: bar.update(task, advance=1))
                shown.add_row(f"{upper:g}", f"{lower:g}", *_cells(step, self.start.players))
                share = calibration.as_with_two(step.wins.middle, self.start.players)
                return calibration.SkillStep(upper=upper, lower=lower, share=share, games=step.games)

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
