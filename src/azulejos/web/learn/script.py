"""Positions with questions, as a page asks them without a connection: every answer is worked out before.

A `Script` is what lessons, puzzles, cards, questions of a review and the living board send to the page. Its
nodes are positions in which somebody chooses; each step leads to another node or to a reply, which says
whether it was right and shows what follows.

Puzzles, cards and reviews state a *decision*: a position, and a verdict on every turn there. A turn may be
several moves, so a decision is written as nodes, one for each position within the turn. A lesson writes its
nodes itself, the living board is one reply.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from azulejos.bots.simple import GreedyBot
from azulejos.core import time_limit
from azulejos.core.guide import Course, LessonStep as Lesson
from azulejos.core.message import Message
from azulejos.core.position import Position, before_round_end
from azulejos.core.scene import Choice, Scene, scene_of
from azulejos.insight.hint import places_of
from azulejos.insight.words import turn_sentences
from azulejos.web.wire.choices import blocked, every_effect, paths
from azulejos.web.wire.messages import Blocked, Effect, News, PathMove
from azulejos.web.wire.plan import PagePlan, news, plan_of

MOST_NODES: Final = 400
"""Positions of a script: decisions, and positions within turns."""

# --- what the page gets ----------------------------------------------------------------------------------


class Shown(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What a position changes on the page."""

    news: News
    to_move: int
    seat: int = -1
    """Whose board is shown, where there is room for one only."""
    target: int = -1
    """The place that glows before the pieces arrive."""
    ply: int = 0
    """How many actions of a game have been played then."""


class Consequence(msgspec.Struct, omit_defaults=True):
    """What a move leads to: another node, or a reply."""

    to: int = -1
    shown: list[Shown] = []
    answer: int = -1


class Next(msgspec.Struct, omit_defaults=True):
    shown: list[Shown]
    """What the other seat does, ..."""
    to: int
    said: list[str] = []
    """... in words."""


