"""Seven named strengths. The weak ones err as people do: short sight, overlooking, wrong judgement.

A level values every action as far ahead as it sees, misses some that do not catch the eye, misjudges the
others by an error that belongs to the position (so it does not dither), and takes the best that is left.
It never gives away more than its `limit` in points against what it could see.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from azulejos.bots.analysis import Analyst, Rated
from azulejos.bots.bot import Budget, Choice, choices_of
from azulejos.bots.search import SearchBot
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.engine.desk import MAX_PLIES


@dataclass(frozen=True, kw_only=True)
class Strength:
    """How a level thinks; `nodes` None: all that the budget gives, without any error."""

    name: str
    sees: int
    """Decisions ahead, where a round can be solved."""
    nodes: int | None
    overlooks: float
    """How likely an action of average looks is missed."""
    error: float
    """Standard deviation of the misjudgement, in points."""
    limit: float
    """Points that it never gives away knowingly."""
    strength: Message


STRENGTHS = (
    Strength(name="Chalk", sees=1, nodes=500, overlooks=0.2, error=2.2, limit=12,
             strength=msg("Plays like a child: sees its own move and overlooks many.")),
    Strength(name="Ochre", sees=1, nodes=500, overlooks=0.07, error=0.8, limit=10,
             strength=msg("A first evening: builds its own board, never thinks of the answer.")),
    Strength(name="Sienna", sees=2, nodes=10_000, overlooks=0.02, error=0.2, limit=8,
             strength=msg("Sees the answer to its move, mostly.")),
    Strength(name="Umber", sees=MAX_PLIES, nodes=500, overlooks=0.0, error=0.0, limit=0,
             strength=msg("Counts to the end of the round when it is near.")),
    Strength(name="Verdigris", sees=MAX_PLIES, nodes=3000, overlooks=0.0, error=0.0, limit=0,
             strength=msg("Strong: searches thousands of positions for each move.")),
    Strength(name="Malachite", sees=MAX_PLIES, nodes=20_000, overlooks=0.0, error=0.0, limit=0,
             strength=msg("Very strong: solves rounds from their middle on.")),
    Strength(name="Cobalt", sees=MAX_PLIES, nodes=None, overlooks=0.0, error=0.0, limit=0,
             strength=msg("The strongest: uses all the time it gets.")),
)


@dataclass
class LevelBot:
    """One of the seven, from 1."""

    number: int
    _analyst: Analyst = field(default_factory=Analyst, repr=False)
    _search: SearchBot = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Only the strongest looks beyond the round."""
        self._search = SearchBot(ahead=self.strength.nodes is None)

    @property
    def word(self) -> str:
        return f"level:{self.number}"

    @property
    def strength(self) -> Strength:
        return STRENGTHS[self.number - 1]

    def choose(
        self, position: Position, budget: Budget, *, rng: random.Random | None = None
    ) -> Choice:
        actions = choices_of(position)
        if self.strength.nodes is None:
            return self._search.choose(position, budget, rng=rng)
        if budget.nodes is None or budget.nodes > self.strength.nodes:
            budget = replace(budget, nodes=self.strength.nodes)
        if self.strength.error == 0 or len(actions) == 1:
            return self._search.choose(position, budget, rng=rng)
        found = self._analyst.rate(position, budget, deepest=self.strength.sees)
        picked = misjudged(self.strength, found.moves, _eye(position, self.number))
        return Choice(
            action=picked.action, value=picked.value, line=picked.line, nodes=found.nodes,
            depth=picked.depth, seconds=found.seconds,
        )


def misjudged(strength: Strength, moves: tuple[Rated, ...], eye: random.Random) -> Rated:
    """What a level takes for the best action. `moves`: best first."""
    bearable = [move for move in moves if move.value >= moves[0].value - strength.limit]
    felt = {move.action: move.value + eye.gauss(0, strength.error) for move in bearable}
    seen = [move for move in bearable if eye.random() >= strength.overlooks] or list(bearable)
    return max(seen, key=lambda move: felt[move.action])


def _eye(position: Position, number: int) -> random.Random:
    """Errors belong to the position and the level."""
    return random.Random(position.row.tobytes() + bytes([number]))


def make_level(argument: str) -> LevelBot:
    """By number or by name: ``level:3``, ``level:sienna``."""
    names = [strength.name.lower() for strength in STRENGTHS]
    word = argument.lower()
    if word in names:
        return LevelBot(1 + names.index(word))
    if word.isdecimal() and 1 <= int(word) <= len(STRENGTHS):
        return LevelBot(int(word))
    raise ValueError(f"no level is called {argument!r}; there are 1 to {len(names)}: {', '.join(names)}")
