"""A position of any game, in the manner of python-chess: look, play, undo, copy, write down, read back."""

from __future__ import annotations

import bisect
import copy
import functools
import importlib
import itertools
import operator
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from azulejos.core import doors, layout, registry
from azulejos.core.chance import randrange
from azulejos.core.game import CHANCE, OVER, Action, Game, Outcome, Preset, Seat
from azulejos.core.message import Message, msg, raw
from azulejos.core.notation import IllegalMove, InvalidMove, Move
from azulejos.core.observation import observe_at, size
from azulejos.core.points import Points
from azulejos.core.points import award as plain_award
from azulejos.core.warmth import functions


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


class Past(NamedTuple):
    """An action of a position's history: the state before it, and its points where they were noted."""

    before: bytes
    action: Action
    points: list[Points] | None


class Trail(NamedTuple):
    """How one position goes on from another of the same game, in plain data."""

    past: list[Past]
    row: bytes
    legal: list[int] | None
    """The legal actions at its end, if somebody has asked for them."""


class LegalMoves:
    """The legal moves (or chance outcomes) of a position: iterate, ``len``, ``in``."""

    def __init__(self, position: Position) -> None:
        self._game = position.game
        self._actions = position.legal_actions()

    def __len__(self) -> int:
        return len(self._actions)

    def __iter__(self) -> Iterator[Move]:
        return (self._game.moves[action] for action in self._actions)

    def __contains__(self, move: object) -> bool:
        try:
            return self._game.moves.number(move) in self._actions
        except (InvalidMove, TypeError):
            return False

    def __repr__(self) -> str:
        return f"<LegalMoves: {' '.join(move.text for move in self)}>"


