"""Write games as a table for machine learning: NPZ or Parquet.

    azulejos dataset azul greedy --games 100 --out greedy.npz
    azulejos dataset azul search greedy --nodes 500 --out mixed.parquet
    azulejos dataset azul --moves games.csv --out mine.npz
"""

from __future__ import annotations

import json
from pathlib import Path

import click

from azulejos.arena.dataset import WRITERS, Rows, SelfPlay, about, check, joined, rows, write
from azulejos.arena.workers import Workers
from azulejos.cli.common import (
    GameCommand,
    complaints,
    console,
    games_option,
    json_option,
    nodes_option,
    out_option,
    progress,
    seed_option,
    takes_game,
    takes_workers,
)
from azulejos.core.position import Position
from azulejos.protocol.bot import Limit


@click.command(cls=GameCommand)
@games_option(100)
@nodes_option("Positions to search for each action.", 200)
@click.option("--moves", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Read games from this file (records, or moves as CSV or JSON) instead of playing.")
@out_option(*WRITERS, what="File to write: .npz or .parquet.", required=True)
@json_option
@seed_option
@takes_workers
@takes_game
@click.argument("bots", nargs=-1)
def dataset(
    start: Position, bots: tuple[str, ...], games: int, nodes: int, moves: Path | None, out: Path,
    as_json: bool, seed: int, workers: Workers,
) -> None:
    """Play GAME with BOTS (default: greedy) and write one row for each decision."""
    from azulejos.arena.movelists import read_moves

    words = bots or ("greedy",)
    with complaints():
        check(out)
        if moves is None:
            table = _played(SelfPlay(start, words, Limit(nodes=nodes), seed), games, workers)
            facts = about(start, bots=words, nodes=nodes, seed=seed)
        else:
            table = rows(read_moves(moves, start))
            facts = about(start, moves=moves.name)
        write(out, table, facts)
    played, decisions = int(table["game"].max(initial=-1)) + 1, len(table["game"])
    if as_json:
        click.echo(json.dumps({**facts, "file": str(out), "games": played, "decisions": decisions}))
    else:
        console().print(f"{decisions} decisions of {played} games of {start.preset.name} in {out}")


def _played(source: SelfPlay, games: int, workers: Workers) -> Rows:
    played = []
    with progress() as bar:
        task = bar.add_task(f"playing {source.start.preset.name}", total=games)
        for game in workers.map(source.rows, range(games)):
            played.append(game)
            bar.advance(task)
    return joined(played)
