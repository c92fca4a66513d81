"""Play many random games and show statistics."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from azulejos.cli.common import (
    SEED_LIMIT, GameCommand, console, games_option, json_option, out_option, progress, results_table,
    seed_option, takes_game, takes_workers,
)
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new

if TYPE_CHECKING:
    from azulejos.arena.workers import Workers
    from azulejos.engine.playout import Games

CHUNK = 2000
"""Games per step of the progress bar: about 40 ms."""


@click.command(cls=GameCommand, short_help="Play many random games and show statistics.")
@games_option(10_000)
@json_option
@out_option(".csv", ".npz", what="Write one row for each game: .csv or .npz.")
@seed_option
@takes_workers
@takes_game
def simulate(
    start: Position, games: int, as_json: bool, out: Path | None, seed: int, workers: Workers
) -> None:
    """Play random games and show scores, wins, lengths and the advantage of starting."""
    played = _played(start, games, seed, workers)
    if out is not None:
        _write(out, played)
    facts = {"game": start.preset.name, "players": start.players, "options": dict(start.options),
             "games": games, "seed": seed}
    if as_json:
        click.echo(json.dumps({**facts, **_statistics(played)}))
    else:
        console().print(
            f"{games} random games of {start.preset.name}, {start.players} players, seed {seed}"
        )
        _print(_statistics(played))


# --- playing -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chunk:
    """Some of the games; they depend on the seed and the number of the first one alone."""

    box: str
    players: int
    options: dict[str, str]
    seed: int
    first: int
    count: int

    def play(self) -> tuple[int, Games]:
        from azulejos.engine.playout import random_games

        start = new(self.box, players=self.players, **self.options)
        seed = self.seed * SEED_LIMIT + self.first
        played = random_games(start.game, self.players, start.options, seed=seed, count=self.count)
        return self.first, played


def _chunks(start: Position, games: int, seed: int) -> Iterator[Chunk]:
    for first in range(0, games, CHUNK):
        count = min(CHUNK, games - first)
        yield Chunk(start.preset.name, start.players, dict(start.options), seed, first, count)


def _played(start: Position, games: int, seed: int, workers: Workers) -> Games:
    from azulejos.engine.playout import Games

    parts: dict[int, Games] = {}
    with progress() as bar:
        task = bar.add_task(f"preparing {start.preset.name}", total=games)
        for first, part in workers.map(Chunk.play, _chunks(start, games, seed)):
            parts[first] = part
            bar.update(task, advance=len(part.lengths), description=f"playing {start.preset.name}")
    return Games.joined([parts[first] for first in sorted(parts)])


# --- statistics --------------------------------------------------------------------------------------


def _statistics(played: Games) -> dict[str, Any]:
    import numpy as np

    count, players = played.scores.shape
    wins, games = played.wins(), np.arange(count)
    own = played.scores[games, played.starters]
    others = (played.scores.sum(axis=1) - own) / (players - 1)
    return {
        "seats": [
            {**_spread(played.scores[:, seat]), "wins": float(wins[:, seat].mean())}
            for seat in range(players)
        ],
        "rounds": _spread(played.rounds),
        "moves": _spread(played.lengths),
        "first_to_move": {
            "wins_above_equal_share": _mean(wins[games, played.starters] - 1 / players),
            "points_above_others": _mean(own - others),
        },
    }


def _mean(values: Cells) -> dict[str, float]:
    """The mean and its standard error."""
    return {"mean": float(values.mean()), "error": float(values.std()) / math.sqrt(len(values))}


def _spread(values: Cells) -> dict[str, float]:
    return {**_mean(values), "lowest": int(values.min()), "highest": int(values.max())}


# --- output ------------------------------------------------------------------------------------------


def _print(statistics: dict[str, Any]) -> None:
    out = console()
    shown = results_table("seat", "mean score", "lowest", "highest", "wins")
    for seat, row in enumerate(statistics["seats"], 1):
        shown.add_row(f"{seat}", _text(row), f"{row['lowest']}", f"{row['highest']}",
                      f"{100 * row['wins']:.1f} %")
    out.print(shown)
    for heading, name in (("rounds", "rounds"), ("moves ", "moves")):
        row = statistics[name]
        out.print(f"{heading} {_text(row)}, from {row['lowest']} to {row['highest']}")
    first = statistics["first_to_move"]
    out.print(f"first seat to move: {_text(first['wins_above_equal_share'], 100)} percentage points of "
              f"wins above an equal share, {_text(first['points_above_others'])} points of score above "
              "the others' mean")


def _text(row: dict[str, float], scale: float = 1) -> str:
    return f"{scale * row['mean']:.2f} ± {scale * row['error']:.2f}"


def _write(path: Path, played: Games) -> None:
    """One row for each game: the first seat to move (from 1), rounds, moves, scores, shares of the win."""
    import numpy as np

    columns = {"first_to_move": played.starters + 1, "rounds": played.rounds, "moves": played.lengths}
    for seat in range(played.scores.shape[1]):
        columns[f"score{seat + 1}"] = played.scores[:, seat]
        columns[f"win{seat + 1}"] = played.wins()[:, seat]
    if path.suffix == ".npz":
        np.savez_compressed(path, allow_pickle=False, **columns)
        return
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(columns)
        rows.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
