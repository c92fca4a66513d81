"""The rules of a game in our own words: a game's ``guide.py`` writes them, pages and terminals show them.

Every paragraph is a message of one to three sentences, so that it can be translated by itself. Pictures are
positions; whoever shows them draws them as it draws a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from azulejos.core.message import Message
from azulejos.core.scene import Scene, scene_of

if TYPE_CHECKING:
    from azulejos.core.game import Game
    from azulejos.core.position import Position


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A position (as `Position.text` writes it) with a sentence. `panels` are those to show; none: all."""

    position: str
    caption: Message
    panels: tuple[str, ...] = ()

    def table(self) -> Position:
        from azulejos.core.position import Position  # positions have games, and games have guides

        return Position.from_text(self.position)

    def scene(self, names: Sequence[str]) -> Scene:
        """What to draw, in the order of `panels`."""
        table = self.table()
        return replace(scene_of(table, names), shown=self.panels)


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
    section_about: Callable[[Any, int], Section]
    """In a state: the section that tells why an action is not possible."""


def guide_of(game: Game) -> Guide:
    """The guide of a game; a ValueError if it has none."""
    if game.guide is None:
        raise ValueError(f"the rules of {game.name} are not written down yet")
    return game.guide


def section_about(position: Position, action: int) -> str:
    """The id of the section that tells why an action is not possible now; empty without a guide."""
    guide = position.game.guide
    return "" if guide is None else guide.section_about(position.state, action).id
