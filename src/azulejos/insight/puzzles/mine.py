"""Finding puzzles: games are played, and positions late in their rounds solved.

A position becomes a puzzle if the rest of its round can be solved, one answer alone is right, a second
proof without the first one's shortcuts agrees (`prove`), and bots find the answer more often the better
they are.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.skill import SEARCHES, SkillBot
from azulejos.core import layout
from azulejos.core.position import Position, new
from azulejos.engine.endings import WON
from azulejos.insight.puzzles.difficulty import (
    HALF, SKILLS, SLACK, SPREAD, STRICT, SURE, UNLIMITED, USUAL_HARDEST, Trials, added, is_monotone,
    shares_of, skill_of,
)
from azulejos.insight.puzzles.exact import (
    Exact, ExactTurn, NotProved, answer_key, canonical_key, effort_of, turns_of, value_at,
)
from azulejos.insight.puzzles.explain import contrast, gift_in, themes_of
from azulejos.insight.puzzles.prove import UNSAFE, asks_more, fault_of, right_turns, size_of, tree_of
from azulejos.insight.puzzles.puzzle import SEATS, Goal, Puzzle, PuzzleEnd, PuzzleTheme, Value
from azulejos.protocol.bot import Limit

LEAST_TURNS: Final = 8
LEAST_ANSWERS: Final = 4
"""Turns of a puzzle, at least, and how many of them count as different answers."""
PLAYED: Final = (0.7, 0.8, 0.9, 1.2, 1.5, 2.0, 2.5)
"""The skills of which the players of the games have one each; where turns have many steps, those below 1,
which do not search."""
TREE_NODES: Final = 40_000
"""For one position where a turn has many steps: paths to the same position meet in the table."""
HARDEST_TREE: Final = 2.5
"""The highest skill tried where a search grows a tree of whole turns."""
EASY: Final = 0.9
"""If beginners find the answer this often, there is nothing to find."""
MOST_ANSWERS: Final = 1500
"""Answers to all decisions of a puzzle: a page gets them at once."""
TEMPTING: Final = 2.0
"""A proposed turn looks at most this many points worse to a beginner than the turn that looks best."""
ATTEMPTS: Final = 3
"""So many candidates are tried for each puzzle that a round may have."""


GROWTH: Final = 4
"""So many times as much takes the rest of a round from a turn earlier. What is given up is lost time."""


@dataclass(frozen=True, kw_only=True)
class Vein:
    """Where to look: how strong the players are, how much is solved, and how hard an answer has to be."""

    played: tuple[float, ...]
    playing: Limit
    nodes: int
    """For one position of a candidate; the second proof takes some 20 times as many."""
    plain_nodes: int
    """For one question of the second proof."""
    hardest: float
    """The highest skill of the tries."""
    missed: float | None = None
    """A search of this skill must miss the answer, and no skill up to it may find it in half of its tries;
    None: a search of the highest skill must find it."""
    siblings: int = 0
    """So many other promising turns are played in each position, too: what follows shares the table."""
    of_round: int = 2
    """Most puzzles of one round."""
    slack: float = STRICT
    """How far a curve may fall. A search that has no luck in it may differ by one of its four tries."""


USUAL: Final = Vein(
    played=PLAYED, playing=Limit(nodes=300), nodes=8_000, plain_nodes=1_000_000,
    hardest=USUAL_HARDEST)
HARD: Final = Vein(
    played=(2.5, 3.0, 3.5), playing=Limit(nodes=3_000), nodes=1_000_000, plain_nodes=8_000_000,
    hardest=SKILLS[-1], missed=3.5, siblings=4, of_round=4, slack=SLACK)
"""Where a strong search is wrong: it misses what is proved, and most of what searches as much does, too."""
HARD_GOALS: Final = (Goal.WIN, Goal.POINTS)
"""A yes or no is guessed too easily to be hard."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Candidate:
    """A position with a goal that one answer alone reaches."""

    goal: Goal
    position: Position
    exact: Exact
    ends: frozenset[bytes]
    """Of the right turns."""

    @functools.cached_property
    def turns(self) -> list[ExactTurn]:
        """Best first."""
        return self.exact.turns(self.position)

    @property
    def right(self) -> list[ExactTurn]:
        return [turn for turn in self.turns if turn.after.key in self.ends]


