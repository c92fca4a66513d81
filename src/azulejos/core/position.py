"""A position of any game, modelled on python-chess: inspect, play, undo, copy, write, read.

Plain facts are properties (`to_move`, `scores`); whatever computes, acts or takes an argument is a method
(`legal_actions()`, `play(move)`, `outcome()`).
"""

from __future__ import annotations

import copy
import functools
import importlib
import operator
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from azulejos.core import layout, registry, writing
from azulejos.core.chance import tickets_from
from azulejos.core.game import CHANCE, OVER, Action, Game, Outcome, Preset, Seat
from azulejos.core.grid import FORMATS
from azulejos.core.history import History
from azulejos.core.late import np
from azulejos.core.message import Message, msg, raw
from azulejos.core.notation import IllegalMove, InvalidMove, Move
from azulejos.core.observation import Scale, scale_of
from azulejos.core.points import Points
from azulejos.core.readiness import current
from azulejos.core.state import OneState, apply_without_round_end, points_of


@dataclass(frozen=True, slots=True)
class Scored:
    """Points with their reason in words. `place` locates it on the seat's board (see the game's view),
    `code` is the game's number of the reason, `kind` a heading for all points of this sort."""

    ply: int
    seat: Seat
    points: int
    reason: Message
    place: int
    code: int
    kind: Message

    def __str__(self) -> str:
        return f"seat {self.seat + 1}: {self.points:+d} {self.reason}"


class LegalMoves:
    """The legal moves (or chance outcomes) of a position: iterate, ``len``, ``in``, ``random.choice``."""

    __slots__ = ("_actions", "_moves")

    def __init__(self, position: Position) -> None:
        self._moves = position.game.moves
        self._actions = position.legal_actions()

    def __len__(self) -> int:
        return len(self._actions)

    def __iter__(self) -> Iterator[Move]:
        return (self._moves[action] for action in self._actions)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(self._moves[action] for action in self._actions[index])
        return self._moves[self._actions[index]]

    def __contains__(self, move: object) -> bool:
        try:
            return self._moves.number(move) in self._actions
        except (InvalidMove, TypeError):
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves: {' '.join(move.text for move in self)}>"


