"""Measure what the judge's values mean, for a game's judge.npz.

    azulejos calibrate azul --games 3000 --doubts 60 --out judge.npz
    azulejos calibrate garden --players 3 --games 500 --play-nodes 200 --judge-nodes 1000 --out judge.npz
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np

from azulejos.arena.workers import Workers
from azulejos.cli.common import (
    GameCommand,
    console,
    out_option,
    progress,
    results_table,
    seed_option,
    takes_game,
    takes_workers,
)
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.calibrate import Checked, Plan, checked, disagreements, doubt_row, fitted, observed
from azulejos.insight.judge import Effort, efforts_for
from azulejos.insight.scale import OPENING, WITHIN, Scale, scale_of, write_scale

PHASE_NAMES = {OPENING: "opening", WITHIN: "within"}
DEEPER = 10
"""How many times the nodes the search has that judges estimates."""


@click.command(cls=GameCommand)
@click.option("--games", "-g", default=1000, show_default=True, type=click.IntRange(min=10),
              help="Games of self-play; each fifth of them checks a scale that the others gave.")
@click.option("--play-nodes", default=2000, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for each move.")
@click.option("--judge-nodes", default=20_000, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for each value.")
@click.option("--doubts", default=0, show_default=True, type=click.IntRange(min=0),
              help="Stretches of games in which estimates are compared with deeper searches.")
@seed_option
@out_option(".npz", what="File to which the scale is added.", required=True)
@takes_workers
@takes_game
def calibrate(
    start: Position, games: int, play_nodes: int, judge_nodes: int, doubts: int, seed: int,
    workers: Workers, out: Path,
) -> None:
    """Play GAME against itself and fit the scale of margins and chances to win."""
    plan = Plan(start=start, play_nodes=play_nodes, judge_nodes=judge_nodes)
    with progress() as bar:
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        rows = []
        for seen in workers.map(functools.partial(observed, plan), range(seed, seed + games)):
            rows.append(seen)
            bar.update(task, advance=1)
    _print(checked(start, rows))
    table, doubt = fitted(start, np.concatenate(rows)), scale_of(start).doubt
    if doubts:
        seeds, efforts = range(seed, seed + doubts), efforts_for(start).review
        doubt = np.array([_doubt(start, effort, workers, seeds) for effort in efforts])
    write_scale(out, start.preset.name, start.players, Scale(table, doubt, measured=True))


def _doubt(start: Position, effort: Effort, workers: Workers, seeds: Sequence[int]) -> Cells:
    apart = functools.partial(disagreements, start, effort, effort.times(DEEPER))
    row = doubt_row(effort, np.concatenate(list(workers.map(apart, seeds))))
    console().print(f"estimates with {row[0]:.0f} nodes: ±{row[1]:.2f} points, ±{row[2]:.1%} of the win")
    return row


def _print(lines: list[Checked]) -> None:
    shown = results_table("phase", "round", "games", "error", "by chance", "margin rms", words=("phase",))
    for line in lines:
        shown.add_row(PHASE_NAMES[line.phase], str(line.round), str(line.games), f"{line.error:.1%}",
                      f"{line.by_chance:.1%}", f"{line.margin:.1f}")
    console().print(shown)
