"""Who is looking at a table."""

from __future__ import annotations

from dataclasses import dataclass

from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """The seats that a person plays, and their language."""

    seats: frozenset[int]
    language: str
    own: frozenset[int] = frozenset()
    """The seats that are theirs, even if a bot or a guest plays them now."""

    @property
    def say(self) -> Say:
        return translator(self.language)
