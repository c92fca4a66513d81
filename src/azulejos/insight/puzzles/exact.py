"""Exact values: whole turns, and what is reached after each of them if both seats play their best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from azulejos.core import layout, time_limit
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import endings
from azulejos.engine.value import INFINITE
from azulejos.insight.puzzles.puzzle import SEATS, Goal, PuzzleEnd, Value

NODES: Final = 1_000_000
"""Most nodes for one position; puzzles are chosen to need far fewer."""
MOST_TURNS: Final = 4000
"""Most turns of one decision."""
SOUGHT: Final = {Goal.WIN: endings.RESULT, Goal.POINTS: endings.MARGIN, Goal.SAFE: endings.MARGIN}


class NotProved(ValueError):
    """The rest of the round cannot be solved: too large, or something is drawn before its end."""


@dataclass(frozen=True, slots=True, eq=False)
class ExactTurn:
    """A whole turn, with the exact value of what it leads to."""

    actions: tuple[int, ...]
    after: Position
    worth: int
    """For the mover: the margin, and `endings.WON` for the result if that is the goal."""


class Exact:
    """Solves the rest of a round; everything found is kept, so ask for one round after the other."""

    def __init__(self, game: Game, goal: Goal, *, nodes: int = NODES) -> None:
        self.game, self.goal, self.nodes = game, goal, nodes
        self.spent = 0
        bind = game.engine.bind
        self._memory = endings.make_ending(game.engine)
        self._solve, self._line = bind(endings.solve), bind(endings.best_line)
        self._room = np.zeros(endings.MAX_PLIES + 1, np.int64)

    def begin(self, position: Position) -> None:
        """Forget the round before; values are those of this position's round."""
        endings.begin(self._memory, sought=SOUGHT[self.goal], round_=int(position.state.round))
        self.spent = 0

    def worth(
        self, position: Position, seat: int, low: int = -INFINITE, high: int = INFINITE
    ) -> int:
        """The value of a position for a seat; exact if between low and high, otherwise a bound."""
        endings.put(self._memory, position.row, limit=self.nodes)
        found = int(self._solve(self._memory, seat, low, high))
        self._check()
        return found

    def line(self, position: Position) -> tuple[int, ...]:
        """Best play to the end of the round."""
        endings.put(self._memory, position.row, limit=self.nodes)
        length = self._line(self._memory, self._room)
        self._check()
        return tuple(self._room[:length].tolist())

    def turns(self, position: Position, low: int = -INFINITE, high: int = INFINITE) -> list[ExactTurn]:
        """Every turn that leads to another position, with its value for the mover; best first. Values
        beyond low and high are bounds."""
        seat = position.to_move
        found = [
            ExactTurn(actions, after, self.worth(after, seat, low, high))
            for actions, after in turns_of(position)
        ]
        return sorted(found, key=lambda turn: -turn.worth)

    def _check(self) -> None:
        time_limit.check()
        counters = self._memory.counters
        self.spent += int(counters[endings.NODES])
        if counters[endings.GIVEN_UP]:
            raise NotProved("the rest of the round cannot be solved")


def effort_of(position: Position, goal: Goal) -> int:
    """The nodes that solve a position, if nothing is known before."""
    exact = Exact(position.game, goal)
    exact.begin(position)
    exact.worth(position, position.to_move)
    return exact.spent


def turns_of(position: Position) -> Iterator[tuple[tuple[int, ...], Position]]:
    """Whole turns with their ends; of several ways to the same position one, the first in order."""
    seat, seen = position.to_move, set[bytes]()
    waiting: list[tuple[tuple[int, ...], Position]] = [((), position)]
    while waiting:
        actions, here = waiting.pop()
        for action in reversed(here.legal_actions()):
            after = here.after([action])
            if after.key in seen:
                continue
            seen.add(after.key)
            if len(seen) > MOST_TURNS:
                raise NotProved("there are too many turns")
            if after.in_turn_of(seat):
                waiting.append(((*actions, action), after))
            else:
                yield (*actions, action), after


# --- values ---------------------------------------------------------------------------------------------


def value_at(end: Position, seat: int) -> Value:
    """The value of the end of a round for a seat."""
    scores, outcome = end.scores, end.outcome()
    margin = scores[seat] - scores[1 - seat]
    if outcome is None:
        return Value(margin)
    if len(outcome.winners) == SEATS:
        return Value(margin, PuzzleEnd.SHARED)
    return Value(margin, PuzzleEnd.WON if seat in outcome.winners else PuzzleEnd.LOST)


# --- what is alike --------------------------------------------------------------------------------------


def canonical_key(position: Position) -> bytes:
    """Equal for positions of a box that are the same up to symmetry."""
    return _formed(position).tobytes()


def answer_key(position: Position) -> bytes:
    """Equal for the ends of turns that count as one answer."""
    row = _formed(position)
    if position.game.symmetry is not None:
        position.game.symmetry.answer(layout.view(position.game.state, row))
    return row.tobytes()


def _formed(position: Position) -> Cells:
    row = position.row
    if position.game.symmetry is not None:
        position.game.symmetry.canonical(layout.view(position.game.state, row))
    return row
