"""A game's verbs on one state at a time, as positions call them: compiled, or interpreted until then.

Both ways work on the same bytes (`OneState`), so a position changes from one to the other at any call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, Literal, Protocol

from azulejos.core import doors, layout, plain, verbs
from azulejos.core.doors import DRAWN
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.legality import is_legal
from azulejos.core.observation import observe_at
from azulejos.core.points import Points, award

PATIENCE: Final = 10_000
"""Actions played by interpreted rules (some 20 µs each) before loading compiled code (0.5 s) may pay."""

Notes = list[Points] | None
"""What an action scored; None if points were not recorded."""


class OneState:
    """The bytes of one state: for compiled code a row, for interpreted rules a record of plain integers."""

    __slots__ = (
        "_game", "_record", "actions", "buffer", "buffers", "legal", "memory", "rows", "turn", "view",
        "weights",
    )

    def __init__(self, game: Game, row: bytes) -> None:
        self._game = game
        self.turn = turn_of(game)
        """Which byte says who is to move, as an unsigned number."""
        self.memory = bytearray(row)
        self.view = memoryview(self.memory)
        """`view.tobytes()` is a copy, three times as fast as of the memory itself."""
        self.legal: list[int] | None = None
        """The legal actions, if they are known."""
        self.rows: Any = None
        """uint8 [0, byte]: all of it; made by `as_row`."""
        self._record: Any = None

    def copy(self) -> OneState:
        twin = object.__new__(OneState)
        twin._game, twin.turn = self._game, self.turn
        twin.memory = memory = self.memory[:]
        twin.view = memoryview(memory)
        twin.legal = self.legal
        twin.rows = twin._record = None
        return twin

    @property
    def to_move(self) -> int:
        """The seat to move, CHANCE or OVER."""
        seat = self.memory[self.turn]
        return seat if seat < 128 else seat - 256

    def set(self, row: bytes, legal: list[int] | None = None) -> None:
        self.memory[:] = row
        self.legal = legal

    def as_row(self) -> layout.Cells:
        """For compiled code."""
        if self.rows is None:
            self.rows = np.ndarray((1, len(self.memory)), np.uint8, self.memory)
            self.buffers = np.empty((2, self._game.max_legal), np.int32)
            self.buffer = self.buffers[0]
        return self.rows  # type: ignore[no-any-return]  # made when it is needed

    @property
    def record(self) -> Any:
        if self._record is None:
            self._record = plain.record_of(self._game.state)(self.memory)
            self.actions, self.weights = [0] * self._game.max_legal, [0] * self._game.max_legal
        return self._record


@functools.cache
def turn_of(game: Game) -> int:
    """The byte that says who is to move."""
    start, end = layout.bytes_of(game.state, "to_move")
    if end - start != 1:
        raise TypeError(f"to_move of {game.name} does not fit into a byte")
    return start


class Verbs(Protocol):
    """What positions ask. Nothing is checked but `play`."""

    def legal(self, here: OneState) -> list[int]:
        """The legal actions, ascending."""

    def is_legal(self, here: OneState, action: int) -> bool: ...

    def play(self, here: OneState, action: int) -> Notes | Literal[False]:
        """Play an action; what it scored, or False: it is not legal."""

    def tickets(self, here: OneState) -> int:
        """The sum of all odds; 0 if nothing is drawn."""

    def draw(self, here: OneState, ticket: int) -> tuple[int, Notes, int]:
        """Play what a ticket draws: its action, what it scored, and the tickets for the next draw."""

    def odds(self, here: OneState) -> list[int]:
        """At CHANCE: the weights of the legal actions, in their order."""

    def in_turn(self, here: OneState) -> bool: ...

    def standing(self, here: OneState, seat: int) -> int: ...

    def census(self, here: OneState) -> bool: ...

    def observe(self, here: OneState, seat: int, out: layout.Cells) -> None: ...


class Compiled:
    """Verbs in compiled code, which does not record points."""

    def __init__(self, game: Game) -> None:
        here = OneState(game, bytes(game.size))
        row, entry = here.as_row(), game.compiled.entry
        self._legal = entry(doors.legal_at, row, 0, here.buffer)
        self._odds = entry(doors.odds_at, row, 0, here.buffer)
        self._is_legal = entry(doors.is_legal_at, row, 0, 0)
        self._play = entry(doors.play_at, row, 0, 0)
        self._draw = entry(doors.draw_at, row, 0, 0, here.buffers)
        self._standing = entry(doors.standing_at, row, 0, 0)
        self._in_turn = entry(doors.in_turn_at, row, 0)
        self._census = entry(doors.census_at, row, 0)
        self._game = game

    @functools.cached_property
    def _observe(self) -> Any:
        """Bound when it is first called: most games are never observed."""
        row, out = np.zeros((1, self._game.size), np.uint8), np.zeros(1, np.uint8)
        return self._game.compiled.entry(observe_at, row, 0, 0, out)

    def legal(self, here: OneState) -> list[int]:
        if here.legal is None:
            rows = here.rows if here.rows is not None else here.as_row()
            here.legal = here.buffer[: self._legal(rows, 0, here.buffer)].tolist()
        return here.legal

    def is_legal(self, here: OneState, action: int) -> bool:
        return bool(self._is_legal(here.as_row(), 0, action))

    def play(self, here: OneState, action: int) -> Notes | Literal[False]:
        if not self._play(here.rows if here.rows is not None else here.as_row(), 0, action):
            return False
        here.legal = None
        return None

    def tickets(self, here: OneState) -> int:
        return 0 if here.to_move != verbs.CHANCE else int(self._odds(here.as_row(), 0, here.buffer))

    def draw(self, here: OneState, ticket: int) -> tuple[int, Notes, int]:
        here.legal = None
        rows = here.rows if here.rows is not None else here.as_row()
        drawn = self._draw(rows, 0, ticket, here.buffers)
        return drawn % DRAWN, None, drawn // DRAWN

    def odds(self, here: OneState) -> list[int]:
        count = len(self.legal(here))
        self._odds(here.as_row(), 0, here.buffer)
        found: list[int] = here.buffer[:count].tolist()
        return found

    def in_turn(self, here: OneState) -> bool:
        return bool(self._in_turn(here.as_row(), 0))

    def standing(self, here: OneState, seat: int) -> int:
        return int(self._standing(here.as_row(), 0, seat))

    def census(self, here: OneState) -> bool:
        return bool(self._census(here.as_row(), 0))

    def observe(self, here: OneState, seat: int, out: layout.Cells) -> None:
        self._observe(here.as_row(), 0, seat, out)


class Interpreted:
    """By interpreted rules, which take notes of points as they are scored.

    `impatient` is called after every PATIENCE actions.
    """

    def __init__(self, game: Game, impatient: Callable[[], None] = lambda: None) -> None:
        self._impatient = impatient
        self._patience = PATIENCE
        bind: Any = game.replacing({award: noting_award}).bind
        self._apply, self._legal, self._odds = bind(verbs.apply), bind(verbs.legal), bind(verbs.odds)
        self._is_legal, self._in_turn = bind(is_legal), bind(verbs.in_turn)
        self._standing, self._census = bind(verbs.standing), bind(verbs.census)
        self._bind = bind

    @functools.cached_property
    def _observe(self) -> Any:
        """Bound when it is first called: most games are never observed."""
        return self._bind(verbs.observe)

    def legal(self, here: OneState) -> list[int]:
        if here.legal is None:
            s = here.record
            here.legal = here.actions[: self._legal(s, here.actions)]
        return here.legal

    def is_legal(self, here: OneState, action: int) -> bool:
        return bool(self._is_legal(here.record, action))

    def play(self, here: OneState, action: int) -> Notes | Literal[False]:
        known = here.legal
        if action not in known if known is not None else not self._is_legal(here.record, action):
            return False
        return self.apply(here, action)

    def tickets(self, here: OneState) -> int:
        if here.to_move != verbs.CHANCE:
            return 0
        return int(self._odds(here.record, here.weights))

    def draw(self, here: OneState, ticket: int) -> tuple[int, Notes, int]:
        """The odds are those that `tickets` has just written."""
        drawn = 0
        while ticket >= here.weights[drawn]:
            ticket -= here.weights[drawn]
            drawn += 1
        action = self.legal(here)[drawn]
        return action, self.apply(here, action), self.tickets(here)

    def apply(self, here: OneState, action: int) -> list[Points]:
        """Play an action; returns what it scored."""
        self._patience -= 1
        if not self._patience:
            self._patience = PATIENCE
            self._impatient()
        s = here.record
        self._apply(s, action)
        here.legal = None
        if not s.notes:
            return []
        notes: list[Points] = s.notes
        s.notes = []
        return notes

    def odds(self, here: OneState) -> list[int]:
        self._odds(here.record, here.weights)
        return here.weights[: len(self.legal(here))]

    def in_turn(self, here: OneState) -> bool:
        return bool(self._in_turn(here.record))

    def standing(self, here: OneState, seat: int) -> int:
        return int(self._standing(here.record, seat))

    def census(self, here: OneState) -> bool:
        return bool(self._census(here.record))

    def observe(self, here: OneState, seat: int, out: layout.Cells) -> None:
        self._observe(here.record, seat, out)


def noting_award(s: Any, seat: int, points: int, reason: int, place: int) -> None:
    """`award` for a record that collects points."""
    s.score[seat] += points
    if points:
        s.notes.append(Points(int(seat), int(points), int(reason), int(place)))


# --- running an action again, interpreted -------------------------------------------------------------


def points_of(game: Game, before: bytes, action: int) -> list[Points]:
    """What one action scored."""
    return _interpreted(game).apply(OneState(game, before), action)


@functools.cache
def _interpreted(game: Game) -> Interpreted:
    return Interpreted(game)


def apply_without_round_end(game: Game, here: OneState, action: int) -> bool:
    """Play an action without the end of the round that may follow; returns whether the round ended."""
    s = here.record
    s.round_ended = False
    _apply_until_round_end(game)(s, action)
    here.legal = None
    return bool(s.round_ended)


@functools.cache
def _apply_until_round_end(game: Game) -> Any:
    def stop(s: Any, *args: int) -> None:
        s.round_ended = True

    assert game.rules.round_end is not None
    return game.replacing({award: noting_award, game.rules.round_end: stop}).bind(verbs.apply)
