"""A first lesson, played on the real table: written in a game's ``lesson.py``, shown by a page.

A lesson is data: positions, what to do there, and what to say about anything else. The rules judge all of
it (tests/contract/test_lessons.py), and the page gets every position and reply beforehand, so that a
lesson works without a connection.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from azulejos.core.message import Message

if TYPE_CHECKING:
    from azulejos.core.position import Position

MAX_STEPS: Final = 8


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """One thing to do. `position` is written as by `Position.text`; the learner plays the seat to move."""

    position: str
    task: Message
    """What to do, in one sentence."""
    why: Message
    """The rule behind it, in one sentence."""
    hint: Message
    """How to do it: where to tap."""
    accepted: tuple[str, ...]
    """Moves that fulfil the task; the first is what *Show me* plays. None: any legal move does."""
    praise: Message
    """What has happened, once the task is fulfilled."""
    otherwise: Message
    """For a legal move that is not asked for: what was right, what is needed, where."""
    refused: Mapping[str, Message] = field(default_factory=dict)
    """The same for particular moves, legal or not; other illegal moves are refused by the rules' reason."""
    chosen: int = 0
    """How many places of the path are chosen before the step begins (a move is a path of places)."""
    until: int = 0
    """How many places of the path fulfil the task; 0: the whole move."""
    bright: tuple[str, ...] = ()
    """Places that are not dimmed; none: those where the task begins."""
    earlier: tuple[str, ...] = ()
    """Moves that are played from the position before the step begins."""
    turns: int = 1
    """How many turns the learner plays; a greedy opponent replies between them."""

    def table(self) -> Position:
        from azulejos.core.position import Position  # late: positions have games, and games have lessons

        table = Position.from_text(self.position)
        for move in self.earlier:
            table.play(move)
        return table


@dataclass(frozen=True, kw_only=True)
class Course:
    """The lesson of one box."""

    title: Message
    steps: tuple[LessonStep, ...]
    goodbye: Message
    """What the learner knows now, in one sentence."""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """lesson.py: the lessons of a game, by the name of the preset they are about."""

    courses: Mapping[str, Course]
