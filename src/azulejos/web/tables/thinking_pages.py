"""Pages that think: the bots of a table think in the page of the one person who plays with them, and so do
the judge who hints and the coach.

`page_of` alone decides who thinks: a page, if it has said that it can, at a table where one person plays
and nothing is ranked; otherwise the server, in its pool. (Of bots it knows our levels, of the judge's work
the searches.) So nothing depends on what a page says but the game of its own visitor; that a move is legal
is checked here. If the page leaves, is hidden, fails or takes too long, the server thinks instead.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from azulejos.bots.levels import LevelBot
from azulejos.bots.words import open as open_bot, split_time
from azulejos.core.chance import mixed
from azulejos.core.position import Position
from azulejos.insight.judge import FoundBest, WantedSearches
from azulejos.web.edition import ALONE
from azulejos.web.work.bots import Thought

if TYPE_CHECKING:
    from azulejos.web.tables.live_table import LiveTable

PATIENCE: Final = 3.0
"""Seconds besides the time of a bot that an answer may take on its way, ..."""
LONE_PATIENCE: Final = 60.0
"""... and where nobody else could think (web/alone)."""
SLOWEST: Final = 50_000
"""Nodes a second of a page that is not late."""
FOLLOWED: Final = 8
"""Decisions of a line that is followed, about; ..."""
MOST_FOLLOWED: Final = 600_000
"""... what is solved already needs few nodes, whatever the limit."""

log = logging.getLogger("azulejos.web")


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


@dataclass(frozen=True, kw_only=True)
class PageSearches:
    """What a judge wants to know, as the page gets it."""

    task: int
    wanted: WantedSearches


@dataclass(eq=False)
class ThinkingPage:
    """A page that can think at the moment, about one thing at a time."""

    ask: Callable[[PageTurn | PageSearches], Awaitable[None]]
    """Sends it a question; raises Away."""
    plays: Callable[[], frozenset[int]]
    """The seats of its visitor."""
    patience: float = field(default_factory=lambda: LONE_PATIENCE if ALONE else PATIENCE)
    searches: bool = False
    """Whether it has read what a judge needs."""
    late: bool = False
    """It has not answered in time, and is not asked again before it does."""
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(random.getrandbits(48)))
    """Of questions. The same page may still answer one of an earlier connection."""
    _asked: dict[int, tuple[type, asyncio.Future[Any]]] = field(default_factory=dict)
    """What is waited for, and of what type."""
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)
    _gone: bool = False

    async def choose(self, position: Position, level: str, seconds: float) -> Thought:
        """What the bot plays; raises Away."""
        task, seed = next(self._numbers), mixed(random.getrandbits(32), 1)[0]
        turn = PageTurn(task=task, level=level, row=position.packed, seconds=seconds, seed=seed)
        thought: Thought = await self._answered(turn, Thought, seconds)
        if thought.action not in position.legal_actions():
            raise Away("it found no legal action")
        return thought

    async def look(self, wanted: WantedSearches) -> Sequence[FoundBest]:
        """What the page finds out about positions; raises Away."""
        nodes = sum(min(one.nodes, MOST_FOLLOWED) * (FOLLOWED if one.out else 1) for one in wanted.searches)
        task = PageSearches(task=next(self._numbers), wanted=wanted)
        found: Sequence[FoundBest] = await self._answered(task, list, nodes / SLOWEST)
        return found

    async def _answered(self, question: PageTurn | PageSearches, kind: type, seconds: float) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        try:
            await asyncio.wait_for(self._one.acquire(), self.patience)
        except TimeoutError:
            raise Away("it is busy with something else") from None
        try:
            if self._gone or self.late:
                raise Away("it has left, or is late")
            self._asked[question.task] = kind, answer
            async with asyncio.timeout(seconds + self.patience):
                await self.ask(question)
                return await answer
        except TimeoutError:
            self.late = True
            raise Away("it took too long") from None
        finally:
            self._asked.pop(question.task, None)
            self._one.release()

    def answer(self, task: int, found: object) -> None:
        """What the page has found; too late, if nobody waits for it any more."""
        self.late = False
        kind, answer = self._asked.get(task, (None, None))
        if answer is not None and not answer.done() and kind is type(found):
            answer.set_result(found)

    def leave(self) -> None:
        """It cannot think any more."""
        self._gone = True
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(Away("it has left, or is hidden"))


def page_of(table: LiveTable) -> ThinkingPage | None:
    """The page that thinks for a table; None: the server does."""
    if table.saved.nodes:
        return None
    pages = [page for page in reversed(table.pages) if not page.late]
    if not ALONE:
        pages = [page for page in pages if table.lone_seat in page.plays()]
    return next(iter(pages), None)


def page_for(table: LiveTable, word: str) -> ThinkingPage | None:
    """The page that thinks about the turn of a bot."""
    return None if level_of(word) is None else page_of(table)


async def looked_up(page: ThinkingPage | None, asked: bytes) -> bytes:
    """What a judge in a worker wants to know about positions, from a page; nothing if it has to search
    itself."""
    if page is None or not page.searches:
        return b""
    try:
        return msgspec.json.encode(await page.look(msgspec.json.decode(asked, type=WantedSearches)))
    except Away as away:
        log.info("the server judges instead of a page: %s", away)
        return b""


def level_of(word: str) -> LevelBot | None:
    """The level that a bot's word names, if it is one: pages know no other bots."""
    bot = open_bot(split_time(word)[0]) if word.startswith("level:") else None
    return bot if isinstance(bot, LevelBot) else None


def levels_for(table: LiveTable, seats: frozenset[int]) -> list[LevelBot]:
    """The bots of a table that a page of these seats may think for."""
    if (not ALONE and table.lone_seat not in seats) or table.saved.nodes or table.over:
        return []
    return [level for seat in table.seats if (level := level_of(seat.bot)) is not None]
