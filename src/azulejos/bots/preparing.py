"""When a bot reaches its full strength, for those who wait for it."""

from __future__ import annotations

from azulejos.bots.compiled import BOTS, is_warm
from azulejos.bots.words import is_compiled
from azulejos.core import jit, warmth
from azulejos.core.game import Game
from azulejos.core.message import Message, nmsg

LONG = 90
"""Seconds from which a time is said in minutes."""


def preparing(game: Game, word: str, name: Message) -> Message | None:
    """When a bot reaches its full strength, if its code is still being compiled."""
    if not jit.enabled() or not is_compiled(word) or is_warm(game):
        return None
    seconds = warmth.seconds_left(game, BOTS)
    if seconds > LONG:
        return nmsg("{name} plays at full strength in about {n} minute.",
                    "{name} plays at full strength in about {n} minutes.", n=round(seconds / 60), name=name)
    return nmsg("{name} plays at full strength in about {n} second.",
                "{name} plays at full strength in about {n} seconds.", n=max(1, seconds), name=name)
