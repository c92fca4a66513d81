"""The skill of a bot: one number from 0 that determines its mistakes (docs/bots.md).

From 1 on, a bot searches 10^skill positions. Below 1, it sees no further than its own turn and makes
mistakes like those of people: it overlooks inconspicuous actions, misjudges the others by an error that
depends only on the position and the skill, and partly ignores what beginners do not see.
"""

from __future__ import annotations

import math
import random
import time
from dataclasses import dataclass, field, replace

import numpy as np

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import evaluation_of, seen_weights
from azulejos.bots.greedy import Kept, turns_at
from azulejos.bots.search import SearchBot
from azulejos.bots.workspaces import is_solvable
from azulejos.core.game import Game
from azulejos.core.message import Problem, msg
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.core.verbs import promise
from azulejos.engine.turns import ROOM, Turns, list_promising
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report, choices_of

SEARCHES = 1.0
"""From this skill on, a bot searches; its only errors are those of a short search."""
ERROR = 5.0
"""Standard deviation of the evaluation error at skill 0, in points."""
OVERLOOKS = 0.6
"""Probability that an action without any promise is overlooked at skill 0."""
LIMIT = 10.0
"""The most points that a bot gives away compared with the best turn that it sees."""
EYE = 12.0
"""Difference in promise that makes an action e times less conspicuous."""
WINNING = 20_000
"""Any searching level finds a win in the last round that this number of positions can prove."""
PROVABLE = 24
"""With more actions than this, WINNING positions hardly ever prove anything."""


@dataclass(frozen=True, kw_only=True)
class SeenTurn:
    """A turn without search: its actions, its value in points at the end, and its promise."""

    line: tuple[Move, ...]
    value: float
    promise: int


@dataclass
class SkillBot(Bot):
    """Plays with a given skill; infinite: as well as the limit allows."""

    skill: float
    _judge: TurnJudge = field(init=False, repr=False)
    _search: SearchBot = field(default_factory=SearchBot, repr=False)
    _prover: SearchBot = field(default_factory=lambda: SearchBot(ahead=False), repr=False)

    def __post_init__(self) -> None:
        self._judge = TurnJudge(min(SEARCHES, self.skill))

    @property
    def word(self) -> str:
        return f"skill:{self.skill:g}"

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        began, limit = time.perf_counter(), limit or Limit()
        actions = choices_of(position)
        if math.isinf(self.skill) or len(actions) == 1:
            return self._search.play(position, limit, rng=rng)
        if self.skill < SEARCHES:
            choice = self._see(position, limit)
        else:
            start = limit.now()
            won = self._won(position, limit, start) if len(actions) <= PROVABLE else None
            choice = won or self._look(position, limit.since(start), rng)
        return replace(choice, seconds=time.perf_counter() - began)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        rater = self._search.rate if math.isinf(self.skill) else super().rate
        return rater(position, limit, report)

    def close(self) -> None:
        for part in (self._search, self._prover, self._judge):
            part.close()

    def _see(self, position: Position, limit: Limit) -> PlayResult:
        seen = self._judge.see(position, limit)
        picked = misjudged(sensible(seen, position.game), SEARCHES - self.skill, _eye(position, self.skill))
        line = picked.line
        return PlayResult(move=line[0], line=line, value=picked.value, nodes=len(seen), depth=1)

    def _look(self, position: Position, limit: Limit, rng: random.Random | None) -> PlayResult:
        """A short search, whose answer must also be sensible without search."""
        found = self._search.play(position, _at_most(limit, int(10**self.skill)), rng=rng)
        if not is_nonsense(position, found.move):
            return found
        best = sensible(self._judge.see(position, limit), position.game)[0]
        return replace(found, move=best.line[0], line=best.line, value=best.value)

    def _won(self, position: Position, limit: Limit, start: float) -> PlayResult | None:
        """A winning move in the last round, if a search proves it in half of the time."""
        quick = is_solvable(position) and position.game.engine.compiled
        if 10**self.skill >= WINNING or not quick:
            return None
        seconds = limit.time_limit
        half = limit if seconds is None else replace(limit, seconds=seconds / 2)
        first, after = None, position.copy()
        while not after.is_over:
            found = self._prover.play(after, _at_most(half.since(start), WINNING))
            first = first or found
            if (not found.proved and found.nodes > 0) or first.value is None or first.value <= 0:
                return None
            for move in found.line:
                after.play(move)
            if after.is_chance:
                return None
        outcome = after.outcome()
        return first if outcome is not None and outcome.winners == (position.to_move,) else None


@dataclass
class TurnJudge:
    """Evaluates turns without search; `share` is as in `seen_weights`."""

    share: float
    _turns: Kept = field(default_factory=dict, repr=False)

    def close(self) -> None:
        self._turns.clear()

    def see(self, position: Position, limit: Limit) -> tuple[SeenTurn, ...]:
        """The turns that can be played now, best first."""
        binding = position.game.engine
        turns = turns_at(position, binding, self._turns, lambda game: seen_weights(game, self.share))
        promises = np.zeros(ROOM, np.int64)
        with deadline(limit, turns.flag):
            count = binding.bind(list_promising)(turns, promises)
        return tuple(_seen(position, turns, rank, int(promises[rank])) for rank in range(count))


def _seen(position: Position, turns: Turns, rank: int, promised: int) -> SeenTurn:
    turn = turns.order[rank]
    length, *actions = (int(x) for x in turns.found[turn])
    line = tuple(position.game.moves[action] for action in actions[:length])
    value = int(turns.values[turn, position.to_move])
    return SeenTurn(line=line, value=value / 100, promise=promised)


def sensible(seen: tuple[SeenTurn, ...], game: Game) -> tuple[SeenTurn, ...]:
    """The turns without nonsense, if any others are left."""
    least = evaluation_of(game).nonsense
    return seen if least is None else tuple(turn for turn in seen if turn.promise >= least) or seen


def is_nonsense(position: Position, move: Move) -> bool:
    least, look = evaluation_of(position.game).nonsense, position.game.interpreted.bind(promise)
    return least is not None and look(position.state, position.game.moves.number(move)) < least


def misjudged(seen: tuple[SeenTurn, ...], missing: float, eye: random.Random) -> SeenTurn:
    """The turn that looks best to a player who lacks this much skill. `seen`: best first."""
    most = max(turn.promise for turn in seen)
    bearable = [turn for turn in seen if turn.value >= seen[0].value - LIMIT]
    felt = {turn.line: turn.value + eye.gauss(0, ERROR * missing) for turn in bearable}
    caught = [
        turn for turn in bearable
        if eye.random() >= OVERLOOKS * missing * (1 - math.exp((turn.promise - most) / EYE))
    ]
    return max(caught or bearable, key=lambda turn: felt[turn.line])


def _at_most(limit: Limit, nodes: int) -> Limit:
    return limit if limit.nodes is not None and limit.nodes <= nodes else replace(limit, nodes=nodes)


def _eye(position: Position, skill: float) -> random.Random:
    """A generator for errors that depends only on the position and the skill."""
    return random.Random(position.row.tobytes() + f"{skill:g}".encode())


def make_skill(argument: str) -> SkillBot:
    """``skill:2.5``; a ValueError unless it is a number from 0."""
    try:
        skill = float(argument)
    except ValueError:
        skill = math.nan
    if not skill >= 0:
        raise Problem(msg("a skill is a number from 0 upwards, not '{argument}'", argument=argument))
    return SkillBot(skill)
