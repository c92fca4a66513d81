"""What a bot is: it looks at a position, may use up a budget, and chooses an action.

A position holds nothing hidden (bags are counts), so a bot knows no more than a person at the table.
"""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Protocol

from azulejos.core.game import Action
from azulejos.core.position import Position


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How much a bot may think about one action: what runs out first ends it. Nothing given: 1 second.

    `cpu` counts the seconds that the thinking thread really ran, so that a noisy machine does not
    decide a match. Setting `stop` from another thread ends the thinking at once. More `cores` than one are
    used where a clock runs and nothing has to be repeatable.
    """

    seconds: float | None = None
    nodes: int | None = None
    cpu: bool = False
    cores: int = 1
    stop: threading.Event | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"seconds must be 0 or more, not {self.seconds}")
        if self.nodes is not None and self.nodes < 0:
            raise ValueError(f"nodes must be 0 or more, not {self.nodes}")
        if self.cores < 1:
            raise ValueError(f"cores must be 1 or more, not {self.cores}")

    @property
    def time_limit(self) -> float | None:
        """Seconds; None if only nodes (or somebody's `stop`) end the thinking."""
        bounded = self.seconds is not None or self.nodes is not None or self.stop is not None
        return self.seconds if bounded else 1.0

    def now(self) -> float:
        """The time that counts: of the clock, or of the processor in this thread."""
        return time.thread_time() if self.cpu else time.perf_counter()

    def since(self, began: float) -> Budget:
        """What is left of it if thinking began at that `now`."""
        if self.time_limit is None:
            return self
        return replace(self, seconds=max(0.0, self.time_limit - (self.now() - began)))


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An action and what the bot thinks of it.

    `value` is in points: how far ahead of the best other seat the mover expects to end, with the win
    itself counted as points too (see `engine.value`). `line` is the expected play, beginning with
    `action`. `proved`: every reply was searched to the end of the round (or of the game), and `value` is
    what stands there. `deals`: among actions nearly as good, so many sampled deals of the next round chose.
    """

    action: Action
    value: float | None = None
    line: tuple[Action, ...] = ()
    nodes: int = 0
    depth: int = 0
    proved: bool = False
    deals: int = 0
    seconds: float = 0.0


class Bot(Protocol):
    """A player. One object plays one seat of one game after the other; it may keep what it searched.

    `choose` answers for the seat to move, one action; a turn of several actions is several calls.
    Without `rng` the same position and nodes give the same choice. A position in which no seat is to
    move is a ValueError.
    """

    @property
    def word(self) -> str:
        """What `registry.make` makes this bot from."""
        ...

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice: ...


def choices_of(position: Position) -> list[int]:
    """The legal actions of the seat to move, or a ValueError."""
    if position.is_over:
        raise ValueError("the game is over: there is nothing to choose")
    if position.is_chance:
        raise ValueError("chance is to move: deal first")
    return position.legal_actions()


def own_rng(position: Position) -> random.Random:
    """A generator that depends on the position alone."""
    return random.Random(position.row.tobytes())
