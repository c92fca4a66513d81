"""Studies in the database: a record each, under a name, changed by its owner alone."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, func, insert, select, update

from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.record import GameNode, Record
from azulejos.core.scene import Scene, scene_of
from azulejos.insight.results import Estimate, Kind, PositionValue, RankedTurn, Threat
from azulejos.insight.study import passed_to
from azulejos.web.learn.line_tree import LineTree, tree_of
from azulejos.web.names import MAX_TITLE, read_name
from azulejos.web.refused import FULL, Refused
from azulejos.web.store import schema
from azulejos.web.store.saved import new_id, now
from azulejos.web.store.store import Store
from azulejos.web.wire import messages
from azulejos.web.wire.account import TurnPart, joined, keep, steps_of
from azulejos.web.wire.choices import offer
from azulejos.web.wire.plan import PagePlan, news, plan_of
from azulejos.web.work.slow_work import Payer, SlowWork

MOST_STUDIES = 100
"""Of one visitor; the one that was not changed for longest makes room for a new one."""
LONGEST_RECORD = 400_000
"""Characters."""

KEPT_NODES = 20_000
"""Of the trees that are kept in memory, together: about 10 MB."""

UNREADABLE = msg("This version cannot read this study: its game is not installed, or its rules have "
                 "changed. The record as it was saved is still there.")


@dataclass(kw_only=True, eq=False)
class Study:
    id: str
    owner: str
    title: str
    tree: LineTree
    source: str
    """The table of the game; empty: none. Names that are removed there are removed here, too."""
    version: int
    size: int
    """Characters of the record that is saved."""


class Unreadable(Refused):
    """A study whose record does not replay."""

    def __init__(self) -> None:
        super().__init__(UNREADABLE)


class Studies:
    """Opens and keeps studies. A large one takes half a second to read or to write, which is done apart and
    paid for by the visitor (`guard.slow_work`)."""

    def __init__(self, store: Store, slow_work: SlowWork) -> None:
        self._store, self._slow = store, slow_work
        self._boards: Counter[str] = Counter()
        """By address: boards that are connected."""
        self._kept: OrderedDict[tuple[str, int], LineTree] = OrderedDict()
        """Trees that were read, by study and version. They are never changed, and positions of them are
        looked up only by slow work, because that changes what they remember."""

    @contextmanager
    def board(self, address: str, most: int) -> Iterator[bool]:
        """Whether one more board may be connected from an address; it counts while the context lasts."""
        granted = self._boards[address] < most
        self._boards[address] += granted
        try:
            yield granted
        finally:
            self._boards[address] -= granted
            if not self._boards[address]:
                del self._boards[address]

    async def create(
        self, payer: Payer, owner: str, title: str, tree: LineTree, *, source: str = ""
    ) -> str:
        text, id_, moment = await self._slow.do(payer, written, tree), new_id(), now() / 1000
        columns = schema.studies.c
        if not payer.store(len(text)):
            raise Refused(FULL)

        def act(connection: Connection) -> None:
            own = select(columns.id).where(columns.owner == owner).order_by(columns.changed.desc())
            old = [row.id for row in connection.execute(own.offset(MOST_STUDIES - 1))]
            connection.execute(delete(schema.studies).where(columns.id.in_(old)))
            connection.execute(insert(schema.studies).values(
                id=id_, owner=owner, title=read_name(title, most=MAX_TITLE), record=text, source=source,
                version=1, created=moment, changed=moment,
            ))

        await self._store.database.write(act)
        return id_

    async def text(self, id_: str) -> str | None:
        """The record of a study as it is saved, even if it cannot be read."""
        rows = await self._store.rows(select(schema.studies.c.record).where(schema.studies.c.id == id_))
        return str(rows[0].record) if rows else None

    async def look(self, payer: Payer, id_: str) -> Study | None:
        """A study that will not be changed: its tree may be shared with others. Raises Unreadable."""
        rows = await self._store.rows(select(schema.studies).where(schema.studies.c.id == id_))
        if not rows:
            return None
        row = rows[0]
        tree = await self._tree(payer, (row.id, row.version), row.record)
        return Study(id=row.id, owner=row.owner, title=row.title, tree=tree, source=row.source,
                     version=row.version, size=len(row.record))

    async def load(self, payer: Payer, id_: str) -> Study | None:
        """A study with a tree of its own. Raises Unreadable."""
        found = await self.look(payer, id_)
        return found and replace(found, tree=await self._slow.do(payer, found.tree.copy))

    async def _tree(self, payer: Payer, name: tuple[str, int], text: str) -> LineTree:
        if name not in self._kept:
            try:
                self._kept[name] = await self._slow.do(payer, lambda: tree_of(Record.read(text)))
            except (ValueError, RecursionError) as error:
                raise Unreadable from error
        found = self._kept[name]
        self._kept.move_to_end(name)
        while len(self._kept) > 1 and sum(len(tree.nodes) for tree in self._kept.values()) > KEPT_NODES:
            self._kept.popitem(last=False)
        return found

    async def save(self, payer: Payer, study: Study) -> None:
        """Keep what was changed, unless somebody else has changed the study since it was loaded."""
        text, columns = await self._slow.do(payer, written, study.tree), schema.studies.c
        if not payer.store(len(text) - study.size):
            raise Refused(FULL)

        def act(connection: Connection) -> int:
            return connection.execute(
                update(schema.studies)
                .where(columns.id == study.id, columns.version == study.version)
                .values(record=text, title=study.title, version=study.version + 1, changed=now() / 1000)
            ).rowcount

        if not await self._store.database.write(act):
            raise Refused(msg("This study was changed in another window. Load this page again."))
        study.version, study.size = study.version + 1, len(text)

    async def remove(self, id_: str, owner: str) -> None:
        columns = schema.studies.c
        await self._store.database.write(lambda connection: connection.execute(
            delete(schema.studies).where(columns.id == id_, columns.owner == owner)
        ))

    async def of(self, owner: str) -> list[tuple[str, str, float]]:
        """The studies of a visitor: name, title and time of the last change, newest first."""
        columns = schema.studies.c
        query = select(columns.id, columns.title, columns.changed).where(columns.owner == owner)
        rows = await self._store.rows(query.order_by(columns.changed.desc()).limit(MOST_STUDIES))
        return [(row.id, row.title, row.changed) for row in rows]

    async def count(self) -> int:
        rows = await self._store.rows(select(func.count().label("n")).select_from(schema.studies))
        return int(rows[0].n)


def written(tree: LineTree) -> str:
    text = tree.record().write_json()
    if len(text) > LONGEST_RECORD:
        raise Refused(msg("This study is too long to be kept. Begin another one."))
    return text


# --- what a page shows of a study --------------------------------------------------------------------


KEPT_SCENES = 64


class StudyShowing:
    """What one page shows; makes the messages that update it."""

    def __init__(self, tree: LineTree, language: str) -> None:
        self.tree = tree
        self.plan: PagePlan = plan_of(tree.start, language)
        self._scenes: dict[bytes, Scene] = {}
        self._shown: Scene | None = None
        self.node = 0
        """The number of the node that the page shows."""

    def scene(self, position: Position) -> Scene:
        if position.key not in self._scenes:
            keep(self._scenes, position.key, scene_of(position, self.tree.names), KEPT_SCENES)
        return self._scenes[position.key]

    def board(self, node: GameNode) -> messages.Board:
        position = self.tree.position(node)
        scene, before = self.scene(position), self._shown
        self._shown, self.node = scene, self.tree.numbers[node]
        return messages.Board(
            node=self.node, news=news(self.plan, before, scene), to_move=position.to_move,
            offer=offer(self.plan, scene, position) if position.to_move >= 0 else None,
            status=self.plan.say(scene.status), position=position.text(), scores=list(position.scores),
        )

    # --- the tree ------------------------------------------------------------------------------------

    def nodes(self, nodes: Iterable[GameNode]) -> list[messages.StudyNode]:
        return [self._node(node) for node in nodes]

    def _node(self, node: GameNode) -> messages.StudyNode:
        tree, parent = self.tree, self.tree.parent(node)
        if parent is None:
            return messages.StudyNode(number=0, parent=-1, comment=node.comment)
        before, actions = tree.position(parent), tree.actions(node)
        shown = messages.StudyNode(
            number=tree.numbers[node], parent=tree.numbers[parent], comment=node.comment,
            order=tree.children(parent).index(node), round=int(before.state.round),
            move=" ".join(before.game.moves.text(action) for action in actions),
        )
        if before.to_move >= 0:
            shown.seat, shown.turn = before.to_move, tree.turns[node]
            shown.steps = self._steps(before, actions)
        return shown

    def _steps(self, before: Position, actions: Iterable[int]) -> list[messages.LogStep]:
        """A turn, part by part, as in the log of a table."""
        found: list[TurnPart] = []
        here, kinds, say = before, self.plan.kinds, self.plan.say
        for action in actions:
            found += steps_of(self.scene(here), here, action)
            here = here.after((action,))
            if here.to_move < 0:
                break
        return [
            messages.LogStep(pieces=[(kinds[one.kind], one.number) for one in step.pieces],
                          name=say(step.name))
            for step in joined(tuple(found))
        ]

    # --- what the judge says -------------------------------------------------------------------------

    def outlook(self, node: int, position: Position, found: PositionValue) -> messages.NodeOutlook:
        return messages.NodeOutlook(
            node=node, points=[_measured(each) for each in found.points],
            win=[_measured(each) for each in found.win], kind=found.kind.value, equals=found.equals,
            turns=[self._compared(position, turn) for turn in found.turns],
            threat=self._threat(position, found.threat), finished=found.finished, seconds=found.seconds,
        )

    def _compared(self, position: Position, turn: RankedTurn) -> messages.ComparedTurn:
        return messages.ComparedTurn(
            move=" ".join(position.game.moves.text(action) for action in turn.actions),
            steps=self._steps(position, turn.actions), path=self._path(position, turn.actions[0]),
            points=_measured(turn.points), proved=turn.kind is Kind.PROVED, exact=turn.kind is Kind.EXACT,
            equal=turn.is_equal,
        )

    def _path(self, position: Position, action: int) -> list[int]:
        return [self.plan.slots[place] for place in self.scene(position).path(action)]

    def _threat(self, position: Position, threat: Threat | None) -> messages.PassThreat | None:
        passed = None if threat is None else passed_to(position, threat.seat)
        if threat is None or passed is None:
            return None
        steps = self._steps(passed, threat.actions)
        text = msg("If you passed, {name} would play {move}: {effect}.",
                   name=self.tree.names[threat.seat], move=", ".join(step.name for step in steps),
                   effect=passed.preview(threat.actions[0]))
        return messages.PassThreat(
            text=self.plan.say(text), pieces=[piece for step in steps for piece in step.pieces],
            path=self._path(passed, threat.actions[0]),
        )


def _measured(number: Estimate) -> messages.Measured:
    return messages.Measured(
        value=round(number.value, 3), low=round(number.low, 3), high=round(number.high, 3)
    )
