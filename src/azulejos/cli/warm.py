"""Compile the rules of every game once, so that nobody waits for it later."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import click

from azulejos.cli.common import console, progress
from azulejos.core import jit, registry, warmth
from azulejos.core.game import MIN_SEATS, Game
from azulejos.core.position import Position

SEATS_WARMED = (2, 3)
"""Bots think about two seats in another way than about more."""

THOUGHT = 200
"""Nodes."""


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
    from azulejos.bots.registry import words
    from azulejos.engine.perft import perft
    from azulejos.engine.playout import random_games

    yield Chore(f"{game.name}: the rules", lambda: warmth.warm_doors(game))
    yield Chore(f"{game.name}: whole games", lambda: random_games(game, MIN_SEATS, {}, seed=0, count=1))
    yield Chore(f"{game.name}: counting", lambda: perft(game, game.start(MIN_SEATS, {}), 1))
    for word, players in itertools.product(words(), SEATS_WARMED):
        think = functools.partial(_think, game, word, players)
        yield Chore(f"{game.name}: {word} with {players} seats", think)


def _think(game: Game, word: str, players: int) -> None:
    """One short thought takes a bot through everything that it compiles."""
    from azulejos.bots import Budget, make

    position = Position(game, game.presets[0], players, {})
    position.deal(random.Random(0))
    make(word).choose(position, Budget(nodes=THOUGHT))
