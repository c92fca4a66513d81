"""The rules of a game in our own words: written in a game's ``guide.py``, shown on pages and in terminals.

Every paragraph is a message of one to three sentences, so that it can be translated by itself. Pictures are
positions, drawn in the same way as tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from azulejos.core.message import Message

if TYPE_CHECKING:
    from azulejos.core.game import Game
    from azulejos.core.position import Position
    from azulejos.core.scene import Plan, Scene, Slot


@dataclass(frozen=True, kw_only=True)
class Pin:
    """A numbered part of a picture: a slot of the scene, and what it is.

    `dx`, `dy` move the number away from the middle of the slot, in tiles.
    """

    slot: str
    name: Message
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A position (as written by `Position.text`) with a sentence. `panels` are those to show; empty: all.

    `move` is played first, and the picture shows what it moved; `earlier` are the moves before it.
    """

    position: str
    caption: Message
    panels: tuple[str, ...] = ()
    parts: tuple[Pin, ...] = ()
    move: str = ""
    earlier: tuple[str, ...] = ()

    def table(self) -> Position:
        table = self._before()
        if self.move:
            table.play(self.move)
        return table

    def _before(self) -> Position:
        from azulejos.core.position import Position  # late: positions have games, and games have guides

        table = Position.from_text(self.position)
        for move in self.earlier:
            table.play(move)
        return table

    def scene(self, names: Sequence[str]) -> Scene:
        """What to draw, in the order of `panels`, with the numbers of its parts."""
        return self._scene(self.table(), names)

    def scene_before(self, names: Sequence[str]) -> Scene:
        """The same before the move."""
        return self._scene(self._before(), names)

    def _scene(self, table: Position, names: Sequence[str]) -> Scene:
        from azulejos.core.scene import scene_of  # late: games without pictures load no scenes

        whole = scene_of(table, names)
        return replace(whole, plan=self._numbered(whole.plan), shown=self.panels)

    def _numbered(self, plan: Plan) -> Plan:
        numbers = [_number(plan.slots[part.slot], n, part) for n, part in enumerate(self.parts, 1)]
        at = [plan.panel_of[part.slot] for part in self.parts]
        panels = (
            replace(panel, slots=(*panel.slots, *(
                number for number, where in zip(numbers, at, strict=True) if where == panel.id
            )))
            for panel in plan.panels
        )
        return replace(plan, panels=tuple(panels)) if self.parts else plan


def _number(slot: Slot, n: int, part: Pin) -> Slot:
    from azulejos.core.scene import Slot

    return Slot(f"{PART}{n}", slot.x + part.dx, slot.y + part.dy, part.name, 0.8, 0.8, "badge",
                caption=str(n))


PART: Final = "part"
"""Slots "part1", "part2" … are the numbers of a picture."""


def steps(
    position: str, panels: tuple[str, ...], beginning: Message, *played: tuple[str, Message]
) -> tuple[Picture, ...]:
    """An example move by move: the picture before, then one after each move."""
    moves = tuple(move for move, _ in played)
    return (
        Picture(position=position, panels=panels, caption=beginning),
        *(Picture(position=position, panels=panels, caption=caption, move=move, earlier=moves[:n])
          for n, (move, caption) in enumerate(played)),
    )


@dataclass(frozen=True, kw_only=True)
class Pieces:
    """A few pieces, by kind and by name, with whether the rules allow them together, and why."""

    kinds: tuple[str, ...]
    names: tuple[Message, ...]
    allowed: bool
    caption: Message


@dataclass(frozen=True, kw_only=True)
class GuideTable:
    head: tuple[Message, ...]
    rows: tuple[tuple[Message, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the rules. `id` is its anchor, the same in every language."""

    id: str
    title: Message
    paragraphs: tuple[Message, ...]
    table: GuideTable | None = None
    pieces: tuple[Pieces, ...] = ()
    picture: Picture | None = None
    steps: tuple[Picture, ...] = ()
    """An example move by move, see `steps`."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return (*(() if self.picture is None else (self.picture,)), *self.steps)


@dataclass(frozen=True, kw_only=True)
class Guide:
    """Everything a player has to know, in the order in which it is needed in a game."""

    title: Message
    summary: Message
    sections: tuple[Section, ...]
    section_about: Callable[[Any, int], Section]
    """For a state and an action that is not legal: the section that explains why."""
    facts: Message | None = None
    """Players, rounds, minutes."""
    glance: tuple[Picture, ...] = ()
    """A turn in pictures: take, place, score."""
    card: tuple[tuple[Message, tuple[Message, ...]], ...] = ()
    """The quick reference: headings with all the numbers."""
    terms: tuple[str, ...] = ()
    """The terms of the glossary, as named in i18n/terms.toml."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        return (*self.glance, *(picture for section in self.sections for picture in section.pictures))


def guide_of(game: Game) -> Guide:
    """The guide of a game; a ValueError if it has none."""
    if game.guide is None:
        raise ValueError(f"the rules of {game.name} are not written down yet")
    return game.guide


def section_about(position: Position, action: int) -> str:
    """The id of the section that explains why an action is not legal now; empty without a guide."""
    guide = position.game.guide
    return "" if guide is None else guide.section_about(position.state, action).id


# --- lessons ------------------------------------------------------------------------------------------
# A lesson is data: positions, what to do there, and what to say about anything else. The rules judge all of
# it (conformance/test_lessons.py), and the page gets every position and reply beforehand, so that a
# lesson works without a connection.


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
