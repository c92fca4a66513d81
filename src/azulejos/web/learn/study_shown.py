"""What a page shows of a study: positions, nodes of the tree, outlooks."""

from __future__ import annotations

from collections.abc import Iterable

from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.record import GameNode
from azulejos.core.scene import Scene, scene_of
from azulejos.insight.results import Estimate, Kind, Outlook, RankedTurn, Threat
from azulejos.insight.threats import passed_to
from azulejos.web.learn.line_tree import LineTree
from azulejos.web.learn.script import news
from azulejos.web.wire import messages
from azulejos.web.wire.account import Step, joined, keep, steps_of
from azulejos.web.wire.choices import offer
from azulejos.web.wire.plan import PagePlan, plan_of

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
        found: list[Step] = []
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

    def outlook(self, node: int, position: Position, found: Outlook) -> messages.NodeOutlook:
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
