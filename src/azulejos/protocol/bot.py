"""The interface of bots: a bot gets a position and a limit, and plays a move or rates the moves.

    with azulejos.bots.open("search") as bot:
        position.play(bot.play(position, Limit(seconds=1)).move)
        for found in bot.analysis(position, Limit(seconds=10)):
            print(found.best.move.text, found.best.value)

A position holds nothing hidden (bags are counts), so a bot knows no more than a person at the table.
"""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from azulejos.core.game import Action
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.protocol.process import Stream

LONGEST = 10**9
"""Seconds; three decades, so that nanoseconds still fit into 64 bits."""
MOST_NODES = 10**18


@dataclass(frozen=True, kw_only=True)
class Limit:
    """How long a bot may think about one action; the first limit reached ends it. Default: 1 second.

    With `cpu`, seconds are processor time of the searching thread, so that a busy machine does not affect
    a match. Setting `stop` from another thread ends the search at once. More than one of the `cores` is
    used only with a time limit or `stop`, where the answer need not be repeatable.
    """

    seconds: float | None = None
    nodes: int | None = None
    cpu: bool = False
    cores: int = 1
    stop: threading.Event | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seconds is not None and not 0 <= self.seconds <= LONGEST:
            raise ValueError(f"seconds must be from 0 to {LONGEST:,}, not {self.seconds:g}")
        if self.nodes is not None and not 0 <= self.nodes <= MOST_NODES:
            raise ValueError(f"nodes must be a number from 0 to {MOST_NODES:,}")
        if self.cores < 1:
            raise ValueError(f"cores must be 1 or more, not {self.cores}")

    @property
    def time_limit(self) -> float | None:
        """Seconds; None if only nodes or `stop` end the search."""
        bounded = self.seconds is not None or self.nodes is not None or self.stop is not None
        return self.seconds if bounded else 1.0

    def now(self) -> float:
        """The current time: of the wall clock, or with `cpu` the processor time of this thread."""
        return time.thread_time() if self.cpu else time.perf_counter()

    def since(self, began: float) -> Limit:
        """What is left of the limit if the search began when `now` was `began`."""
        if self.time_limit is None:
            return self
        return replace(self, seconds=max(0.0, self.time_limit - (self.now() - began)))


@dataclass(frozen=True, kw_only=True)
class PlayResult:
    """A move and the bot's evaluation of it.

    `value` is in points: how far ahead of the best other seat the mover expects to end, with the win
    itself counted as points too (see `engine.value`). `line` is the expected play, beginning with `move`.
    `proved`: every reply was searched to the end of the round (or of the game), and `value` is the value
    there. `deals`: the number of sampled deals of the next round used to choose among nearly equal moves;
    if there were any, `value` is their mean.
    """

    move: Move
    value: float | None = None
    line: tuple[Move, ...] = ()
    nodes: int = 0
    depth: int = 0
    proved: bool = False
    deals: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class RatedMove:
    """A move with its value in points (as in `PlayResult.value`), chance to win, expected play and depth.

    `value` and `win` are None if the bot does not give them.
    """

    move: Move
    value: float | None
    win: float | None
    line: tuple[Move, ...]
    depth: int
    proved: bool


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """The moves that a bot has rated, best first, and the effort. `proved`: all ratings are proved."""

    moves: tuple[RatedMove, ...]
    nodes: int
    proved: bool
    seconds: float

    @property
    def best(self) -> RatedMove:
        return self.moves[0]

    @classmethod
    def of_one(cls, result: PlayResult) -> Analysis:
        """The analysis of a bot that rates only the move it would play."""
        rated = RatedMove(
            move=result.move, value=result.value, win=None, line=result.line, depth=result.depth,
            proved=result.proved,
        )
        return cls(moves=(rated,), nodes=result.nodes, proved=False, seconds=result.seconds)


Report = Callable[[Analysis], None]


class Bot(ABC):
    """A player, made by `azulejos.bots.open`. It can play any number of games, and may keep what it
    searched until it is closed. It handles one call at a time.

    Answers are for the seat to move; a position in which no seat is to move raises a ValueError. A turn of
    several actions needs several calls. Without a limit a call takes one second.
    """

    @property
    @abstractmethod
    def word(self) -> str:
        """The word for which `azulejos.bots.open` makes this bot."""

    @abstractmethod
    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        """The move that this bot plays. Without `rng` the same position and nodes give the same move."""

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        """Rate the moves, and `report` each better analysis. Most bots rate only the move they play."""
        return Analysis.of_one(self.play(position, limit))

    def analyse(self, position: Position, limit: Limit | None = None) -> Analysis:
        """What the moves are worth, best first."""
        return self.rate(position, limit or Limit())

    def analysis(self, position: Position, limit: Limit | None = None) -> Stream[Analysis]:
        """A stream of ever better analyses; without a limit it runs until it is stopped."""
        asked, limit = position.copy(), limit or Limit(stop=threading.Event())
        stop = limit.stop or threading.Event()
        until = replace(limit, seconds=limit.time_limit, stop=stop)
        return Stream(lambda report: self.rate(asked, until, report), stop)

    def close(self) -> None:  # noqa: B027 - most bots hold nothing to release
        """Free memory and end programs. The next call starts afresh."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def choices_of(position: Position) -> list[int]:
    """The legal actions of the seat to move, or a ValueError."""
    if position.is_over:
        raise ValueError("the game is over: there is nothing to choose")
    if position.is_chance:
        raise ValueError("chance is to move: deal first")
    return position.legal_actions()


def only_choice(position: Position, actions: list[int]) -> PlayResult:
    """The answer if only one action is legal."""
    move = position.game.moves[Action(actions[0])]
    return PlayResult(move=move, line=(move,))


def own_rng(position: Position) -> random.Random:
    """A generator that depends only on the position."""
    return random.Random(position.row.tobytes())