@dataclass(frozen=True, kw_only=True)
class MinedGame:
    """One game to be searched for puzzles: it depends on the box and the seed alone."""

    box: str
    seed: int
    goals: tuple[Goal, ...] = tuple(Goal)
    vein: Vein = USUAL

    def mine(self) -> list[Puzzle]:
        rng = random.Random(f"{self.box}/{self.seed}")
        trials, found = _trials(), list[Puzzle]()
        for number, plies in enumerate(_rounds(_game(self.box, self.vein, rng))):
            goals = [goal for goal in self.goals if not number or goal is not Goal.WIN]
            candidates = list(_candidates(plies, goals, self.vein))
            rng.shuffle(candidates)
            if self.vein.missed is not None:
                candidates.sort(key=lambda each: -trials.surprise(each.position, each.ends))
            candidates.sort(key=lambda each: each.goal is not Goal.WIN)  # the rarest first
            most = self.vein.of_round
            tried = _differing(candidates)[: ATTEMPTS * most]
            made = (_tried(each, self.vein, trials, rng) for each in tried)
            found += itertools.islice((puzzle for puzzle in made if puzzle is not None), most)
        return found


def _differing(candidates: list[Candidate]) -> list[Candidate]:
    """One candidate for each position: the first."""
    first: dict[bytes, Candidate] = {}
    for candidate in candidates:
        first.setdefault(candidate.position.key, candidate)
    return list(first.values())


def _game(box: str, vein: Vein, rng: random.Random) -> Position:
    """A game of two bots of some skill each."""
    position = new(box)
    most = math.inf if evaluation_of(position.game).chance_free_rounds else SEARCHES
    skills = [skill for skill in vein.played if skill < most]
    bots = [_player(rng.choice(skills)) for _ in range(SEATS)]
    position.deal(rng)
    while not position.is_over:
        position.play(bots[position.to_move].play(position, vein.playing, rng=rng).move)
        position.deal(rng)
    return position


_player = functools.cache(SkillBot)
_trials = functools.cache(Trials)
"""One of each in a process: they read networks when they begin."""


def _rounds(end: Position) -> Iterator[list[Position]]:
    """The positions of each round in which a turn begins, the last first."""
    rounds: dict[int, list[Position]] = {}
    for ply in reversed(range(end.ply)):
        here = end.at(ply)
        if here.to_move >= 0 and not here.in_turn:
            rounds.setdefault(int(here.state.round), []).append(here)
    yield from rounds.values()


# --- candidates -----------------------------------------------------------------------------------------


def _candidates(plies: list[Position], goals: Iterable[Goal], vein: Vein) -> Iterator[Candidate]:
    """Positions of a round with one answer; backwards, until the rest of the round is too large."""
    for goal in (Goal.POINTS, Goal.WIN):
        if goal not in goals and not (goal is Goal.POINTS and Goal.SAFE in goals):
            continue
        short = evaluation_of(plies[0].game).chance_free_rounds
        exact = Exact(plies[0].game, goal, nodes=vein.nodes if short else TREE_NODES)
        exact.begin(plies[0])
        try:
            for position in _with_siblings(plies, vein):
                before = exact.spent
                missed = _has_choices(position) and _is_missed(exact, position, vein)
                if vein.siblings and exact.spent - before > exact.nodes / GROWTH:
                    break
                if not missed:
                    continue
                right = right_turns(exact, position)
                if right is not None and _has_answers(position):
                    ends = frozenset(turn.after.key for turn in right)
                    found = Candidate(goal=goal, position=position, exact=exact, ends=ends)
                    yield from _with_goals(found, goals)
        except NotProved:
            continue


def _with_siblings(plies: list[Position], vein: Vein) -> Iterator[Position]:
    """Each position, and what other promising turns would have led to."""
    for position, before in itertools.zip_longest(plies, plies[1:]):
        yield position
        if before is not None and vein.siblings:
            judge = _trials().judge(SEARCHES)
            for turn in judge.see(before, UNLIMITED)[: vein.siblings]:
                after = before.after(turn.line)
                if after.key != position.key and after.to_move >= 0 and not after.in_turn:
                    yield after


