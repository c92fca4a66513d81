"""Bots by word: ``random``, ``greedy``, ``search``, ``level:3``; what follows a colon is for the bot.

``make("search:hand")`` is the searching bot with another set of weights (see a game's evaluate.py).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass

from azulejos.bots.bot import Bot
from azulejos.bots.external import ExternalBot
from azulejos.bots.greedy import GreedyBot
from azulejos.bots.levels import STRENGTHS, make_level
from azulejos.bots.random import RandomBot
from azulejos.bots.search import SearchBot
from azulejos.core.game import Game
from azulejos.core.message import Message, raw


@dataclass(frozen=True, kw_only=True)
class Level:
    """A strength to choose at the table: its name, the word that makes it, and how strong it is."""

    name: Message
    word: str
    strength: Message


def _random(argument: str) -> Bot:
    if argument:
        raise ValueError(f"the random bot takes no {argument!r}")
    return RandomBot()


MAKERS: dict[str, Callable[[str], Bot]] = {
    "random": _random, "greedy": GreedyBot, "search": SearchBot, "level": make_level,
}
COMMAND = "cmd"


def words() -> tuple[str, ...]:
    """A word for each kind of bot."""
    return tuple("level:1" if name == "level" else name for name in MAKERS)


def make(word: str, *, commands: bool = False) -> Bot:
    """The bot that a word names; a ValueError suggests what was meant.

    With `commands`, ``cmd:./mybot`` starts a program that speaks the engine protocol (docs/protocol.md).
    Never set it for words that come from a stranger.
    """
    name, _, argument = word.strip().partition(":")
    name = name.lower()
    if name == COMMAND and commands:
        return ExternalBot(argument)
    if name not in MAKERS:
        close = difflib.get_close_matches(name, MAKERS, 1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(MAKERS)}"
        raise ValueError(f"no bot is called {word!r}; {hint}")
    return MAKERS[name](argument.lower())


def levels(game: Game) -> tuple[Level, ...]:
    """The strengths offered for a game, weakest first."""
    return tuple(
        Level(name=raw(strength.name), word=f"level:{number}", strength=strength.strength)
        for number, strength in enumerate(STRENGTHS, 1)
    )
