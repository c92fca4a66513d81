"""Seven named strengths. How skilled each is in a game, and what that costs, was measured (docs/bots.md).

A game keeps its figures in ``levels.toml``, beside its rules:

    [[level]]
    skill = 2.2       # how it thinks: see bots/skill.py; inf: all that the budget gives
    price = 1.4       # points that it gives away in a turn, on average
    blunders = 0.08   # share of its turns that cost more than 5 points
"""

from __future__ import annotations

import functools
import math
import random
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from azulejos.bots.bot import Budget, Choice
from azulejos.bots.skill import SkillBot
from azulejos.core.game import Game
from azulejos.core.message import Message, msg
from azulejos.core.position import Position

NAMES = ("Chalk", "Ochre", "Sienna", "Umber", "Verdigris", "Malachite", "Cobalt")
STRENGTHS = (
    msg("Plays like a child: sees its own move and overlooks many."),
    msg("A first evening: builds its own board, never thinks of the answer."),
    msg("Sees the answer to its move, mostly."),
    msg("Looks several moves ahead."),
    msg("Strong: searches thousands of positions for each move."),
    msg("Very strong: looks far ahead and errs rarely."),
    msg("The strongest: uses all the time it gets."),
)
USUAL = (1.25, 1.97, 2.3, 3.0, 3.7, 4.7, math.inf)
"""The skills of a game that was not calibrated: Azul's."""
FIGURES = "levels.toml"


@dataclass(frozen=True, kw_only=True)
class Standard:
    """What a level is in one game."""

    skill: float
    price: float | None = None
    blunders: float | None = None

    @property
    def cost(self) -> Message | None:
        """The price in words, if it was measured."""
        if self.price is None:
            return None
        return msg("Gives away about {points} points a turn.", points=f"{self.price:.1f}")


@functools.cache
def standards(game: Game) -> tuple[Standard, ...]:
    """The levels of a game, weakest first."""
    path = Path(game.rules.__file__ or "").with_name(FIGURES)
    if not path.exists():
        return tuple(Standard(skill=skill) for skill in USUAL)
    return tuple(Standard(**level) for level in tomllib.loads(path.read_text("utf-8"))["level"])


@dataclass
class LevelBot:
    """One of the seven, from 1."""

    number: int
    _bots: dict[float, SkillBot] = field(default_factory=dict, repr=False)

    @property
    def word(self) -> str:
        return f"level:{self.number}"

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        skill = standards(position.game)[self.number - 1].skill
        return self._bots.setdefault(skill, SkillBot(skill)).choose(position, budget, rng=rng)


def make_level(argument: str) -> LevelBot:
    """By number or by name: ``level:3``, ``level:sienna``."""
    names = [name.lower() for name in NAMES]
    word = argument.lower()
    if word in names:
        return LevelBot(1 + names.index(word))
    if word.isdecimal() and 1 <= int(word) <= len(NAMES):
        return LevelBot(int(word))
    raise ValueError(f"no level is called {argument!r}; there are 1 to {len(names)}: {', '.join(names)}")
