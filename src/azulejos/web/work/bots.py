"""The bots at the tables: which can sit down, and how they get to think."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from azulejos.bots import Bot, Level, Limit, levels, open as open_bot
from azulejos.bots.simple import RandomBot
from azulejos.bots.words import in_times, program_levels, split_time
from azulejos.core.game import Game
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.protocol.external import ExternalBot
from azulejos.web.work.pool import STARTING, JobFailed, Lane, Pool, PoolJob
from azulejos.web.work.thinker import BaseThinker, JobLimits

log = logging.getLogger("azulejos.web")

DUST = Level(name=msg("Dust"), word="random", strength=msg("Plays any legal move at random."))
"""Needs no search, so it runs in the server's process."""

TIMES = (1, 3, 10)
"""Seconds per move that can be chosen for the strongest level."""

LONGEST = float(max(TIMES))
"""Seconds that any bot may think about a move."""

FIRST_OPPONENT = "level:2"
"""The bot that a first visitor meets: families should win some of their first games, and level 3 already
wins nine of ten against this one."""

PREPARING = 30.0
"""Seconds that an external program has to start: other bots queue behind it."""


def offered(game: Game, players: int = 2, options: Mapping[str, str] | None = None) -> tuple[Level, ...]:
    """The bots that can sit down at a table, weakest first."""
    *others, strongest = levels(game, players, options)
    return (DUST, *others, *in_times(strongest, *TIMES), *program_levels())


# --- in the server -----------------------------------------------------------------------------------


class FixedEffort(msgspec.Struct, frozen=True):
    """A search that gives the same answer on every machine."""

    nodes: int
    seed: str
    """Of the random numbers that the bot may use."""


class BotTurn(msgspec.Struct, frozen=True):
    """A bot's turn, as its thinker gets it."""

    word: str
    position: str
    effort: FixedEffort | None = None
    """How much to search whatever time that takes; None: as long as it is given."""


class Thought(msgspec.Struct, frozen=True):
    action: int
    nodes: int


@dataclass(frozen=True, kw_only=True)
class Asker:
    """Where a turn is to be played, and who pays for the thought."""

    owner: str = ""
    table: str = ""
    watched: Callable[[], bool] = lambda: True
    queued: Callable[[], None] = lambda: None
    """Called if the bot has to wait."""
    started: Callable[[float], None] = lambda seconds: None
    """Called with the seconds that it gets when it begins to think."""


UNHURRIED = 3600.0
"""Seconds that a choice may wait for which nobody waits."""


async def choose(
    pool: Pool, word: str, position: Position, seconds: float, asker: Asker | None = None, *,
    effort: FixedEffort | None = None, longest: float = LONGEST, unhurried: bool = False,
) -> Thought:
    """A bot's choice, within `seconds` unless the word brings its own time or there is an `effort`;
    `unhurried` if nobody waits for it.

    If the bot itself fails, a legal move is played, so that the table goes on.
    """
    name, own_seconds = split_time(word)
    if name == DUST.word:
        return _any_move(position, effort)
    asker = asker or Asker()
    job = PoolJob(
        kind=__name__, lane=Lane.LATER if unhurried else Lane.TABLES,
        patience=UNHURRIED if unhurried else STARTING, owner=asker.owner,
        group=asker.table, watched=asker.watched,
        queued=asker.queued, started=asker.started, seconds=min(longest, own_seconds or seconds),
        asked=BotTurn(word=name, position=position.text(), effort=effort),
    )
    try:
        return msgspec.json.decode(await pool.do(job), type=Thought)
    except JobFailed as failed:
        log.error("the bot %s failed at %s, so it played any legal move: %s", word, position, failed)
        return _any_move(position, effort)


def _any_move(position: Position, effort: FixedEffort | None) -> Thought:
    if effort is not None:
        return same_choice(RandomBot(), position, effort)
    return Thought(random.choice(position.legal_actions()), 1)


# --- in a worker -------------------------------------------------------------------------------------


class Thinker(BaseThinker):
    question = BotTurn

    def __init__(self) -> None:
        self._bots: dict[str, Bot] = {}

    def close(self) -> None:
        for bot in list(self._bots.values()):
            bot.close()

    def answers(self, question: BotTurn, limits: JobLimits) -> Iterator[Any]:
        yield self._thought(question, limits)

    def _thought(self, turn: BotTurn, limits: JobLimits) -> Thought:
        position = Position.from_text(turn.position)
        if turn.effort is not None:
            return same_choice(self._bot(turn.word), position, turn.effort)
        limit = Limit(seconds=limits.seconds, stop=limits.stop)
        result = self._bot(turn.word).play(position, limit, rng=random.Random())
        return Thought(position.game.moves.number(result.move), result.nodes)

    def _bot(self, word: str) -> Bot:
        if word not in self._bots:
            self._bots[word] = hurried(open_bot(word))
        return self._bots[word]


def same_choice(bot: Bot, position: Position, effort: FixedEffort) -> Thought:
    """The choice of a bot, alike on every machine."""
    result = bot.play(position, Limit(nodes=effort.nodes), rng=random.Random(effort.seed))
    return Thought(position.game.moves.number(result.move), result.nodes)


def hurried(bot: Bot) -> Bot:
    if isinstance(bot, ExternalBot):
        bot.limits = replace(bot.limits, preparing=PREPARING)
    return bot
