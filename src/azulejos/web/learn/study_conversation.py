"""The conversation with a study board.

The tree is in the memory of the conversation. The owner's changes are saved before they are acknowledged;
what somebody else adds is theirs to look at, and gone when they leave unless they make a copy.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ParamSpec, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from azulejos.bots.workspaces import is_solvable
from azulejos.core.chance import seeded
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position
from azulejos.core.record import GameNode, Player
from azulejos.insight.judge import Findings, FoundTurn
from azulejos.insight.results import PositionValue
from azulejos.insight.solver_judge import RATING_SHARE
from azulejos.insight.study import outlook_from
from azulejos.web.guard.budgets import in_thread
from azulejos.web.learn.line_tree import LineTree
from azulejos.web.learn.studies import Studies, Study, StudyShowing
from azulejos.web.names import MAX_TITLE, read_name
from azulejos.web.refused import Refused
from azulejos.web.wire import choices
from azulejos.web.wire.conversation import Conversation, Terms
from azulejos.web.wire.messages import (
    AddMove, CanThink, CopyStudy, Done, DrawPieces, FoundTurns, FromStudy, GetPreview, GetReason, Hello,
    JudgeMarked, JudgeNode, NodesChanged, NodesRemoved, NoJudge, Opened, PromoteLine, Question, Rate,
    RemoveNode, SearchedTurn, ServerMessage, SetComment, SetPosition, SetTitle, ShowNode, StopJudging,
    read_from_study,
)
from azulejos.web.wire.page_engine import prepared
from azulejos.web.work.judge import LONGEST, Analyst, Request, Rest
from azulejos.web.work.slow_work import Owing, SlowWork

# --- what the page of a study finds -----------------------------------------------------------------------

SECONDS = RATING_SHARE * LONGEST
"""For rating every turn; the server looks for the rest."""
PATIENCE = 3.0
"""Seconds until the first answer; then the server judges."""
MOST = 10**12
"""Nodes, and hundredths of points, that a page may name."""


def findings_of(said: FoundTurns) -> Findings:
    return Findings(max(1, min(said.nodes, MOST)), tuple(map(_turn, said.turns)), tuple(said.means))


def _turn(said: SearchedTurn) -> FoundTurn:
    return FoundTurn(tuple(said.line), said.value, visits=said.visits, proved=said.proved)


def outlook_in_page(position: Position, found: Findings) -> PositionValue:
    """What a page's findings mean; refused if they cannot be about this position."""
    solved = is_solvable(position)
    fits = found.turns and len(found.means) == (0 if solved else position.players) and all(
        math.isfinite(turn.value) and abs(turn.value) < MOST and (solved or 0 < turn.visits < MOST)
        and turn.line and _leads(position, turn.line) for turn in found.turns
    ) and all(0 <= mean <= 1 for mean in found.means)
    if not fits:
        raise Refused(msg("This message cannot be read."))
    return outlook_from(position, found)


def _leads(position: Position, line: tuple[int, ...]) -> bool:
    """Whether all actions of a line are legal."""
    here = position.copy()
    for action in line:
        if action not in here.legal_actions():
            return False
        here.play(action)
    return True


P = ParamSpec("P")
T = TypeVar("T")

AT_ONCE = 100
"""Nodes in one message; a page that opens a large study shows the first ones meanwhile."""
DEBT_PAUSE = 0.25
"""Seconds after which somebody who owed something is asked again."""

RESTING: dict[Rest, Message] = {
    Rest.AWAY: msg("No judge right now. Lines and comments are saved."),
    Rest.SPENT: msg("You have used the judge a lot. It rests for a minute; lines and comments are saved."),
    Rest.CROWDED: msg("Many people are studying at the moment. Lines and comments are saved."),
}

NodeChange = AddMove | DrawPieces | SetComment | RemoveNode | PromoteLine

log = logging.getLogger("azulejos.web")


@dataclass(eq=False)
class RatedNode:
    """A position whose turns the page rates."""

    task: int
    node: int
    position: Position
    began: float
    late: asyncio.TimerHandle


