"""What the players of a table agree on when it is set up, besides the rules of the game.

The fields of the form: `minutes` per player (0: no clocks), `at_zero` (one of AT_ZERO), `replace` (minutes
after which a player who has left may be replaced) and `chat` (one of CHATS).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from azulejos.web.store.saved import AT_ZERO, CHATS, FREE_CHAT, PHRASES, REMIND, REPLACE_AFTER

MAX_MINUTES = 120


class Agreement(TypedDict):
    minutes: int
    at_zero: str
    replace_after: int
    chat: str


def read_agreement(given: Mapping[str, str]) -> Agreement:
    """The fields of the form; what is missing or makes no sense gets its usual value. Strangers may join a
    table that everybody can see, so there any text has to be allowed expressly."""
    usual_chat = PHRASES if given.get("listed") == "on" else FREE_CHAT
    return Agreement(
        minutes=_minutes(given, "minutes", 0), at_zero=_word(given, "at_zero", AT_ZERO, REMIND),
        replace_after=60 * _minutes(given, "replace", REPLACE_AFTER // 60),
        chat=_word(given, "chat", CHATS, usual_chat),
    )


def _minutes(given: Mapping[str, str], name: str, usual: int) -> int:
    text = given.get(name, "")
    return min(MAX_MINUTES, int(text)) if text.isdecimal() and len(text) < 5 else usual


def _word(given: Mapping[str, str], name: str, known: Sequence[str], usual: str) -> str:
    text = given.get(name, usual)
    return text if text in known else usual
