"""``level:7@3``: a bot that takes its own time, so many seconds an action, whatever the table grants."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Budget, Choice

TIME = re.compile(r"(.+)@(\d{1,4}(?:\.\d+)?)", re.DOTALL)


def split_time(word: str) -> tuple[str, float | None]:
    """The word without its time, and the seconds; None: as the table grants."""
    match = TIME.fullmatch(word)
    return (match[1], float(match[2])) if match else (word, None)


@dataclass
class TimedBot:
    """Another bot with a time of its own: of the clock or of the processor, as the budget counts."""

    bot: Bot
    seconds: float

    @property
    def word(self) -> str:
        return f"{self.bot.word}@{self.seconds:g}"

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        return self.bot.choose(position, replace(budget, seconds=self.seconds, nodes=None), rng=rng)
