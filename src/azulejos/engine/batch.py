"""Many games at once, for learning: N states in one array, stepped by compiled code (docs/batch.md).

    batch = Batch("azul", players=2)
    now = batch.init(seed=1, n=4096)
    now = batch.step(now.states, actions, now.key)          # new arrays
    batch.step(now.states, actions, now.key, out=now)       # the same arrays, nothing is allocated

Chance is played inside `step`: in every state that comes back a seat is to move. A game that ends is
replaced by a new one in the same step.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from azulejos.core import layout, registry
from azulejos.core.chance import below, seeded
from azulejos.core.jit import by_reference, loop, rule
from azulejos.core.layout import Cells
from azulejos.core.legality import is_legal
from azulejos.core.message import Message, msg
from azulejos.core.notation import IllegalMove
from azulejos.core.observation import Plane, bounds, scale_of
from azulejos.core.position import Position, at_state, new
from azulejos.core.verbs import (
    MARKED, MAX_LEGAL, OVER, STATE, State, apply, deal, mark_legal, observe, standing,
)

OUTCOME: Final = 0
POINTS: Final = 1
REWARDS: Final = {"outcome": OUTCOME, "points": POINTS}

FLOAT32: Final = 0
UINT8: Final = 1
NOTHING: Final = 2
OBSERVATIONS: Final = {"float32": FLOAT32, "uint8": UINT8, "none": NOTHING}

SAME_STEP: Final = 0
NEXT_STEP: Final = 1
DISABLED: Final = 2
AUTORESETS: Final = {"same_step": SAME_STEP, "next_step": NEXT_STEP, "disabled": DISABLED}

WORDS: Final = MARKED // 8
"""Words of a mask, of 8 bytes each, for one cell of `mark_legal`."""
BYTES_OF: Final = np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], 1, bitorder="little"
).view(np.uint64)[:, 0]
"""A byte for each of 8 bits."""

SMALL: Final = 256
"""Below this number of games a second thread costs more than it saves (handing over takes some 50 us)."""

# --- in compiled code --------------------------------------------------------------------------------


@by_reference
class LearnerView(NamedTuple):
    """Where games are described for learners, and how."""

    whole: Cells
    """uint8 [game, feature]; one row of scratch memory unless observations are uint8"""
    floats: Cells
    """float32 [game, feature]; no rows unless observations are float32"""
    base: Cells
    unit: Cells
    mask: Cells
    """uint64 [game, word]: 8 actions a word, a byte each"""
    marks: Cells
    """[cell]: scratch memory for `mark_legal`"""
    to_play: Cells
    kind: Cells
    """[0]: FLOAT32, UINT8 or NOTHING"""


@rule
def look(s: State, seat: int, whole: Cells, floats: Cells, v: LearnerView, i: int) -> None:
    """Write what a seat sees into row i."""
    if v.kind[0] == UINT8:
        observe(s, seat, whole[i])
    elif v.kind[0] == FLOAT32:
        scratch = v.whole[0]
        row = floats[i]
        observe(s, seat, scratch)
        for j in range(len(row)):
            row[j] = (np.float32(scratch[j]) - v.base[j]) / v.unit[j]


@rule
def describe(s: State, seat: int, actions: Cells, v: LearnerView, i: int) -> None:
    """Write the seat, what it may play and what it sees."""
    v.to_play[i] = seat
    mark_legal(s, actions, v.marks)
    spread(v.marks, v.mask[i])
    look(s, seat, v.whole, v.floats, v, i)


@rule
def spread(marks: Cells, mask: Cells) -> None:
    """From a bit for each action to a byte."""
    for word in range(len(mask)):
        mask[word] = BYTES_OF[marks[word // WORDS] >> 8 * (word % WORDS) & 255]


@rule
def describe_end(s: State, seat: int, any_action: bool, v: LearnerView, i: int) -> None:
    """The same of a game that is over and stays so for a step: any action begins a new game, or none
    may."""
    v.to_play[i] = seat
    mask = v.mask[i]
    for word in range(len(mask)):
        mask[word] = BYTES_OF[255 if any_action else 0]
    look(s, seat, v.whole, v.floats, v, i)


@loop
def begin(rows: Cells, key: Cells, which: Cells, first: Cells, v: LearnerView) -> None:
    """Set up a new game in every row of `which`."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        if which[i]:
            rows[i] = first
            s = rows[i].view(STATE)[0]
            deal(s, buffers[0], buffers[1], key[i : i + 1])
            describe(s, int(s.to_move), buffers[0], v, i)


