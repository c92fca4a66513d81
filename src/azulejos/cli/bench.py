"""Measure how many complete random games per second this machine plays."""

from __future__ import annotations

import itertools
import json
import time

import click

from azulejos.cli.common import (
    complaints,
    console,
    json_option,
    progress,
    results_table,
    seconds_option,
)
from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game, Preset

FIRST_BATCH = 50
COLUMNS = "box", "players", "games/s", "moves/s"


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--players", "-n", type=click.IntRange(MIN_SEATS, MAX_SEATS), multiple=True,
              help="Number of seats; can be repeated. Default: all.")
@seconds_option("CPU time for each line of the table.", 0.5)
@json_option
def bench(names: tuple[str, ...], players: tuple[int, ...], seconds: float, as_json: bool) -> None:
    """Measure complete random games per second on one core, for all boxes or only those named."""
    with complaints():
        boxes = [registry.find(name) for name in names] or list(registry.presets().values())
    seats = players or tuple(range(MIN_SEATS, MAX_SEATS + 1))
    rows = []
    with progress() as bar:
        task = bar.add_task("", total=len(boxes) * len(seats))
        for (game, preset), count in itertools.product(boxes, seats):
            bar.update(task, description=f"{preset.name}, {count} players")
            rows.append((preset.name, count, *_rates(game, preset, count, seconds)))
            bar.advance(task)
    if as_json:
        click.echo(json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows]))
    else:
        _print_rates(rows)


def _rates(game: Game, preset: Preset, players: int, seconds: float) -> tuple[float, float]:
    """Games and moves per second of CPU time, without compilation."""
    from azulejos.engine.playout import random_games

    options = game.read_options(preset.options)
    random_games(game, players, options, seed=0, count=1)
    games = moves = 0
    batch, spent = FIRST_BATCH, 0.0
    while spent < seconds:
        began = time.process_time()
        played = random_games(game, players, options, seed=games, count=batch)
        spent += time.process_time() - began
        games += batch
        moves += int(played.lengths.sum())
        batch *= 2
    return games / spent, moves / spent


def _print_rates(rows: list[tuple[str, int, float, float]]) -> None:
    shown = results_table(*COLUMNS, words=("box",))
    for name, players, games, moves in rows:
        shown.add_row(name, f"{players}", f"{games:,.0f}", f"{moves:,.0f}")
    console().print(shown)
