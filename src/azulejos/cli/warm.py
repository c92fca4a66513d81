"""Compile rules and bots once, so that nobody waits for it later.

    azulejos warm
    azulejos warm azul
"""

from __future__ import annotations

import os

import click

from azulejos.cli.common import complaints, console, progress
from azulejos.core import jit, registry, warmth
from azulejos.core.game import MIN_SEATS


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--processes", "-p", default=os.cpu_count() or 1, show_default="all cores",
              type=click.IntRange(min=1), help="Games compiled at the same time.")
def warm(games: tuple[str, ...], processes: int) -> None:
    """Compile everything for GAME (or all games); the result is kept on disk until the sources change."""
    from azulejos.arena.workers import workers

    with complaints():
        names = sorted({registry.find(name)[0].name for name in games or registry.presets()})
    out = console()
    if not jit.enabled():
        out.print("AZULEJOS_JIT=0: nothing is compiled.")
        return
    with progress() as bar:
        task = bar.add_task("compiling", total=len(names))
        for name in workers(min(processes, len(names))).map(_compile, names):
            bar.update(task, description=f"compiled {name}")
            bar.advance(task)
    out.print(f"{', '.join(names)}: compiled, in {jit.cache_root()}", markup=False)


def _compile(name: str) -> str:
    """Everything about one game; maybe in a process of its own."""
    from azulejos.bots.warmth import warm as warm_bots
    from azulejos.engine.perft import perft
    from azulejos.engine.playout import random_games

    (game,) = (game for game in registry.games() if game.name == name)
    warmth.warm_doors(game)
    random_games(game, MIN_SEATS, {}, seed=0, count=1)
    perft(game, game.start(MIN_SEATS, {}), 1)
    warm_bots(game)
    return name
