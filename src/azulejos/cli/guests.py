"""Who sits at the table: people at this keyboard, and bots by their word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from azulejos import __version__
from azulejos.bots import Bot, make
from azulejos.core.message import Problem, msg
from azulejos.core.record import Player
from azulejos.protocol.external import greeted

ME = "me"
YOU = "You"


@dataclass(frozen=True, slots=True)
class Guest:
    name: str
    bot: Bot | None = None

    def player(self) -> Player:
        """For the record: a bot with the version that it came with."""
        return Player(self.name, f"{self.bot.word} {__version__}" if self.bot else "")


def read_guests(words: Sequence[str], players: int, *, rest: str) -> tuple[Guest, ...]:
    """One guest per word; seats without a word go to the bot `rest`. A ValueError names a bad word."""
    if len(words) > players:
        raise Problem(msg("{seats} seats were named, but there are {n} players",
                          seats=len(words), n=players))
    filled = [*words, *[rest] * (players - len(words))]
    guests = [_guest(word) for word in filled]
    often = Counter(guest.name for guest in guests)
    return tuple(
        Guest(f"{guest.name} {seat}", guest.bot) if often[guest.name] > 1 else guest
        for seat, guest in enumerate(guests, start=1)
    )


def _guest(word: str) -> Guest:
    """`me` is you, a word with a capital letter and no colon is a person's name, any other is a bot."""
    if word == ME:
        return Guest(YOU)
    if word != word.lower() and ":" not in word:
        return Guest(word)
    return Guest(word, greeted(make(word, commands=True)))
