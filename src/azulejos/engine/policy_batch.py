"""Many games in which functions of one's own play the other seats (docs/batch.md).

    batch = PolicyBatch("azul", opponents=[policy, bot_policy("level:3")])
    now = batch.init(seed=1, n=256)
    now = batch.step(now.states, actions, now.key, out=now)

Every game is played against one of the opponents, drawn when it begins. In every state that comes back the
learner is to move, as in `SeatBatch`; but seats and opponents are kept here, so a batch steps one set of
games.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from azulejos.core.chance import seeded
from azulejos.core.layout import Cells, dtype_of
from azulejos.core.position import Position
from azulejos.core.verbs import OVER
from azulejos.engine.batch import NEXT_STEP, SAME_STEP, Batch, Step
from azulejos.engine.seat_batch import ANY_SEAT


@dataclass(frozen=True)
class OpponentsTurn:
    """Games in which an opponent has to choose: arrays as in `Step`, of its games alone."""

    batch: Batch
    states: Cells
    observation: Cells
    mask: Cells
    to_play: Cells

    @functools.cached_property
    def positions(self) -> list[Position]:
        return [self.batch.position(row) for row in self.states]


Policy = Callable[[OpponentsTurn], Cells]
"""Chooses a legal action for each game: whole numbers [game]."""


class PolicyBatch(Batch):
    """A `Batch` in which the learner has one seat (None: drawn for every game), `opponents` the others."""

    def __init__(
        self, name: str, *, opponents: Sequence[Policy], players: int = 2, seat: int | None = None,
        reward: str = "outcome", threads: int = 2, observation: str = "float32",
        autoreset: str = "same_step", **options: str,
    ) -> None:
        super().__init__(name, players=players, reward=reward, threads=threads, observation=observation,
                         autoreset=autoreset, **options)
        if not opponents:
            raise ValueError("there must be an opponent")
        if seat is not None and not 0 <= operator.index(seat) < players:
            raise ValueError(f"seat must be 0 to {players - 1} or None, not {seat}")
        self._settings |= {"opponents": opponents, "seat": seat}
        self.opponents = opponents
        """The pool; whoever replaces a member, or adds one to a list, changes the games to come."""
        self._seat = ANY_SEAT if seat is None else seat
        self._plain = Batch(name, players=players, reward=reward, threads=threads, observation=observation,
                            autoreset="disabled", **options)
        self._seats = self._against = np.empty(0, np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        return *super().__reduce__(), {"_seats": self._seats, "_against": self._against}

    def restart(self, now: Step, key: Cells, which: Cells | None = None) -> None:
        count = len(now.states)
        which = np.ones(count, np.bool_) if which is None else which
        if len(self._seats) != count:
            self._seats, self._against = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._plain.restart(now, key, which)
        self._draw(now.key, which)
        self._others_play(now, np.flatnonzero(which))
        for array in (now.reward, now.earned, now.done, now.scores):
            array[which] = 0  # a game that ends before the learner moves is none of its own

    def _draw(self, key: Cells, which: Cells) -> None:
        """A seat and an opponent for each new game, by its own generator."""
        for i in np.flatnonzero(which):
            numbers = seeded(int(key[i]), 2)
            self._seats[i] = int(numbers[0]) % self.players if self._seat == ANY_SEAT else self._seat
            self._against[i] = int(numbers[1]) % len(self.opponents)

    def step(self, states: Cells, actions: Cells, key: Cells, *, out: Step | None = None) -> Step:
        actions = np.asarray(actions)
        self._check(states, actions, key)
        out = out or self.empty(len(states))
        over = self._are_over(states)
        if self._mode == NEXT_STEP:
            playing = np.flatnonzero(~over)
            self._check_legal(states, actions.astype(np.int64))
        else:
            playing = np.arange(len(states))
        np.copyto(out.states, states)
        np.copyto(out.key, key)
        out.reward[:] = 0
        out.done[:] = False
        self._play(out, playing, actions[playing])
        self._others_play(out, playing)
        out.earned[:] = out.reward[np.arange(len(states)), self._seats]
        self._end(out, over)
        return out

    def _end(self, out: Step, over: Cells) -> None:
        """Begin new games where the mode says so; the learner sees the end of its own."""
        if out.done.any():
            ended = np.flatnonzero(out.done)
            out.to_play[ended] = self._seats[ended]
            if out.observation.shape[1]:
                out.observation[ended] = self.observe(out.states[ended], self._seats[ended])
            if self._mode == NEXT_STEP:
                out.words[ended] = np.uint64(0x0101010101010101)
        anew = over if self._mode == NEXT_STEP else out.done.copy()
        if self._mode in (NEXT_STEP, SAME_STEP) and anew.any():
            told = [array[anew].copy() for array in (out.reward, out.earned, out.done, out.scores)]
            np.copyto(out.final, out.observation, where=anew[:, None])
            self.restart(out, out.key, anew)
            if self._mode == SAME_STEP:
                for array, was in zip((out.reward, out.earned, out.done, out.scores), told, strict=True):
                    array[anew] = was

    def _are_over(self, states: Cells) -> Cells:
        over: Cells = states.view(dtype_of(self.game.state))["to_move"][:, 0] == OVER
        return over

    def _others_play(self, now: Step, games: Cells) -> None:
        """Until the learner is to move in each of these games, or they are over."""
        while True:
            waiting = games[(now.to_play[games] != self._seats[games]) & ~now.done[games]]
            if not len(waiting):
                return
            actions = np.zeros(len(waiting), np.int64)
            for number, policy in enumerate(self.opponents):
                mine = self._against[waiting] == number
                if mine.any():
                    rows = waiting[mine]
                    actions[mine] = policy(OpponentsTurn(self, now.states[rows], now.observation[rows],
                                                         now.mask[rows], now.to_play[rows]))
            self._play(now, waiting, actions)

    def _play(self, now: Step, games: Cells, actions: Cells) -> None:
        """One action in some of the games; rewards add up."""
        part = self._plain.step(now.states[games], actions, now.key[games])
        for field in dataclasses.fields(Step):
            if field.name not in ("decisions", "reward", "final"):
                getattr(now, field.name)[games] = getattr(part, field.name)
        now.reward[games] += part.reward
