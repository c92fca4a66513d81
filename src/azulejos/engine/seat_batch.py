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

from azulejos.core.chance import below, seeded
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_LEGAL, OVER, STATE, State, apply, deal, random_action
from azulejos.engine.batch import Batch, Step, describe, note_scores, settle
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
    rows: Cells, key: Cells, first: Cells, fixed: int, greedy: bool, turns: Turns, position: Cells,
    to_play: Cells, mask: Cells, observation: Cells,
) -> None:
    """Set up a new game in every row and play it until the learner is to move."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        rng = key[i : i + 1]
        rows[i] = first
        s = rows[i].view(STATE)[0]
        seat = learner_seat(fixed, int(s.players), rng)
        others_play(s, rows[i], seat, greedy, turns, position, buffers[0], buffers[1], rng)
        to_play[i] = seat
        describe(s, buffers[0], mask[i], observation[i])


@loop
def advance_seats(
    rows: Cells, key: Cells, first: Cells, fixed: int, greedy: bool, turns: Turns, position: Cells,
    actions: Cells, scores: Cells, reward: Cells, kind: int, done: Cells, final: Cells,
    to_play: Cells, mask: Cells, observation: Cells,
) -> None:
    """Play the learner's action and the others' replies; a finished game is replaced by a new one."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        rng = key[i : i + 1]
        s = rows[i].view(STATE)[0]
        seat = int(s.to_move)
        note_scores(s, reward[i])
        apply(s, int(actions[i]))
        others_play(s, rows[i], seat, greedy, turns, position, buffers[0], buffers[1], rng)
        done[i] = s.to_move == OVER
        settle(s, seat, scores[i], reward[i], kind, final[i])
        if done[i]:
            rows[i] = first
            seat = learner_seat(fixed, int(s.players), rng)
            others_play(s, rows[i], seat, greedy, turns, position, buffers[0], buffers[1], rng)
        to_play[i] = seat
        describe(s, buffers[0], mask[i], observation[i])


# --- in Python ---------------------------------------------------------------------------------------

OPPONENTS: Final = ("random", "greedy")


class SeatBatch(Batch):
    """A `Batch` in which the learner has one seat: a fixed one, or one drawn for every game (None).

    `opponent` is "random", or "greedy" with `weights` (int32 [phase, term], see `contract.Evaluate`).
    """

    def __init__(
        self, name: str, *, players: int = 2, opponent: str = "random", weights: Cells | None = None,
        seat: int | None = None, reward: str = "outcome", threads: int = 2, **options: str,
    ) -> None:
        super().__init__(name, players=players, reward=reward, threads=threads, **options)
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

    def init(self, seed: int, n: int, *, out: Step | None = None) -> Step:
        """n new games in which the learner is to move. The same seed gives the same games."""
        out = out or self.empty(n)
        out.key[:] = seeded(seed, n)
        out.reward[:] = out.done[:] = out.scores[:] = 0
        start = self.game.compiled.bind(begin_seats)

        def work(part: slice) -> None:
            with self._room() as turns:
                start(
                    out.states[part], out.key[part], self._first, self._seat, self._greedy, turns,
                    self._position(turns), out.to_play[part], out.mask[part], out.observation[part],
                )

        self._share(work, n)
        return out

    def _advance(self, actions: Cells, out: Step, part: slice) -> None:
        with self._room() as turns:
            self.game.compiled.bind(advance_seats)(
                out.states[part], out.key[part], self._first, self._seat, self._greedy, turns,
                self._position(turns), actions[part], out.scores[part], out.reward[part], self._reward,
                out.done[part], out.final[part], out.to_play[part], out.mask[part], out.observation[part],
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