@loop
def first_illegal(rows: Cells, actions: Cells, decisions: int, mode: int) -> int:
    """The first row whose action is not legal, or -1."""
    for i in range(len(rows)):
        action = int(actions[i])
        s = rows[i].view(STATE)[0]
        if s.to_move == OVER and mode == NEXT_STEP:
            continue
        if s.to_move == OVER or action < 0 or action >= decisions or not is_legal(s, action):
            return i
    return -1


@by_reference
class Results(NamedTuple):
    """What a step brought; see `Step`."""

    scores: Cells
    reward: Cells
    earned: Cells
    done: Cells
    final_whole: Cells
    final_floats: Cells


@loop
def advance(
    rows: Cells, key: Cells, first: Cells, actions: Cells, kind: int, mode: int, r: Results, v: LearnerView
) -> None:
    """Play one action in every row, then chance; a game that is over is replaced by a new one."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        seat = int(s.to_move)
        if seat == OVER:  # it ended in the step before
            rows[i] = first
            deal(s, buffers[0], buffers[1], key[i : i + 1])
            forget(r, i)
            describe(s, int(s.to_move), buffers[0], v, i)
            continue
        note_scores(s, r.reward[i])
        apply(s, int(actions[i]))
        deal(s, buffers[0], buffers[1], key[i : i + 1])
        settle(s, seat, kind, r, i)
        if s.to_move != OVER:
            describe(s, int(s.to_move), buffers[0], v, i)
        elif mode == SAME_STEP:
            look(s, seat, r.final_whole, r.final_floats, v, i)
            rows[i] = first
            deal(s, buffers[0], buffers[1], key[i : i + 1])
            describe(s, int(s.to_move), buffers[0], v, i)
        else:
            describe_end(s, seat, mode == NEXT_STEP, v, i)


@loop
def look_from(rows: Cells, seats: Cells, v: LearnerView) -> None:
    """Write what the given seats see."""
    for i in range(len(rows)):
        look(rows[i].view(STATE)[0], int(seats[i]), v.whole, v.floats, v, i)


@rule
def forget(r: Results, i: int) -> None:
    """A new game was begun instead of a step."""
    for seat in range(r.reward.shape[1]):
        r.reward[i, seat] = 0
        r.scores[i, seat] = 0
    r.earned[i] = 0
    r.done[i] = False


@rule
def note_scores(s: State, reward: Cells) -> None:
    """Before a step: the scores, to be subtracted from those after it."""
    for seat in range(s.players):
        reward[seat] = -s.score[seat]


@rule
def settle(s: State, mover: int, kind: int, r: Results, i: int) -> None:
    """After a step: scores, rewards, and whether the game is over."""
    scores = r.scores[i]
    reward = r.reward[i]
    for seat in range(s.players):
        scores[seat] = s.score[seat]
        reward[seat] = reward[seat] + s.score[seat] if kind == POINTS else 0.0
    r.done[i] = s.to_move == OVER
    if r.done[i] and kind == OUTCOME:
        reward_outcome(s, reward)
    r.earned[i] = reward[mover]


@rule
def reward_outcome(s: State, reward: Cells) -> None:
    """The win is worth 1, shared in a tie; the losers pay equally, so that the rewards add up to 0."""
    best = standing(s, 0)
    for seat in range(1, s.players):
        best = max(best, standing(s, seat))
    winners = 0
    for seat in range(s.players):
        if standing(s, seat) == best:
            winners += 1
    for seat in range(s.players):
        share = 1 / winners if standing(s, seat) == best else 0.0
        reward[seat] = (share * s.players - 1) / (s.players - 1)


@loop
def pick(mask: Cells, key: Cells, actions: Cells) -> None:
    """Choose one of the legal actions in each row at random; 0 if none is."""
    for i in range(len(mask)):
        row = mask[i]
        count = 0
        for action in range(len(row)):
            count += row[action]
        left = below(key[i : i + 1], count)
        at = 0
        while left > 0 or (at < len(row) and not row[at]):
            left -= int(row[at])
            at += 1
        actions[i] = at if at < len(row) else 0


# --- in Python ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """N games after a step; [game, ...] arrays (docs/batch.md)."""

    states: Cells
    """uint8 [game, byte]"""
    key: Cells
    """uint64 [game]: the random generators of chance"""
    to_play: Cells
    """int8 [game]: the seat to move; of a game that is over, the seat that moved last"""
    words: Cells
    """uint64 [game, word]: the bytes of `mask`"""
    decisions: int
    """The number of actions."""
    observation: Cells
    """float32 or uint8 [game, feature]: what it sees"""
    reward: Cells
    """float32 [game, seat]: for the step that led here"""
    earned: Cells
    """float32 [game]: the same of the seat that acted"""
    done: Cells
    """bool [game]: the step ended a game"""
    scores: Cells
    """int16 [game, seat]: after the step; for a game that ended, the final scores"""
    final: Cells
    """as `observation`: where a game ended and a new one has begun, the end as its last mover sees it"""

    @property
    def padded_mask(self) -> Cells:
        """The same with its padding, which is never legal: without gaps between rows, as DLPack wants."""
        return self.words.view(np.bool_)

    @property
    def mask(self) -> Cells:
        """bool [game, action]: what the seat to move may play; rows lie a multiple of 8 bytes apart."""
        return self.words.view(np.bool_)[:, : self.decisions]


def aligned(shape: tuple[int, ...], dtype: Any) -> Cells:
    """Zeros that begin where JAX takes memory over without a copy: at a multiple of 64 bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + ALIGNED, np.uint8)
    start = -memory.ctypes.data % ALIGNED
    array: Cells = memory[start : start + size].view(dtype).reshape(shape)
    return array


