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

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import evaluation_of, seen_weights
from azulejos.bots.search import SearchBot
from azulejos.bots.simple import Kept, turns_at
from azulejos.bots.workspaces import is_repeatable, is_solvable
from azulejos.core.jit import Binding
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.message import Problem, msg
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.engine import choice
from azulejos.engine.turns import ROOM, Turns, list_promising
from azulejos.engine.workspace import MAX_PLIES
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report, choices_of

SEARCHES = 1.0
"""From this skill on, a bot searches; its only errors are those of a short search."""


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
            played = self._judge.choose(position, limit)
        else:
            start = limit.now()
            won = self._won(position, limit, start) if len(actions) <= choice.PROVABLE else None
            played = won or self._look(position, limit.since(start), rng)
        return replace(played, seconds=time.perf_counter() - began)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        rater = self._search.rate if math.isinf(self.skill) else super().rate
        return rater(position, limit, report)

    def close(self) -> None:
        for part in (self._search, self._prover, self._judge):
            part.close()

    def _look(self, position: Position, limit: Limit, rng: random.Random | None) -> PlayResult:
        """A short search, whose answer must also be sensible without search."""
        nodes = choice.nodes_of(thousandths(self.skill))
        found = self._search.play(position, _at_most(limit, nodes), rng=rng)
        best = self._judge.instead_of(found.move, position, limit)
        if best is None:
            return found
        return replace(found, move=best.line[0], line=best.line, value=best.value)

    def _won(self, position: Position, limit: Limit, start: float) -> PlayResult | None:
        """A winning move in the last round, if a search proves it in half of the time."""
        binding, nodes = position.game.engine, choice.nodes_of(thousandths(self.skill))
        quick = is_solvable(position) and (binding.compiled or is_repeatable(limit))
        if nodes >= choice.WINNING or not quick:
            return None
        nodes = choice.WINNING if limit.nodes is None else min(choice.WINNING, limit.nodes)
        workspace = self._prover.workspace(position, Limit(nodes=nodes), binding)
        line = np.full(MAX_PLIES + 2, -1, np.int32)
        seconds = limit.time_limit
        half = limit if seconds is None else replace(limit, seconds=seconds / 2)
        with deadline(half.since(start), workspace.flag, workspace.clock):
            value = int(binding.bind(choice.winning_line)(workspace, line, nodes))
        if value == 0:
            return None
        actions = line.tolist()
        moves = tuple(position.game.moves[action] for action in actions[: actions.index(-1)])
        return PlayResult(move=moves[0], line=moves, value=value / 100, nodes=nodes, proved=True)


def thousandths(skill: float) -> int:
    """A skill as `engine.choice` counts it."""
    return round(1000 * skill)


@dataclass
class TurnJudge:
    """Evaluates turns without search, as a player of a skill up to SEARCHES sees them."""

    skill: float
    _turns: Kept = field(default_factory=dict, repr=False)
    _promises: Cells = field(default_factory=lambda: np.zeros(ROOM, np.int64), repr=False)
    _rng: Cells = field(default_factory=lambda: np.ones(1, np.uint64), repr=False)

    def close(self) -> None:
        self._turns.clear()

    def see(self, position: Position, limit: Limit) -> tuple[SeenTurn, ...]:
        """The turns that can be played now, best first."""
        binding, turns = self._at(position)
        with deadline(limit, turns.flag):
            count = binding.bind(list_promising)(turns, self._promises)
        return tuple(self._seen(position, turns, rank) for rank in range(count))

    def choose(self, position: Position, limit: Limit) -> PlayResult:
        """The turn that a player of this skill plays."""
        binding, turns = self._at(position)
        with deadline(limit, turns.flag):
            rank = binding.bind(choice.choose_turn)(
                turns, self._promises, self._rng, thousandths(self.skill), nonsense_of(position))
        picked = self._seen(position, turns, rank)
        return PlayResult(move=picked.line[0], line=picked.line, value=picked.value, nodes=1, depth=1)

    def instead_of(self, move: Move, position: Position, limit: Limit) -> SeenTurn | None:
        """The best sensible turn, if a move is nonsense."""
        binding, turns = self._at(position)
        nonsense, action = nonsense_of(position), position.game.moves.number(move)
        if not binding.bind(choice.is_nonsense)(turns, action, nonsense):
            return None
        with deadline(limit, turns.flag):
            return self._seen(position, turns, binding.bind(choice.first_sensible)(
                turns, self._promises, nonsense))

    def _at(self, position: Position) -> tuple[Binding, Turns]:
        binding = position.game.engine
        skill = thousandths(self.skill)
        return binding, turns_at(position, binding, self._turns, lambda game: seen_weights(game, skill))

    def _seen(self, position: Position, turns: Turns, rank: int) -> SeenTurn:
        turn = turns.order[rank]
        length, *actions = (int(x) for x in turns.found[turn])
        line = tuple(position.game.moves[action] for action in actions[:length])
        value = int(turns.values[turn, position.to_move])
        return SeenTurn(line=line, value=value / 100, promise=int(self._promises[rank]))


def nonsense_of(position: Position) -> int:
    """Actions that promise less are nonsense."""
    least = evaluation_of(position.game).nonsense
    return choice.NO_NONSENSE if least is None else least


def _at_most(limit: Limit, nodes: int) -> Limit:
    return limit if limit.nodes is not None and limit.nodes <= nodes else replace(limit, nodes=nodes)


def make_skill(argument: str) -> SkillBot:
    """``skill:2.5``; a ValueError unless it is a number from 0."""
    try:
        skill = float(argument)
    except ValueError:
        skill = math.nan
    if not skill >= 0:
        raise Problem(msg("a skill is a number from 0 upwards, not '{argument}'", argument=argument))
    return SkillBot(skill)
