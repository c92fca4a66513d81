"""How hard a puzzle is: the skill with which a bot finds the answer in half of its tries.

Below skill 1 a bot sees its own turn only and errs at random (`bots.skill`): tries differ in their seeds.
From 1 on it searches some 10^skill positions, and tries differ in that number. The levels also prove won
endings with far more positions than their skill; tries do not, or all wins would be easy.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from azulejos.bots.levels import standards
from azulejos.bots.search import SearchBot
from azulejos.bots.skill import SEARCHES, SeenTurn, TurnJudge, nonsense_of, thousandths
from azulejos.core import layout
from azulejos.core.chance import seeded
from azulejos.core.late import np
from azulejos.core.position import Position, new
from azulejos.engine import choice
from azulejos.insight.puzzles.exact import effort_of
from azulejos.insight.puzzles.prove import tree_of
from azulejos.insight.puzzles.puzzle import Goal, Puzzle
from azulejos.protocol.bot import Limit

SKILLS: Final = (0.0, 0.25, 0.5, 0.75, 0.95, 2.0, 2.5, 3.0, 3.5, 4.0, 4.4, 4.8)
"""A curve may end before the last: searches of whole turns are slow. None is just above 1: a search of a
few dozen positions sees less than a look at every turn."""
USUAL_HARDEST: Final = 3.5
"""The last skill of most curves; only those of hard puzzles go on."""
BEYOND: Final = 5.2
"""The difficulty of what the last skill of all misses."""
TRIES: Final = 24
"""With each skill that errs at random."""
SPREAD: Final = (-0.2, -0.07, 0.07, 0.2)
"""What is added to a skill that searches, one number a try."""
UNLIMITED: Final = Limit(nodes=10**9)
HALF: Final = 0.5
SURE: Final = 0.75
"""The same where there are two answers: a guess finds half of them."""
DIGITS: Final = layout.DIGITS[: TRIES + 1]
"""One for each share of successes, in steps of 1 / TRIES."""
PER_POINT: Final = 0.05
"""Added for each point by which the answer looks worse to a beginner than the turn that looks best: people
do not look there. This and the next number were chosen, not fitted: nobody has solved a puzzle yet."""
MOST_ADDED: Final = 0.5
LOOK: Final = 0.0
"""The skill of a beginner."""

Ends = Container[bytes]
"""Turns by the keys of the positions to which they lead: the order of their steps does not matter."""


@dataclass
class Trials:
    """Lets bots of every skill try positions."""

    _judges: dict[float, TurnJudge] = field(default_factory=dict)
    _search: SearchBot = field(default_factory=lambda: SearchBot(ahead=False))

    def curve(
        self, position: Position, right: Ends, *, seed: str, hardest: float = USUAL_HARDEST,
        among: Ends | None = None, counted_out: int | None = None, begun: str = "",
    ) -> str:
        """The share of right tries with each skill up to `hardest`, as digits. `among`: the turns from
        which a bot that does not search chooses; None: all. `counted_out`: so many positions solve the
        question, so whoever searches as many has the answer. `begun`: the digits that are known."""
        return begun + "".join(
            self._searches(position, right, skill, counted_out) if skill >= SEARCHES
            else self._digit(end in right for end in self._tries(position, skill, seed, among))
            for skill in SKILLS[len(begun) :] if skill <= hardest
        )

    def finds(self, position: Position, right: Ends, skill: float) -> bool:
        """Whether a search of this skill finds the answer."""
        return self._searched(position, skill) in right

    def surprise(self, position: Position, right: Ends) -> int:
        """How many turns promise more than the answer before anything is searched."""
        ends = [_end(position, turn) for turn in self._seen(position, SEARCHES)]
        return next((rank for rank, end in enumerate(ends) if end in right), len(ends))

    def looks(self, position: Position) -> dict[bytes, float]:
        """What each turn seems to be worth to a beginner, in points."""
        return {_end(position, turn): turn.value for turn in self._seen(position, LOOK)}

    def _searches(self, position: Position, right: Ends, skill: float, counted_out: int | None) -> str:
        return self._digit(
            (counted_out is not None and 10 ** (skill + more) >= counted_out)
            or self.finds(position, right, skill + more)
            for more in SPREAD
        )

    def _digit(self, successes: Iterable[bool]) -> str:
        tries = list(successes)
        return DIGITS[round(TRIES * sum(tries) / len(tries))]

    def _tries(self, position: Position, skill: float, seed: str, among: Ends | None) -> list[bytes]:
        """The ends of the turns that some tries choose without search."""
        seen = self._seen(position, skill)
        seen = tuple(turn for turn in seen if turn.promise >= nonsense_of(position)) or seen
        if among is not None:
            seen = tuple(turn for turn in seen if _end(position, turn) in among) or seen
        values = np.array([[round(100 * turn.value)] for turn in seen])
        promises, order = np.array([turn.promise for turn in seen]), np.arange(len(seen))
        missing = choice.SEARCHES - thousandths(skill)
        rngs = seeded(zlib.crc32(f"{seed}/{skill}".encode()), TRIES)
        chosen = [choice.misjudged(values, order, promises, len(seen), 0, choice.NO_NONSENSE, missing, rng)
                  for rng in rngs[:, None]]
        return [_end(position, seen[rank]) for rank in chosen]

    def judge(self, skill: float) -> TurnJudge:
        return self._judges.setdefault(skill, TurnJudge(skill))

    def _seen(self, position: Position, skill: float) -> tuple[SeenTurn, ...]:
        return self.judge(skill).see(position, UNLIMITED)

    def _searched(self, position: Position, skill: float) -> bytes:
        here = position.at(position.ply)
        self.play_turn(here, skill)
        return here.key

    def play_turn(self, position: Position, skill: float) -> None:
        """Play the turn of a search, one action after the other."""
        first, seat = position.ply, position.to_move
        while position.ply == first or position.in_turn_of(seat):
            position.play(self._search.play(position, Limit(nodes=int(10**skill))).move)


def _end(position: Position, turn: SeenTurn) -> bytes:
    return position.after(turn.line).key


# --- from the curve to one number -----------------------------------------------------------------------


def shares_of(curve: str) -> list[float]:
    return [DIGITS.index(digit) / TRIES for digit in curve]


def crossing(curve: str, level: float = HALF) -> float | None:
    """The skill from which on at least this share of the tries succeeds; None: the highest skill fails."""
    shares = shares_of(curve)
    if shares[-1] < level:
        return None
    last = max((i for i, share in enumerate(shares) if share < level), default=-1)
    if last < 0:
        return SKILLS[0]
    below, above = shares[last], shares[last + 1]
    return SKILLS[last] + (SKILLS[last + 1] - SKILLS[last]) * (level - below) / (above - below)


def skill_of(curve: str, level: float = HALF) -> float | None:
    """The same; BEYOND if every skill of the longest curve fails."""
    found = crossing(curve, level)
    return BEYOND if found is None and len(curve) == len(SKILLS) else found


SLACK: Final = 0.25
"""A curve may fall by this share between two skills and still counts as monotone: 24 tries have a standard
error of up to 0.1, and a difference of two of them 0.14."""


STRICT: Final = 0.17
"""The same when a puzzle is chosen, so that other seeds agree."""


def is_monotone(curve: str, slack: float = SLACK) -> bool:
    """Whether no skill is clearly worse than a lower one."""
    shares = shares_of(curve)
    best = [max(shares[: i + 1]) for i in range(len(shares))]
    return all(share >= top - slack for share, top in zip(shares, best, strict=True))


def added(looks: Mapping[bytes, float], right: Ends) -> float:
    """What the first look adds to the difficulty."""
    seen = [value for end, value in looks.items() if end in right]
    behind = max(looks.values()) - max(seen, default=min(looks.values()))
    return min(MOST_ADDED, PER_POINT * behind)


# --- levels ---------------------------------------------------------------------------------------------


def level_of(puzzle: Puzzle) -> int:
    """The weakest level, 1 to 7, whose skill reaches the difficulty."""
    return 1 + sum(skill < puzzle.difficulty for skill in _skills(puzzle.box))


@functools.cache
def _skills(box: str) -> tuple[float, ...]:
    start = new(box)
    return tuple(each.skill for each in standards(start.game, start.players, start.options))


# --- rated by bots ------------------------------------------------------------------------------------


def rated_again(puzzle: Puzzle, trials: Trials) -> Puzzle | None:
    """The puzzle with its difficulty for today's search; None if success no longer grows with skill.

    Questions whether a turn is safe stay as they are: a pack does not keep the turns that were compared.
    """
    if puzzle.goal is Goal.SAFE:
        return puzzle
    start, before = puzzle.start(), skill_of(puzzle.curve)
    right = {start.after(answer.actions).key for answer in tree_of(puzzle).answers if answer.right}
    hardest = SKILLS[len(puzzle.curve) - 1]
    effort = effort_of(start, puzzle.goal) if hardest > USUAL_HARDEST else None
    curve = trials.curve(start, right, seed=puzzle.id, hardest=hardest, counted_out=effort)
    skill = skill_of(curve, HALF)
    if before is None or skill is None or not is_monotone(curve):
        return None
    difficulty = round(max(0.0, puzzle.difficulty + skill - before), 2)
    return replace(puzzle, curve=curve, difficulty=difficulty)


def rate_one(puzzle: Puzzle) -> Puzzle | None:
    return rated_again(puzzle, _trials())


@functools.cache
def _trials() -> Trials:
    """One for each process: their memory is large."""
    return Trials()
