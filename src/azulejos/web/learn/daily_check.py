"""Whether a game of the daily deal counts, and what par is: games are played again, as jobs of the pool."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import msgspec

from azulejos.bots import Bot, open as open_bot
from azulejos.bots.simple import RandomBot
from azulejos.core import jit
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.web.learn.daily import (
    BOT_VISITOR, FOREIGN, FORGED, GRACE, LATE, OTHER, OTHER_BOT, PAR_NODES, PAR_PLAYER, RANKED, SEAT,
    DailyDeal, DailyStore, FirstGame, day_of, new_deal,
)
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, PLAYED, SavedTable, Unreplayable, now, replayed
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.table_record import record_of, table_of
from azulejos.web.work.bots import FixedEffort, same_choice
from azulejos.web.work.pool import JobFailed, Lane, Pool, PoolJob, Unanswered
from azulejos.web.work.thinker import BaseThinker, JobLimits

# --- games that follow from the seed -----------------------------------------------------------------


class ParPlayer(NamedTuple):
    """A bot, and how many positions it searches for an action."""

    bot: Bot
    nodes: int


def repeated_answer(player: ParPlayer, position: Position, seed: str) -> int:
    """What the bot of a table with this seed plays. If it fails, the table plays any legal move for it."""
    effort = FixedEffort(player.nodes, fair_deal.bot_seed(seed, position.ply))
    asked = Position.from_text(position.text())
    try:
        return same_choice(player.bot, asked, effort).action
    except Exception:  # as at the table: whatever it is, the game goes on
        return same_choice(RandomBot(), asked, effort).action


def play_out(position: Position, seed: str, players: Sequence[ParPlayer]) -> None:
    """Play a game from its start to its end, one bot for each seat."""
    dealer = fair_deal.Dealer(seed)
    while not position.is_over:
        if position.is_chance:
            position.play(dealer.draw(position))
        else:
            position.play(repeated_answer(players[position.to_move], position, seed))


def margin(position: Position, seat: int) -> int:
    """How far a seat is ahead of the best other one; negative: behind."""
    scores = position.scores
    return int(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))


# --- one game ----------------------------------------------------------------------------------------


class Check(msgspec.Struct, frozen=True):
    """What a worker gets: a game to check, or one to play."""

    deal: DailyDeal
    record: str = ""
    player: str = PAR_PLAYER
    """Without a record: the bot that plays on the seat of the person."""


class CheckedGame(msgspec.Struct, frozen=True):
    """The verdict about a game; margin and points of the person if it counts."""

    verdict: str
    margin: int | None = None
    points: int | None = None


def examine(record: str, deal: DailyDeal) -> CheckedGame:
    """Replay a game and compare it with what the deal determines."""
    try:
        table = table_of(Record.read(record))
        position = replayed(table).position
    except (ValueError, Unreplayable):
        return CheckedGame(FORGED)
    verdict = fault(table, deal)
    if verdict:
        return CheckedGame(verdict)
    return CheckedGame(RANKED, margin(position, SEAT), int(position.scores[SEAT]))


def fault(table: SavedTable, deal: DailyDeal) -> str:
    """Why a game that replays does not count; empty if it does."""
    if is_late(table, deal):
        return LATE
    if not _is_of_deal(table, deal) or not _is_dealt(table, deal):
        return FORGED
    return "" if _is_answered(table, deal) else OTHER_BOT


def is_late(table: SavedTable, deal: DailyDeal) -> bool:
    last = max((entry.at for entry in table.actions), default=0)
    return day_of(table.created) != deal.day or last / 1000 >= deal.closes.timestamp()


def _is_of_deal(table: SavedTable, deal: DailyDeal) -> bool:
    """Whether it is a whole game of the deal, by a person against the bot, with nothing taken back."""
    usual = deal.table(name=table.seats[SEAT].name, opponent="", ranked=True)
    same = ("box", "players", "options", "rules_version", "start_position", "dealt_from", "nodes", "ranked",
            "contest", "minutes")
    person, bot = table.seats[SEAT], table.seats[OTHER]
    return (
        all(getattr(table, name) == getattr(usual, name) for name in same) and table.state == FINISHED
        and (person.kind, person.bot, person.guest) == (HUMAN, "", "")
        and (bot.kind, bot.bot) == (BOT, deal.bot)
        and all(entry.event == PLAYED for entry in table.actions) and table.replay().is_over
    )


def _is_dealt(table: SavedTable, deal: DailyDeal) -> bool:
    actions = [entry.action for entry in table.actions]
    promised = fair_deal.commitment(deal.seed)
    return fair_deal.verify(table.start(), actions, seed=deal.seed, promised=promised).honest


def _is_answered(table: SavedTable, deal: DailyDeal) -> bool:
    """Whether the bot played what it always plays there."""
    player, position = ParPlayer(open_bot(deal.bot), deal.nodes), table.start()
    for entry in table.actions:
        if position.to_move == OTHER and repeated_answer(player, position, deal.seed) != entry.action:
            return False
        position.play(entry.action)
    return True


def played_by_bot(deal: DailyDeal, word: str) -> CheckedGame:
    """The game of a bot on the seat of the person; that of the strongest level is par."""
    nodes = PAR_NODES if word == PAR_PLAYER else deal.nodes
    table = deal.table(name="", opponent="", ranked=True)
    position = table.start()
    players = {SEAT: ParPlayer(open_bot(word), nodes), OTHER: ParPlayer(open_bot(deal.bot), deal.nodes)}
    play_out(position, deal.seed, [players[seat] for seat in sorted(players)])
    return CheckedGame(RANKED, margin(position, SEAT), int(position.scores[SEAT]))


class Thinker(BaseThinker):
    question = Check

    def answers(self, question: Check, limits: JobLimits) -> Iterator[Any]:
        if question.record:
            yield examine(question.record, question.deal)
        else:
            yield played_by_bot(question.deal, question.player)


# --- the deals of a server ---------------------------------------------------------------------------


T = TypeVar("T")

EVERY = 60.0
"""Seconds until finished games are looked for again, if nothing ended here meanwhile."""

USUAL = 60.0
"""Seconds of a core for one check, or for par."""
LONGEST = 3600.0
"""Seconds that may pass meanwhile: others may use the core."""
RANK = 1
"""After reviews and cards, for which somebody waits."""
MOST_FAILURES = 3

log = logging.getLogger("azulejos.web")


class Daily:
    def __init__(
        self, store: Store, pool: Pool, *, clock: Callable[[], float] = lambda: now() / 1000
    ) -> None:
        self._tables, self._pool = store, pool
        self.store = DailyStore(store)
        self.clock = clock
        """Seconds since 1970."""
        self._today: DailyDeal | None = None
        self._awake = asyncio.Event()
        self._failures: Counter[str] = Counter()
        """By game: how often its check has failed."""

    # --- the deal of the day -----------------------------------------------------------------------

    async def today(self) -> DailyDeal:
        day = day_of(self.clock())
        if self._today is None or self._today.day != day:
            self._today = await self.store.deal(day) or await self.store.keep(new_deal(day))
        return self._today

    def is_closed(self, deal: DailyDeal) -> bool:
        return self.clock() >= deal.closes.timestamp()

    # --- in the background -------------------------------------------------------------------------

    def wake(self) -> None:
        """A ranked game has ended, or a first one was begun."""
        self._awake.set()

    @contextlib.asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Check games and find par while the context lasts."""
        task = asyncio.create_task(self._work_again_and_again())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _work_again_and_again(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._awake.wait()
            self._awake.clear()
            try:
                await self.check_games()
                await self.find_par()
                await self.let_bots_play()
            except (DatabaseFault, Unanswered, JobFailed) as error:
                log.warning("the daily deal: %s", error)

    async def check_games(self) -> None:
        """Give all finished games their verdicts. One that cannot be checked does not hold the others up:
        it comes after them, some times, and then not before the next start."""
        waiting = await self.store.unchecked()
        for attempt in sorted(waiting, key=lambda attempt: self._failures[attempt.game]):
            if self._failures[attempt.game] < MOST_FAILURES:
                await self._check(attempt)

    async def _check(self, attempt: FirstGame) -> None:
        async with self._tables.claim(f"daily game {attempt.game}") as ours:
            if not ours:
                return
            try:
                await self.store.settle(await self._judged(attempt))
            except (Unanswered, JobFailed) as error:
                self._failures[attempt.game] += 1
                log.error("the game %s of the daily deal was not checked: %r", attempt.game, error)

    async def _judged(self, attempt: FirstGame) -> FirstGame:
        table, deal = await self._tables.load(attempt.game), await self.store.deal(attempt.day)
        deal = deal.for_newcomers() if deal and attempt.easy else deal
        holders = await self._tables.holders(attempt.game)
        if table is None or deal is None or (SEAT, attempt.visitor) not in holders:
            return replace(attempt, verdict=FOREIGN)
        if table.contest != deal.contest:
            return replace(attempt, verdict=FOREIGN)
        found = await self._examined(table, deal)
        if found.verdict == FORGED:
            log.warning("table %s does not follow from the deal of %s", table.id, deal.day)
        return replace(attempt, verdict=found.verdict, margin=found.margin, points=found.points)

    async def _examined(self, table: SavedTable, deal: DailyDeal) -> CheckedGame:
        try:
            record = await asyncio.to_thread(lambda: record_of(table, with_secrets=True).write_json())
        except Unreplayable:
            return CheckedGame(FORGED)
        return await self._ask(Check(deal=deal, record=record), CheckedGame)

    async def find_par(self) -> None:
        """Find par of a deal that somebody plays. Interpreted, it would take hours."""
        since = day_of(self.clock() - GRACE.total_seconds())
        deal = await self.store.without_par(since=since) if jit.enabled() else None
        if deal is None:
            return
        async with self._tables.claim(f"par {deal.contest}") as ours:
            if ours:
                found = await self._ask(Check(deal=deal), CheckedGame)
                assert found.margin is not None
                await self.store.set_par(deal.day, found.margin, easy=deal.easy)
                await self._enter(deal, PAR_PLAYER, found)

    async def let_bots_play(self) -> None:
        """The other levels play the deals that somebody plays, too, so that nobody is alone."""
        since = day_of(self.clock() - GRACE.total_seconds())
        for deal, word in await self.store.without_bots(since=since) if jit.enabled() else []:
            async with self._tables.claim(f"daily bot {deal.contest} {word}") as ours:
                if ours:
                    played = await self._ask(Check(deal=deal, player=word), CheckedGame)
                    await self._enter(deal, word, played)

    async def _enter(self, deal: DailyDeal, word: str, found: CheckedGame) -> None:
        await self.store.enter(FirstGame(
            day=deal.day, visitor=f"{BOT_VISITOR}{word}", name="", easy=deal.easy,
            game=f"{deal.contest.removeprefix('daily/')}/{word}", verdict=RANKED, margin=found.margin,
            points=found.points,
        ))

    async def _ask(self, check: Check, kind: type[T]) -> T:
        answer = await self._pool.do(PoolJob(
            kind=__name__, lane=Lane.LATER, rank=RANK, seconds=USUAL, patience=LONGEST,
            asked=check,
        ))
        return msgspec.json.decode(answer, type=kind)
