"""``level:7@3``: a bot with its own time, in seconds for each action, whatever the limit says."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from azulejos.core.position import Position
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report

TIME = re.compile(r"(.+)@(\d{1,4}(?:\.\d+)?)", re.DOTALL)


def split_time(word: str) -> tuple[str, float | None]:
    """The word without its time, and the seconds; None: the limit of the caller."""
    match = TIME.fullmatch(word)
    return (match[1], float(match[2])) if match else (word, None)


@dataclass
class TimedBot(Bot):
    """Another bot with its own time limit: wall clock or processor time, as in the caller's limit."""

    bot: Bot
    seconds: float

    @property
    def word(self) -> str:
        return f"{self.bot.word}@{self.seconds:g}"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        return self.bot.play(position, self._own(limit or Limit()), rng=rng)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        return self.bot.rate(position, self._own(limit), report)

    def _own(self, limit: Limit) -> Limit:
        return replace(limit, seconds=self.seconds, nodes=None)

    def close(self) -> None:
        self.bot.close()
