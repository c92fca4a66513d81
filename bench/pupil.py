"""Does the teacher teach? ``python -m bench.pupil OUT [VECTORS [GAMES [DEALS]]]`` (docs/lab/teaching.md).

A pupil plays Azul with two seats by a short search, of whose values it overlooks parts: thirteen senses,
twelve groups of terms of the linear evaluation, and one that looks at what the next player can finish. How
often it uses each sense is a number from 0 to 1; these numbers are its weaknesses. It plays GAMES games
against itself, reads the reviews, and raises the numbers of those senses that speak for what it would have
played instead, had it avoided what the *reasons* name, as far as it would play the turn more often than its
classmates. It never sees the better turn, and of values only how much a turn lost. Pupils come in pairs
that have no weakness in common; each learns in the same way from the reviews of the other's games. Both
then play DEALS deals twice, with both seat orders, against the pupil they were.

Every vector is a line of OUT; the sums are printed after each. A run that was stopped goes on where it
ended.
"""

from __future__ import annotations

import functools
import json
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from azulejos import Record, bots, new
from azulejos.bots.evaluation import weights_of
from azulejos.bots.search import SearchBot
from azulejos.core import layout
from azulejos.core.position import Position
from azulejos.games.azul.evaluate import (
    BEGUN,
    CELL,
    COLOUR_OF,
    COLUMN_OF,
    FINISHABLE,
    LINE_COLOUR,
    LINE_COLUMN,
    LINE_POINTS,
    MOVER,
    NEIGHBOURS,
    POINTS,
    POOR,
    ROW_OF,
    SHORTAGE,
    STARTS,
    TERMS,
    terms_of,
)
from azulejos.games.azul.layout import LINES, State
from azulejos.games.azul.moves import MOVES, Take
from azulejos.insight.headlines import cause_of
from azulejos.insight.judge import Effort
from azulejos.insight.results import JudgedTurn, Reason, Review
from azulejos.insight.review import review
from azulejos.protocol.bot import Limit

SEED = "classmates, second draw"
"""Of the vectors; it was written down before any of them was drawn."""
GROUPS = (
    (POINTS,), (POOR, STARTS), (CELL,), (ROW_OF,), (COLUMN_OF,), (COLOUR_OF,), (BEGUN,), (LINE_POINTS,),
    (LINE_COLUMN, LINE_COLOUR), (SHORTAGE,), (NEIGHBOURS,), (MOVER, FINISHABLE),
)
"""Terms of the evaluation that one sense looks at, each by its first number."""
ENDS = (*sorted({CELL, ROW_OF, COLUMN_OF, COLOUR_OF, BEGUN, LINE_POINTS, LINE_COLUMN, LINE_COLOUR, SHORTAGE,
                 NEIGHBOURS, MOVER, FINISHABLE, POOR, STARTS}), TERMS)
SENSES = len(GROUPS) + 1
"""The last one looks a turn further: the most that the next player can finish with one pile."""
REPLY = 60.0
WEAK, STRONG = (0.1, 0.4), (0.75, 1.0)
"""Bounds of a number: which senses are weak is drawn."""
WEAK_SENSES = 5
NODES = 5_000
"""Positions that a look searches; with all senses a pupil is then between levels 2 and 3."""
TRIES = 16
"""How often a position is looked at to count faults."""
CLASSMATES = 12
"""Pupils drawn like this one, whose faults are the usual ones."""
PRACTICE = 0.00012
"""By how much a number rises for a point lost a game and a hundredth of a point that a sense says of it."""
MOST_HEARD = 300.0
"""Hundredths of a point: what one sense says about one turn counts no more."""
JUDGE = (Effort(nodes=5_000, deals=4, deal_nodes=1_000),)
SEARCH = SearchBot(ahead=False)
PAIR = 2
UNBOUNDED = 10**9

Vector = tuple[float, ...]


def vectors(count: int, seed: str = SEED) -> list[Vector]:
    """In pairs without a common weakness."""
    rng, found = random.Random(seed), list[Vector]()
    while len(found) < count:
        senses = rng.sample(range(SENSES), SENSES)
        for weak in (senses[:WEAK_SENSES], senses[WEAK_SENSES : 2 * WEAK_SENSES]):
            found.append(tuple(round(rng.uniform(*(WEAK if sense in weak else STRONG)), 3)
                               for sense in range(SENSES)))
    return found[:count]


