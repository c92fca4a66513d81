"""One connection between a study board and the server. All messages are in `wire/study_messages.py`.

The tree is in the memory of the connection. The owner's changes are saved before they are acknowledged;
what somebody else adds is theirs to look at, and gone when they leave unless they make a copy.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import Player
from azulejos.insight.results import Outlook
from azulejos.web.learn.line_tree import LineTree
from azulejos.web.learn.studies import MAX_TITLE, Studies, Study
from azulejos.web.learn.study_shown import StudyShowing
from azulejos.web.refused import Refused
from azulejos.web.store.faults import DatabaseFault
from azulejos.web.tables.live_table import not_saved
from azulejos.web.wire import choices, marking, messages
from azulejos.web.wire import study_messages as said
from azulejos.web.wire.messages import Hello, Mark, Preview, Why
from azulejos.web.wire.page_line import (
    UNREADABLE,
    PageLine,
    Question,
    Questions,
    places_of,
    reader,
    until_closed,
)
from azulejos.web.wire.study_messages import PROTOCOL, FromStudy, FromStudyPage
from azulejos.web.work.analyst import Analyst, Request, Rest
from azulejos.web.work.slow_work import Owing, Payer, SlowWork

P = ParamSpec("P")
T = TypeVar("T")

MAX_MESSAGE = 8192
"""A comment of 2000 characters in any script fits."""
AT_ONCE = 100
"""Nodes in one message; a page that opens a large study shows the first ones meanwhile."""
DEBT_PAUSE = 0.25
"""Seconds after which somebody who owed something is asked again."""

PRICES: Mapping[type[messages.Command], float] = {
    Hello: 40,
    said.Visit: 4,
    said.Add: 8,
    said.Draw: 8,
    said.Remark: 8,
    said.Remove: 8,
    said.Promote: 8,
    said.Entitle: 8,
    said.Arrange: 20,
    said.Duplicate: 80,
    said.Consider: 6,
    said.Pause: 1,
    Mark: 2,
    Preview: 2,
    Why: 1,
}
"""In the unit of `guard.prices`. Judging is paid for besides, in processor time (`work.analyst`)."""

RESTING: dict[Rest, Message] = {
    Rest.AWAY: msg("No judge right now. Lines and comments are saved."),
    Rest.SPENT: msg("You have used the judge a lot. It rests for a minute; lines and comments are saved."),
    Rest.CROWDED: msg("Many people are studying at the moment. Lines and comments are saved."),
}

log = logging.getLogger("azulejos.web")


@dataclass(frozen=True, kw_only=True)
class StudyTerms:
    """What the server grants a connection."""

    payer: Payer
    slow_work: SlowWork
    pause: float
    hello_seconds: float
    visitor: str
    language: str
    engines: Sequence[str]
    """Names of the operator's programs."""


read_message = reader(said.read)


