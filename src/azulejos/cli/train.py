"""Train a game's evaluation networks on self-play.

    azulejos train azul --games 15000 --data lessons --out network.npz
    azulejos match azul search:network.npz search:linear --seconds 0.03
"""

from __future__ import annotations

from pathlib import Path

import click

from azulejos.cli.common import (
    GameCommand,
    OutFile,
    check_two_seats,
    complaints,
    console,
    progress,
    takes_game,
)
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.option("--games", "-g", default=15000, show_default=True, type=click.IntRange(min=1),
              help="Number of games to have in the folder; missing ones are played.")
@click.option("--nodes", default=1000, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for each move.")
@click.option("--opening-nodes", default=1500, show_default=True, type=click.IntRange(min=1),
              help="Positions to search for the first move of a round, which values the state before it.")
@click.option("--deals", default=2, show_default=True, type=click.IntRange(min=0),
              help="Additional deals for valuing the state before a round.")
@click.option("--strays", default=30, show_default=True, type=click.IntRange(0, 100),
              help="States per 100 moves that are a few random moves away from the game.")
@click.option("--epochs", default=10, show_default=True, type=click.IntRange(min=1))
@click.option("--seed", default=0, show_default=True)
@click.option("--weights", default="", help="Weights or networks that play: a name or a file (.npz).")
@click.option("--data", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder for the games; games already in it are used again.")
@click.option("--also", multiple=True, type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="Another folder with games to learn from; can be repeated.")
@click.option("--out", required=True, type=OutFile(".npz"), help="File for the networks (.npz).")
@takes_game
def train(
    start: Position, games: int, nodes: int, opening_nodes: int, deals: int, strays: int, epochs: int,
    seed: int, weights: str, data: Path, also: tuple[Path, ...], out: Path,
) -> None:
    """Train the networks of GAME (two seats, rounds without chance). Needs azulejos[train]."""
    from azulejos.bots.evaluation import network_of, weights_of
    from azulejos.engine.network import write_network
    from azulejos.learning import train as trainer
    from azulejos.learning.game_files import SelfPlay, read_folders

    with complaints():
        check_two_seats(start)
        trainer.check(start.game)
        table = SelfPlay(
            game=start.game, options=start.options, weights=weights_of(start.game, weights),
            network=network_of(start.game, weights), nodes=nodes, opening_nodes=opening_nodes,
            deals=deals, strays=strays, seed=seed,
        )
    with progress() as bar, complaints():
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        table.play(data, games, lambda done: bar.update(task, completed=done))
        played = read_folders((data, *also))
        found = trainer.train(start.game, played, epochs=epochs, seed=seed, report=report)
    write_network(out, found)


def report(networks: str, epoch: int, error: float) -> None:
    console().print(f"{networks}, epoch {epoch}: error {error:.3f} points", highlight=False)