ALIGNED: Final = 64


def _chosen(what: str, name: str, known: Mapping[str, int]) -> int:
    if name not in known:
        raise ValueError(f"{what} must be one of {', '.join(known)}, not {name!r}")
    return known[name]


def _made_again(kind: type[Batch], name: str, settings: dict[str, Any]) -> Batch:
    return kind(name, **settings)


class Batch:
    """Steps many games of one box. It holds no game itself: states go in, states come out.

    `observation`: "float32", "uint8" (whole numbers, see `core.observation`) or "none". `autoreset`: when a
    game that is over is replaced by a new one, as in Gymnasium: "same_step", "next_step" (whose action is
    ignored) or "disabled" (`restart` begins a new one).
    """

    def __init__(
        self, name: str, *, players: int = 2, reward: str = "outcome", threads: int = 2,
        observation: str = "float32", autoreset: str = "same_step", **options: str,
    ) -> None:
        self._settings = {
            "players": players, "reward": reward, "threads": threads, "observation": observation,
            "autoreset": autoreset, **options,
        }
        self._reward = _chosen("reward", reward, REWARDS)
        self._kind = _chosen("observation", observation, OBSERVATIONS)
        self._mode = _chosen("autoreset", autoreset, AUTORESETS)
        self.game, self.preset = registry.find(name)
        self.players = operator.index(players)
        self.options = self.game.read_options({**self.preset.options, **options})
        self.planes: tuple[Plane, ...] = self.game.planes(players, self.options)
        self.threads = threads
        self.observation = observation
        self.autoreset = autoreset
        self._first = self.game.start(players, self.options)
        self._scale = scale_of(self.planes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self.preset.name, self._settings)

    @property
    def features(self) -> int:
        return len(self._scale.unit)

    @property
    def bounds(self) -> tuple[Cells, Cells]:
        """The smallest and the largest value of every feature."""
        if self._kind == UINT8:
            return np.zeros(self.features, np.uint8), np.full(self.features, 255, np.uint8)
        return bounds(self.planes)

    def empty(self, n: int) -> Step:
        """Arrays for n games, not yet filled."""
        seen = np.uint8 if self._kind == UINT8 else np.float32
        features = 0 if self._kind == NOTHING else self.features
        return Step(
            states=aligned((n, self.game.size), np.uint8),
            key=aligned((n,), np.uint64),
            to_play=aligned((n,), np.int8),
            words=aligned((n, -(-self.game.decisions // 8)), np.uint64),
            decisions=self.game.decisions,
            observation=aligned((n, features), seen),
            reward=aligned((n, self.players), np.float32),
            earned=aligned((n,), np.float32),
            done=aligned((n,), np.bool_),
            scores=aligned((n, self.players), np.int16),
            final=aligned((n, features), seen),
        )

    def init(self, seed: int, n: int, *, out: Step | None = None) -> Step:
        """n new games, dealt. The same seed gives the same games."""
        out = out or self.empty(n)
        self.restart(out, seeded(seed, n))
        return out

    def restart(self, now: Step, key: Cells, which: Cells | None = None) -> None:
        """Begin new games in place, all or those of `which` (bool [game]); `key` as `Step.key`."""
        which = np.ones(len(now.states), np.bool_) if which is None else which
        np.copyto(now.key, key, where=which)
        for array in (now.reward, now.earned, now.done, now.scores):
            array[which] = 0
        self._share(lambda part: self._begin(now, which[part], part), len(now.states))

    def _begin(self, now: Step, which: Cells, part: slice) -> None:
        self.game.compiled.bind(begin)(
            now.states[part], now.key[part], which, self._first, self._view(now, part)
        )

    def step(self, states: Cells, actions: Cells, key: Cells, *, out: Step | None = None) -> Step:
        """Play one action in each game. An IllegalMove names the first bad one, and nothing is played."""
        actions = np.asarray(actions)
        self._check(states, actions, key)
        actions = np.ascontiguousarray(actions, np.int64)
        self._check_legal(states, actions)
        out = out or self.empty(len(states))
        if out.states is not states:
            out.states[:] = states
        if out.key is not key:
            out.key[:] = key
        self._share(lambda part: self._advance(actions, out, part), len(states))
        return out

    def _advance(self, actions: Cells, out: Step, part: slice) -> None:
        self.game.compiled.bind(advance)(
            out.states[part], out.key[part], self._first, actions[part], self._reward, self._mode,
            self._results(out, part), self._view(out, part),
        )

    def _view(self, now: Step, part: slice) -> LearnerView:
        whole, floats = self._seen(now.observation, part)
        return LearnerView(whole, floats, self._scale.base, self._scale.unit, now.words[part],
                           np.zeros(self.game.decisions // MARKED + 2, np.int64), now.to_play[part],
                           np.array([self._kind]))

    def _results(self, now: Step, part: slice) -> Results:
        return Results(now.scores[part], now.reward[part], now.earned[part], now.done[part],
                       *self._seen(now.final, part))

    def _seen(self, observation: Cells, part: slice) -> tuple[Cells, Cells]:
        """The array of whole numbers and that of floats; one of them is in use."""
        if self._kind == UINT8:
            return observation[part], np.empty((0, self.features), np.float32)
        return np.empty((1, self.features), np.uint8), observation[part]

    def observe(self, states: Cells, seats: Cells) -> Cells:
        """[game, feature]: what these seats see, whoever is to move."""
        seen = self.empty(len(states))
        everything = slice(None)
        self.game.compiled.bind(look_from)(
            np.ascontiguousarray(states), np.ascontiguousarray(seats, np.int64),
            self._view(seen, everything),
        )
        return seen.observation

    def position(self, row: Cells) -> Position:
        """One of the states as a position without a history."""
        return at_state(new(self.preset.name, players=self.players, **self.options), row)

    def random_actions(self, mask: Cells, key: Cells) -> Cells:
        """A random legal action for each game; `key` must not be that of chance (`chance.seeded`)."""
        actions = np.empty(len(mask), np.int64)
        self.game.compiled.bind(pick)(mask, key, actions)
        return actions

    def _check(self, states: Cells, actions: Cells, key: Cells) -> None:
        """Check types and shapes: compiled code would misread any other bytes."""
        shaped = states.shape[1:] == (self.game.size,) and states.flags.c_contiguous
        if not shaped or states.dtype != np.uint8:
            raise ValueError(f"states are uint8 rows of {self.game.size} bytes, one after the other")
        if actions.shape != (len(states),) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{len(states)} games need as many whole numbers, not {actions.dtype} {actions.shape}"
            )
        if key.shape != (len(states),) or key.dtype != np.uint64:
            raise ValueError(f"{len(states)} games need as many uint64 keys, not {key.dtype} {key.shape}")

    def _check_legal(self, states: Cells, actions: Cells) -> None:
        bad = self.game.compiled.bind(first_illegal)(states, actions, self.game.decisions, self._mode)
        if bad >= 0:
            raise IllegalMove(self._why_not(states[bad], int(actions[bad]), int(bad)))

    def _why_not(self, row: Cells, action: int, index: int) -> Message:
        if not 0 <= action < self.game.decisions:
            return msg("Game {index}: there is no action {action}.", index=index, action=action)
        state = layout.view(self.game.state, row.copy())
        over = msg("The game is over.") if state.to_move == OVER else None
        reason = over or self.game.why_not(state, action)
        reason = reason or msg("That is not possible now.")
        return msg("Game {index}, action {action}: {reason}", index=index, action=action, reason=reason)

    def _share(self, work: Callable[[slice], None], n: int) -> None:
        """Distribute slices of the games to threads; this thread takes the last one."""
        count = self.threads if n >= SMALL else 1
        edges = [n * part // count for part in range(count + 1)]
        *others, own = [slice(a, b) for a, b in itertools.pairwise(edges)]
        waiting = [_helpers().submit(work, part) for part in others]
        work(own)
        for future in waiting:
            future.result()


@cache
def _helpers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(thread_name_prefix="batch")
