"""Bots run in separate processes, so that neither thinking nor compiling blocks a table.

Until a game is compiled (once per machine, by ``azulejos warm`` in the background), its bots run the same
functions interpreted: weaker, but available at once.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace

from azulejos.bots import Bot, Level, Limit, levels
from azulejos.bots import open as open_bot
from azulejos.bots.compiled import fill_cache, is_warm
from azulejos.bots.words import in_times, program_levels, programs
from azulejos.core import jit
from azulejos.core.game import Game
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.protocol.external import ExternalBot

log = logging.getLogger("azulejos.web")

DUST = Level(name=msg("Dust"), word="random", strength=msg("Plays any legal move at random."))
"""Needs no search, so it runs in the server's process."""

TIMES = (1, 3, 10)
"""Seconds per move that can be chosen for the strongest level."""

USUAL_LEVEL = 2
"""Index of the level that is selected by default."""

PREPARING = 30.0
"""Seconds that an external program has to start: other bots queue behind it."""


@dataclass(frozen=True, slots=True)
class Thought:
    action: int
    nodes: int


def offered(game: Game, players: int = 2, options: Mapping[str, str] | None = None) -> tuple[Level, ...]:
    """The bots that can sit down at a table, weakest first."""
    *others, strongest = levels(game, players, options)
    return (DUST, *others, *in_times(strongest, *TIMES), *program_levels())


class Thinkers:
    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._warming: asyncio.Task[None] | None = None

    async def choose(self, word: str, position: Position, seconds: float) -> Thought:
        """A bot's choice. If the bot fails, a legal move is played instead, so that the table goes on."""
        if word != DUST.word:
            try:
                loop = asyncio.get_running_loop()
                asked = (word, position.text(), seconds, jit.enabled())
                return await loop.run_in_executor(self._workers(), _think, *asked)
            except BrokenProcessPool:
                log.exception("the bots' processes ended")
                self._drop()
            except Exception:
                log.exception("the bot %s failed at %s", word, position)
        return Thought(random.choice(position.legal_actions()), 1)

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                max(1, (os.cpu_count() or 2) - 1), multiprocessing.get_context("spawn")
            )
        return self._pool

    def _drop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=False)
            self._pool = None

    # --- compiling in the background -----------------------------------------------------------------

    def warm_up(self) -> None:
        if jit.enabled():
            self._warming = asyncio.get_running_loop().create_task(self._compile())

    async def _compile(self) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "azulejos", "warm", "--background", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await process.wait()
        except asyncio.CancelledError:
            process.terminate()
            await process.wait()
            raise

    async def close(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        if self._pool is not None:
            for process in list(self._pool._processes.values()):  # they may be searching
                process.terminate()
            self._drop()


# --- in the workers ----------------------------------------------------------------------------------

_bots: dict[str, Bot] = {}


def _think(word: str, text: str, seconds: float, compiling: bool) -> Thought:
    """Choose a move, with compiled code once all code of the game is compiled."""
    position = Position.from_text(text)
    own = word not in programs()  # external programs decide for themselves whether to compile
    ready = is_warm(position.game)
    if compiling and own and not ready:
        fill_cache(position.game)  # compile the game being played first
    os.environ["AZULEJOS_JIT"] = str(int(compiling and (ready or not own)))
    if word not in _bots:
        _bots[word] = _hurried(open_bot(word))
    result = _bots[word].play(position, Limit(seconds=seconds), rng=random.Random())
    return Thought(position.game.moves.number(result.move), result.nodes)


def _hurried(bot: Bot) -> Bot:
    if isinstance(bot, ExternalBot):
        bot.limits = replace(bot.limits, preparing=PREPARING)
    return bot
