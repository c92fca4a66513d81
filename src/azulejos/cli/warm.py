"""Compile games for this machine, for simulations, training and the last third of a search's speed.

    azulejos warm
    azulejos warm azul
"""

from __future__ import annotations

import os

import click

from azulejos.cli.common import complaints, console, progress
from azulejos.core import code_cache, jit, registry


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--processes", "-p", default=os.cpu_count() or 1, show_default="all cores",
              type=click.IntRange(min=1), help="Number of games to compile at the same time.")
def warm(games: tuple[str, ...], processes: int) -> None:
    """Compile everything for each GAME (default: all) and keep it on disk until the sources change.

    Nothing needs it to play: until then bots use what is shipped (azulejos build).
    """
    from azulejos.arena.workers import workers

    with complaints():
        names = list(dict.fromkeys(registry.find(name)[0].name for name in games or registry.presets()))
    out = console()
    if not jit.enabled():
        out.print("AZULEJOS_JIT=0: nothing is compiled.")
        return
    with progress() as bar:
        task = bar.add_task("compiling", total=len(names))
        for name in workers(min(processes, len(names))).map(_compile, names):
            bar.update(task, description=f"compiled {name}")
            bar.advance(task)
    out.print(f"{', '.join(names)}: compiled, in {code_cache.cache_root()}", markup=False)


def _compile(name: str) -> str:
    """Compile one game, possibly in a separate process."""
    import numba  # noqa: F401 - or the extra `fast` is named

    from azulejos.insight.compiled import compile_all

    compile_all(next(game for game in registry.games() if game.name == name))
    return name