class Position:
    """A mutable position with its history. Create one with `azulejos.new` or `Position.from_text`."""

    __slots__ = ("_current", "_fate", "_given", "_here", "game", "history", "options", "players", "preset")

    def __init__(
        self, game: Game, preset: Preset, players: int, options: Mapping[str, str]
    ) -> None:
        self.game = game
        self.preset = preset
        self.players = operator.index(players)
        self.options = game.read_options({**preset.options, **options})
        self._given = tuple(self.options.items())
        self._here = OneState(game, start_row(game, self.players, self._given))
        self._current = current(game)
        self.history: History = History(game.moves)
        self._fate: Any = None

    # --- looking -----------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The record with named fields (see the game's layout.py). Read only."""
        return layout.snapshot(self.game.state, self.packed)

    @property
    def packed(self) -> bytes:
        """The state's bytes."""
        return self._here.view.tobytes()

    @property
    def row(self) -> layout.Row:
        """A copy of the state's bytes, as NumPy's array."""
        return np.frombuffer(bytearray(self._here.memory), np.uint8)

    @property
    def to_move(self) -> int:
        """The seat to move, or CHANCE, or OVER."""
        here = self._here
        seat = here.memory[here.turn]
        return seat if seat < 128 else seat - 256

    def mover(self, ply: int) -> int:
        """The seat that was to move at a ply that was played, or CHANCE."""
        seat = self.history.step(ply).before[self._here.turn]
        return seat if seat < 128 else seat - 256

    @property
    def is_chance(self) -> bool:
        here = self._here
        return here.memory[here.turn] == CHANCE % 256

    @property
    def is_over(self) -> bool:
        here = self._here
        return here.memory[here.turn] == OVER % 256

    @property
    def in_turn(self) -> bool:
        """Whether the seat to move is in the middle of its turn."""
        return self._current.verbs.in_turn(self._here)

    def in_turn_of(self, seat: int) -> bool:
        """Whether a seat is in the middle of its turn."""
        return self.to_move == seat and self.in_turn

    @property
    def ply(self) -> int:
        """How many actions were played on this object, chance included."""
        return len(self.history)

    @property
    def key(self) -> bytes:
        """Equal for equal positions, in every process: for dictionaries and sets."""
        return _kind(self.game, self._given) + self._here.memory

    @property
    def scores(self) -> tuple[int, ...]:
        place, kind = _score_of(self.game)
        return tuple(self._here.view[place].cast(kind)[: self.players])  # type: ignore[call-overload]

    def legal_actions(self) -> list[int]:
        return self._current.verbs.legal(self._here).copy()

    def observation(self, seat: int) -> layout.Cells:
        """float32 [feature]: the position as a seat sees it; `Game.planes` names the parts."""
        if not 0 <= seat < self.players:
            raise ValueError(f"the seats are 0 to {self.players - 1}, not {seat}")
        scale = _scale(self.game, self.players, self._given)
        out = np.empty(len(scale.unit), np.uint8)
        self._current.verbs.observe(self._here, seat, out)
        return scale.floats(out)

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def odds(self) -> dict[Move, int]:
        """At CHANCE: the weight of each outcome."""
        if not self.is_chance:
            raise ValueError("nothing is drawn in this position")
        moves = self.game.moves
        return {moves[action]: weight for action, weight in zip(*chance_weights(self), strict=True)}

    def outcome(self) -> Outcome | None:
        """Scores, ranks and the reason for the end; None until the game is over."""
        if not self.is_over:
            return None
        standing = self._current.verbs.standing
        standings = [standing(self._here, seat) for seat in range(self.players)]
        ranks = tuple(1 + sum(other > own for other in standings) for own in standings)
        return Outcome(self.scores, ranks, self.game.rules.end_reason(self.state))

    def why_not(self, move: Move | str | int) -> Message | None:
        """Why a move is not legal now; None if it is."""
        action = self._read(move)
        if self._current.verbs.is_legal(self._here, action):
            return None
        if self.is_over:
            return msg("The game is over.")
        if self.is_chance:
            return msg("A draw is in progress; it is nobody's turn.")
        reason = self.game.why_not(self.state, int(action))
        return None if reason is None else reason.renamed(self.preset.names)

    def preview(self, move: Move | str | int) -> Message:
        """What a legal move would do, in words: "2 of 3 fit, 1 falls (−1)"."""
        part, action = self.game.preview, self._read(move)
        said = raw(self.game.moves.text(action)) if part is None else part.effect(self, action)
        return said.renamed(self.preset.names)

    def explain(self, ply: int | None = None) -> list[Scored]:
        """Every point scored by the actions played on this object, or by one of them (-1: the last)."""
        if ply is None:
            return [scored for index in range(self.ply) for scored in self.explain(index)]
        past, index = self.history.step(ply), range(self.ply)[ply]
        if past.points == []:
            return []
        scored = points_of(self.game, past.before, past.action) if past.points is None else past.points
        return [self._scored(index, points) for points in scored]

    def _scored(self, ply: int, p: Points) -> Scored:
        reasons = self.game.reasons
        reason = reasons.text(p.reason, p.place)
        kind = reason if reasons.kind is None else reasons.kind(p.reason)
        return Scored(ply, Seat(p.seat), p.points, reason, p.place, p.reason, kind)

    # --- playing -----------------------------------------------------------------------------------

    def play(self, move: Move | str | int) -> None:
        """Play a move (or a chance outcome, or a text of several moves); all of it or nothing."""
        if isinstance(move, str) and len(move.split()) > 1:
            self._play_line(move)
            return
        action = self._read(move)
        here = self._here
        before = here.view.tobytes()
        points = self._current.verbs.play(here, action)
        if points is False:
            raise IllegalMove(self.why_not(action) or msg("That is not possible now."))
        self.history.push(before, action, points)
        if self._fate is not None:
            self.deal(self._fate)

    def undo(self) -> Move:
        """Take back the last action (of a determinized position: back to the last decision)."""
        before, action, _ = self.history.pop()
        self._here.set(before)
        if self._fate is not None and self.is_chance and self.history:
            return self.undo()
        return self.game.moves[action]

    def peek(self) -> Move:
        """The last move played on this object."""
        if not self.history:
            raise IndexError("nothing was played yet")
        return self.history[-1]

    def at(self, ply: int) -> Position:
        """The position after the first `ply` actions, with the history until then."""
        if not 0 <= ply <= self.ply:
            raise IndexError(f"ply must be 0 to {self.ply}, not {ply}")
        twin = self.copy()
        twin._fate = None
        if ply < self.ply:
            twin._here.set(self.history.step(ply).before)
            twin.history = self.history.until(ply)
        return twin

    def after(self, moves: Iterable[Move | str | int]) -> Position:
        """A copy on which some moves were played; this position stays as it is."""
        end = self.copy()
        for move in moves:
            end.play(move)
        return end

    def first_turn(self, actions: Sequence[int]) -> tuple[int, ...]:
        """The beginning of a line of play: its actions up to the end of the turn of the seat to move."""
        here, seat = self.copy(), self.to_move
        for count, action in enumerate(actions, start=1):
            here.play(action)
            if not here.in_turn_of(seat):
                return tuple(actions[:count])
        return tuple(actions)

    def deal(self, rng: Any) -> list[Move]:
        """Draw until a player is to move or the game is over; returns what was drawn.

        `rng` is a `random.Random`, a `numpy.random.Generator`, or a function: `rng(n)` is below n, the sum
        of all odds.
        """
        drawn: list[Move] = []
        here = self._here
        if here.memory[here.turn] != CHANCE % 256:
            return drawn
        verbs, push, moves = self._current.verbs, self.history.push, self.game.moves.moves
        draw_ticket, tickets = tickets_from(rng), verbs.tickets(here)
        while tickets:
            ticket, before = draw_ticket(tickets), here.view.tobytes()
            action, points, tickets = verbs.draw(here, ticket)
            push(before, action, points)
            drawn.append(moves[action])
        return drawn

    def determinize(self, rng: Any) -> Position:
        """A copy in which chance plays by itself, from this generator: one possible future.

        A state holds nothing hidden (the bag is counts), so the copy knows no more than this position.
        """
        twin = self.copy()
        twin._fate = rng
        twin.deal(rng)
        return twin

    def copy(self) -> Position:
        twin = object.__new__(Position)
        twin.game, twin.preset = self.game, self.preset
        twin.players, twin.options = self.players, self.options
        twin._here, twin._current, twin._given = self._here.copy(), self._current, self._given
        twin.history, twin._fate = self.history.until(self.ply), self._fate
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        twin = self.copy()
        twin._fate = copy.deepcopy(self._fate, memo)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold the name of the box, not its code, and the actions, not the states in between."""
        first = self.history.step(0).before if self.ply else self._here.view.tobytes()
        played = array("I", self.history.actions).tobytes()
        past = (zlib.compress(first), zlib.compress(played), self._fate)
        return _restored, (self.preset.name, self.players, self.options, *past)

    # --- writing down ------------------------------------------------------------------------------

    def text(self) -> str:
        """The whole position in one line that fits into a URL (docs/notation.md)."""
        return writing.as_text(self)

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read the output of `text`. A ValueError says what is wrong."""
        return _from(writing.read_text(text))

    def to_json(self) -> dict[str, Any]:
        """The whole position as plain data, with named fields."""
        return writing.as_json(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Read the output of `to_json`. A ValueError says what is wrong."""
        return _from(writing.read_json(data))

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks. Imported late by name: core may not import render."""
        return str(importlib.import_module("azulejos.svg").position(self))

    def __repr__(self) -> str:
        return f"Position.from_text({self.text()!r})"

    def __str__(self) -> str:
        return self.text()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.key == other.key

    __hash__ = None  # type: ignore[assignment]  # positions are mutable; `key` is for dictionaries

    # --- inside ------------------------------------------------------------------------------------

    def _read(self, move: Move | str | int) -> Action:
        try:
            return Action(self.game.moves.number(move))
        except InvalidMove:
            if not isinstance(move, str) or not (legal := self.legal_actions()):
                raise
            raise self.game.moves.unreadable(move, legal) from None

    def _play_line(self, line: str) -> None:
        trial = self.after(self.game.moves.parse_line(line))
        self._here, self.history = trial._here, trial.history


def new(name: str, /, *, players: int = 2, **options: str) -> Position:
    """A new game: ``new("azul", players=3, wall="grey")``. It may begin with a draw."""
    game, preset = registry.find(name)
    return Position(game, preset, players, options)


def at_state(position: Position, row: layout.Cells) -> Position:
    """A position of the same box and seats in another state, without a history; the bytes are not
    checked."""
    found = position.at(0)
    found._here.set(row.tobytes())
    return found


def _restored(
    name: str, players: int, options: dict[str, str], first: bytes, played: bytes, fate: Any
) -> Position:
    position = new(name, players=players, **options)
    position._here.set(zlib.decompress(first))
    for action in array("I", zlib.decompress(played)):
        position.play(action)
    position._fate = fate
    return position


def _from(written: writing.PositionText) -> Position:
    position = new(written.name, players=written.players, **written.options)
    here = position._here
    written.fill(position.game, here.memory)
    if position.state.players != position.players:
        raise ValueError("the state has another number of players than its header")
    if not position._current.verbs.census(here):
        raise ValueError("the pieces of this position do not add up")
    return position


# --- for programs that learn -------------------------------------------------------------------------


def legal_mask(position: Position) -> layout.Cells:
    """int8 [decision]: 1 for each legal action of the seat to move."""
    mask = bytearray(position.game.decisions)  # a third of the time that NumPy takes to write a few cells
    if position.to_move >= 0:
        for action in position._current.verbs.legal(position._here):
            mask[action] = 1
    return np.frombuffer(mask, np.int8)


def chance_weights(position: Position) -> tuple[list[int], list[int]]:
    """At CHANCE: the possible actions and their weights, as in `Position.odds`."""
    verbs, here = position._current.verbs, position._here
    return verbs.legal(here).copy(), verbs.odds(here)


# --- for programs that display a game ----------------------------------------------------------------


def before_round_end(position: Position) -> Position:
    """The position after the last action but before the end of the round that followed: pieces lie where
    they were placed, and nothing is scored yet. It is one ply back and for display only; the position
    itself if no round ended."""
    if not position.history or position.game.rules.round_end is None:
        return position
    twin = position.at(position.ply - 1)
    action = position.history.step(-1).action
    return twin if apply_without_round_end(position.game, twin._here, action) else position


def play_forced(position: Position, seat: int, *, until: Callable[[Position], bool] | None = None) -> None:
    """Play the steps of the seat's turn that have a single legal move, up to a position that is not passed
    over."""
    while position.in_turn_of(seat) and len(position.legal_actions()) == 1:
        if until is not None and until(position):
            return
        position.play(position.legal_actions()[0])


# --- kept ----------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def start_row(game: Game, players: int, options: tuple[tuple[str, str], ...]) -> bytes:
    """The first state of a game."""
    return bytes(game.first(players, dict(options)))


@functools.cache
def _score_of(game: Game) -> tuple[slice, str]:
    """Where the scores are in a row, and their format."""
    kind = layout.fields_of(game.state)["score"].width
    return slice(*layout.bytes_of(game.state, "score")), FORMATS[kind]


@functools.cache
def _scale(game: Game, players: int, options: tuple[tuple[str, str], ...]) -> Scale:
    return scale_of(game.planes(players, dict(options)))


@functools.cache
def _kind(game: Game, options: tuple[tuple[str, str], ...]) -> bytes:
    """Distinguishes positions of different games and options whose states have equal bytes."""
    return "".join((game.name, *(f",{name}={value}" for name, value in options), "/")).encode()
