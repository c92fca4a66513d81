"""Write games as a table for machine learning: NPZ or Parquet.

    azulejos dataset azul greedy --games 100 --out greedy.npz
    azulejos dataset azul search greedy --nodes 500 --out mixed.parquet
    azulejos dataset azul --moves games.csv --out mine.npz
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from azulejos.arena.dataset import WRITERS, about, check, rows, self_play, write
from azulejos.cli.common import (
    GameCommand,
    OutFile,
    chosen_seed,
    complaints,
    console,
    make_ready,
    progress,
    seed_option,
    takes_game,
)
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.option("--games", "-g", default=100, show_default=True, type=click.IntRange(min=1),
              help="Number of games to play.")
@click.option("--nodes", default=200, show_default=True, type=click.IntRange(min=0),
              help="Positions to search for each action.")
@click.option("--moves", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Read games from this file (records, or moves as CSV or JSON) instead of playing.")
@click.option("--out", required=True, type=OutFile(*WRITERS), help="File to write: .npz or .parquet.")
@seed_option
@takes_game
@click.argument("bots", nargs=-1)
def dataset(
    start: Position, bots: tuple[str, ...], games: int, nodes: int, moves: Path | None, out: Path,
    seed: int | None,
) -> None:
    """Play GAME with BOTS (default: greedy) and write one row for each decision."""
    from azulejos.arena.movelists import read_moves

    seed = chosen_seed(seed)
    words = bots or ("greedy",)
    with complaints():
        check(out)
        if moves is None:
            make_ready(start.game, words)
            table = rows(_watched(start, words, games, nodes, seed))
            facts = about(start, bots=words, nodes=nodes, seed=seed)
        else:
            table = rows(read_moves(moves, start))
            facts = about(start, moves=moves.name)
        write(out, table, facts)
    played = int(table["game"].max(initial=-1)) + 1
    console().print(f"{len(table['game'])} decisions of {played} games of {start.preset.name} in {out}")


def _watched(
    start: Position, words: tuple[str, ...], games: int, nodes: int, seed: int
) -> Iterator[Position]:
    from azulejos.protocol.bot import Limit

    with progress() as bar:
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        for position in self_play(start, words, games=games, limit=Limit(nodes=nodes), seed=seed):
            yield position
            bar.advance(task)
