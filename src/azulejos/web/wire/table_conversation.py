"""The conversation with a page of a table: execute its commands and send it what happens.

Besides the two tasks of every conversation, one waits for hints, and one sends every moment that the page
does not show yet, whenever the table changes.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import AsyncIterator
from contextlib import suppress

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.core.scene import Scene
from azulejos.insight.judge import FoundBest
from azulejos.web.guard.budgets import in_thread
from azulejos.web.metrics import Histogram
from azulejos.web.refused import FULL, Refused
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.tables.people import AGAIN, PHRASES
from azulejos.web.tables.thinking_pages import (
    Away, PageSearches, PageTurn, ThinkingPage, levels_for, looked_up,
)
from azulejos.web.wire import choices, words
from azulejos.web.wire.account import account_of
from azulejos.web.wire.choices import hinted
from azulejos.web.wire.conversation import Conversation, Terms
from azulejos.web.wire.frame import Showing
from azulejos.web.wire.messages import (
    AddNumber, AnswerRequest, CanThink, Coach, Confirm, Done, EnterText, Explained, FoundMove, FromTable,
    GetHint, GetLog, GetPreview, GetReason, Hello, Hinted, JudgeMarked, Play, Previewed, PromisedMoment,
    Propose, Question, ReplacePlayer, ResumeSeat, Search, Searched, ServerMessage, ShowMoment, Speak,
    SpokenLine, Talk, TextAnswer, Think, Undo, WantedSearch, Weighed, WeighGame, read_from_table,
)
from azulejos.web.wire.page_engine import has_searching, prepared
from azulejos.web.wire.words import Viewer, viewer_of
from azulejos.web.work import moments
from azulejos.web.work.bots import Thought
from azulejos.web.work.moments import PlayedMoments, WeighedMoment
from azulejos.web.work.pool import Crowded, JobFailed, Lane, PoolJob, Spent, Unanswered

log = logging.getLogger("azulejos.web")


LOADING = 10.0
"""Seconds until a page has read what it needs to search; then the server does; and that long at most."""
LAST = 2
"""After hints and studies."""
MOST_NODES = 10**12
"""Positions that a page may say it has searched: the number is shown."""


class FrameTurns:
    """What all conversations at tables take turns at, so that none holds the others up for long.

    One frame of each kind at most is made before the event loop reads what has arrived meanwhile: moves are
    acknowledged before others are shown, even if many tables change at once.
    """

    def __init__(self, acknowledged: Histogram) -> None:
        self.question = asyncio.Lock()
        """Held while a question is answered, so that others wait for one at most."""
        self.player_frame = asyncio.Lock()
        """Held while a frame is made for somebody who plays, ..."""
        self.watcher_frame = asyncio.Lock()
        """... and for somebody who watches."""
        self.acknowledged = acknowledged
        """From a command of a player to its acknowledgement."""


class TableConversation(Conversation[FromTable]):
    longest = 4096

    def __init__(
        self, socket: WebSocket, lobby: Lobby, table: LiveTable, viewer: Viewer, terms: Terms,
        turns: FrameTurns,
    ) -> None:
        self.showing = Showing(table, viewer)
        super().__init__(socket, self.showing.plan, terms)
        self.lobby, self.table, self.viewer, self.turns = lobby, table, viewer, turns
        self.looking: int | None = None
        """The ply of the earlier moment that the page shows."""
        self._looking_up = asyncio.Lock()
        self._heard: int | None = None
        """The number of the last line of the chat that was sent; None: nothing was sent yet."""
        self._woken = asyncio.Event()
        self._greeted = asyncio.Event()
        self._hint: GetHint | None = None
        """The step of a hint that is being waited for."""
        self._hint_asked = asyncio.Event()
        self._told: dict[bool, str] = {}
        """The address of the memory that the page was told to read: the one with networks, or without."""
        self._helps = False
        """Whether the visitor wants hints or the coach, for which the page searches."""
        self._alone = asyncio.Event()
        """The page may think: it shows somebody who plays alone with bots."""
        self._page: ThinkingPage | None = None
        """The page, while it can think."""
        self._searches = asyncio.Event()
        """The page can search for a judge."""
        self._weigh = asyncio.Event()
        """The page wants to know what the moments of the game promised."""

    async def run(self) -> None:
        """Serve the page until either side closes the connection."""
        self.table.watchers.add(self.wake)
        try:
            self.lobby.watched(self.table)
            await self.table.people.arrive(self.viewer.seats)
            await self.serve(self.show, self.advise, self.prepare, self.weigh)
        finally:
            self._think(on=False)
            self.table.watchers.discard(self.wake)
            with anyio.CancelScope(shield=True):
                await self.table.people.leave(self.viewer.seats)

    # --- showing -----------------------------------------------------------------------------------

    def wake(self) -> None:
        self._woken.set()

    async def begin(self) -> None:
        self._greeted.set()

    async def show(self) -> None:
        """Send every moment that has not been shown yet, until the connection closes."""
        await self._greeted.wait()
        while True:
            self._woken.clear()
            await self._look_up_seats()
            last = False
            while not last:
                async with self.turns.player_frame if self.viewer.seats else self.turns.watcher_frame:
                    frame, last = self.showing.next(self.table, self.looking)
                await self.socket.send_text(frame.decode())
            await self._talk()
            if not self._told and levels_for(self.table, self.viewer.seats):
                self._alone.set()
            await self._woken.wait()

    async def _look_up_seats(self) -> None:
        """If seats have changed hands, the viewer may play others now."""
        async with self._looking_up:
            if self.table.seats == self.viewer.chairs:
                return
            before = self.viewer
            self.viewer = self.showing.viewer = await viewer_of(
                self.lobby.store, self.table, self.terms.visitor, self.terms.language
            )
            if before.seats != self.viewer.seats:
                await self.table.people.arrive(self.viewer.seats - before.seats)
                await self.table.people.leave(before.seats - self.viewer.seats)

    async def _talk(self) -> None:
        """Send what was said since the last time."""
        old, last = self._heard is None, self._heard or 0
        lines = [line for line in self.table.people.chat if line.number > last]
        self._heard = lines[-1].number if lines else last
        if not lines:
            return
        await self.send(Talk(old=old, lines=[
            SpokenLine(
                number=line.number, seat=line.seat, name=line.name, phrase=bool(line.phrase),
                text=self.viewer.say(PHRASES[line.phrase]) if line.phrase in PHRASES else line.text,
            )
            for line in lines
        ]))

    # --- commands ----------------------------------------------------------------------------------

    def read(self, text: str) -> FromTable:
        return read_from_table(text)

    async def refuse(self, command: int, reason: Message, section: str = "") -> None:
        level = logging.INFO if self.viewer.seats else logging.WARNING
        log.log(level, "table %s, seats %s: refused: %s", self.table.id, set(self.viewer.seats), reason)
        await super().refuse(command, reason, section)
        self.wake()

    async def do(self, command: FromTable) -> None:
        began = time.perf_counter()
        await self._look_up_seats()  # a page that reads no frames must not keep a seat that it has lost
        answer = await self._answered(command)
        if answer is not None:
            await self.send(answer)
        if isinstance(answer, Done):
            self.turns.acknowledged.observe(time.perf_counter() - began)

    async def _answered(self, command: FromTable) -> ServerMessage | None:
        table, viewer = self.table, self.viewer
        match command:
            case Play(move=move, ply=ply, at_once=at_once):
                await table.play(viewer.seats, move, ply, at_once=at_once)
            case Undo(ply=ply):
                await table.undo(viewer.seats, ply)
            case Confirm(ply=ply):
                await table.confirm(viewer.seats, ply)
            case AddNumber(number=number):
                await table.people.add_number(viewer.own, number)
                return None
            case Speak(phrase=phrase, text=text):
                await table.people.say(viewer.seats, phrase=phrase, text=text)
            case Propose(what=what):
                if what == AGAIN and not self.terms.payer.store(table.saved.size):
                    raise Refused(FULL)
                await table.people.ask(viewer.seats, what)
            case AnswerRequest(yes=yes):
                await table.people.answer(viewer.seats, yes=yes)
            case ResumeSeat(seat=seat):
                await table.people.come_back(seat, viewer.own)
            case ReplacePlayer(seat=seat):
                await table.people.let_bot_play(seat, viewer.seats | viewer.own)
            case EnterText(id=id_, text=text, ply=ply, at_once=at_once):
                said = words.answer_in_words(table, viewer.seats, text)
                if said is not None:
                    return TextAnswer(id=id_, text="\n".join(map(viewer.say, said)))
                await table.play(viewer.seats, text, ply, at_once=at_once)
            case JudgeMarked() | GetPreview() | GetReason():
                return self.questions.put(command)
            case ShowMoment(ply=ply, stop=stop):
                self.looking = self._moment(ply, stop)
                self.wake()
                return None
            case WeighGame():
                self._weigh.set()
                return None
            case GetLog():
                return await self.showing.whole_log(table)
            case GetHint():
                self._let_help(on=table.helped_seat in viewer.seats)
                self._hint = command
                self._hint_asked.set()
                return None
            case Coach(on=on, heard=heard):
                if table.helped_seat in viewer.seats:
                    table.coached = on
                    self._let_help(on=on)
                    if heard:
                        self.lobby.advice.play_on(table)
                return None
            case CanThink(on=on, memory=memory):
                self._think(on=on and bool(self._told), memory=memory)
                return None
            case FoundMove(task=task, action=action, nodes=nodes):
                self._found(task, Thought(action, min(max(0, nodes), MOST_NODES)))
                return None
            case Searched(task=task, found=found):
                self._found(task, [FoundBest(line=tuple(one.line), value=one.value, proved=one.proved,
                                           means=tuple(one.means)) for one in found])
                return None
            case Hello():
                raise Refused(msg("This message cannot be read."))
        return Done(id=command.id, ply=table.ply + len(table.draft), saved=table.ply)

    def _moment(self, ply: int | None, stop: int | None) -> int | None:
        """The ply to show; None for the present."""
        stops = self.table.log.stops
        if stop is not None:
            ply = stops[max(0, stop)] if stop < len(stops) - 1 else None
        return None if ply is None or ply >= self.table.ply else max(0, ply)

    # --- a page that thinks ------------------------------------------------------------------------

    async def prepare(self) -> None:
        """Tell a page of somebody who plays alone how to think for the bots, and if help is wanted, for the
        judge. The first page of a box waits until its files are made; meanwhile the game goes on, and so it
        does if they cannot be made."""
        while True:
            await self._alone.wait()
            self._alone.clear()
            start, levels = self.table.position.at(0), levels_for(self.table, self.viewer.seats)
            searches = self._helps or has_searching(start, levels)
            if searches in self._told:
                continue
            self._told[searches] = ""
            try:
                found = await in_thread(prepared, start, searches=searches)
            except Exception:
                log.exception("pages of %s cannot think", start.preset.name)
                continue
            if found is not None:
                self._told[searches] = found.memory
                await self.send(found)

    def _let_help(self, *, on: bool) -> None:
        """The visitor wants help: from now on their page may search for it."""
        if on and not self._helps:
            self._helps = True
            self._alone.set()

    def _think(self, *, on: bool, memory: str = "") -> None:
        """The page can think from now on, or cannot any more."""
        searches = memory != "" and memory == self._told.get(True)
        if self._page is not None:
            self.table.pages.remove(self._page)
            self._page.leave()
        self._page = ThinkingPage(self._ask, lambda: self.viewer.seats, searches=searches) if on else None
        if self._page is not None:
            self.table.pages.append(self._page)
        (self._searches.set if on and searches else self._searches.clear)()

    async def _ask(self, question: PageTurn | PageSearches) -> None:
        try:
            await self.send(_asked(question))
        except (WebSocketDisconnect, RuntimeError) as error:
            raise Away("its connection is closed") from error

    def _found(self, task: int, found: Thought | list[FoundBest]) -> None:
        if self._page is not None:
            self._page.answer(task, found)

    # --- what may wait -----------------------------------------------------------------------------

    async def answer_next(self) -> ServerMessage:
        """One at a time in the whole server and with everything else in between."""
        async with self.turns.question:
            await asyncio.sleep(0)
            return self._answer(self.questions.pop())

    def _answer(self, question: Question) -> ServerMessage:
        scene, position = self._now()
        if isinstance(question, GetReason):
            if not self.table.turn_of(self.viewer.seats):
                reason = self.viewer.say(msg("It is not your turn."))
                return Explained(path=question.path, text=reason, plain=True)
        elif not self.table.turn_of(self.viewer.seats) or question.ply != position.ply:
            if isinstance(question, GetPreview):
                return Previewed(ply=question.ply, path=question.path)
            raise Refused(msg("Someone has moved in the meantime; please look again."))
        return choices.answer(self.plan, scene, position, question)

    def _now(self) -> tuple[Scene, Position]:
        position = self.table.seen_by(self.viewer.seats)
        return account_of(self.table).scene(position), position

    async def advise(self) -> None:
        """Answer requests for hints, which may take a second; commands are heard meanwhile."""
        while True:
            await self._hint_asked.wait()
            self._hint_asked.clear()
            assert self._hint is not None
            try:
                await self.send(await self._hinted(self._hint))
            except Refused as refused:
                await self.refuse(0, refused.reason, refused.section)

    async def weigh(self) -> None:
        """Say what the moments of a finished game promised: the page searches, if it can in time."""
        while True:
            await self._weigh.wait()
            self._weigh.clear()
            if not self.table.over:
                continue
            self._let_help(on=True)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._searches.wait(), LOADING)
            async for promised in self._promised():
                await self.send(Weighed(moments=promised))

    async def _promised(self) -> AsyncIterator[list[PromisedMoment]]:
        stops = {ply: stop for stop, ply in enumerate(self.table.log.stops)}
        game = self.table.position
        record = await in_thread(lambda: Record.from_position(game).write_json())
        answers: asyncio.Queue[bytes] = asyncio.Queue()
        job = asyncio.ensure_future(self.lobby.pool.do(PoolJob(
            kind=moments.__name__, lane=Lane.PAGES, rank=LAST, owner=self.terms.visitor,
            address=self.terms.payer.address, seconds=LOADING, metered=True, hear=answers.put_nowait,
            asked=PlayedMoments(record, tuple(stops)), elsewhere=lambda asked: looked_up(self._page, asked),
        )))
        job.add_done_callback(lambda _: answers.put_nowait(b""))
        try:
            while answer := await answers.get():
                yield [PromisedMoment(stop=stops[one.ply], points=list(one.points), win=list(one.win))
                       for one in msgspec.json.decode(answer, type=list[WeighedMoment])]
            await job
        except (Spent, Crowded, Unanswered, JobFailed) as error:
            log.info("table %s: its moments were not weighed: %s", self.table.id, error)
        finally:
            job.cancel()

    async def _hinted(self, asked: GetHint) -> Hinted:
        hint = await self.lobby.advice.hint(
            self.table, self.viewer.seats, asked.step, asked.ply, visitor=self.terms.visitor
        )
        position = self.table.position
        scene = account_of(self.table).scene(position)
        return hinted(self.plan, scene, position, self.table.names, hint, asked.step)


def _asked(question: PageTurn | PageSearches) -> ServerMessage:
    if isinstance(question, PageTurn):
        return Think(task=question.task, level=question.level, row=_text(question.row),
                     seconds=question.seconds, seed=str(question.seed))
    searches = [
        WantedSearch(row=_text(one.row), nodes=one.nodes, seed=one.seed, fresh=one.fresh, out=one.out)
        for one in question.wanted.searches
    ]
    return Search(task=question.task, anew=question.wanted.anew, searches=searches)


def _text(row: bytes) -> str:
    return base64.b64encode(row).decode()
