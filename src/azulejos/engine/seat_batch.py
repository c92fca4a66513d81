"""Many games at once with one seat for the learner: compiled opponents play the others (docs/batch.md).

    batch = SeatBatch("azul", players=3, opponent="greedy")
    now = batch.init(seed=1, n=4096)
    now = batch.step(now.states, actions, now.key)          # the opponents and chance have moved, too

In every state that comes back the learner is to move: `to_play` is the learner's seat.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np

from azulejos.core.chance import below
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_LEGAL, OVER, STATE, State, apply, deal, random_action
from azulejos.engine.batch import (
    NEXT_STEP, SAME_STEP, Batch, LearnerView, Results, Step, describe, describe_end, forget, look,
    note_scores, settle,
)
from azulejos.engine.turns import Turns, list_turns, make_turns

ANY_SEAT: Final = -1
"""A seat is drawn for the learner at the beginning of every game."""

# --- in compiled code --------------------------------------------------------------------------------


@rule
def greedy_action(row: Cells, turns: Turns, position: Cells) -> int:
    """The first action of the turn with the best evaluation; `position` is the memory of turns.stack[0]."""
    for byte in range(len(row)):
        position[byte] = row[byte]
    list_turns(turns, True)
    return int(turns.found[turns.order[0], 1])


@rule
def others_play(
    s: State, row: Cells, seat: int, greedy: bool, turns: Turns, position: Cells,
    actions: Cells, weights: Cells, rng: Cells,
) -> None:
    """Play chance and the other seats until this one is to move or the game is over."""
    deal(s, actions, weights, rng)
    while s.to_move != seat and s.to_move != OVER:
        if greedy:
            apply(s, greedy_action(row, turns, position))
        else:
            apply(s, random_action(s, actions, weights, rng))
        deal(s, actions, weights, rng)


@rule
def learner_seat(fixed: int, players: int, rng: Cells) -> int:
    return below(rng, players) if fixed == ANY_SEAT else fixed


@loop
def begin_seats(
    rows: Cells, key: Cells, which: Cells, first: Cells, fixed: int, greedy: bool, turns: Turns,
    position: Cells, v: LearnerView,
) -> None:
    """Set up a new game in every row of `which` and play it until the learner is to move."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        if which[i]:
            rows[i] = first
            s = rows[i].view(STATE)[0]
            begin_seat(s, rows[i], fixed, greedy, turns, position, buffers, key[i : i + 1], v, i)


@rule
def begin_seat(
    s: State, row: Cells, fixed: int, greedy: bool, turns: Turns, position: Cells, buffers: Cells,
    rng: Cells, v: LearnerView, i: int,
) -> None:
    seat = learner_seat(fixed, int(s.players), rng)
    others_play(s, row, seat, greedy, turns, position, buffers[0], buffers[1], rng)
    describe(s, seat, buffers[0], v, i)


@loop
def advance_seats(
    rows: Cells, key: Cells, first: Cells, fixed: int, greedy: bool, turns: Turns, position: Cells,
    actions: Cells, kind: int, mode: int, r: Results, v: LearnerView,
) -> None:
    """Play the learner's action and the others' replies; a game that is over is replaced by a new one."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        rng = key[i : i + 1]
        s = rows[i].view(STATE)[0]
        seat = int(s.to_move)
        if seat == OVER:  # it ended in the step before
            rows[i] = first
            forget(r, i)
            begin_seat(s, rows[i], fixed, greedy, turns, position, buffers, rng, v, i)
            continue
        note_scores(s, r.reward[i])
        apply(s, int(actions[i]))
        others_play(s, rows[i], seat, greedy, turns, position, buffers[0], buffers[1], rng)
        settle(s, seat, kind, r, i)
        if s.to_move != OVER:
            describe(s, seat, buffers[0], v, i)
        elif mode == SAME_STEP:
            look(s, seat, r.final_whole, r.final_floats, v, i)
            rows[i] = first
            begin_seat(s, rows[i], fixed, greedy, turns, position, buffers, rng, v, i)
        else:
            describe_end(s, seat, mode == NEXT_STEP, v, i)


# --- in Python ---------------------------------------------------------------------------------------

OPPONENTS: Final = ("random", "greedy")


class SeatBatch(Batch):
    """A `Batch` in which the learner has one seat: a fixed one, or one drawn for every game (None).

    `opponent` is "random", or "greedy" with `weights` (int32 [phase, term], see `contract.Evaluate`).
    """

    def __init__(
        self, name: str, *, players: int = 2, opponent: str = "random", weights: Cells | None = None,
        seat: int | None = None, reward: str = "outcome", threads: int = 2,
        observation: str = "float32", autoreset: str = "same_step", **options: str,
    ) -> None:
        super().__init__(name, players=players, reward=reward, threads=threads, observation=observation,
                         autoreset=autoreset, **options)
        self._settings |= {"opponent": opponent, "weights": weights, "seat": seat}
        if opponent not in OPPONENTS:
            raise ValueError(f"opponent must be one of {', '.join(OPPONENTS)}, not {opponent!r}")
        if opponent == "greedy" and weights is None:
            raise ValueError("a greedy opponent needs the weights of an evaluation")
        if seat is not None and not 0 <= operator.index(seat) < players:
            raise ValueError(f"seat must be 0 to {players - 1} or None, not {seat}")
        self._seat = ANY_SEAT if seat is None else seat
        self._greedy = opponent == "greedy"
        self._weights = np.zeros((1, 1), np.int32) if weights is None else weights
        self._rooms: list[Turns] = []

    def _begin(self, now: Step, which: Cells, part: slice) -> None:
        with self._room() as turns:
            self.game.compiled.bind(begin_seats)(
                now.states[part], now.key[part], which, self._first, self._seat, self._greedy, turns,
                self._position(turns), self._view(now, part),
            )

    def _advance(self, actions: Cells, out: Step, part: slice) -> None:
        with self._room() as turns:
            self.game.compiled.bind(advance_seats)(
                out.states[part], out.key[part], self._first, self._seat, self._greedy, turns,
                self._position(turns), actions[part], self._reward, self._mode,
                self._results(out, part), self._view(out, part),
            )

    @contextmanager
    def _room(self) -> Iterator[Turns]:
        """Memory to list turns, for one thread at a time; kept for the next step."""
        turns = self._rooms.pop() if self._rooms else make_turns(self.game.compiled, self._weights)
        yield turns
        self._rooms.append(turns)

    def _position(self, turns: Turns) -> Cells:
        view: Cells = turns.words[0].view(np.uint8)[: self.game.size]
        return view
