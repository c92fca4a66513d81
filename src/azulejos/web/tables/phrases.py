"""What players can say in every language with one click."""

from __future__ import annotations

from azulejos.core.message import Message, msg

PHRASES: dict[str, Message] = {
    "hello": msg("Hello!"),
    "luck": msg("Good luck!"),
    "nice": msg("Nice move!"),
    "ouch": msg("Ouch!"),
    "think": msg("Let me think."),
    "sorry": msg("Sorry, back in a minute."),
    "thanks": msg("Thank you!"),
    "game": msg("Good game!"),
}

LONGEST_LINE = 200
"""Characters of a line that somebody types."""
