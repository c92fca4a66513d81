"""Pages that think: the bots of a table think in the page of the one person who plays with them.

`page_for` alone decides who thinks about a bot's turn: a page, if it has said that it can, at a table where
one person plays, nothing is ranked, and the bot is one of our levels; otherwise the server, in its pool. So
nothing depends on what a page says but the game of its own visitor; that a move is legal is checked here.
If the page leaves, is hidden, fails or takes too long, the server thinks instead.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from azulejos.bots.levels import LevelBot
from azulejos.bots.words import open as open_bot, split_time
from azulejos.core.chance import mixed
from azulejos.core.position import Position
from azulejos.web.edition import ALONE
from azulejos.web.work.bots import Thought

if TYPE_CHECKING:
    from azulejos.web.tables.live_table import LiveTable

PATIENCE: Final = 3.0
"""Seconds besides the time of a bot that an answer may take on its way, ..."""
ALONE: Final = 60.0
"""... and where nobody else could think (web/alone)."""


class Away(Exception):
    """The page does not answer; the text says why."""


@dataclass(frozen=True, kw_only=True)
class PageTurn:
    """A bot's turn, as its page gets it."""

    task: int
    level: str
    row: bytes
    """The position."""
    seconds: float
    seed: int
    """The state of a random generator."""


@dataclass(eq=False)
class ThinkingPage:
    """A page that can think at the moment."""

    ask: Callable[[PageTurn], Awaitable[None]]
    """Sends it a turn; raises Away."""
    plays: Callable[[], frozenset[int]]
    """The seats of its visitor."""
    patience: float = field(default_factory=lambda: PATIENCE if made() is None else ALONE)
    late: bool = False
    """It has not answered in time, and is not asked again before it does."""
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(random.getrandbits(48)))
    """Of questions. The same page may still answer one of an earlier connection."""
    _asked: dict[int, asyncio.Future[Thought]] = field(default_factory=dict)

    async def choose(self, position: Position, level: str, seconds: float) -> Thought:
        """What the bot plays; raises Away."""
        task = next(self._numbers)
        answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        self._asked[task] = answer
        seed = mixed(random.getrandbits(32), 1)[0]
        turn = PageTurn(task=task, level=level, row=position.packed, seconds=seconds, seed=seed)
        try:
            async with asyncio.timeout(seconds + self.patience):
                await self.ask(turn)
                thought = await answer
        except TimeoutError:
            self.late = True
            raise Away("it took too long") from None
        finally:
            del self._asked[task]
        if thought.action not in position.legal_actions():
            raise Away("it found no legal action")
        return thought

    def answer(self, task: int, thought: Thought) -> None:
        """What the page has found; too late, if nobody waits for it any more."""
        self.late = False
        answer = self._asked.get(task)
        if answer is not None and not answer.done():
            answer.set_result(thought)

    def leave(self) -> None:
        """It cannot think any more."""
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Away("it has left, or is hidden"))


def page_for(table: LiveTable, word: str) -> ThinkingPage | None:
    """The page that thinks about the turn of a bot; None: the server does."""
    if table.saved.nodes or level_of(word) is None:
        return None
    pages = [page for page in reversed(table.pages) if not page.late]
    if not ALONE:
        pages = [page for page in pages if table.lone_seat in page.plays()]
    return next(iter(pages), None)


def level_of(word: str) -> LevelBot | None:
    """The level that a bot's word names, if it is one: pages know no other bots."""
    bot = open_bot(split_time(word)[0]) if word.startswith("level:") else None
    return bot if isinstance(bot, LevelBot) else None


def levels_for(table: LiveTable, seats: frozenset[int]) -> list[LevelBot]:
    """The bots of a table that a page of these seats may think for."""
    if (not ALONE and table.lone_seat not in seats) or table.saved.nodes or table.over:
        return []
    return [level for seat in table.seats if (level := level_of(seat.bot)) is not None]