def _is_missed(exact: Exact, position: Position, vein: Vein) -> bool:
    """Whether the answer, if there is one, is not too easy for a vein."""
    best = exact.worth(position, position.to_move)
    if vein.missed is None:
        return True
    if exact.spent < 10**vein.missed:
        return False
    after = position.at(position.ply)
    _trials().play_turn(after, vein.missed)
    seat = position.to_move
    reached = exact.worth(after, seat, best - 1, best)
    return reached <= WON // 2 if exact.goal is Goal.WIN else reached < best


def _has_choices(position: Position) -> bool:
    if len(position.legal_actions()) >= LEAST_TURNS:
        return True
    return sum(1 for _ in itertools.islice(turns_of(position), LEAST_TURNS)) == LEAST_TURNS


def _has_answers(position: Position) -> bool:
    ends = [answer_key(after) for _, after in turns_of(position)]
    return len(ends) >= LEAST_TURNS and len(set(ends)) >= LEAST_ANSWERS


def _with_goals(found: Candidate, goals: Iterable[Goal]) -> Iterator[Candidate]:
    if found.goal is Goal.WIN:
        if _ends_anyway(found):
            yield found
        return
    for goal in (Goal.POINTS, Goal.SAFE):
        if goal in goals:
            yield replace(found, goal=goal)


def _ends_anyway(found: Candidate) -> bool:
    """Whether the game ends with this round after every turn, if both seats play their best."""
    return all(turn.after.after(found.exact.line(turn.after)).is_over for turn in found.turns)


# --- puzzles --------------------------------------------------------------------------------------------


def _tried(found: Candidate, vein: Vein, trials: Trials, rng: random.Random) -> Puzzle | None:
    try:
        return _made(found, vein, trials, rng)
    except NotProved:  # what follows an answer can be larger than what was searched for it
        return None


def _made(found: Candidate, vein: Vein, trials: Trials, rng: random.Random) -> Puzzle | None:
    """The puzzle of a candidate; None if it is too easy, too hard, the game is lost anyway, or bots do not
    find the answer as they should."""
    begun = "" if vein.missed is None else _missing(found, vein, vein.missed, trials)
    if begun is None:
        return None
    looks = trials.looks(found.position)
    asked = _proposed(found, looks, rng) if found.goal is Goal.SAFE else found.right[0]
    other = _other(found, looks)
    if asked is None or other is None or _value(found, found.turns[0]).result is PuzzleEnd.LOST:
        return None
    puzzle = _puzzle(found, vein, asked, other, looks, trials, begun)
    if puzzle is None:
        return None
    tree = tree_of(puzzle)
    if size_of(tree) > MOST_ANSWERS:
        return None
    return puzzle if fault_of(puzzle, nodes=vein.plain_nodes, tree=tree) is None else None


def _missing(found: Candidate, vein: Vein, missed: float, trials: Trials) -> str | None:
    """The curve up to a skill, if everybody so far misses the answer: most candidates end here."""
    if effort_of(found.position, found.goal) < 10 ** (missed + SPREAD[-1]):
        return None
    curve = trials.curve(found.position, found.ends, seed=_id(found), hardest=missed)
    return curve if max(shares_of(curve)) < HALF and is_monotone(curve, vein.slack) else None


def _other(found: Candidate, looks: dict[bytes, float]) -> ExactTurn | None:
    """The wrong turn that looks best to a beginner."""
    wrong = [turn for turn in found.turns if turn not in found.right and turn.after.key in looks]
    return max(wrong, key=lambda turn: looks[turn.after.key], default=None)


def _proposed(found: Candidate, looks: dict[bytes, float], rng: random.Random) -> ExactTurn | None:
    """The best turn, or one that looks good and loses much to a reply."""
    tempting = _other(found, looks)
    if tempting is None or found.turns[0].worth - tempting.worth < UNSAFE:
        return None
    if rng.random() < 0.5:
        return found.turns[0]
    seems = looks[tempting.after.key] >= max(looks.values()) - TEMPTING
    return tempting if seems and _depends_on_reply(found, tempting) else None