# --- what it sees of its own turns -----------------------------------------------------------------------


def members() -> list[np.ndarray]:
    """The terms of each group."""
    return [np.array([term for first in group
                      for term in range(first, next(end for end in ENDS if end > first))])
            for group in GROUPS]


MEMBERS = members()
BEST = weights_of(new("azul").game, "")


def run(wall: np.ndarray, row: int, col: int) -> int:
    """The points of a tile beside those that lie on a wall."""
    total = 0
    for down, right in ((0, 1), (1, 0)):
        length = 1
        for way in (-1, 1):
            r, c = row + way * down, col + way * right
            while 0 <= r < LINES and 0 <= c < LINES and wall[r, c]:
                length, r, c = length + 1, r + way * down, c + way * right
        total += length if length > 1 else 0
    return total or 1


@dataclass(frozen=True)
class Needs:
    """What a seat could do with the tiles of each colour."""

    missing: np.ndarray
    """[line, colour]: tiles that are needed, 0: the line does not take the colour."""
    points: np.ndarray

    @classmethod
    def of(cls, s: State, seat: int) -> Needs:
        missing, points = np.zeros((LINES, LINES), int), np.zeros((LINES, LINES))
        wall = np.asarray(s.wall[seat])
        for line in range(LINES):
            begun = int(s.line_tiles[seat, line])
            for colour in range(LINES):
                if (begun and s.line_colour[seat, line] != colour) or (wall[line] == colour + 1).any():
                    continue
                missing[line, colour] = line + 1 - begun
                points[line, colour] = run(wall, line, (line + colour) % LINES)
        return cls(missing, points)

    def best(self, piles: Sequence[tuple[int, int]]) -> float:
        """The most points that one pile (colour, tiles) finishes."""
        return max((float(self.points[line, colour]) for colour, tiles in piles for line in range(LINES)
                    if 0 < self.missing[line, colour] <= tiles), default=0.0)


def seen(position: Position) -> tuple[list[int], np.ndarray]:
    """The actions, and [action, sense]: what each sense says about them, in hundredths of a point; in the
    last column what is left of the value of a short search without them."""
    me, actions = position.to_move, position.legal_actions()
    rated = {move.move.text: move.value for move in SEARCH.rate(position, Limit(nodes=NODES)).moves}
    terms_at, theirs = position.game.engine.bind(terms_of), Needs.of(position.state, 1 - me)
    felt = np.zeros((len(actions), SENSES + 1))
    for i, action in enumerate(actions):
        s: State = layout.view(position.game.state, position.after([action]).row)
        terms = np.zeros((PAIR, TERMS + 1), np.int64)
        phase = terms_at(s, terms)
        worth = (terms[me, :TERMS] - terms[1 - me, :TERMS]) * BEST[phase]
        felt[i, : SENSES - 1] = [worth[group].sum() for group in MEMBERS]
        if s.to_move == 1 - me:
            felt[i, SENSES - 1] = -REPLY * theirs.best([
                (colour, int(row[colour])) for row in (s.centre, *s.factories) for colour in range(LINES)
            ])
        felt[i, -1] = 100 * (rated[position.game.moves.text(action)] or 0.0) - felt[i, :-1].sum()
    return actions, felt


def used(vector: Vector, rng: random.Random) -> np.ndarray:
    """Which senses a look uses."""
    return np.array([*(rng.random() < chance for chance in vector), True], float)


def choice(position: Position, vector: Vector, rng: random.Random) -> int:
    actions, felt = seen(position)
    return actions[int((felt @ used(vector, rng)).argmax())]


def played(pupils: Sequence[Vector], seed: int | str) -> Position:
    position, deal = new("azul"), random.Random(f"deal/{seed}")
    minds = [random.Random(f"mind/{seed}/{seat}") for seat in range(PAIR)]
    position.deal(deal)
    while not position.is_over:
        seat = position.to_move
        position.play(choice(position, pupils[seat], minds[seat]))
        position.deal(deal)
    return position


# --- what it learns from --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """A turn with a reason: what each sense says there, and after which turns the fault does not happen."""

    cause: str
    felt: np.ndarray
    played: int
    avoided: np.ndarray
    weight: float
    usual: float = 0.0
    """In which share of their looks classmates play the same turn."""


