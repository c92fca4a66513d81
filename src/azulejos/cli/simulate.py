"""Play many random games and show statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import click

from azulejos.cli.common import (
    SEED_LIMIT,
    GameCommand,
    chosen_seed,
    console,
    progress,
    results_table,
    seed_option,
    takes_game,
)
from azulejos.core.layout import Cells
from azulejos.core.position import Position

if TYPE_CHECKING:
    from azulejos.engine.playout import Games

CHUNK = 2000
"""Games per step of the progress bar: about 40 ms."""


@click.command(cls=GameCommand)
@takes_game
@click.option("--games", "-g", default=10_000, show_default=True, type=click.IntRange(min=1),
              help="Number of games to play.")
@seed_option
def simulate(start: Position, games: int, seed: int | None) -> None:
    """Play random games and show scores, wins, lengths and the advantage of starting."""
    seed = chosen_seed(seed)
    played = _played(start, games, seed)
    out = console()
    out.print(f"{games} random games of {start.preset.name}, {start.players} players, seed {seed}")
    _print_seats(played)
    _print_lengths(played)


def _played(start: Position, games: int, seed: int) -> Games:
    from azulejos.engine.playout import Games, random_games

    chunks = []
    with progress() as bar:
        task = bar.add_task(f"preparing {start.preset.name}", total=games)
        for first in range(0, games, CHUNK):
            count = min(CHUNK, games - first)
            chunks.append(random_games(start.game, start.players, start.options,
                                       seed=seed * SEED_LIMIT + first, count=count))
            bar.update(task, advance=count, description=f"playing {start.preset.name}")
    return Games.joined(chunks)


def _print_seats(played: Games) -> None:
    shown = results_table("seat", "mean score", "lowest", "highest", "wins")
    wins = played.wins()
    for seat in range(played.scores.shape[1]):
        scores = played.scores[:, seat]
        shown.add_row(f"{seat + 1}", _mean(scores), f"{scores.min()}", f"{scores.max()}",
                      f"{100 * wins[:, seat].mean():.1f} %")
    console().print(shown)


def _print_lengths(played: Games) -> None:
    import numpy as np

    out = console()
    out.print(f"rounds {_mean(played.rounds)}, from {played.rounds.min()} to {played.rounds.max()}")
    out.print(f"moves  {_mean(played.lengths)}, from {played.lengths.min()} to {played.lengths.max()}")
    count, players = played.scores.shape
    shares = played.wins()[np.arange(count), played.starters]
    lead = 100 * (shares - 1 / players)
    own = played.scores[np.arange(count), played.starters]
    others = (played.scores.sum(axis=1) - own) / (players - 1)
    out.print(f"first seat to move: {_mean(lead)} percentage points of wins above an equal share, "
              f"{_mean(own - others)} points of score above the others' mean")


def _mean(values: Cells) -> str:
    """The mean with its standard error."""
    error = float(values.std()) / math.sqrt(len(values))
    return f"{float(values.mean()):.2f} ± {error:.2f}"
