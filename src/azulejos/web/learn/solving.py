"""A position with a question, as a page asks it without a connection: every turn has its answer beforehand.

A *decision* is a position in which the solver chooses a turn. Every turn is right or wrong; a wrong one is
followed by its refutation, a right one by the end of the question or by the next decision. A turn may be
several moves, so a decision is written as nodes, one for each position within the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from azulejos.core.message import Message
from azulejos.core.position import Position, before_round_end
from azulejos.core.scene import Scene, scene_of
from azulejos.web.learn.lesson import Shown
from azulejos.web.learn.script import news
from azulejos.web.wire.choices import blocked, every_effect, paths
from azulejos.web.wire.messages import Blocked, Effect, PathMove
from azulejos.web.wire.plan import PagePlan, plan_of

MOST_NODES: Final = 400
"""Positions of a script: decisions, and positions within turns."""

Actions = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What is known about a turn."""

    right: bool
    said: Sequence[Message]
    line: Actions
    """What follows it: shown after a wrong turn, and after the last right one."""
    next: Sequence[Defence] = ()
    """After a right turn: what is asked next, one after the other; empty: this was all."""


@dataclass(frozen=True, kw_only=True)
class Defence:
    """A reply of the other seat, and the next decision."""

    actions: Actions
    decision: Decision


@dataclass(frozen=True, kw_only=True, eq=False)
class Decision:
    position: Position
    best: Actions
    """The turn that is shown as the answer."""
    judge: Callable[[Actions, Position], Verdict]
    """The verdict on a turn and the position after it."""


# --- the script ------------------------------------------------------------------------------------------


class Step(msgspec.Struct, omit_defaults=True):
    """What a move leads to: another node of the turn, or the answer to the whole turn."""

    to: int = -1
    shown: list[Shown] = []
    answer: int = -1


class Next(msgspec.Struct):
    shown: list[Shown]
    """The reply."""
    to: int


class Reply(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The answer to a turn."""

    right: bool
    said: list[str]
    shown: list[Shown]
    """The turn and the reply to it. Only the turn, if something is asked next; if not, after a right turn
    also the end of the round."""
    scores: list[int] = []
    """Of the seats, at the end of the line."""
    next: list[Next] = []


class Node(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A position in which the solver chooses a move."""

    start: Shown
    """The whole position."""
    choices: list[list[list[int]]] = []
    moves: list[PathMove] = []
    effects: list[Effect] = []
    blocked: dict[str, list[Blocked]] = {}
    """By the path so far, its places joined by commas."""
    steps: dict[str, Step] = {}
    best: list[str] = []
    """The moves of the right turn, at its beginning."""
    path: list[int] = []
    """Its first clicks."""
    scores: list[int] = []


class Script(msgspec.Struct):
    nodes: list[Node]
    replies: list[Reply]


def script_of(decision: Decision, names: Sequence[str], language: str) -> Script:
    writer = _Writer(plan_of(decision.position, language), names)
    writer.add_decision(decision)
    return Script(nodes=writer.nodes, replies=writer.replies)


def first_node(position: Position, names: Sequence[str], language: str) -> Node:
    """The position and what may be chosen in it, for the first moment of a page."""
    return _Writer(plan_of(position, language), names).plain_node(position)


class _Writer:
    def __init__(self, plan: PagePlan, names: Sequence[str]) -> None:
        self.plan, self.names = plan, names
        self.nodes: list[Node] = []
        self.replies: list[Reply] = []
        self._scenes: dict[bytes, Scene] = {}

    def plain_node(self, position: Position) -> Node:
        scene = self._scene(position)
        choices, moves = paths(self.plan, scene, position)
        return Node(start=self._shown(None, position), choices=choices, moves=moves,
                    scores=list(position.scores))

    def add_decision(self, decision: Decision) -> int:
        """Write the nodes of a decision and of all that follow it; return the number of the first one."""
        number = self._add(decision, decision.position, ())
        node, before = self.nodes[number], decision.position
        node.best = [before.game.moves.text(action) for action in decision.best]
        node.path = [self.plan.slots[place] for place in self._scene(before).path(decision.best[0])]
        return number

    def _add(self, decision: Decision, here: Position, begun: Actions) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise ValueError("this question has too many turns to be written down")
        node = self.plain_node(here)
        node.effects = every_effect(self.plan, self._scene(here), here)
        node.blocked = self._blocked(here)
        number = len(self.nodes)
        self.nodes.append(node)
        for action in sorted({choice.action for choice in self._scene(here).choices}):
            step = self._step(decision, here, here.after([action]), (*begun, action))
            node.steps[here.game.moves.text(action)] = step
        return number

    def _step(self, decision: Decision, here: Position, after: Position, turn: Actions) -> Step:
        if after.in_turn_of(here.to_move):
            shown = [self._shown(here, after)]
            return Step(to=self._add(decision, after, turn), shown=shown)
        self.replies.append(self._reply(here, after, decision.judge(turn, after)))
        return Step(answer=len(self.replies) - 1)

    def _reply(self, here: Position, after: Position, verdict: Verdict) -> Reply:
        defences = [(each, after.after(each.actions)) for each in verdict.next]
        moments, end = _moments(after, verdict.line), after.after(verdict.line)
        if defences:
            moments, end = moments[:1], moments[0]
        elif verdict.right:
            moments.append(end)
        return Reply(
            right=verdict.right, said=[self.plan.say(sentence) for sentence in verdict.said],
            shown=self._walk(here, moments), scores=list(end.scores),
            next=[Next(shown=self._walk(moments[-1], [then]), to=self.add_decision(each.decision))
                  for each, then in defences],
        )

    def _walk(self, before: Position, moments: Iterable[Position]) -> list[Shown]:
        shown = []
        for moment in moments:
            if moment.key != before.key:
                shown.append(self._shown(before, moment))
            before = moment
        return shown

    def _blocked(self, here: Position) -> dict[str, list[Blocked]]:
        scene = self._scene(here)
        begun = {choice.path[:1] for choice in scene.choices if len(choice.path) > 1}
        found = {path: blocked(self.plan, scene, here, path) for path in sorted(begun)}
        return {",".join(str(self.plan.slots[place]) for place in path): places
                for path, places in found.items() if places}

    def _shown(self, before: Position | None, after: Position) -> Shown:
        scene = self._scene(after)
        return Shown(news=news(self.plan, self._scene(before) if before else None, scene),
                     to_move=scene.to_move)

    def _scene(self, position: Position) -> Scene:
        if position.key not in self._scenes:
            self._scenes[position.key] = scene_of(position, self.names)
        return self._scenes[position.key]


def _moments(after: Position, line: Actions) -> list[Position]:
    """The turn and the reply to it."""
    then = after.after(after.first_turn(line))
    whole = line and not then.in_turn_of(after.to_move)
    return [before_round_end(each) for each in ((after, then) if whole else (after,))]
