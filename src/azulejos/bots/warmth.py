"""Nobody waits for a compiler: a bot with a clock searches interpreted until compiled code lies ready.

Whoever would rather wait calls `warm`. What is measured in processor time always waits.
"""

from __future__ import annotations

import contextlib
import logging
import random
import threading
from collections.abc import Iterator

from azulejos.core import jit, registry
from azulejos.core.game import Game
from azulejos.core.position import Position
from azulejos.core.warmth import apart
from azulejos.engine import solver
from azulejos.engine.ahead import STAGE
from azulejos.protocol.bot import Limit

WORDS = ("greedy", "search", "level:1", "level:3")
SEATS = (2, 3)
"""Two seats are searched in another way than more."""

_helpers: dict[str, threading.Thread] = {}
_loaded: set[Game] = set()
"""What this process has ready."""
_log = logging.getLogger(__name__)


def functions(game: Game, limit: Limit) -> jit.Binding:
    """The search's functions: compiled, unless somebody wants an answer before that can be done.

    A helper process then fills the cache; interpreted search is some five hundred times slower.
    """
    if not is_hasty(limit) or not jit.enabled() or is_warm(game):
        return game.compiled
    if limit.cpu:  # somebody measures: nothing counts before all is ready
        warm(game)
        return game.compiled
    if game.name not in _helpers:
        _log.warning(
            "The search of %s is not compiled yet, and some 500 times slower until it is, in a minute or "
            "two. azulejos.bots.warm(%r) waits for that; so does `azulejos warm` in a shell.",
            game.name, game.presets[0].name,
        )
    fill_cache(game)
    return game.interpreted


def is_hasty(limit: Limit) -> bool:
    """Whether a clock, or somebody's `stop` alone, ends the thinking: who counts nodes can wait."""
    return limit.time_limit is not None or limit.nodes is None


def is_warm(game: Game) -> bool:
    """Whether all that bots need for this game lies compiled in the cache."""
    return jit.is_warm(game.package, solver.__name__)


def warm(game: Game | str) -> None:
    """Make the bots of a game (or of a box, by its name) ready: returns when they think at full speed.

    Compiling takes a minute or two, once on a machine; from then on the code is loaded in seconds.
    With ``AZULEJOS_JIT=0`` there is nothing to wait for.
    """
    found = registry.find(game)[0] if isinstance(game, str) else game
    if not jit.enabled() or found in _loaded:
        return
    if is_warm(found):
        _think_of_everything(found)
    else:
        with _alone(found):
            _think_of_everything(found)
            jit.mark_warm(found.package, solver.__name__)
    _loaded.add(found)


def _think_of_everything(game: Game) -> None:
    """One short thought of each kind takes the bots through all that they have to compile or load."""
    from azulejos.bots.words import open as open_bot

    for players in SEATS:
        position = Position(game, game.presets[0], players, {})
        position.deal(random.Random(0))
        for word in WORDS:
            open_bot(word).play(position, Limit(nodes=50))
        open_bot("search").analyse(position, Limit(nodes=50))
    _warm_deals(game)


@contextlib.contextmanager
def _alone(game: Game) -> Iterator[None]:
    """One process at a time compiles a game; the next finds its work."""
    try:
        import fcntl
    except ImportError:  # not on this system: then several compile
        yield
        return
    jit.cache_root().mkdir(parents=True, exist_ok=True)
    with (jit.cache_root() / f"{game.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _warm_deals(game: Game) -> None:
    """The look beyond the deal comes when a round is solved: play until some stages of it were needed."""
    from azulejos.bots.search import SearchBot
    from azulejos.bots.workspaces import is_solvable

    position, rng = Position(game, game.presets[0], 2, {}), random.Random(0)
    bot, deals = SearchBot(), 0
    while is_solvable(position) and deals <= STAGE and not position.is_over:
        position.deal(rng)
        if not position.is_over:
            result = bot.play(position, Limit(nodes=30_000))
            deals = result.deals
            position.play(result.move)


def fill_cache(game: Game) -> threading.Thread:
    """Compile in a process of its own, unless one does so already; the thread ends with it."""
    if game.name not in _helpers:
        _helpers[game.name] = apart(f"from azulejos.bots import warm; warm({game.presets[0].name!r})")
    return _helpers[game.name]
