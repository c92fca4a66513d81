"""Play bots against each other and show which is stronger, with confidence intervals.

    azulejos match azul search greedy --nodes 2000 --deals 100
    azulejos match azul-grey search greedy greedy --seconds 0.1
    azulejos match azul search search:hand --nodes 3000 --sprt 0 20 --log match.jsonl
    azulejos match azul search "cmd:./mybot" --seconds 1
    azulejos match azul level:5 level:3 --luck
    azulejos match garden search greedy --seconds 1 --deals 200 --ray 10.0.0.1:6379
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import click

from azulejos.arena.match import Match, Result, usual_seconds
from azulejos.arena.report import HEADINGS, WRITERS, as_data, luck_line, row, write
from azulejos.arena.run import Interrupted, check_test, run
from azulejos.arena.sprt import Sprt, Trial
from azulejos.arena.statistics import first_shares, table
from azulejos.arena.workers import Workers
from azulejos.bots.words import open as open_bot
from azulejos.cli import INTERRUPTED
from azulejos.cli.common import (
    GameCommand,
    OutFile,
    chosen_options,
    complaints,
    console,
    deals_option,
    foretell,
    json_option,
    nodes_option,
    out_option,
    progress,
    results_table,
    seconds_option,
    seed_option,
    takes_workers,
)
from azulejos.core.game import MAX_SEATS, MIN_SEATS
from azulejos.core.position import new
from azulejos.core.registry import find
from azulejos.protocol.external import greeted


@click.command(cls=GameCommand)
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