class StudyConversation(Conversation[FromStudy]):
    longest = 8192
    """A comment of 2000 characters in any script fits."""

    def __init__(
        self, socket: WebSocket, study: Study, studies: Studies, analyst: Analyst, slow_work: SlowWork,
        terms: Terms, engines: Sequence[str],
    ) -> None:
        self.showing = StudyShowing(study.tree, terms.language)
        super().__init__(socket, self.showing.plan, terms)
        self.study, self.studies, self.analyst, self.slow_work = study, studies, analyst, slow_work
        self.engines = engines
        """Names of the operator's programs."""
        self._asked: Request | None = None
        self._unsaved = False
        """Whether the tree has changes that could not be saved."""
        self._outlooks: asyncio.Queue[tuple[int, Position, PositionValue]] = asyncio.Queue(maxsize=1)
        self._thinks = False
        """Whether the page can think at the moment."""
        self._viewed: tuple[int, Position] | None = None
        """What our own judge was asked about."""
        self._rating: RatedNode | None = None
        self._tasks = 0
        self._said: asyncio.Queue[FoundTurns] = asyncio.Queue(maxsize=1)
        """The newest answer of the page."""

    @property
    def tree(self) -> LineTree:
        return self.study.tree

    async def run(self) -> None:
        """Serve the page until either side closes the connection."""
        try:
            await self.serve(self.send_outlooks, self.hear_page)
        finally:
            self.stop_judging()

    async def _apart(self, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """Run what takes long: everything that looks up positions of the tree."""
        return await self.slow_work.do(self.terms.payer, work, *args, **names)

    async def _patiently(self, work: Callable[P, T], *args: P.args, **names: P.kwargs) -> T:
        """The same, after as long a wait as the visitor's debt takes."""
        while True:
            try:
                return await self._apart(work, *args, **names)
            except Owing:
                await asyncio.sleep(DEBT_PAUSE)

    # --- commands ------------------------------------------------------------------------------------

    def read(self, text: str) -> FromStudy:
        return read_from_study(text)

    async def begin(self) -> None:
        """Send the whole tree."""
        while self.terms.payer.owes():
            await asyncio.sleep(DEBT_PAUSE)
        nodes = list(self.tree.walk())
        for first in range(0, len(nodes), AT_ONCE):
            part = nodes[first : first + AT_ONCE]
            await self.send(NodesChanged(nodes=await self._patiently(self.showing.nodes, part)))
        await self.send(self._done(0))
        files = await in_thread(prepared, self.tree.start.copy(), searches=True)
        await self.send(*([files] if files else []))

    async def do(self, command: FromStudy) -> None:
        match command:
            case ShowNode(node=node):
                await self.send(await self._apart(self.showing.board, self.tree.node(node)))
            case SetTitle(id=id_, title=title):
                self.study.title = read_name(title, most=MAX_TITLE)
                self._unsaved = True
                await self._save()
                await self.send(self._done(id_))
            case AddMove() | DrawPieces() | SetComment() | RemoveNode() | PromoteLine():
                known = len(self.tree.nodes)
                changes = await self._apart(self._changed, command)
                self._unsaved |= not isinstance(command, AddMove) or len(self.tree.nodes) > known
                await self._save()
                await self.send(*changes, self._done(command.id))
            case SetPosition(id=id_, position=text, check=check):
                position = await self._apart(position_of, text)
                await self.send(Opened(id=id_, address="" if check else await self._begin(position)))
            case CopyStudy(id=id_):
                await self.send(Opened(id=id_, address=await self._create(self.tree)))
            case JudgeNode(node=node, engine=engine):
                position = await self._apart(self.tree.position, self.tree.node(node))
                await self._judge(node, position.copy(), engine)
            case CanThink(on=on):
                await self._can_think(on=on)
            case FoundTurns():
                while not self._said.empty():
                    self._said.get_nowait()
                self._said.put_nowait(command)
            case StopJudging():
                self.stop_judging()
            case JudgeMarked() | GetPreview() | GetReason():
                superseded = self.questions.put(command)
                await self.send(*([superseded] if superseded else []))
            case Hello():
                raise Refused(msg("This message cannot be read."))

    def _done(self, command: int) -> Done:
        return Done(id=command, ply=0, saved=self.study.version)

    # --- changes -------------------------------------------------------------------------------------

    def _changed(self, command: NodeChange) -> list[ServerMessage]:
        tree, node = self.tree, self.tree.node(command.node)
        match command:
            case AddMove(move=move):
                passed = tree.play(node, move)
                return [self._nodes(passed), self.showing.board(passed[-1])]
            case DrawPieces():
                drawn = tree.position(node).copy()
                if not drawn.is_chance:
                    raise Problem(msg("Nothing is drawn here."))
                drawn.deal(random.SystemRandom())
                new = tree.deal(node, drawn)
                return [self._nodes([new]), self.showing.board(new)]
            case SetComment(text=text):
                tree.comment(node, text)
                return [self._nodes([node])]
            case RemoveNode():
                parent = tree.parent(node)
                gone = tree.remove(node)
                return [NodesRemoved(nodes=gone), self._nodes(tree.children(parent) if parent else [])]
            case PromoteLine():
                changed = (child for each in tree.promote(node) for child in tree.children(each))
                return [self._nodes(changed)]

    def _nodes(self, nodes: Iterable[GameNode]) -> NodesChanged:
        return NodesChanged(nodes=self.showing.nodes(nodes))

    async def _save(self) -> None:
        """Save what the owner has changed."""
        if self._unsaved and self.study.owner == self.terms.visitor:
            await self.studies.save(self.terms.payer, self.study)
            self._unsaved = False

    async def _begin(self, position: Position) -> str:
        """Begin a study with a position that was set up."""
        same = position.players == len(self.tree.seats)
        own = tuple(Player(f"{seat + 1}") for seat in range(position.players))
        return await self._create(LineTree(position, self.tree.seats if same else own))

    async def _create(self, tree: LineTree) -> str:
        """Keep a tree as a study of the visitor; return its address."""
        made = await self.studies.create(
            self.terms.payer, self.terms.visitor, self.study.title, tree, source=self.study.source
        )
        return f"study/{made}"

    # --- the judge -------------------------------------------------------------------------------------

    @property
    def _judged_for(self) -> str:
        """Visitors without a cookie have one position for each address."""
        return self.terms.payer.visitor or f"at {self.terms.payer.address}"

    async def _judge(self, node: int, position: Position, engine: str) -> None:
        """Where somebody is to move, our own judge thinks in the page if it can."""
        if engine and engine not in self.engines:
            raise Refused(msg("There is no engine with this name here."))
        self.stop_judging()
        self._viewed = (node, position) if not engine and position.to_move >= 0 else None
        if self._thinks and self._viewed:
            await self._ask_page(node, position)
        else:
            self._ask_pool(node, position, engine=engine)

    def _ask_pool(
        self, node: int, position: Position, *, engine: str = "",
        known: tuple[Findings, PositionValue] | None = None,
    ) -> None:
        """Judge a position here; if something is `known` from the page, only what it leaves open."""

        def hear(outlook: PositionValue) -> None:
            if self._asked is request:
                if outlook.finished:
                    self._viewed = None
                while not self._outlooks.empty():  # if a page is slow, it gets only the newest
                    self._outlooks.get_nowait()
                self._outlooks.put_nowait((node, position, outlook))

        def rest(why: Rest) -> None:
            if known is not None:
                hear(replace(known[1], finished=True))
                return
            resting = NoJudge(node=node, text=self.plan.say(RESTING[why]))
            asyncio.get_running_loop().create_task(self._say_resting(resting))

        request = self._asked = Request(
            visitor=self._judged_for, address=self.terms.payer.address, position=position.text(),
            engine=engine, hear=hear, rest=rest, found=known[0] if known else None,
        )
        self.analyst.ask(request)

    async def _say_resting(self, resting: NoJudge) -> None:
        try:
            await self.send(resting)
        except (WebSocketDisconnect, RuntimeError):  # the page has left meanwhile
            log.debug("nobody hears that the judge rests")

    def stop_judging(self) -> None:
        self._end_rating()
        self._viewed = None
        if self._asked is not None:
            self.analyst.withdraw(self._judged_for, self._asked)
        self._asked = None

    async def send_outlooks(self) -> None:
        while True:
            node, position, outlook = await self._outlooks.get()
            if node in self.tree.nodes:
                await self.send(await self._patiently(self.showing.outlook, node, position, outlook))

    # --- the judge in the page --------------------------------------------------------------------------

    async def _can_think(self, *, on: bool) -> None:
        """The page takes over what is judged, or leaves it to the pool."""
        before, self._thinks = self._thinks, on
        if on and not before and self._viewed and self._asked:
            await self._judge(*self._viewed, "")
        elif not on:
            self._leave_to_pool()

    def _leave_to_pool(self) -> None:
        self._thinks, rating = False, self._rating
        if rating is not None:
            self._end_rating()
            self._ask_pool(rating.node, rating.position)

    async def _ask_page(self, node: int, position: Position) -> None:
        loop = asyncio.get_running_loop()
        self._tasks += 1
        late = loop.call_later(PATIENCE, self._leave_to_pool)
        self._rating = RatedNode(self._tasks, node, position, loop.time(), late)
        row = base64.b64encode(position.row.tobytes()).decode()
        seed = int(seeded(random.getrandbits(32))[0])
        await self.send(Rate(task=self._tasks, row=row, seconds=SECONDS, seed=str(seed)))

    def _end_rating(self) -> None:
        if self._rating is not None:
            self._rating.late.cancel()
        self._rating = None

    async def hear_page(self) -> None:
        """Show what the page finds; after its last answer the pool looks for the rest."""
        while True:
            said = await self._said.get()
            rating = self._rating
            if rating is None or said.task != rating.task:
                continue
            rating.late.cancel()
            found = findings_of(said)
            try:
                outlook = await self._patiently(outlook_in_page, rating.position, found)
            except Refused as refused:
                log.warning("a page's findings about a position: %s", refused.reason)
                self._leave_to_pool()
                continue
            if rating is not self._rating:
                continue
            seconds = asyncio.get_running_loop().time() - rating.began
            outlook = replace(outlook, seconds=seconds)
            if rating.node in self.tree.nodes:
                await self.send(
                    await self._patiently(self.showing.outlook, rating.node, rating.position, outlook))
            if said.last:
                self._end_rating()
                self._ask_pool(rating.node, rating.position, known=(found, outlook))

    # --- what a click would mean -----------------------------------------------------------------------

    async def answer_next(self) -> ServerMessage:
        return await self._patiently(self._answer, self.questions.pop())

    def _answer(self, question: Question) -> ServerMessage:
        node = self.tree.node(self.showing.node if isinstance(question, GetReason) else question.ply)
        position = self.tree.position(node)
        return choices.answer(self.plan, self.showing.scene(position), position, question)


def position_of(text: str) -> Position:
    """The position of a text; a Problem says why the rules do not allow it."""
    try:
        return Position.from_text(text)
    except Problem:
        raise
    except ValueError as error:
        raise Problem(raw(str(error)[:300])) from error