def lessons(found: Review) -> Iterator[Lesson]:
    for turn in found.turns:
        for reason in turn.reasons:
            lesson = _lesson(found, turn, reason)
            if lesson is not None:
                yield lesson


def _lesson(found: Review, turn: JudgedTurn, reason: Reason) -> Lesson | None:
    before = found.record.start.after(found.record.actions[: turn.ply])
    actions, felt = seen(before)
    avoided = np.array([_avoids(before, action, turn, reason) for action in actions])
    played = actions.index(turn.played.turn[0])
    if avoided[played] or not avoided.any():
        return None
    cause = cause_of(found, reason, turn.seat)
    lesson = Lesson(str(cause), felt, played, avoided, min(10.0, turn.verdict.points.value) * reason.share)
    return replace(lesson, usual=usual(lesson))


def _avoids(before: Position, action: int, turn: JudgedTurn, reason: Reason) -> bool:
    """Whether what a reason names cannot happen at once after an action."""
    took, move, after = MOVES[turn.played.turn[0]], MOVES[action], before.after([action])
    assert isinstance(took, Take)
    assert isinstance(move, Take)
    s: State = after.state
    played, better, gift = reason.played.fact, reason.better.fact, reason.gift
    if gift is not None:
        return not (after.to_move == gift.seat and _fills(after, gift.place, gift.numbers[1]))
    if played.name == "floor" and played.seat == turn.seat:
        then = before.after(turn.played.turn).state
        return _fallen(s, turn.seat) < _fallen(then, turn.seat)
    if played.seat == 1 - turn.seat and played.name == "filled":
        return not (after.to_move == played.seat and _fills(after, played.place, None))
    if played.seat == turn.seat and better.name == "filled":
        return bool(move.target == better.place)
    if played.name == "starts":
        takes = move.source == 0 and before.state.marker < 0
        return takes == (better.seat == turn.seat)
    return True


def _fallen(s: State, seat: int) -> int:
    return sum(int(tile) > 0 for tile in s.floor[seat])


def _fills(position: Position, line: int, colour: int | None) -> bool:
    s: State = position.state
    for action in position.legal_actions():
        move = MOVES[action]
        if isinstance(move, Take) and move.target == line and colour in (None, move.colour):
            row = s.centre if move.source == 0 else s.factories[move.source - 1]
            if int(row[move.colour]) + int(s.line_tiles[position.to_move, line]) > line:
                return True
    return False


def chosen(vector: Vector, lesson: Lesson) -> np.ndarray:
    """What a pupil plays in the position of a lesson, in some looks at it."""
    rng = random.Random("looks")
    return np.array([int((lesson.felt @ used(vector, rng)).argmax()) for _ in range(TRIES)])


def repeats(vector: Vector, lesson: Lesson) -> float:
    """In which share of its looks a pupil plays the turn that was played."""
    return float((chosen(vector, lesson) == lesson.played).mean())


def usual(lesson: Lesson) -> float:
    """The same for classmates."""
    return sum(repeats(mate, lesson) for mate in classmates()) / CLASSMATES


@functools.cache
def classmates() -> list[Vector]:
    return vectors(CLASSMATES, "classmates")


def faults(vector: Vector, learned: Sequence[Lesson]) -> float:
    """The share of the named faults, by weight, that happen again."""
    again = sum(lesson.weight * float((~lesson.avoided[chosen(vector, lesson)]).mean())
                for lesson in learned)
    return again / max(1e-9, sum(lesson.weight for lesson in learned))


def taught(vector: Vector, learned: Sequence[Lesson], games: int) -> Vector:
    """The vector after its lessons. A reason concerns a pupil as far as it would play the turn more often
    than its classmates. Then it asks what it would have played instead, had it avoided what the
    reason names, and uses those senses more that speak for that."""
    credit = np.zeros(SENSES)
    for lesson in learned:
        more = repeats(vector, lesson) - lesson.usual
        if more <= 0:
            continue
        worth = lesson.felt @ np.array([*vector, 1.0])
        instead = int(np.where(lesson.avoided, worth, -np.inf).argmax())
        difference = lesson.felt[instead, :-1] - lesson.felt[lesson.played, :-1]
        credit += more * lesson.weight * np.clip(difference, -MOST_HEARD, MOST_HEARD)
    rise = PRACTICE * np.maximum(credit, 0) / games
    return tuple(float(each) for each in np.minimum(1, vector + rise))


