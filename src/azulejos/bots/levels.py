"""Seven named strengths. Skills, and the points that each level gives away, were measured (docs/bots.md).

A game keeps its figures in ``levels.toml``, beside its rules, in tables of seven levels, weakest first:

    [[table]]
    seats = [2]                # for this number of players, and
    options.side = ["a"]       # for these options; options that are not named may have any value
    skills = [1, 2, inf]       # skills, see bots/skill.py; inf: as much as the limit allows
    prices = [3.2, 1.4]        # average points given away in a turn, as far as measured
    blunders = [0.3, 0.1]      # share of turns that cost more than 5 points

The first table that matches a game is used, prices included: prices belong to the skills of their table.
"""

from __future__ import annotations

import functools
import math
import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from azulejos.bots.skill import SkillBot
from azulejos.core.game import Game
from azulejos.core.message import Message, Problem, msg, pmsg
from azulejos.core.position import Position
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report

NAMES = (
    msg("Sand"), msg("Clay"), msg("Brick"), msg("Kiln"), msg("Celadon"),
    msg("Majolica"), msg("Porcelain"),
)
CHARACTERS = (
    msg("very easy"), msg("easy"), msg("gentle"), pmsg("strength of a bot", "fair"), msg("strong"),
    msg("very strong"), msg("the strongest"),
)
STRENGTHS = (
    msg("A child at the table: overlooks a lot."),
    msg("A first evening: builds its own board."),
    msg("Sees your reply, mostly."),
    msg("Looks a few turns ahead."),
    msg("Punishes every gift."),
    msg("Looks far ahead, rarely errs."),
    msg("Uses all the time it gets."),
)
"""In one short sentence: it has to fit on a card."""
USUAL = (0.6, 1.1, 2.6, 3.1, 3.8, 4.8, math.inf)
"""The skills for a game that was not calibrated: those of Azul."""
FIGURES = "levels.toml"


@dataclass(frozen=True, kw_only=True)
class Standard:
    """What a level is in one game."""

    skill: float
    price: float | None = None
    blunders: float | None = None

    def cost(self, players: int) -> Message | None:
        """The price in words, if it was measured."""
        if self.price is None:
            return None
        return msg("With {n} players it loses about {points} points per turn compared with best play.",
                   n=players, points=round(self.price, 1))


@dataclass(frozen=True, kw_only=True)
class LevelTable:
    """Seven levels, and the seats and options for which they are used."""

    levels: tuple[Standard, ...]
    seats: tuple[int, ...] = ()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def fits(self, players: int, options: Mapping[str, str]) -> bool:
        named = all(options[name] in values for name, values in self.options.items())
        return named and (not self.seats or players in self.seats)


def standards(game: Game, players: int, options: Mapping[str, str]) -> tuple[Standard, ...]:
    """The levels at a table of the game, weakest first."""
    chosen = game.read_options(options)
    return next(table.levels for table in tables(game) if table.fits(players, chosen))


@functools.cache
def tables(game: Game) -> tuple[LevelTable, ...]:
    """The tables in a game's file, followed by the defaults."""
    path = game.folder / FIGURES
    written = tomllib.loads(path.read_text("utf-8"))["table"] if path.exists() else []
    usual = LevelTable(levels=tuple(Standard(skill=skill) for skill in USUAL))
    return (*(_read(table) for table in written), usual)


def _read(table: Mapping[str, Any]) -> LevelTable:
    columns = (table.get(column, ()) for column in ("skills", "prices", "blunders"))
    return LevelTable(
        levels=tuple(Standard(skill=s, price=p, blunders=b) for s, p, b in zip_longest(*columns)),
        seats=tuple(table.get("seats", ())),
        options={name: tuple(values) for name, values in table.get("options", {}).items()},
    )


@dataclass
class LevelBot(Bot):
    """One of the seven levels, counted from 1."""

    number: int
    _bots: dict[float, SkillBot] = field(default_factory=dict, repr=False)

    @property
    def word(self) -> str:
        return f"level:{self.number}"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        return self._bot(position).play(position, limit, rng=rng)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        return self._bot(position).rate(position, limit, report)

    def _bot(self, position: Position) -> SkillBot:
        skill = standards(position.game, position.players, position.options)[self.number - 1].skill
        return self._bots.setdefault(skill, SkillBot(skill))

    def close(self) -> None:
        for bot in self._bots.values():
            bot.close()


def make_level(argument: str) -> LevelBot:
    """By number or by name: ``level:3``, ``level:brick``."""
    names = [name.text.lower() for name in NAMES]
    word = argument.lower()
    if word in names:
        return LevelBot(1 + names.index(word))
    if word.isdecimal() and 1 <= int(word) <= len(NAMES):
        return LevelBot(int(word))
    raise Problem(msg("no level is called '{name}'; there are 1 to {last}: {names}",
                      name=argument, last=len(names), names=", ".join(names)))
