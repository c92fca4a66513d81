"""Train the networks of a box on self-play, generation by generation.

    azulejos train sintra-a --games 3000 --generations 2 --folder lessons --out network.npz
    azulejos train azul --players 3 --nodes 100 --opening-nodes 150 --folder lessons3 --out three.npz
    azulejos train garden --games 1000 --nodes 40 --folder garden --out garden.npz
    azulejos match sintra-a search:network.npz search --seconds 0.03
"""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from azulejos.arena.match import Match
from azulejos.arena.run import run
from azulejos.arena.statistics import table
from azulejos.arena.workers import Workers
from azulejos.bots.evaluation import LINEAR, shipped
from azulejos.cli.common import (
    GameCommand,
    complaints,
    console,
    games_option,
    nodes_option,
    out_option,
    progress,
    seed_option,
    takes_game,
    takes_workers,
)
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@games_option(3000, "Games of each generation; missing ones are played.")
@click.option("--generations", default=1, show_default=True, type=click.IntRange(min=1),
              help="Each generation learns from games of the best one before it.")
@nodes_option("Positions to search for each move; with three or four seats, or if rounds have chance, "
              "simulations for each turn.", 1000)
@click.option("--opening-nodes", default=1500, show_default=True, type=click.IntRange(min=1),
              help="The same for the first move of a round, which values the state before it.")
@click.option("--other-deals", default=2, show_default=True, type=click.IntRange(min=0),
              help="Additional deals for valuing the state before a round.")
@click.option("--strays", default=30, show_default=True, type=click.IntRange(0, 100),
              help="States per 100 moves that are a few random moves away from the game.")
@click.option("--epochs", default=6, show_default=True, type=click.IntRange(min=1))
@click.option("--rate", default=2e-3, show_default=True, type=click.FloatRange(min=0, min_open=True),
              help="Size of the first steps of training.")
@seed_option
@click.option("--weights", default="",
              help="What plays the first games: a name or a file (.npz). Default: the box's own networks, "
                   "otherwise its weights.")
@click.option("--gate-deals", default=50, show_default=True, type=click.IntRange(min=1),
              help="Deals of the match that each generation plays against the best one before it.")
@click.option("--gate-nodes", type=click.IntRange(min=1), help="Limit of that match; default: --nodes.")
@click.option("--folder", required=True, type=click.Path(path_type=Path, file_okay=False),
              help="Folder for games, networks and matches; what is already in it is used again.")
@click.option("--also", multiple=True, type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="Another folder with games to learn from; can be repeated.")
@out_option(".npz", what="File for the best networks (.npz).", required=True)
@takes_workers
@takes_game
def train(
    start: Position, games: int, generations: int, nodes: int, opening_nodes: int, other_deals: int,
    strays: int, epochs: int, rate: float, seed: int, weights: str, gate_deals: int, gate_nodes: int | None,
    folder: Path, also: tuple[Path, ...], out: Path, workers: Workers,
) -> None:
    """Train the networks of GAME for a number of seats. Needs azulejos[train]."""
    from azulejos.learning import train as trainer
    from azulejos.learning.game_files import SelfPlay
    from azulejos.learning.generations import Tutor, Verdict

    def gate(path: Path, best: str) -> Verdict:
        words = f"search:{path}", *(f"search:{best}",) * (start.players - 1)
        match = Match(game=start.preset.name, bots=words, options=start.options, seed=seed,
                      nodes=gate_nodes or nodes)
        results = run(match, deals=gate_deals, workers=workers, log=path.with_name("match.jsonl"))
        won, margin = (getattr(table(match, results)[0], name) for name in ("wins", "margin"))
        console().print(
            f"against {best}: {won.middle:.1%} of {len(results)} games ({won.low:.0%} to {won.high:.0%}), "
            f"{margin.middle:+.1f} points ({margin.low:+.1f} to {margin.high:+.1f})", highlight=False,
        )
        return Verdict(won.middle, won.low, won.high, 1 / start.players)

    with complaints():
        trainer.check(start.game)
        best = weights or (LINEAR if shipped(start) is None else "net")
        settings = SelfPlay(
            box=start.preset.name, players=start.players, options=start.options, weights=best, nodes=nodes,
            opening_nodes=opening_nodes, deals=other_deals, strays=strays, seed=seed,
        )
    with progress() as bar, complaints():
        task = bar.add_task(f"playing {start.preset.name}", total=games)
        tutor = Tutor(
            table=settings, games=games, epochs=epochs, rate=rate, workers=workers, gate=gate,
            report=report, progress=lambda done: bar.update(task, completed=done),
        )
        for number in range(1, generations + 1):
            best, _ = tutor.teach(folder, number, best, also)
    if Path(best).exists():
        shutil.copyfile(best, out)
    else:
        console().print(f"no generation was better than {best}: nothing is written")


def report(networks: str, epoch: int, error: float) -> None:
    console().print(f"{networks}, epoch {epoch}: error {error:.3f} points", highlight=False)
