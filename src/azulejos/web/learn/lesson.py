"""A lesson as a script: every position and every reply, worked out beforehand (`learn.script`).

A task is a tree of positions; a path that is accepted leads to the next one, or to praise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from azulejos.bots.simple import GreedyBot
from azulejos.core.lesson import Course
from azulejos.core.lesson import LessonStep as Lesson
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import Choice, Scene
from azulejos.web.learn.script import (
    Consequence,
    LessonTask,
    Node,
    Reply,
    Script,
    ScriptWriter,
    Shown,
    path_key,
)
from azulejos.web.wire.plan import plan_of

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
