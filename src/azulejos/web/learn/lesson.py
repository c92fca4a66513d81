"""A lesson as a page plays it: every position and every reply, worked out beforehand.

Places are numbers of the plan. A step is a tree of positions; an accepted path leads from one to the next.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from azulejos.bots.greedy import GreedyBot
from azulejos.core.lesson import Course, Step
from azulejos.core.position import Position
from azulejos.core.scene import Choice, Scene, scene_of
from azulejos.web.learn.script import news
from azulejos.web.wire.choices import blocked
from azulejos.web.wire.messages import News
from azulejos.web.wire.plan import PagePlan, plan_of

Path = tuple[str, ...]


class Shown(msgspec.Struct, omit_defaults=True):
    """What a position changes on the page."""

    news: News
    to_move: int


class Answer(msgspec.Struct):
    """What is said about a path that is not accepted."""

    path: list[int]
    text: str


class Way(msgspec.Struct):
    """An accepted path, and the number of the position that it leads to."""

    path: list[int]
    to: int


class Place(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A position within a step."""

    shown: list[Shown]
    """From the position before: after the learner's move, and after the reply."""
    legal: list[list[int]] = []
    accepted: list[Way] = []
    answers: list[Answer] = []
    done: bool = False


class Task(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A step."""

    task: str
    why: str
    hint: str
    praise: str
    otherwise: str
    bright: list[int]
    chosen: list[int] = []
    """The path with which it begins."""
    at_once: bool = False
    """Whether the next step follows without a pause."""
    show: list[list[int]]
    """The paths that *Show me* plays."""
    positions: list[Place]


class Script(msgspec.Struct, kw_only=True):
    plans: dict[str, str]
    """The address of the plan in each form."""
    title: str
    goodbye: str
    tasks: list[Task]


def lesson_script(course: Course, names: Sequence[str], language: str) -> Script:
    plan = plan_of(course.steps[0].table(), language)
    return Script(
        plans={form: file.address for form, file in plan.forms.items()}, title=plan.say(course.title),
        goodbye=plan.say(course.goodbye),
        tasks=[_Writer(plan, step, names).task() for step in course.steps],
    )


class _Writer:
    """Writes one step."""

    def __init__(self, plan: PagePlan, step: Step, names: Sequence[str]) -> None:
        self.plan, self.step, self.names = plan, step, names
        self.learner = step.table().to_move
        self.positions: list[Place] = []

    def task(self) -> Task:
        step, say = self.step, self.plan.say
        start = step.table()
        scene = self._scene(start)
        self._add(start, None, [m.split() for m in step.accepted], step.turns, [self._shown(None, scene)])
        first = _path(scene, start, step.accepted[0].split()[0]) if step.accepted else ()
        return Task(
            task=say(step.task), why=say(step.why), hint=say(step.hint), praise=say(step.praise),
            otherwise=say(step.otherwise), bright=self._numbers(step.bright),
            chosen=self._numbers(first[: step.chosen]), at_once=bool(step.until),
            show=[self._numbers(path) for path in self._demonstration()], positions=self.positions,
        )

    def _demonstration(self) -> Iterator[Path]:
        position = self.step.table()
        for move in self.step.accepted[0].split() if self.step.accepted else ():
            yield _path(self._scene(position), position, move)[: self.step.until or None]
            position.play(move)

    def _add(
        self, position: Position, before: Scene | None, wanted: list[list[str]], turns: int,
        shown: list[Shown],
    ) -> int:
        """Add a position and everything that follows from accepted moves; return its number."""
        number = len(self.positions)
        place = Place(shown=shown)
        self.positions.append(place)
        free = not self.step.accepted
        if position.to_move != self.learner or not (turns if free else wanted):
            place.done = True
            return number
        scene = self._scene(position)
        place.legal = [self._numbers(choice.path) for choice in scene.choices]
        for choice in scene.choices:
            move = position.game.moves.text(choice.action)
            rest = [moves[1:] for moves in wanted if moves[0] == move]
            if free or rest:
                self._accept(place, position, scene, choice, [moves for moves in rest if moves], turns - 1)
        place.answers = list(self._answers(position, scene, place))
        return number

    def _accept(
        self, place: Place, position: Position, scene: Scene, choice: Choice, rest: list[list[str]],
        turns: int,
    ) -> None:
        path = self._numbers(choice.path[: self.step.until or None])
        if any(way.path == path for way in place.accepted):
            return
        if self.step.until:
            place.accepted.append(Way(path=path, to=self._finish([])))
            return
        after = position.after([choice.action])
        shown = [self._shown(scene, self._scene(after))]
        if not self.step.accepted:
            shown += self._replies(after)
        place.accepted.append(Way(path=path, to=self._add(after, scene, rest, turns, shown)))

    def _finish(self, shown: list[Shown]) -> int:
        self.positions.append(Place(shown=shown, done=True))
        return len(self.positions) - 1

    def _replies(self, position: Position) -> Iterator[Shown]:
        """Let the other seats move, until it is the learner's turn or something has to be drawn."""
        bot = GreedyBot("")
        while position.to_move >= 0 and position.to_move != self.learner:
            before = self._scene(position)
            position.play(bot.play(position, rng=random.Random(0)).move)
            yield self._shown(before, self._scene(position))

    def _answers(self, position: Position, scene: Scene, place: Place) -> Iterator[Answer]:
        """What the step says about some moves, then what the rules say about illegal ones."""
        say = self.plan.say
        for move, text in self.step.refused.items():
            for path in _paths(scene, position, move):
                yield Answer(path=self._numbers(path), text=say(text))
        for begun in _beginnings(self.step, scene, place, self.plan):
            for one in blocked(self.plan, scene, position, begun):
                yield Answer(path=[*self._numbers(begun), one.slot], text=one.reason)

    def _shown(self, before: Scene | None, after: Scene) -> Shown:
        return Shown(news=news(self.plan, before, after), to_move=after.to_move)

    def _scene(self, position: Position) -> Scene:
        return scene_of(position, self.names)

    def _numbers(self, places: Iterable[str]) -> list[int]:
        return [self.plan.slots[place] for place in places]


def _path(scene: Scene, position: Position, move: str) -> Path:
    return next(iter(_paths(scene, position, move)), ())


def _paths(scene: Scene, position: Position, move: str) -> Iterator[Path]:
    for choice in scene.choices:
        if position.game.moves.text(choice.action) == move:
            yield choice.path


def _beginnings(step: Step, scene: Scene, place: Place, plan: PagePlan) -> set[Path]:
    """Beginnings of accepted paths, after which a place may be blocked."""
    accepted = {tuple(way.path) for way in place.accepted}
    whole = [choice.path for choice in scene.choices
             if tuple(plan.slots[one] for one in choice.path) in accepted]
    return {path[:length] for path in whole for length in range(max(1, step.chosen), len(path))}