# --- the trial ------------------------------------------------------------------------------------------


@functools.cache
def lessons_of(vector: Vector, games: int, number: int) -> tuple[Lesson, ...]:
    found = list[Lesson]()
    for game in range(games):
        record = Record.from_position(played((vector, vector), f"school/{number}/{game}"))
        found += lessons(review(record, efforts=JUDGE))
    return tuple(found)


def scored(one: Vector, other: Vector, deals: int, name: str) -> list[float]:
    """By deal: the mean result of the first in both seat orders."""
    found = []
    for deal in range(deals):
        points = 0.0
        for seat in range(PAIR):
            pupils = (one, other) if seat == 0 else (other, one)
            winners = played(pupils, f"{name}/{deal}").outcome().winners  # type: ignore[union-attr]
            points += (seat in winners) / len(winners)
        found.append(points / PAIR)
    return found


def against_level(vector: Vector, level: int, deals: int) -> float:
    """The share of wins against a level of bots, in both seat orders."""
    bot, won = bots.open(f"level:{level}"), 0.0
    for game in range(PAIR * deals):
        position, deal, mind = new("azul"), *(random.Random(f"{what}/level/{game // PAIR}")
                                              for what in ("deal", "mind"))
        position.deal(deal)
        while not position.is_over:
            mine = position.to_move == game % PAIR
            position.play(choice(position, vector, mind) if mine else
                          bot.play(position, Limit(nodes=UNBOUNDED), rng=mind).move)
            position.deal(deal)
        winners = position.outcome().winners  # type: ignore[union-attr]
        won += (game % PAIR in winners) / len(winners)
    return won / (PAIR * deals)


def elo(share: float, games: int) -> float:
    share = min(1 - 0.5 / games, max(0.5 / games, share))
    return 400 * math.log10(share / (1 - share))


def trial(number: int, all_vectors: Sequence[Vector], games: int, deals: int) -> dict[str, object]:
    vector = all_vectors[number]
    partner = number ^ 1
    own, foreign = (lessons_of(all_vectors[each], games, each) for each in (number, partner))
    found: dict[str, object] = {"number": number, "vector": vector, "lessons": len(own),
                               "level 2": against_level(vector, 2, max(1, deals // 5))}
    learned = {"all reasons": own, "foreign": foreign}
    for cause in sorted({lesson.cause for lesson in own}):
        learned[f"only {cause}"] = tuple(each for each in own if each.cause == cause)
    for name, known in learned.items():
        after = taught(vector, known, games)
        length = deals if name in ("all reasons", "foreign") else max(1, deals // 5)
        results = scored(after, vector, length, f"match/{number}") if after != vector else [0.5] * length
        found[name] = {"vector": after, "lessons": len(known), "results": results,
                       "faults": [faults(vector, known), faults(after, known)]}
    return found


def told(lines: Sequence[dict[str, object]]) -> None:
    beside = [float(str(line["level 2"])) for line in lines]
    print(f"before: {sum(beside) / len(beside):.0%} against level 2")
    names = sorted({name for line in lines for name, value in line.items() if isinstance(value, dict)})
    for name in names:
        gains, weights = [], []
        for line in lines:
            part = line.get(name)
            if isinstance(part, dict):
                results = part["results"]
                gains.append(elo(sum(results) / len(results), PAIR * len(results)))
                weights.append(part["lessons"])
        middle = sum(gains) / len(gains)
        spread = 1.64 * float(np.std(gains, ddof=1)) / math.sqrt(len(gains)) if len(gains) > 1 else math.inf
        print(f"{name:10} pupils {len(gains):2}  lessons {sum(weights):5}  "
              f"Elo {middle:+.0f} ({middle - spread:+.0f} to {middle + spread:+.0f})")


def main() -> None:
    path, *rest = sys.argv[1:]
    count, games, deals = (int(each) for each in (rest + ["20", "20", "50"][len(rest) :]))
    out, all_vectors = Path(path), vectors(count)
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    for number in range(len(lines), count):
        lines.append(trial(number, all_vectors, games, deals))
        with out.open("a") as file:
            file.write(json.dumps(lines[-1], default=float) + "\n")
        told(lines)
        print(flush=True)


if __name__ == "__main__":
    main()
