"""The answer no."""

from __future__ import annotations

from azulejos.core.message import Message


class Refused(Exception):
    """What somebody asked for cannot be done; `reason` says why, in words for them.

    `section` is the part of the game's guide to read about it, if it is about the rules.
    """

    def __init__(self, reason: Message, *, section: str = "") -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.section = section
