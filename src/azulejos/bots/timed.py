"""``level:7@3``: a bot that takes its own time, so many seconds an action, whatever the limit says."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from azulejos.core.position import Position
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report

TIME = re.compile(r"(.+)@(\d{1,4}(?:\.\d+)?)", re.DOTALL)


def split_time(word: str) -> tuple[str, float | None]:
    """The word without its time, and the seconds; None: as the table grants."""
    match = TIME.fullmatch(word)
    return (match[1], float(match[2])) if match else (word, None)


@dataclass
class TimedBot(Bot):
    """Another bot with a time of its own: of the clock or of the processor, as the limit counts."""

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
