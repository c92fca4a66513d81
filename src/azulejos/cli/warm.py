"""Compile rules and bots in advance.

    azulejos warm
    azulejos warm azul
    azulejos warm --rules-only
"""

from __future__ import annotations

import os
from functools import partial

import click

from azulejos.cli.common import complaints, console, progress
from azulejos.core import code_cache, jit, registry, warmth


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option("--processes", "-p", default=os.cpu_count() or 1, show_default="all cores",
              type=click.IntRange(min=1), help="Number of games to compile at the same time.")
@click.option("--rules-only", is_flag=True, help="Compile only the rules and random games, not the bots.")
@click.option("--background", is_flag=True,
              help="Run at low priority, skip what another process compiles, stop at the end of the input.")
def warm(games: tuple[str, ...], processes: int, rules_only: bool, background: bool) -> None:
    """Compile everything for each GAME (default: all) and keep it on disk until the sources change."""
    from azulejos.arena.workers import workers

    with complaints():
        names = list(dict.fromkeys(registry.find(name)[0].name for name in games or registry.presets()))
    out = console()
    if not jit.enabled():
        out.print("AZULEJOS_JIT=0: nothing is compiled.")
        return
    if background:
        warmth.step_back()
        processes = 1
    task_of = partial(_compile, rules_only=rules_only, wait=not background)
    with progress() as bar:
        task = bar.add_task("compiling", total=len(names))
        for name in workers(min(processes, len(names))).map(task_of, names):
            bar.update(task, description=f"compiled {name}")
            bar.advance(task)
    out.print(f"{', '.join(names)}: compiled, in {code_cache.cache_root()}", markup=False)


def _compile(name: str, *, rules_only: bool, wait: bool) -> str:
    """Compile one game, possibly in a separate process."""
    from azulejos.bots.compiled import compile_all
    from azulejos.insight.puzzles.compiled import PUZZLES

    (game,) = (game for game in registry.games() if game.name == name)
    compile_all(game, rules_only=rules_only, wait=wait)
    if not rules_only:
        warmth.make_ready(game, PUZZLES, wait=wait)
    return name
