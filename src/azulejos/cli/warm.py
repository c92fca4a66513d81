"""Compile the rules of every game once, so that nobody waits for it later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import click

from azulejos.cli.common import console, progress
from azulejos.core import jit, registry, warmth
from azulejos.core.game import MIN_SEATS, Game


class Chore(NamedTuple):
    what: str
    do: Callable[[], object]


@click.command()
def warm() -> None:
    """Compile everything for all games; the result is kept on disk until the sources change."""
    out = console()
    if not jit.enabled():
        out.print("AZULEJOS_JIT=0: nothing is compiled.")
        return
    chores = [chore for game in registry.games() for chore in _chores(game)]
    with progress() as bar:
        task = bar.add_task("", total=len(chores))
        for chore in chores:
            bar.update(task, description=f"compiling {chore.what}")
            chore.do()
            bar.advance(task)
    out.print(f"{len(chores)} parts compiled, in {jit.cache_root()}", markup=False)


def _chores(game: Game) -> Iterator[Chore]:
    from azulejos.bots.warmth import warm as warm_bots
    from azulejos.engine.perft import perft
    from azulejos.engine.playout import random_games

    yield Chore(f"{game.name}: the rules", lambda: warmth.warm_doors(game))
    yield Chore(f"{game.name}: whole games", lambda: random_games(game, MIN_SEATS, {}, seed=0, count=1))
    yield Chore(f"{game.name}: counting", lambda: perft(game, game.start(MIN_SEATS, {}), 1))
    yield Chore(f"{game.name}: bots", lambda: warm_bots(game))
