"""The exception for requests that are refused."""

from __future__ import annotations

from azulejos.core.message import Message, msg

FULL = msg("So much has been saved from your address that nothing more can be saved for a while.")


class Refused(Exception):
    """A request cannot be carried out; `reason` says why, in words for the user.

    `section` is the section of the game's guide about it, if the reason is a rule.
    """

    def __init__(self, reason: Message, *, section: str = "") -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.section = section


class Taken(Refused):
    """Somebody else has taken the seat first."""
