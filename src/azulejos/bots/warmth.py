"""Nobody waits for a compiler: a bot with a clock searches interpreted until compiled code lies ready."""

from __future__ import annotations

import random
import subprocess
import sys
import threading

from azulejos.bots.bot import Budget
from azulejos.core import jit, registry
from azulejos.core.game import Game
from azulejos.core.position import Position
from azulejos.engine import solver
from azulejos.engine.ahead import STAGE

WORDS = ("greedy", "search", "level:1", "level:3")
SEATS = (2, 3)
"""Two seats are searched in another way than more."""

_helpers: dict[str, threading.Thread] = {}


def functions(game: Game, budget: Budget) -> jit.Binding:
    """The search's functions: compiled, unless a clock runs and compiling would take longer.

    A helper process then fills the cache; interpreted search is some five hundred times slower.
    """
    if budget.time_limit is None or not jit.enabled() or is_warm(game):
        return game.compiled
    if game.name not in _helpers:
        _helpers[game.name] = _start_helper(game)
    return game.interpreted


def is_warm(game: Game) -> bool:
    return jit.is_warm(game.rules, solver.__name__)


def warm(game: Game) -> None:
    """Compile everything that bots need for a game: one short thought of each takes them through it."""
    from azulejos.bots.analysis import analyse
    from azulejos.bots.registry import make

    for players in SEATS:
        position = Position(game, game.presets[0], players, {})
        position.deal(random.Random(0))
        for word in WORDS:
            make(word).choose(position, Budget(nodes=50))
        analyse(position, Budget(nodes=50))
    _warm_deals(game)
    if jit.enabled():
        jit.mark_warm(game.rules, solver.__name__)


def _warm_deals(game: Game) -> None:
    """The look beyond the deal comes when a round is solved: play until some stages of it were needed."""
    from azulejos.bots.memory import is_solvable
    from azulejos.bots.search import SearchBot

    position, rng = Position(game, game.presets[0], 2, {}), random.Random(0)
    bot, deals = SearchBot(), 0
    while is_solvable(position) and deals <= STAGE and not position.is_over:
        position.deal(rng)
        if not position.is_over:
            choice = bot.choose(position, Budget(nodes=30_000))
            deals = choice.deals
            position.play(int(choice.action))


def _start_helper(game: Game) -> threading.Thread:
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    command = [sys.executable, "-m", __name__, game.name]
    thread = threading.Thread(target=subprocess.run, args=(command,), kwargs=quiet, daemon=True)
    thread.start()
    return thread


def _main(names: list[str]) -> None:
    for game in registry.games():
        if game.name in names:
            warm(game)


if __name__ == "__main__":
    _main(sys.argv[1:])
