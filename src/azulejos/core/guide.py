"""The rules of a game in our own words: a game's ``guide.py`` writes them, pages and terminals show them.

Every paragraph is a message of one to three sentences, so that it can be translated by itself. Pictures are
positions; whoever shows them draws them as it draws a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec

from azulejos.core.game import Game
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import Scene


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A position (as `Position.text` writes it) with a sentence. `panels` are those to show; none: all."""

    position: str
    caption: Message
    panels: tuple[str, ...] = ()

    def table(self) -> Position:
        return Position.from_text(self.position)

    def scene(self, names: Sequence[str]) -> Scene:
        """What to draw, in the order of `panels`."""
        table = self.table()
        whole: Scene = table.game.module("view").scene(table, names=names)
        return replace(whole, shown=self.panels)


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the rules. `id` is its anchor, the same in every language."""

    id: str
    title: Message
    paragraphs: tuple[Message, ...]
    picture: Picture | None = None


@dataclass(frozen=True, kw_only=True)
class Guide:
    """Everything a player has to know, in the order in which a table needs it."""

    title: Message
    summary: Message
    sections: tuple[Section, ...]


def has_guide(game: Game) -> bool:
    """A game that is still being written may lack one."""
    return find_spec(f"{game.rules.__name__.rpartition('.')[0]}.guide") is not None


def guide_of(game: Game) -> Guide:
    """The guide of a game; a ValueError if it has none."""
    if not has_guide(game):
        raise ValueError(f"the rules of {game.name} are not written down yet")
    guide: Guide = game.module("guide").GUIDE
    return guide


def section_about(position: Position, action: int) -> str:
    """The id of the section that tells why an action is not possible now; empty without a guide."""
    if not has_guide(position.game):
        return ""
    section: Section = position.game.module("guide").section_about(position.state, action)
    return section.id
