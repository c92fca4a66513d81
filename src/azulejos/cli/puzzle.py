"""Solve a proved puzzle in this terminal.

    azulejos puzzle
    azulejos puzzle azul --goal win --difficulty 4
    azulejos puzzle azul --daily
"""

from __future__ import annotations

import contextlib
import datetime
import random
from typing import TYPE_CHECKING

import click

from azulejos.cli.common import chosen_seed, complaints, console, fresh_seed_option
from azulejos.core import registry
from azulejos.core.message import Problem, msg

if TYPE_CHECKING:
    from azulejos.insight.puzzles import Puzzle

LEVELS = 7


@click.command()
@click.argument("box", required=False)
@click.option("--goal", type=click.Choice(("win", "points", "safe")), help="Only this goal.")
@click.option("--difficulty", type=click.IntRange(1, LEVELS),
              help="Only puzzles that the bot of this level, and none below, finds in half of its tries.")
@click.option("--daily", is_flag=True, help="The puzzle of today.")
@click.option("--id", "id_", metavar="ID", help="The puzzle of this name.")
@fresh_seed_option
def puzzle(
    box: str | None, goal: str | None, difficulty: int | None, daily: bool, id_: str | None,
    seed: int | None,
) -> None:
    """Solve a puzzle of BOX (default: the first with puzzles) in this terminal."""
    from azulejos.cli.terminal_puzzle import TerminalPuzzle
    from azulejos.insight.puzzles import daily as daily_of
    from azulejos.insight.puzzles import find, packs

    with contextlib.suppress(ImportError):  # missing on some systems; enables line editing
        import readline  # noqa: F401
    rng = random.Random(chosen_seed(seed))
    with complaints():
        name = next(iter(packs())) if box is None else registry.find(box)[1].name
        if id_ is not None:
            chosen = find(name, id_)
        elif daily:
            chosen = daily_of(name, datetime.datetime.now(datetime.UTC).date())
        else:
            chosen = _drawn(name, goal, difficulty, rng)
    TerminalPuzzle(chosen, rng=rng, out=console()).run()


def _drawn(box: str, goal: str | None, difficulty: int | None, rng: random.Random) -> Puzzle:
    from azulejos.insight.puzzles import level_of, pack

    fitting = [
        puzzle for puzzle in pack(box)
        if goal in (None, puzzle.goal) and difficulty in (None, level_of(puzzle))
    ]
    if not fitting:
        raise Problem(msg("there are no such puzzles for {box}", box=box))
    return rng.choice(fitting)
