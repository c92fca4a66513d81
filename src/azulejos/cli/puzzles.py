"""Find puzzles in games of bots; rate and prove the puzzles of a pack again.

    azulejos puzzles mine azul --count 100 --seed 1 --out azul.txt
    azulejos puzzles mine azul --hard --count 5000 --seed 2 --out azul-hard.txt
    azulejos puzzles rate azul --out azul.txt
    azulejos puzzles prove azul
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import TYPE_CHECKING

import click

from azulejos.cli.common import (
    complaints,
    console,
    out_option,
    progress,
    results_table,
    seed_option,
    takes_workers,
)
from azulejos.core import registry

if TYPE_CHECKING:
    from azulejos.arena.workers import Workers
    from azulejos.insight.puzzles.puzzle import Puzzle

SEEDS = 10**9
"""Games of one seed; more are never needed."""


@click.group()
def puzzles() -> None:
    """Find puzzles in games of bots; rate and prove the puzzles of a pack again."""


@puzzles.command()
@click.argument("box")
@click.option("--count", default=100, show_default=True, type=click.IntRange(min=1),
              help="Puzzles to find.")
@click.option("--goal", "goals", multiple=True, type=click.Choice(("win", "points", "safe")),
              help="Only this goal; may be repeated.")
@out_option(".txt", what="File to write. If it exists, its puzzles are kept and count.", required=True)
@click.option("--hard", is_flag=True,
              help="Only what a search of some 3,000 positions misses. Stop it at any time: the same line "
                   "goes on where it ended.")
@seed_option
@takes_workers
def mine(
    box: str, count: int, goals: tuple[str, ...], out: Path, hard: bool, seed: int, workers: Workers
) -> None:
    """Play games of BOX and keep positions with one answer, proved twice."""
    from azulejos.insight.puzzles.mine import HARD, HARD_GOALS, USUAL, DistinctPuzzles, MinedGame
    from azulejos.insight.puzzles.packs import read_pack, write_pack
    from azulejos.insight.puzzles.puzzle import Goal

    with complaints():
        preset = registry.find(box)[1]
        name = preset.name
        found = DistinctPuzzles(read_pack(out, name) if out.exists() else ())
    first, journal = seed * SEEDS, out.with_name(f"{out.name}.games")
    chosen = tuple(Goal(goal) for goal in goals) or (HARD_GOALS if hard else tuple(Goal))
    done = int(journal.read_text("utf-8")) if hard and journal.exists() else 0
    games = (MinedGame(box=name, seed=first + number, goals=chosen, vein=HARD if hard else USUAL)
             for number in itertools.count(done))
    with progress() as bar:
        task = bar.add_task(f"mining {name}", total=count, completed=len(found))
        for games_done, more in enumerate(
            workers.map(MinedGame.mine, games) if len(found) < count else (), done + 1
        ):
            found.add(more)
            if more:
                write_pack(out, found)
            if hard:
                journal.write_text(f"{games_done}\n", "utf-8")
            bar.update(task, completed=min(count, len(found)))
            if len(found) >= count:
                break
    console().print(f"{len(found)} puzzles of {name} in {out}", markup=False)


@puzzles.command()
@click.argument("box")
@out_option(".txt", what="File to write.", required=True)
@takes_workers
def rate(box: str, out: Path, workers: Workers) -> None:
    """Measure with today's bots how hard the puzzles of BOX are.

    Those that stronger bots no longer find more often are left out.
    """
    from azulejos.insight.puzzles.packs import pack, write_pack
    from azulejos.insight.puzzles.rate import rate_one

    with complaints():
        preset = registry.find(box)[1]
        given = pack(preset.name)
    rated = []
    with progress() as bar:
        task = bar.add_task(f"rating {preset.name}", total=len(given))
        for puzzle in workers.map(rate_one, given):
            bar.advance(task)
            if puzzle is not None:
                rated.append(puzzle)
    write_pack(out, rated)
    console().print(f"{len(rated)} of {len(given)} puzzles of {preset.name} in {out}", markup=False)


@puzzles.command()
@click.argument("boxes", nargs=-1, metavar="[BOX]...")
@click.option("--file", "-f", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Prove the puzzles of this file, of one BOX, instead of those that are shipped.")
@takes_workers
def prove(boxes: tuple[str, ...], path: Path | None, workers: Workers) -> None:
    """Prove the puzzles of each BOX (default: all) again: a plain search without the miner's shortcuts."""
    from azulejos.insight.puzzles.packs import pack, packs, read_pack

    if path is not None and len(boxes) != 1:
        raise click.UsageError("--file needs exactly one BOX")
    with complaints():
        names = [registry.find(box)[1].name for box in boxes or packs()]
        chosen = {name: pack(name) if path is None else read_pack(path, name) for name in names}
    table, wrong = results_table("box", "puzzles", "proved", words={"box"}), 0
    for name, given in chosen.items():
        faults = _faults(name, given, workers)
        table.add_row(name, str(len(given)), str(len(given) - len(faults)))
        wrong += len(faults)
        for id_, fault in faults:
            click.echo(f"{name} {id_}: {fault}", err=True)
    console().print(table)
    if wrong:
        raise SystemExit(1)


def _faults(name: str, given: tuple[Puzzle, ...], workers: Workers) -> list[tuple[str, str]]:
    from azulejos.insight.puzzles.prove import fault_with_id

    with progress() as bar:
        task = bar.add_task(f"proving {name}", total=len(given))
        found = []
        for id_, fault in workers.map(fault_with_id, given):
            bar.advance(task)
            if fault is not None:
                found.append((id_, fault))
    return found