class Position:
    """A mutable position with its history. Create one with `azulejos.new` or `Position.from_text`."""

    __slots__ = ("_fate", "_history", "_legal", "_rows", "game", "options", "players", "preset")

    def __init__(
        self, game: Game, preset: Preset, players: int, options: Mapping[str, str]
    ) -> None:
        self.game = game
        self.preset = preset
        self.players = operator.index(players)
        self.options = game.read_options({**preset.options, **options})
        self._rows = game.start(self.players, self.options)[None].copy()
        self._history: list[Past] = []
        self._fate: Any = None
        self._legal: tuple[bytes, list[int]] = (b"", [])
        """The legal actions when they were asked for last, and the state they belong to."""

    # --- looking -----------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The record with named fields (see the game's layout.py). Read only."""
        row = self._rows[0].copy()
        row.flags.writeable = False
        return layout.view(self.game.state, row)

    @property
    def row(self) -> layout.Row:
        """A copy of the state's bytes."""
        row: layout.Row = self._rows[0].copy()
        return row

    @property
    def to_move(self) -> int:
        """The seat to move, or CHANCE, or OVER."""
        return layout.read(self.game.state, self._rows[0], "to_move")

    @property
    def is_chance(self) -> bool:
        return self.to_move == CHANCE

    @property
    def is_over(self) -> bool:
        return self.to_move == OVER

    @property
    def in_turn(self) -> bool:
        """Whether the seat to move is in the middle of its turn."""
        return bool(self._bound(doors.in_turn_at)(self._rows, 0))

    @property
    def ply(self) -> int:
        """How many actions were played on this object, chance included."""
        return len(self._history)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions played on this object, chance included."""
        return tuple(past.action for past in self._history)

    def actions_since(self, ply: int) -> list[Action]:
        return [past.action for past in self._history[ply:]]

    def trail(self, ply: int) -> Trail:
        """From the position after the first `ply` actions to this one."""
        row = self._rows.tobytes()
        return Trail(self._history[ply:], row, self._legal[1] if self._legal[0] == row else None)

    @property
    def scores(self) -> tuple[int, ...]:
        scores = layout.view(self.game.state, self._rows[0]).score
        return tuple(int(score) for score in scores[: self.players])

    def legal_actions(self) -> list[int]:
        row = self._rows.tobytes()
        if self._legal[0] != row:
            buffer = np.empty(self.game.max_legal, np.int32)
            count = self._bound(doors.legal_at)(self._rows, 0, buffer)
            self._legal = (row, buffer[:count].tolist())
        return list(self._legal[1])

    def observation(self, seat: int) -> layout.Cells:
        """float32 [feature]: the position as a seat sees it; `Game.planes` names the parts."""
        if not 0 <= seat < self.players:
            raise ValueError(f"the seats are 0 to {self.players - 1}, not {seat}")
        out = np.empty(_features(self.game, self.players, tuple(self.options.items())), np.float32)
        self._bound(observe_at)(self._rows, 0, seat, out)
        return out

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def odds(self) -> dict[Move, int]:
        """At CHANCE: the weight of each outcome."""
        return {self.game.moves[a]: w for a, w in zip(*self._outcomes(), strict=True)}

    def outcome(self) -> Outcome | None:
        """Scores, ranks and the reason of the end; None while the game goes on."""
        if not self.is_over:
            return None
        standing = self._bound(doors.standing_at)
        standings = [int(standing(self._rows, 0, seat)) for seat in range(self.players)]
        ranks = tuple(1 + sum(other > own for other in standings) for own in standings)
        return Outcome(self.scores, ranks, self.game.rules.end_reason(self.state))

    def why_not(self, move: Move | str | int) -> Message | None:
        """Why a move is not legal now; None if it is."""
        action = self._read(move)
        if self._bound(doors.is_legal_at)(self._rows, 0, int(action)):
            return None
        if self.is_over:
            return msg("The game is over.")
        if self.is_chance:
            return msg("Something is being drawn; no player is to move.")
        return self.game.rules.why_not(self.state, int(action)).renamed(self.preset.names)

    def preview(self, move: Move | str | int) -> Message:
        """What a legal move would do, in words: "2 of 3 fit, 1 falls (−1)"."""
        part, action = self.game.preview, self._read(move)
        said = raw(self.game.moves.text(action)) if part is None else part.effect(self, action)
        return said.renamed(self.preset.names)

    def concerns(self, move: Move | str | int) -> list[str]:
        """Slots of the scene, beside those to click, whose pieces a legal move takes or joins."""
        part, action = self.game.preview, self._read(move)
        return [] if part is None else list(part.concerns(self, action))

    def explain(self, ply: int | None = None) -> list[Scored]:
        """Every point scored by the actions played on this object, or by one of them (-1: the last)."""
        if ply is None:
            return [scored for index in range(self.ply) for scored in self.explain(index)]
        past, index = self._history[ply], range(self.ply)[ply]
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
        if not self._bound(doors.is_legal_at)(self._rows, 0, int(action)):
            raise IllegalMove(self.why_not(int(action)) or msg("That is not possible now."))
        self._push(action)
        self._follow_fate()

    def undo(self) -> Move:
        """Take back the last action (of a determinized position: back to the last decision)."""
        if not self._history:
            raise IndexError("nothing was played yet")
        before, action, _ = self._history.pop()
        self._rows[0] = np.frombuffer(before, np.uint8)
        if self._fate is not None and self.is_chance and self._history:
            return self.undo()
        return self.game.moves[action]

    def before_round_end(self) -> Position:
        """The last action alone, without the end of the round that it brought: pieces lie where they were
        put, and nothing is scored yet. It is one ply back, for looking only; itself if no round ended."""
        if not self._history or self.game.rules.round_end is None:
            return self
        twin = self.copy()
        before, action, _ = twin._history.pop()
        twin._rows = np.frombuffer(before, np.uint8)[None].copy()
        return twin if _stopped(self.game, twin._rows, action) else self

    def follow(self, trail: Trail) -> None:
        """Go where another object has gone. Nothing is checked and no rule is run."""
        self._history.extend(trail.past)
        self._rows[0] = np.frombuffer(trail.row, np.uint8)
        if trail.legal is not None:
            self._legal = (trail.row, trail.legal)

    def rewind(self) -> None:
        """Take back everything that was played on this object."""
        if self._history:
            self._rows[0] = np.frombuffer(self._history[0][0], np.uint8)
            self._history.clear()
        self._fate = None

    def deal(self, rng: Any) -> list[Move]:
        """Draw until a player is to move or the game is over; what was drawn."""
        drawn = []
        while self.is_chance:
            action = self.draw(lambda total: randrange(rng, total))
            drawn.append(self.game.moves[action])
        return drawn

    def draw(self, ticket: Callable[[int], int]) -> Action:
        """At CHANCE: play what a ticket draws."""
        action = self.drawn(ticket)
        self._push(action)
        return action

    def drawn(self, ticket: Callable[[int], int]) -> Action:
        """The outcome that a ticket draws. `ticket(n)` is below n, the sum of all odds."""
        actions, weights = self._outcomes()
        sums = list(itertools.accumulate(weights))
        number = ticket(sums[-1])
        if not 0 <= number < sums[-1]:
            raise ValueError(f"a ticket of {sums[-1]} is 0 to {sums[-1] - 1}, not {number}")
        return Action(actions[bisect.bisect_right(sums, number)])

    def determinize(self, rng: Any) -> Position:
        """A copy in which chance plays by itself, from this generator: one possible future.

        A state holds nothing hidden (the bag is counts), so the copy knows no more than this position.
        """
        twin = self.copy()
        twin._fate = rng
        twin._follow_fate()
        return twin

    def copy(self) -> Position:
        twin = object.__new__(Position)
        twin.game, twin.preset = self.game, self.preset
        twin.players, twin.options = self.players, self.options
        twin._rows, twin._history = self._rows.copy(), self._history.copy()
        twin._fate, twin._legal = self._fate, self._legal
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        twin = self.copy()
        twin._fate = copy.deepcopy(self._fate, memo)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold the name of the box, not its code."""
        past = (self._rows, self._history, self._fate)
        return _restored, (self.preset.name, self.players, self.options, *past)

    # --- writing down ------------------------------------------------------------------------------

    def header(self) -> dict[str, Any]:
        """The name of the box, the number of players and the options that differ from the box's."""
        usual = self.game.read_options(self.preset.options)
        options = {name: value for name, value in self.options.items() if value != usual[name]}
        return {"game": self.preset.name, "players": self.players, "options": options}

    def text(self) -> str:
        """The whole position in one line that fits into a URL (docs/notation.md)."""
        options = "".join(f",{k}={v}" for k, v in self.header()["options"].items())
        start = layout.as_dict(self.game.state, self.game.start(self.players, self.options))
        now = layout.as_dict(self.game.state, self._rows[0])
        fields = ",".join(
            f"{name}={layout.encode(_flat(value))}" for name, value in now.items() if value != start[name]
        )
        return f"{self.preset.name},players={self.players}{options}/{fields}"

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read what `text` wrote. A ValueError says what is wrong."""
        head, slash, tail = text.strip().partition("/")
        name, *pairs = head.split(",")
        options = _pairs(pairs)
        players = options.pop("players", "")
        if not slash or not players.isdecimal():
            raise ValueError("a position reads like 'azul,players=2/to_move=0,...'")
        position = new(name, players=int(players), **options)
        shapes = {name: field.shape for name, field in layout.fields_of(position.game.state).items()}
        values = {}
        for field, code in _pairs(pair for pair in tail.split(",") if pair).items():
            if field not in shapes:
                raise ValueError(f"{name} positions have no field {field!r}")
            count = int(np.prod(shapes[field]))
            values[field] = np.reshape(layout.decode(code, count), shapes[field]).tolist()
        position._set(values)
        return position

    def to_json(self) -> dict[str, Any]:
        """The whole position as plain data, with named fields."""
        return {**self.header(), "state": layout.as_dict(self.game.state, self._rows[0])}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Position:
        """Read what `to_json` wrote. A ValueError says what is wrong."""
        if not isinstance(data, Mapping):
            raise ValueError(f"a position is an object, not {type(data).__name__}")
        options = _part(data, "options", dict) if "options" in data else {}
        if not all(isinstance(value, str) for value in options.values()):
            raise ValueError("the options of a position are texts")
        position = new(_part(data, "game", str), players=_part(data, "players", int), **options)
        position._set(_part(data, "state", dict))
        return position

    def _repr_svg_(self) -> str:
        """The table as a picture, for notebooks. Looked up by name: core stands below render."""
        return str(importlib.import_module("azulejos.render").position_svg(self))

    def __repr__(self) -> str:
        return f"Position.from_text({self.text()!r})"

    def __str__(self) -> str:
        return self.text()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (self.game, self.options, self.row.tobytes()) == (
            other.game, other.options, other.row.tobytes()
        )

    __hash__ = None  # type: ignore[assignment]  # positions are mutable

    # --- inside ------------------------------------------------------------------------------------

    def _bound(self, door: Any) -> Any:
        return functions(self.game).bind(door)

    def _read(self, move: Move | str | int) -> Action:
        return Action(self.game.moves.number(move))

    def _outcomes(self) -> tuple[list[int], list[int]]:
        if not self.is_chance:
            raise ValueError("nothing is drawn in this position")
        actions = self.legal_actions()
        weights = np.empty(self.game.max_legal, np.int32)
        self._bound(doors.odds_at)(self._rows, 0, weights)
        return actions, [int(weight) for weight in weights[: len(actions)]]

    def _push(self, action: Action) -> None:
        """Play an action. Interpreted rules take notes of the points in passing, so nobody asks again."""
        before, points = self._rows[0].tobytes(), None
        bound = functions(self.game)
        if bound.compiled:
            bound.bind(doors.apply_at)(self._rows, 0, int(action))
        else:
            points = _noted(self.game, self._rows, action)
        self._history.append(Past(before, action, points))

    def _play_line(self, line: str) -> None:
        actions = self.game.moves.parse_line(line)
        trial = self.copy()
        for action in actions:
            trial.play(action)
        self._rows, self._history = trial._rows, trial._history

    def _follow_fate(self) -> None:
        if self._fate is not None:
            self.deal(self._fate)

    def _set(self, values: dict[str, Any]) -> None:
        if values.get("players", self.players) != self.players:
            raise ValueError("the state has another number of players than its header")
        layout.fill(self.game.state, self._rows[0], values)
        if not self.game.interpreted.bind(doors.census_at)(self._rows, 0):
            raise ValueError("the pieces of this position do not add up")
        self._history.clear()


def new(name: str, /, *, players: int = 2, **options: str) -> Position:
    """A new game: ``new("azul", players=3, wall="grey")``. The first thing to happen may be a draw."""
    game, preset = registry.find(name)
    return Position(game, preset, players, options)


def _restored(
    name: str, players: int, options: dict[str, str], rows: layout.Cells,
    history: list[Past], fate: Any,
) -> Position:
    position = new(name, players=players, **options)
    position._rows, position._history, position._fate = rows.copy(), history, fate
    return position


def points_of(game: Game, before: bytes, action: int) -> list[Points]:
    """What one action scored: the action is run again, interpreted, taking notes."""
    return _noted(game, np.frombuffer(before, np.uint8)[None].copy(), action)


def _noted(game: Game, rows: layout.Cells, action: int) -> list[Points]:
    """Play an action by interpreted rules, taking notes of what it scores."""
    binding, notes = _note_taker(game)
    with _taking_notes:
        notes.clear()
        binding.bind(doors.apply_at)(rows, 0, int(action))
        return list(notes)


_taking_notes = threading.Lock()


@functools.cache
def _note_taker(game: Game) -> tuple[Any, list[Points]]:
    notes: list[Points] = []

    def award(s: Any, seat: int, points: int, reason: int, place: int) -> None:
        s.score[seat] += points
        if points:
            notes.append(Points(int(seat), int(points), int(reason), int(place)))

    return game.replacing({plain_award: award}), notes


def _stopped(game: Game, rows: layout.Cells, action: int) -> bool:
    """Play an action by interpreted rules, up to the end of a round; whether it came to that."""
    binding, ends = _round_stopper(game)
    with _taking_notes:
        ends.clear()
        binding.bind(doors.apply_at)(rows, 0, int(action))
        return bool(ends)


@functools.cache
def _round_stopper(game: Game) -> tuple[Any, list[Any]]:
    ends: list[Any] = []
    assert game.rules.round_end is not None
    return game.replacing({game.rules.round_end: lambda *args: ends.append(args)}), ends


@functools.cache
def _features(game: Game, players: int, options: tuple[tuple[str, str], ...]) -> int:
    return size(game.planes(players, dict(options)))


def _pairs(texts: Iterable[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{text!r} should read name=value")
        if name in pairs:
            raise ValueError(f"{name} stands there twice")
        pairs[name] = value
    return pairs


def _part(data: Mapping[str, Any], name: str, kind: type) -> Any:
    if not isinstance(data.get(name), kind):
        raise ValueError(f"a position needs {name!r}, as {kind.__name__}")
    return data[name]


def _flat(value: Any) -> Sequence[int]:
    return [int(number) for number in np.ravel(value)]
