"""Who is looking at a table."""

from __future__ import annotations

from dataclasses import dataclass, field

from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.web.store.saved import SavedSeat
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import LiveTable


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """The seats that a person plays, and their language."""

    seats: frozenset[int]
    language: str
    own: frozenset[int] = frozenset()
    """The seats that are theirs, even if a bot or a guest plays them now."""
    chairs: tuple[SavedSeat, ...] = field(default=(), compare=False)
    """The seats of the table as they were before these were looked up: once they change, look again."""

    @property
    def say(self) -> Say:
        return translator(self.language)


async def viewer_of(store: Store, table: LiveTable, visitor: str, language: str) -> Viewer:
    chairs = table.seats
    held = await store.held(table.id, visitor)
    return Viewer(seats=held.playing, own=held.own, language=language, chairs=chairs)