class Reply(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The end of a question, or of a part of it."""

    right: bool
    said: list[str] = []
    shown: list[Shown] = []
    """The turn and the reply to it. Only the turn, if something is asked next; if not, after a right turn
    also the end of the round."""
    scores: list[int] = []
    """Of the seats, at the end of the line."""
    next: list[Next] = []


class Node(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A position in which somebody chooses a move."""

    start: Shown
    """The whole position."""
    choices: list[list[list[int]]] = []
    moves: list[PathMove] = []
    effects: list[Effect] = []
    blocked: dict[str, list[Blocked]] = {}
    """By the path so far (`path_key`)."""
    steps: dict[str, Consequence] = {}
    """By the move; in a lesson by its path, because a part of a path may be all that is asked for."""
    best: list[str] = []
    """The moves of the right turn, at its beginning."""
    path: list[int] = []
    """Its first clicks, ..."""
    glow: list[int] = []
    """... places among which they are, ..."""
    told: list[str] = []
    """... and the turn in words."""
    scores: list[int] = []


class LessonTask(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A step of a lesson: a node with what is said about it."""

    node: int
    task: str
    why: str
    hint: str
    otherwise: str
    """About a path that leads nowhere."""
    bright: list[int]
    chosen: list[int] = []
    """The path with which it begins."""
    at_once: bool = False
    """Whether the next task follows without a pause."""
    show: list[list[int]]
    """The paths that *Show me* plays."""


class Script(msgspec.Struct, kw_only=True, omit_defaults=True):
    nodes: list[Node] = []
    replies: list[Reply] = []
    tasks: list[LessonTask] = []
    plans: dict[str, str] = {}
    """The address of the plan in each form, unless the page itself names it."""


def path_key(path: Iterable[int]) -> str:
    return ",".join(map(str, path))


# --- how it is written -----------------------------------------------------------------------------------


class ScriptWriter:
    """Nodes and replies of one table in one language."""

    def __init__(self, plan: PagePlan, names: Sequence[str]) -> None:
        self.plan, self.names = plan, names
        self.nodes: list[Node] = []
        self.replies: list[Reply] = []
        self._scenes: dict[bytes, Scene] = {}

    def node(self, position: Position) -> Node:
        """The position and what may be chosen in it."""
        choices, moves = paths(self.plan, self.scene(position), position)
        return Node(start=self.shown(None, position), choices=choices, moves=moves,
                    scores=list(position.scores))

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def answer(self, reply: Reply) -> int:
        self.replies.append(reply)
        return len(self.replies) - 1

    def shown(self, before: Position | None, after: Position) -> Shown:
        scene = self.scene(after)
        return Shown(news=news(self.plan, self.scene(before) if before else None, scene),
                     to_move=scene.to_move)

    def walk(self, before: Position, moments: Iterable[Position]) -> list[Shown]:
        """One position after the other, without those that change nothing."""
        shown = []
        for moment in moments:
            if moment.key != before.key:
                shown.append(self.shown(before, moment))
            before = moment
        return shown

    def blocked(self, here: Position, begun: Iterable[Sequence[str]]) -> dict[str, list[Blocked]]:
        """What the rules say about places that cannot be chosen after these beginnings of paths."""
        scene = self.scene(here)
        found = {path: blocked(self.plan, scene, here, path) for path in sorted(map(tuple, begun))}
        return {path_key(self.numbers(path)): places for path, places in found.items() if places}

    def numbers(self, places: Iterable[str]) -> list[int]:
        return [self.plan.slots[place] for place in places]

    def scene(self, position: Position) -> Scene:
        if position.key not in self._scenes:
            self._scenes[position.key] = scene_of(position, self.names)
        return self._scenes[position.key]


def first_node(position: Position, names: Sequence[str], language: str) -> Node:
    """The position and what may be chosen in it, for the first moment of a page."""
    return ScriptWriter(plan_of(position, language), names).node(position)


# --- decisions -------------------------------------------------------------------------------------------

Actions = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class KnownTurn:
    """What is known about a turn."""

    right: bool
    said: Sequence[Message]
    line: Actions
    """What follows it: shown after a wrong turn, and after the last right one."""
    next: Sequence[NextDecision] = ()
    """After a right turn: what is asked next, one after the other; empty: this was all."""


@dataclass(frozen=True, kw_only=True)
class NextDecision:
    """A reply of the other seat, and the next decision."""

    actions: Actions
    decision: Decision


@dataclass(frozen=True, kw_only=True, eq=False)
class Decision:
    position: Position
    best: Actions
    """The turn that is shown as the answer."""
    judge: Callable[[Actions, Position], KnownTurn]
    """The verdict on a turn and the position after it."""


def script_of(decision: Decision, names: Sequence[str], language: str) -> Script:
    writer = _Decisions(plan_of(decision.position, language), names)
    writer.add_decision(decision)
    return Script(nodes=writer.nodes, replies=writer.replies)


class _Decisions(ScriptWriter):
    def add_decision(self, decision: Decision) -> int:
        """Write the nodes of a decision and of all that follow it; return the number of the first one."""
        number = self._add_turn(decision, decision.position, ())
        node, before = self.nodes[number], decision.position
        node.best = [before.game.moves.text(action) for action in decision.best]
        node.path = self.numbers(self.scene(before).path(decision.best[0]))
        node.glow = self.numbers(places_of(before, decision.best))
        node.told = self.turn(before, decision.best, None)
        return number

    def turn(self, before: Position, actions: Actions, name: str | None) -> list[str]:
        """A turn in words; a name: who plays it, None: it is advised."""
        return [self.plan.say(sentence) for sentence in turn_sentences(before, actions, name)]

    def _add_turn(self, decision: Decision, here: Position, begun: Actions) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise ValueError("this question has too many turns to be written down")
        time_limit.check()
        node, choices = self.node(here), self.scene(here).choices
        node.effects = every_effect(self.plan, self.scene(here), here)
        node.blocked = self.blocked(here, {choice.path[:1] for choice in choices if len(choice.path) > 1})
        number = self.add(node)
        for action in sorted({choice.action for choice in choices}):
            step = self._step(decision, here, here.after([action]), (*begun, action))
            node.steps[here.game.moves.text(action)] = step
        return number

    def _step(self, decision: Decision, here: Position, after: Position, turn: Actions) -> Consequence:
        if after.in_turn_of(here.to_move):
            return Consequence(to=self._add_turn(decision, after, turn), shown=[self.shown(here, after)])
        return Consequence(answer=self.answer(self._reply(here, after, decision.judge(turn, after))))

    def _reply(self, here: Position, after: Position, verdict: KnownTurn) -> Reply:
        defences = [(each, after.after(each.actions)) for each in verdict.next]
        moments, end = _moments(after, verdict.line), after.after(verdict.line)
        if defences:
            moments, end = moments[:1], moments[0]
        elif verdict.right:
            moments.append(end)
        return Reply(
            right=verdict.right, said=[self.plan.say(sentence) for sentence in verdict.said],
            shown=self.walk(here, moments), scores=list(end.scores),
            next=[self._next(after, moments[-1], then, each) for each, then in defences],
        )

    def _next(self, after: Position, seen: Position, then: Position, defence: NextDecision) -> Next:
        said = self.turn(after, defence.actions, self.names[after.to_move]) if defence.actions else []
        return Next(shown=self.walk(seen, [then]), to=self.add_decision(defence.decision), said=said)


def _moments(after: Position, line: Actions) -> list[Position]:
    """The turn and the reply to it."""
    then = after.after(after.first_turn(line))
    whole = line and not then.in_turn_of(after.to_move)
    return [before_round_end(each) for each in ((after, then) if whole else (after,))]


# --- lessons ------------------------------------------------------------------------------------------
# A task is a tree of positions; a path that is accepted leads to the next one, or to praise.


Path = tuple[str, ...]


def lesson_script(course: Course, names: Sequence[str], language: str) -> Script:
    plan = plan_of(course.steps[0].table(), language)
    writer = ScriptWriter(plan, names)
    tasks = [_TaskWriter(writer, step).task() for step in course.steps]
    return Script(nodes=writer.nodes, replies=writer.replies, tasks=tasks,
                  plans={form: file.address for form, file in plan.forms.items()})


class _TaskWriter:
    """Writes one step of a lesson."""

    def __init__(self, script: ScriptWriter, step: Lesson) -> None:
        self.script, self.step = script, step
        self.learner = step.table().to_move

    def task(self) -> LessonTask:
        step, say, numbers = self.step, self.script.plan.say, self.script.numbers
        start, shows = step.table(), list(self._demonstration())
        return LessonTask(
            node=self._add(start, [moves.split() for moves in step.accepted], step.turns),
            task=say(step.task), why=say(step.why), hint=say(step.hint), otherwise=say(step.otherwise),
            bright=numbers(step.bright), chosen=numbers(shows[0][: step.chosen]) if shows else [],
            at_once=bool(step.until), show=[numbers(path[: step.until or None]) for path in shows],
        )

    def _demonstration(self) -> Iterator[Path]:
        position = self.step.table()
        for move in self.step.accepted[0].split() if self.step.accepted else ():
            yield next(_paths(self.script.scene(position), position, move), ())
            position.play(move)

    def _add(self, position: Position, wanted: list[list[str]], turns: int) -> int:
        """Write a position and everything that follows from accepted moves; return its number."""
        scene, free = self.script.scene(position), not self.step.accepted
        node = self.script.node(position)
        number = self.script.add(node)
        whole: list[Path] = []
        for choice in scene.choices:
            move = position.game.moves.text(choice.action)
            rest = [moves[1:] for moves in wanted if moves[0] == move]
            if free or rest:
                whole.append(choice.path)
                self._accept(node, position, choice, [moves for moves in rest if moves], turns - 1)
        for move, text in self.step.refused.items():
            for path in _paths(scene, position, move):
                node.steps.setdefault(self._key(path), self._reply(text, [], right=False))
        first = max(1, self.step.chosen)
        node.blocked = self.script.blocked(
            position, {path[:length] for path in whole for length in range(first, len(path))})
        return number

    def _accept(
        self, node: Node, position: Position, choice: Choice, rest: list[list[str]], turns: int
    ) -> None:
        key = self._key(choice.path[: self.step.until or None])
        if key in node.steps:
            return
        if self.step.until:
            node.steps[key] = self._reply(self.step.praise, [], right=True)
            return
        free = not self.step.accepted
        moments = [position.after([choice.action])]
        moments += self._replies(moments[0]) if free else ()
        shown = self.script.walk(position, moments)
        if moments[-1].to_move != self.learner or not (turns if free else rest):
            node.steps[key] = self._reply(self.step.praise, shown, right=True)
        else:
            node.steps[key] = Consequence(to=self._add(moments[-1], rest, turns), shown=shown)

    def _replies(self, position: Position) -> Iterator[Position]:
        """Let the other seats move, until it is the learner's turn or something has to be drawn."""
        bot = GreedyBot("")
        while position.to_move >= 0 and position.to_move != self.learner:
            position = position.after([bot.play(position, rng=random.Random(0)).move])
            yield position

    def _reply(self, text: Message, shown: list[Shown], *, right: bool) -> Consequence:
        reply = Reply(right=right, said=[self.script.plan.say(text)], shown=shown)
        return Consequence(answer=self.script.answer(reply))

    def _key(self, path: Path) -> str:
        return path_key(self.script.numbers(path))


def _paths(scene: Scene, position: Position, move: str) -> Iterator[Path]:
    for choice in scene.choices:
        if position.game.moves.text(choice.action) == move:
            yield choice.path
