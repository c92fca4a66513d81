"""What a game is: a value that names its rules, moves, options and boxes."""

from __future__ import annotations

import functools
import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NewType

from azulejos.core import jit, layout, plain, verbs
from azulejos.core.contract import (
    Dice, Evaluate, Factors, Features, Function, Functions, HasVerbs, Observe, Part, Preview, Reasons,
    Rules, Shapes, Shortlist, Symmetry, Tell, Terminal, View, needed,
)
from azulejos.core.guide import Guide, Lesson
from azulejos.core.late import np
from azulejos.core.message import Message, Problem, msg, raw
from azulejos.core.notation import MoveTable
from azulejos.core.observation import Plane
from azulejos.core.verbs import CHANCE, MAX_SEATS, OVER

__all__ = ["CHANCE", "MAX_SEATS", "OVER", "Action", "Game", "Option", "Outcome", "Preset", "Seat"]

Seat = NewType("Seat", int)
Action = NewType("Action", int)

MIN_SEATS = 2


@dataclass(frozen=True, kw_only=True)
class Component:
    """A part of the box for which we have only a stand-in: an owner can give the real one in a file
    (`core.registry`)."""

    key: str
    """Its name in the file."""
    about: Message
    """What is certain about it and what is not."""
    read: Callable[[object], str]
    """From a value of the file to the text of the option; a Problem says what is wrong."""
    write: Callable[[str], str]
    """From the text of the option to TOML."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """A choice made before the game, as text. `check` reads free values; without it `values` lists them
    all.

    `only_with` names another option and the value without which this one has no effect.
    """

    name: str
    label: Message
    values: tuple[str, ...] = ()
    default: str
    words: Mapping[str, Message] = field(default_factory=dict)
    """What the values are called, where they are not numbers."""
    check: Callable[[str], str] | None = None
    component: Component | None = None
    only_with: tuple[str, str] | None = None

    def word(self, value: str) -> Message:
        return self.words.get(value, raw(value))

    def read(self, value: str) -> str:
        """The canonical form of a value, or a ValueError that says which values are possible."""
        if not isinstance(value, str):
            raise ValueError(f"{self.name} is a text such as {self.default!r}, not {value!r}")
        if self.check is not None:
            return self.check(value)
        if value not in self.values:
            values = raw(", ".join(self.values))
            raise Problem(msg("{option} must be one of {values}, not {value}",
                              option=self.name, values=values, value=value))
        return value

    def in_effect(self, values: Mapping[str, str]) -> str:
        """Its value, given those of all options; the default if it has no effect."""
        if self.only_with is None or values[self.only_with[0]] == self.only_with[1]:
            return values[self.name]
        return self.default


START = Option(
    name="start", label=msg("First player"), values=("lot", "1", "2", "3", "4"), default="lot",
    words={"lot": msg("at random")},
)
"""Who starts, in every game: drawn by lot, or a seat."""


def first_seat(players: int, options: Mapping[str, str]) -> Seat | None:
    """The seat that `START` names; None: the seat is drawn."""
    if options[START.name] == START.default:
        return None
    seat = int(options[START.name])
    if seat > players:
        raise Problem(msg("start is seat {seat}, but there are {n} players", seat=seat, n=players))
    return Seat(seat - 1)


@dataclass(frozen=True, kw_only=True)
class Cover:
    """A box as it stands on the shelf: presets with the same cover are variants of one box."""

    title: Message
    short: Message
    """Its name where there is little room."""
    sentence: Message
    minutes: int
    """How long a game takes people, about."""
    rounds: int = 0
    """How many rounds a game usually has; 0: nobody knows."""
    rounds_vary: bool = False


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What is in a box: a name for the game with some options set.

    `theme` is how its pieces look, `names` what they are called where the game has another word.
    """

    name: str
    title: Message
    about: Message
    options: Mapping[str, str]
    theme: str
    names: Mapping[str, Message] = field(default_factory=dict)
    cover: Cover | None = None
    """None: it stands on the shelf by itself, under its title."""
    variant: tuple[Message, Message] | None = None
    """Its name among the presets of its cover, and what that means in one sentence."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: final scores, ranks from 1 (ties shared), and why it ended."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    reason: Message

    @property
    def winners(self) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat, rank in enumerate(self.ranks) if rank == 1)

    def shares(self) -> tuple[float, ...]:
        """One win, divided among the winners."""
        winners = self.winners
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(self.ranks)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """One game of the family; its package holds everything about it (`core.contract`)."""

    package: str
    """The ``__name__`` of the package: its files are the optional parts."""
    name: str
    title: Message
    version: int
    state: type
    rules: Rules[Any]
    moves: MoveTable
    reasons: Reasons
    decisions: int
    """Actions below this number are players' decisions, the others are chance."""
    max_legal: int
    options: tuple[Option, ...]
    presets: tuple[Preset, ...]
    interface: int | None = None
    """The `core.contract.INTERFACE` it was written for; a game of another distribution must say."""

    view = Part(View[Any])
    shapes = Part(Shapes)
    preview = Part(Preview)
    terminal = Part(Terminal[Any])
    guide = Part(Guide)
    lesson = Part(Lesson)
    tell = Part(Tell[Any])
    symmetry = Part(Symmetry[Any])
    observe = Part(Observe[Any])
    dice = Part(Dice[Any])
    evaluate = Part(Evaluate[Any])
    shortlist = Part(Shortlist[Any])
    features = Part(Features[Any])
    factors = Part(Factors)

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @property
    def num_actions(self) -> int:
        return len(self.moves)

    @functools.cached_property
    def size(self) -> int:
        """Bytes of one state."""
        return layout.size_of(self.state)

    def read_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """The given options, checked, with defaults for the others; a ValueError says what is wrong."""
        known = {option.name: option for option in self.options}
        for name in given:
            if name not in known:
                raise Problem(msg("{game} has no option '{name}'; it has {names}",
                                  game=self.name, name=name, names=", ".join(known)))
        values = {name: option.read(given.get(name, option.default)) for name, option in known.items()}
        return {name: option.in_effect(values) for name, option in known.items()}

    def start(self, players: int, options: Mapping[str, str]) -> layout.Row:
        """The first state, as a row of NumPy's bytes."""
        return np.frombuffer(self.first(players, options), np.uint8)

    def first(self, players: int, options: Mapping[str, str]) -> bytearray:
        """The first state."""
        players = operator.index(players)
        if not MIN_SEATS <= players <= MAX_SEATS:
            raise Problem(msg("players must be {low} to {high}, not {n}",
                              low=MIN_SEATS, high=MAX_SEATS, n=players))
        row = bytearray(self.size)
        self.rules.start(plain.record_of(self.state)(row), players, self.read_options(options))
        return row

    @property
    def folder(self) -> Path:
        return Path(str(sys.modules[self.package].__file__)).parent

    def planes(self, players: int, options: Mapping[str, str]) -> tuple[Plane, ...]:
        """What the numbers of an observation mean, in their order."""
        return needed(self, self.observe, "observe.py").planes(players, self.read_options(options))

    def why_not(self, s: Any, action: int) -> Message | None:
        """With a seat to move: why an action is not legal; None if it is."""
        code = self.interpreted.bind(verbs.refusal)(s, action)
        return None if code == verbs.LEGAL else self.rules.refused[code](s, self.moves[action])

    def names_next_step(self, s: Any, action: int) -> bool:
        """Whether `why_not` only says which step comes next."""
        return self.interpreted.bind(verbs.refusal)(s, action) in self.rules.steps

    # --- bound functions -------------------------------------------------------------------------

    @functools.cached_property
    def interpreted(self) -> jit.Binding:
        return jit.Binding(self, compiled=False)

    @property
    def compiled(self) -> jit.Binding:
        """Functions for simulations and training: native code, compiled when it is first called.

        Without the compiler those of `engine`, under AZULEJOS_JIT=0 interpreted ones.
        """
        if not jit.enabled():
            return self.interpreted
        return self._compiled if jit.has_compiler() else self.engine

    @property
    def engine(self) -> jit.Binding:
        """The functions to think with, ready at once (`core.readiness`)."""
        from azulejos.core import readiness  # which needs this module

        return readiness.engine(self)

    @functools.cached_property
    def _compiled(self) -> jit.Binding:
        return jit.Binding(self, compiled=True)

    def replacing(self, other: Functions) -> jit.Binding:
        """Interpreted functions in which some functions are replaced by others."""
        return jit.Binding(self, compiled=False, replace=other)

    def own(self, verb: Function) -> Function:
        """The game's function for a verb; the declaration itself if no part has one."""
        for part in self._parts_with_verbs():
            if part is not None and verb in part.by_verb:
                return part.by_verb[verb]
        return verb

    def _parts_with_verbs(self) -> Iterator[HasVerbs | None]:
        """One after the other, so that parts that are not needed are not loaded."""
        yield self.rules
        yield self.dice
        yield self.observe
        yield self.shortlist
        yield self.evaluate
        yield self.features
