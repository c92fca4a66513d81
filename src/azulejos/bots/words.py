"""Bots by word: ``random``, ``greedy``, ``search``, ``level:3``; a colon precedes an argument.

Installed packages add words of their own by entry points in the group ``azulejos.bots``; each names
something that makes a bot from the text after the colon::

    [project.entry-points."azulejos.bots"]
    mine = "mybots:Mine"

``open("search:hand")`` is the searching bot with another set of weights (see a game's evaluate.py),
``open("search@3")`` one that takes three seconds an action.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import importlib
import os
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from azulejos.bots.levels import CHARACTERS, NAMES, STRENGTHS, make_level, standards
from azulejos.bots.search import make_search
from azulejos.bots.simple import GreedyBot, RandomBot
from azulejos.bots.skill import make_skill
from azulejos.core.game import Game
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.position import Position
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report
from azulejos.protocol.external import ExternalBot

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


# --- bots with their own time -------------------------------------------------------------------------


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


# --- words --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Level:
    """A strength to choose at the table: its name, its word for `open`, how strong it is, its price."""

    name: Message
    word: str
    strength: Message
    cost: Message | None = None
    character: Message | None = None
    """The same in one or two words."""
    rank: int = 0
    """1 to 7; 0: not one of the seven."""


def _random(argument: str) -> Bot:
    if argument:
        raise Problem(msg("the bot {name} does not accept '{argument}'", name="random", argument=argument))
    return RandomBot()


MAKERS: dict[str, Callable[[str], Bot]] = {
    "random": _random, "greedy": GreedyBot, "search": make_search, "level": make_level,
    "skill": make_skill,
}
COMMAND = "cmd"
CODE = "py"
GROUP = "azulejos.bots"
FILE = ".npz"
"""A file of weights: its name may contain capitals."""
PROGRAMS = "AZULEJOS_BOTS"
"""Environment variable with the operator's programs, one line NAME=COMMAND each; inherited by
children."""


def open(word: str, *, commands: bool = False) -> Bot:  # noqa: A001 - as in `azulejos.bots.open`
    """The bot that a word names; a ValueError suggests similar words. Close it, or use `with`.

    With `commands`, ``cmd:./mybot`` starts a program that speaks the engine protocol (docs/protocol.md),
    and ``py:mybots:Mine`` calls `Mine` of the module `mybots`. Never set it for untrusted input.
    """
    name, _, argument = word.strip().partition(":")
    name = name.lower()
    if name == COMMAND and commands:
        return ExternalBot(argument)
    if name == CODE and commands:
        return _from_module(argument)
    untimed, seconds = split_time(word.strip())
    if seconds is not None:
        return TimedBot(open(untimed), seconds)
    if name in programs():
        return ExternalBot(programs()[name], word=name)
    if name in announced():
        return _checked(announced()[name].load()(argument), word)
    if name not in MAKERS:
        raise Problem(_unknown(word, name))
    return MAKERS[name](argument if FILE in argument else argument.lower())


def _unknown(word: str, name: str) -> Message:
    known = [*MAKERS, *announced(), *programs()]
    close = difflib.get_close_matches(name, known, 1)
    if close:
        return msg("no bot is called '{name}'; did you mean '{close}'?", name=word, close=close[0])
    return msg("no bot is called '{name}'; there are {names}", name=word, names=", ".join(known))


@functools.cache
def announced() -> dict[str, EntryPoint]:
    """The words that installed packages bring; ours cannot be replaced."""
    from importlib.metadata import entry_points  # late: a tenth of the time to import azulejos

    found = {entry.name.lower(): entry for entry in entry_points(group=GROUP)}
    return {name: entry for name, entry in found.items() if name not in (*MAKERS, COMMAND, CODE)}


def _from_module(place: str) -> Bot:
    """``module:name`` or ``module:name:argument``: what that name makes, or the bot that it is."""
    module, _, rest = place.partition(":")
    name, _, argument = rest.partition(":")
    if not module or not name:
        raise ValueError(f"{CODE}:{place} should read {CODE}:module:name")
    try:
        with _working_folder_first():
            made = getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        raise ValueError(f"there is no module {error.name}") from error
    except AttributeError:
        raise ValueError(f"the module {module} has no {name}") from None
    if isinstance(made, Bot):
        return made
    return _checked(made(argument) if argument else made(), f"{CODE}:{place}")


@contextlib.contextmanager
def _working_folder_first() -> Iterator[None]:
    """As for ``python -m``: a bot that is being written is not installed."""
    sys.path.insert(0, str(Path.cwd()))
    try:
        yield
    finally:
        sys.path.remove(str(Path.cwd()))


def _checked(made: object, word: str) -> Bot:
    if not isinstance(made, Bot):
        raise TypeError(f"{word} is no Bot, but {made!r}")
    return made


def programs() -> dict[str, str]:
    """The programs that the operator gave a name: that name is a bot's word everywhere."""
    lines = os.environ.get(PROGRAMS, "").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def add_program(pair: str) -> None:
    """``NAME=COMMAND``; a ValueError if the name is taken or cannot be a word."""
    name, _, command = (part.strip() for part in pair.partition("="))
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name) or not command or "\n" in command:
        raise ValueError(f"{pair!r} should read name=command, the name in small letters")
    if name in (*MAKERS, COMMAND) or name in programs():
        raise ValueError(f"there is a bot called {name} already")
    os.environ[PROGRAMS] = "\n".join(f"{n}={c}" for n, c in {**programs(), name: command}.items())


def program_levels() -> tuple[Level, ...]:
    strength = msg("A program provided by whoever runs this server.")
    return tuple(Level(name=raw(name), word=name, strength=strength) for name in programs())


def levels(
    game: Game, players: int = 2, options: Mapping[str, str] | None = None
) -> tuple[Level, ...]:
    """The strengths offered for a game, weakest first, with their prices for these seats and options."""
    return tuple(
        Level(name=NAMES[i], word=f"level:{i + 1}", strength=STRENGTHS[i], cost=standard.cost(players),
              character=CHARACTERS[i], rank=i + 1)
        for i, standard in enumerate(standards(game, players, options or {}))
    )


def in_times(level: Level, *seconds: int) -> tuple[Level, ...]:
    """One copy of a level for each of these times for an action."""
    return tuple(
        replace(
            level, name=msg("{name} {seconds} s", name=level.name, seconds=n), word=f"{level.word}@{n}",
            strength=msg("Thinks for {seconds} s a turn.", seconds=n),
        )
        for n in seconds
    )