def _depends_on_reply(found: Candidate, turn: ExactTurn) -> bool:
    """Whether the other seat can miss the punishment."""
    if turn.after.to_move != 1 - found.position.to_move:
        return False
    replies = found.exact.turns(turn.after)
    return replies[0].worth - replies[-1].worth >= UNSAFE


def _puzzle(
    found: Candidate, vein: Vein, asked: ExactTurn, other: ExactTurn, looks: dict[bytes, float],
    trials: Trials, begun: str,
) -> Puzzle | None:
    position, goal, best = found.position.at(found.position.ply), found.goal, found.turns[0]
    right = {turn.after.key for turn in found.right}
    safe, yes = goal is Goal.SAFE, asked is best
    id_ = _id(found, asked if safe else None)
    ends = right if not safe or yes else {turn.after.key for turn in found.turns} - {asked.after.key}
    hardest = vein.hardest if evaluation_of(position.game).chance_free_rounds else HARDEST_TREE
    if vein.missed is None and not trials.finds(position, ends, hardest):
        return None
    curve = trials.curve(position, ends, seed=id_, hardest=hardest,
                         among={best.after.key, other.after.key} if safe else None,
                         counted_out=None if vein.missed is None else effort_of(position, goal),
                         begun=begun)
    skill = skill_of(curve, SURE if safe else HALF)
    found_early = skill is None or skill <= (vein.missed or -1.0) or shares_of(curve)[0] >= EASY
    if skill is None or found_early or not is_monotone(curve, vein.slack):
        return None
    behind = max(looks.values()) - max((looks[end] for end in right & looks.keys()), default=0.0)
    return Puzzle(
        id=id_, box=position.preset.name, goal=goal, position=position.text(),
        turn=tuple(position.game.moves.text(action) for action in asked.actions),
        best=_value(found, best), other=_value(found, asked if safe else _next_best(found)),
        difficulty=skill + added(looks, right), curve=curve,
        themes=_themes(found, best, other, behind),
    )


def _next_best(found: Candidate) -> ExactTurn:
    """The best turn that is another answer."""
    key = answer_key(found.turns[0].after)
    return next(turn for turn in found.turns if answer_key(turn.after) != key)


def _value(found: Candidate, turn: ExactTurn) -> Value:
    return value_at(turn.after.after(found.exact.line(turn.after)), found.position.to_move)


def _themes(found: Candidate, best: ExactTurn, other: ExactTurn, behind: float) -> tuple[PuzzleTheme, ...]:
    lines = [(*turn.actions, *found.exact.line(turn.after)) for turn in (best, other)]
    difference = contrast(found.position, *lines, turn=len(best.actions), other=len(other.actions))
    gift = gift_in(difference, found.exact) is not None
    deep = found.goal is not Goal.SAFE and asks_more(found.exact, best.after, found.position.to_move)
    return tuple(themes_of(difference, gift=gift, behind=behind, deep=deep))


def _id(found: Candidate, asked: ExactTurn | None = None) -> str:
    """A name that depends on the position up to symmetry, the goal and the proposed turn."""
    text = canonical_key(found.position) + found.goal.encode()
    if asked is not None:
        text += answer_key(asked.after)
    number = int.from_bytes(hashlib.blake2s(text, digest_size=8).digest())
    digits = layout.DIGITS[:36]
    return "".join(digits[number // 36**i % 36] for i in range(8))


# --- packs ----------------------------------------------------------------------------------------------


class DistinctPuzzles:
    """Puzzles of which no two have the same position up to symmetry."""

    def __init__(self, puzzles: Iterable[Puzzle] = ()) -> None:
        self._found: dict[bytes, Puzzle] = {}
        self.add(puzzles)

    def add(self, puzzles: Iterable[Puzzle]) -> None:
        for puzzle in puzzles:
            self._found.setdefault(canonical_key(puzzle.start()), puzzle)

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self._found.values())
