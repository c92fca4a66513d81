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
import operator
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from azulejos.core import layout, registry
from azulejos.core.chance import below, seeded
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.legality import is_legal
from azulejos.core.message import Message, msg
from azulejos.core.notation import IllegalMove
from azulejos.core.observation import Plane, size
from azulejos.core.verbs import (
    MAX_LEGAL,
    OVER,
    STATE,
    State,
    apply,
    deal,
    legal,
    observe,
    standing,
)

OUTCOME: Final = 0
POINTS: Final = 1
REWARDS: Final = {"outcome": OUTCOME, "points": POINTS}

SMALL: Final = 256
"""Below this number of games a second thread costs more than it saves (handing over takes some 50 us)."""

# --- in compiled code --------------------------------------------------------------------------------


@loop
def begin(
    rows: Cells, key: Cells, first: Cells, to_play: Cells, mask: Cells, observation: Cells
) -> None:
    """Set up a new game in every row."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        rows[i] = first
        s = rows[i].view(STATE)[0]
        deal(s, buffers[0], buffers[1], key[i : i + 1])
        to_play[i] = s.to_move
        describe(s, buffers[0], mask[i], observation[i])


@rule
def describe(s: State, actions: Cells, mask: Cells, observation: Cells) -> None:
    """Write the legal actions and the observation of the seat to move."""
    for action in range(len(mask)):
        mask[action] = False
    for n in range(legal(s, actions)):
        mask[actions[n]] = True
    observe(s, s.to_move, observation)


@loop
def first_illegal(rows: Cells, actions: Cells, decisions: int) -> int:
    """The first row whose action is not legal, or -1."""
    for i in range(len(rows)):
        action = int(actions[i])
        if action < 0 or action >= decisions or not is_legal(rows[i].view(STATE)[0], action):
            return i
    return -1


@loop
def advance(
    rows: Cells, key: Cells, first: Cells, actions: Cells,
    scores: Cells, reward: Cells, kind: int, done: Cells, final: Cells,
    to_play: Cells, mask: Cells, observation: Cells,
) -> None:
    """Play one action in every row, then chance; a finished game is recorded and replaced by a new one."""
    buffers = np.empty((2, MAX_LEGAL), np.int32)
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        seat = s.to_move
        note_scores(s, reward[i])
        apply(s, int(actions[i]))
        deal(s, buffers[0], buffers[1], key[i : i + 1])
        done[i] = s.to_move == OVER
        settle(s, seat, scores[i], reward[i], kind, final[i])
        if done[i]:
            rows[i] = first
            deal(s, buffers[0], buffers[1], key[i : i + 1])
        to_play[i] = s.to_move
        describe(s, buffers[0], mask[i], observation[i])


@rule
def note_scores(s: State, reward: Cells) -> None:
    """Before a step: the scores, to be subtracted from those after it."""
    for seat in range(s.players):
        reward[seat] = -s.score[seat]


@rule
def settle(s: State, mover: int, scores: Cells, reward: Cells, kind: int, final: Cells) -> None:
    """After a step: the scores and rewards, and how the mover sees the end of a game that is over."""
    for seat in range(s.players):
        scores[seat] = s.score[seat]
        reward[seat] = reward[seat] + s.score[seat] if kind == POINTS else 0.0
    if s.to_move == OVER:
        observe(s, mover, final)
        if kind == OUTCOME:
            reward_outcome(s, reward)


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
    """Choose one of the legal actions in each row at random."""
    for i in range(len(mask)):
        count = 0
        for action in range(mask.shape[1]):
            count += mask[i, action]
        left = below(key[i : i + 1], count)
        for action in range(mask.shape[1]):
            if mask[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1


# --- in Python ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """N games after a step; [game, ...] arrays (docs/batch.md)."""

    states: Cells
    """uint8 [game, byte]"""
    key: Cells
    """uint64 [game]: the random generators of chance"""
    to_play: Cells
    """int8 [game]: the seat to move"""
    mask: Cells
    """bool [game, action]: what it may play"""
    observation: Cells
    """float32 [game, feature]: what it sees"""
    reward: Cells
    """float32 [game, seat]: for the step that led here"""
    done: Cells
    """bool [game]: the step ended a game, and a new one has begun"""
    scores: Cells
    """int16 [game, seat]: after the step; for a game that ended, the final scores"""
    final: Cells
    """float32 [game, feature]: where `done`, the final position as seen by the seat that moved last"""


class Batch:
    """Steps many games of one box. It holds no game itself: states go in, states come out."""

    def __init__(
        self, name: str, *, players: int = 2, reward: str = "outcome", threads: int = 2, **options: str
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(REWARDS)}, not {reward!r}")
        self.game, self.preset = registry.find(name)
        self.players = operator.index(players)
        self.options = self.game.read_options({**self.preset.options, **options})
        self.planes: tuple[Plane, ...] = self.game.planes(players, self.options)
        self.threads = threads
        self._reward = REWARDS[reward]
        self._first = self.game.start(players, self.options)

    @property
    def features(self) -> int:
        return size(self.planes)

    def empty(self, n: int) -> Step:
        """Arrays for n games, not yet filled."""
        return Step(
            states=np.empty((n, self.game.size), np.uint8),
            key=np.empty(n, np.uint64),
            to_play=np.empty(n, np.int8),
            mask=np.empty((n, self.game.decisions), np.bool_),
            observation=np.empty((n, self.features), np.float32),
            reward=np.zeros((n, self.players), np.float32),
            done=np.zeros(n, np.bool_),
            scores=np.zeros((n, self.players), np.int16),
            final=np.zeros((n, self.features), np.float32),
        )

    def init(self, seed: int, n: int, *, out: Step | None = None) -> Step:
        """n new games, dealt. The same seed gives the same games."""
        out = out or self.empty(n)
        out.key[:] = seeded(seed, n)
        out.reward[:] = out.done[:] = out.scores[:] = 0
        start = self.game.compiled.bind(begin)

        def work(part: slice) -> None:
            start(
                out.states[part], out.key[part], self._first, out.to_play[part], out.mask[part],
                out.observation[part],
            )

        self._share(work, n)
        return out

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
            out.states[part], out.key[part], self._first, actions[part], out.scores[part],
            out.reward[part], self._reward, out.done[part], out.final[part], out.to_play[part],
            out.mask[part], out.observation[part],
        )

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
        bad = self.game.compiled.bind(first_illegal)(states, actions, self.game.decisions)
        if bad >= 0:
            raise IllegalMove(self._why_not(states[bad], int(actions[bad]), int(bad)))

    def _why_not(self, row: Cells, action: int, index: int) -> Message:
        if not 0 <= action < self.game.decisions:
            return msg("Game {index}: there is no action {action}.", index=index, action=action)
        reason = self.game.why_not(layout.view(self.game.state, row.copy()), action)
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
