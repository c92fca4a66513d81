"""Fit the weights of a game's evaluation to self-play.

    azulejos fit azul --games 5000 --nodes 1000 --rounds 3 --out fitted.npz
    azulejos match azul search:fitted.npz search --nodes 1000
"""

from __future__ import annotations

from pathlib import Path

import click

from azulejos.bots.evaluation import evaluation_of, weights_of
from azulejos.cli.common import (
    GameCommand,
    check_two_seats,
    complaints,
    console,
    games_option,
    nodes_option,
    out_option,
    progress,
    seed_option,
    takes_game,
)
from azulejos.core.position import Position
from azulejos.learning.fit import improve, settled
from azulejos.parts.evaluation import write_weights


@click.command(cls=GameCommand)
@games_option(3000, "Games per round of fitting.", least=10)
@nodes_option("Positions to search for each move, in games whose rounds can be solved.", 800)
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1),
              help="Rounds of playing and fitting; the mean of all fits plays the next round.")
@seed_option
@click.option("--weights", default="", help="Initial weights: a name or a file (.npz).")
@out_option(".npz", what="File for the weights (.npz): your own, or the game's weights.npz.", required=True)
@takes_game
def fit(
    start: Position, games: int, nodes: int, rounds: int, seed: int, weights: str, out: Path
) -> None:
    """Fit the evaluation of GAME to self-play; with more than two seats only where rounds have chance."""
    with complaints():
        if evaluation_of(start.game).chance_free_rounds:
            check_two_seats(start)
        fitted = weights_of(start.game, weights)
    with progress() as bar:
        task = bar.add_task(f"fitting {start.preset.name}", total=rounds)
        for number in range(rounds):
            found = improve(start.game, start.options, fitted, nodes=nodes,
                            seed=seed * rounds + number, count=games, players=start.players)
            fitted = settled(fitted, found.weights, number + 1)
            bar.update(task, advance=1)
            explained = " ".join(f"{share:.0%}" for share in found.explained[found.states > 0])
            console().print(f"round {number + 1}: {int(found.states.sum())} states, explained {explained}")
    write_weights(out, fitted)
