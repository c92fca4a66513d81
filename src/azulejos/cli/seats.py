"""The players at a terminal: people at this keyboard, and bots by their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from azulejos import __version__
from azulejos.bots import Bot
from azulejos.bots import open as open_bot
from azulejos.bots.levels import NAMES, LevelBot
from azulejos.cli.common import say
from azulejos.core.message import Problem, msg
from azulejos.core.record import Player
from azulejos.protocol.external import greeted

ME = "me"
YOU = "You"


@dataclass(frozen=True, slots=True)
class Participant:
    name: str
    bot: Bot | None = None

    def player(self) -> Player:
        """The player for the record: a bot with its version."""
        return Player(self.name, f"{self.bot.word} {__version__}" if self.bot else "")


def read_seats(words: Sequence[str], players: int, *, rest: str) -> tuple[Participant, ...]:
    """One participant per word; the bot `rest` takes the other seats. Raises ValueError for a bad word."""
    if len(words) > players:
        raise Problem(msg("{seats} seats were named, but there are {n} players",
                          seats=len(words), n=players))
    filled = [*words, *[rest] * (players - len(words))]
    seats = [_participant(word) for word in filled]
    often = Counter(who.name for who in seats)
    return tuple(
        Participant(f"{who.name} {seat}", who.bot) if often[who.name] > 1 else who
        for seat, who in enumerate(seats, start=1)
    )


def _participant(word: str) -> Participant:
    """`me` is you, a capitalised word without a colon is a person's name, any other word is a bot."""
    if word == ME:
        return Participant(YOU)
    if word != word.lower() and ":" not in word:
        return Participant(word)
    bot = greeted(open_bot(word, commands=True))
    return Participant(say(NAMES[bot.number - 1]) if isinstance(bot, LevelBot) else word, bot)