class StudyConnection:
    def __init__(
        self, socket: WebSocket, study: Study, studies: Studies, analyst: Analyst, terms: StudyTerms
    ) -> None:
        self.socket, self.study, self.studies, self.analyst = socket, study, studies, analyst
        self.terms = terms
        self.showing = StudyShowing(study.tree, terms.language)
        self._asked: Request | None = None
        self._unsaved = False
        """Whether the tree has changes that could not be saved."""
        self._line = PageLine[FromStudyPage](socket, read_message, longest=MAX_MESSAGE)
        self._questions = Questions()
        self._outlooks: asyncio.Queue[tuple[int, Position, Outlook]] = asyncio.Queue(maxsize=1)

    @property
    def tree(self) -> LineTree:
        return self.study.tree

    @property
    def owns(self) -> bool:
        return self.study.owner == self.terms.visitor

    async def _apart(self, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """Run what takes long: everything that looks up positions of the tree."""
        return await self.terms.slow_work.do(self.terms.payer, work, *args, **names)

    async def _patiently(self, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """The same, after as long a wait as the visitor's debt takes."""
        while True:
            try:
                return await self._apart(work, *args, **names)
            except Owing:
                await asyncio.sleep(DEBT_PAUSE)

    async def _send(self, answer: FromStudy) -> None:
        await self.socket.send_text(said.write(answer).decode())

    # --- hearing -------------------------------------------------------------------------------------

    async def hear(self) -> None:
        await self._greet()
        while True:
            await self._hear(await self._line.text())
            await asyncio.sleep(0)

    async def _greet(self) -> None:
        """Send the whole tree."""
        outdated = self.showing.plan.say(msg("The server has been updated, so this page was loaded again."))
        hello = Hello(protocol=PROTOCOL, plan=self.showing.plan.digest)
        await self._line.greet(hello, seconds=self.terms.hello_seconds, reload=outdated)
        while not self.terms.payer.charge(PRICES[Hello]):
            await asyncio.sleep(DEBT_PAUSE)
        nodes = list(self.tree.walk())
        for first in range(0, len(nodes), AT_ONCE):
            part = nodes[first : first + AT_ONCE]
            await self._send(said.Grown(nodes=await self._patiently(self.showing.twigs, part)))
        await self._send(messages.Done(id=0, ply=0, saved=self.study.version))

    async def _hear(self, text: str) -> None:
        command: FromStudyPage | None = None
        try:
            command = self._line.command(text)
            if not self.terms.payer.charge(PRICES[type(command)]):
                raise Owing
            for answer in await self._do(command):
                await self._send(answer)
        except (Refused, Problem) as refused:
            await self._refuse(command, refused.reason)
        except Owing:
            await self._refuse(command, msg("That was too fast; wait a moment."))
            await asyncio.sleep(self.terms.pause)
        except DatabaseFault as error:
            await self._refuse(command, not_saved(error))
        except msgspec.MsgspecError:
            if not self.terms.payer.charge(UNREADABLE):
                await asyncio.sleep(self.terms.pause)
            await self._refuse(None, msg("This message cannot be read."))

    async def _refuse(self, command: FromStudyPage | None, reason: Message) -> None:
        id_ = getattr(command, "id", 0)
        await self._send(messages.Refused(id=id_, text=self.showing.plan.say(reason)))

    async def _do(self, command: FromStudyPage) -> list[FromStudy]:
        match command:
            case said.Visit(node=node):
                return [await self._apart(self.showing.board, self.tree.node(node))]
            case said.Add() | said.Draw() | said.Remark() | said.Remove() | said.Promote() | said.Entitle():
                return [*await self._change(command), messages.Done(
                    id=command.id, ply=0, saved=self.study.version
                )]
            case said.Arrange():
                return [await self._arrange(command)]
            case said.Duplicate(id=id_):
                made = await self.studies.create(
                    self.terms.payer, self.terms.visitor, self.study.title, self.tree
                )
                return [said.Opened(id=id_, address=f"study/{made}")]
            case said.Consider(node=node, engine=engine):
                position = await self._apart(self.tree.position, self.tree.node(node))
                self._consider(node, position.copy(), engine)
            case said.Pause():
                self.forget()
            case Mark() | Preview() | Why():
                superseded = self._questions.put(command)
                return [superseded] if superseded else []
            case Hello():
                raise Refused(msg("This message cannot be read."))
        return []

    # --- changes -------------------------------------------------------------------------------------

    async def _change(
        self, command: said.Add | said.Draw | said.Remark | said.Remove | said.Promote | said.Entitle
    ) -> list[FromStudy]:
        known = len(self.tree.nodes)
        found = await self._apart(self._changed, command)
        follows = isinstance(command, said.Add) and len(self.tree.nodes) == known
        self._unsaved |= not follows
        if self.owns and self._unsaved:
            await self.studies.save(self.terms.payer, self.study)
            self._unsaved = False
        return found

    def _changed(
        self, command: said.Add | said.Draw | said.Remark | said.Remove | said.Promote | said.Entitle
    ) -> list[FromStudy]:
        if isinstance(command, said.Entitle):
            self.study.title = " ".join(command.title.split())[:MAX_TITLE]
            return []
        tree, node = self.tree, self.tree.node(command.node)
        match command:
            case said.Add(move=move):
                passed = tree.play(node, move)
                return [said.Grown(nodes=self.showing.twigs(passed)), self.showing.board(passed[-1])]
            case said.Draw():
                drawn = tree.position(node).copy()
                if not drawn.is_chance:
                    raise Problem(msg("Nothing is drawn here."))
                drawn.deal(random.SystemRandom())
                new = tree.deal(node, drawn)
                return [said.Grown(nodes=self.showing.twigs([new])), self.showing.board(new)]
            case said.Remark(text=text):
                tree.comment(node, text)
                return [said.Grown(nodes=self.showing.twigs([node]))]
            case said.Remove():
                parent = tree.parent(node)
                gone = tree.remove(node)
                left = tree.children(parent) if parent else []
                return [said.Shed(nodes=gone), said.Grown(nodes=self.showing.twigs(left))]
            case said.Promote():
                changed = [child for each in tree.promote(node) for child in tree.children(each)]
                return [said.Grown(nodes=self.showing.twigs(changed))]

    async def _arrange(self, command: said.Arrange) -> FromStudy:
        """Check a position that was set up, and begin a study with it."""
        position = await self._apart(arranged, command.position)
        if command.check:
            return said.Opened(id=command.id)
        seats = self.tree.seats if position.players == len(self.tree.seats) else \
            tuple(Player(f"{seat + 1}") for seat in range(position.players))
        tree = LineTree(position, seats)
        made = await self.studies.create(self.terms.payer, self.terms.visitor, self.study.title, tree)
        return said.Opened(id=command.id, address=f"study/{made}")

    # --- the judge -------------------------------------------------------------------------------------

    @property
    def _judged_for(self) -> str:
        """Visitors without a cookie have one position for each address."""
        return self.terms.payer.visitor or f"at {self.terms.payer.address}"

    def _consider(self, node: int, position: Position, engine: str) -> None:
        if engine and engine not in self.terms.engines:
            raise Refused(msg("There is no engine with this name here."))

        def hear(outlook: Outlook) -> None:
            if self._asked is request:
                self._newest((node, position, outlook))

        def rest(why: Rest) -> None:
            text = self.showing.plan.say(RESTING[why])
            asyncio.get_running_loop().create_task(self._say(said.NoJudge(node=node, text=text)))

        request = self._asked = Request(
            visitor=self._judged_for, address=self.terms.payer.address, position=position.text(),
            engine=engine, hear=hear, rest=rest,
        )
        self.analyst.ask(request)

    async def _say(self, answer: FromStudy) -> None:
        try:
            await self._send(answer)
        except (WebSocketDisconnect, RuntimeError):  # the page has left meanwhile
            log.debug("nobody hears that the judge rests")

    def _newest(self, found: tuple[int, Position, Outlook]) -> None:
        while not self._outlooks.empty():
            self._outlooks.get_nowait()
        self._outlooks.put_nowait(found)

    def forget(self) -> None:
        if self._asked is not None:
            self.analyst.withdraw(self._judged_for, self._asked)
        self._asked = None

    async def tell(self) -> None:
        """Send what the judge finds; if a page is slow, only the newest."""
        while True:
            node, position, outlook = await self._outlooks.get()
            if node in self.tree.nodes:
                await self._send(await self._patiently(self.showing.outlook, node, position, outlook))

    # --- what a click would mean -----------------------------------------------------------------------

    async def answer(self) -> None:
        """Answer questions while commands are heard."""
        while True:
            await self._questions.wait()
            try:
                await self._send(await self._patiently(self._answered, self._questions.pop()))
            except (Refused, Problem) as refused:
                await self._refuse(None, refused.reason)

    def _answered(self, question: Question) -> FromStudy:
        node = self.tree.node(self.showing.node if isinstance(question, Why) else question.ply)
        position = self.tree.position(node)
        scene, plan = self.showing.scene(position), self.showing.plan
        if isinstance(question, Mark):
            verdict = marking.judged(plan, scene, position, self._places(question.slots))
            return messages.Judged(ply=question.ply, verdict=verdict)
        places = self._places(question.path)
        if isinstance(question, Preview):
            found = choices.previewed(plan, scene, position, question.path, places)
            found.ply = question.ply
            return found
        why = choices.explained(scene, position, places)
        if why is None:
            text = plan.say(msg("There is nothing you can do here now."))
            return messages.Explained(path=question.path, text=text, plain=True)
        return messages.Explained(path=question.path, text=plan.say(why[0]), section=why[1])

    def _places(self, numbers: list[int]) -> list[str]:
        return places_of(self.showing.plan.ids, numbers)


def arranged(text: str) -> Position:
    """The position of a text; a Problem says why the rules do not allow it."""
    try:
        return Position.from_text(text)
    except Problem:
        raise
    except ValueError as error:
        raise Problem(raw(str(error)[:300])) from error


async def converse(
    socket: WebSocket, study: Study, studies: Studies, analyst: Analyst, terms: StudyTerms
) -> None:
    """Serve one connection until either side closes it."""
    connection = StudyConnection(socket, study, studies, analyst, terms)
    try:
        async with anyio.create_task_group() as tasks:
            for act in (connection.hear, connection.tell, connection.answer):
                tasks.start_soon(until_closed, socket, act, tasks.cancel_scope)
    finally:
        connection.forget()

