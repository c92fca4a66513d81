"""Practice: days in a row, how well somebody solves, cards that are due; cards of one's own mistakes."""

from __future__ import annotations

import bisect
import functools
import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from azulejos.bots.workspaces import is_solvable
from azulejos.core.game import Seat
from azulejos.core.position import Position
from azulejos.insight.judge import Effort, efforts_for
from azulejos.insight.level import Comparison, GameLosses, TurnLoss, losses
from azulejos.insight.progress import Attempt, Card, CardAnswer, JudgedGame, Progress, Sentence
from azulejos.insight.puzzles.exact import NotProved, turns_of
from azulejos.insight.results import Estimate, JudgedTurn, Review
from azulejos.insight.words import sentences

if TYPE_CHECKING:
    import fsrs

WEEK: Final = 7
RETIRED_AFTER: Final = 3
"""Successes in a row after which a card is not asked again."""


# --- days ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Streak:
    """Days in a row on which the puzzle of the day was solved."""

    days: int
    today: bool
    """Whether today's is solved."""
    week: tuple[bool, ...]
    """The last seven days, today last."""


def streak(attempts: Iterable[Attempt], today: date) -> Streak:
    """Today counts when it is solved; until then the days up to yesterday do."""
    solved = {entry.day for entry in attempts if entry.solved and entry.day}

    def was_solved(days_ago: int) -> bool:
        return (today - timedelta(days=days_ago)).isoformat() in solved

    first = 0 if was_solved(0) else 1
    count = 0
    while was_solved(first + count):
        count += 1
    return Streak(days=count, today=was_solved(0),
                  week=tuple(was_solved(days_ago) for days_ago in reversed(range(WEEK))))


# --- how well somebody solves ----------------------------------------------------------------------------

SKILLS: Final = tuple(-1.0 + step / 20 for step in range(181))
STEEPNESS: Final = 1.5
"""Of the chance to solve a puzzle, by skill minus difficulty; see docs/lab/practice.md."""
EXPECTED: Final = 2.5
SPREAD: Final = 2.0
"""Of the skills of people, before anything is known about one of them."""
MOST_RESULTS: Final = 400
"""The others weigh less than a thousandth."""
FORGETTING: Final = 0.98
"""Weight of a result compared with the one after it: about the last fifty count."""


def skill(results: Sequence[tuple[float, bool]]) -> Estimate | None:
    """The skill of a solver with a 90 % interval, on the scale of the bots' skills.

    `results` has the difficulty of each puzzle and whether its turn was found at once, oldest first. The
    chance of that is a logistic function of skill minus difficulty; the estimate is the mean of the
    posterior distribution. None: there is no result.
    """
    if not results:
        return None
    log_chance = [_log_chance(skill, results[-MOST_RESULTS:]) for skill in SKILLS]
    most = max(log_chance)
    weights = [math.exp(each - most) for each in log_chance]
    total = sum(weights)
    sums = [each / total for each in itertools.accumulate(weights)]
    mean = sum(weight * skill for weight, skill in zip(weights, SKILLS, strict=True)) / total
    return Estimate(mean, _quantile(0.05, sums), _quantile(0.95, sums))


def _log_chance(skill: float, results: Sequence[tuple[float, bool]]) -> float:
    """Of a skill, given the results; a constant is left out."""
    found = -0.5 * ((skill - EXPECTED) / SPREAD) ** 2
    for age, (difficulty, right) in enumerate(reversed(results)):
        way = 1.0 if right else -1.0
        found -= FORGETTING**age * math.log1p(math.exp(-way * STEEPNESS * (skill - difficulty)))
    return found


def _quantile(share: float, sums: Sequence[float]) -> float:
    """The skill below which this share of the chances lies, between two skills in proportion."""
    above = bisect.bisect_left(sums, share)
    if above == 0:
        return SKILLS[0]
    part = (share - sums[above - 1]) / (sums[above] - sums[above - 1])
    return SKILLS[above - 1] + part * (SKILLS[above] - SKILLS[above - 1])


def results(attempts: Iterable[Attempt], difficulties: Mapping[str, float]) -> list[tuple[float, bool]]:
    """First attempts at known puzzles. Those that began with a hint count for nothing."""
    first: dict[str, Attempt] = {}
    for entry in sorted(attempts, key=lambda entry: entry.at):
        first.setdefault(entry.puzzle, entry)
    return [(difficulties[name], entry.first == "right") for name, entry in first.items()
            if name in difficulties and entry.first != "helped"]


# --- cards -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Planned:
    """A card, and when it is asked next."""

    card: Card
    due: datetime
    successes: int
    """In a row, until now."""

    @property
    def retired(self) -> bool:
        return self.successes >= RETIRED_AFTER


@functools.cache
def scheduler() -> fsrs.Scheduler:
    """FSRS without steps of minutes (a position is asked once a day at most) and without chance, so that
    the same answers always lead to the same plan."""
    import fsrs

    return fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def planned(progress: Progress, judges: Mapping[int, set[str]] | None = None) -> list[Planned]:
    """All cards, those due first. `judges` holds the weights of today's judges by version: the cards of
    others are left out."""
    answers: dict[str, list[CardAnswer]] = {}
    for entry in progress.answers:
        answers.setdefault(entry.card, []).append(entry)
    found = [_planned(card, answers.get(card.id, [])) for card in progress.cards
             if judges is None or card.weights in judges.get(card.judge, ())]
    return sorted(found, key=lambda each: (each.due, each.card.id))


def due(plan: Iterable[Planned], now: datetime) -> list[Planned]:
    return [each for each in plan if not each.retired and each.due <= now]


def _planned(card: Card, answers: Iterable[CardAnswer]) -> Planned:
    when, successes = scheduled(card.at, answers)
    return Planned(card=card, due=when, successes=successes)


def scheduled(began: int, answers: Iterable[CardAnswer | Attempt]) -> tuple[datetime, int]:
    """When something is asked next, and how often in a row it was known until now."""
    import fsrs

    state, successes = fsrs.Card(card_id=1, due=_time(began)), 0
    for answer in sorted(answers, key=lambda entry: entry.at):
        state, _ = scheduler().review_card(state, _rating(answer), _time(answer.at))
        successes = 0 if answer.first == "wrong" else successes + (answer.first == "right")
    return state.due, successes


def _rating(answer: CardAnswer | Attempt) -> fsrs.Rating:
    import fsrs

    return {"right": fsrs.Rating.Good, "helped": fsrs.Rating.Hard, "wrong": fsrs.Rating.Again}[answer.first]


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


# --- what games bring into practice: cards of one's own mistakes ------------------------------------------

CLEAR: Final = 1.0
"""Points by which every other turn has to be worse."""
MOST_TURNS: Final = 200
"""Turns of a position; each is searched."""


def practice_of(
    review: Review, seat: int, *, table: str, at: int, effort: Effort | None = None
) -> Progress:
    """What somebody takes away from a finished review: cards, and what they gave away."""
    cards = tuple(cards_of(review, seat, table=table, at=at, effort=effort))
    game = judged_game(losses(review, seat, effort=effort), table=table, at=at, cards=len(cards))
    return Progress(cards=cards, games=(game,))


def cards_of(
    review: Review, seat: int, *, table: str, at: int, effort: Effort | None = None
) -> Iterator[Card]:
    """A card for each mistake of a seat whose better turn is the only good one.

    Only where rounds are solved: elsewhere not all turns can be judged well enough to say so.
    """
    game = review.record.replay()
    if not is_solvable(game):
        return
    comparison = Comparison(game, effort or efforts_for(game).level)
    own = [turn for turn in review.turns if turn.seat == seat and turn.better]
    mistakes = [turn for turn in own if turn.grade.is_mistake]
    for turn in reversed(mistakes):  # what is proved later is known earlier
        card = _card(review, game.at(turn.ply), turn, comparison, table, at)
        if card is not None:
            yield card


def _card(
    review: Review, before: Position, turn: JudgedTurn, comparison: Comparison, table: str, at: int
) -> Card | None:
    assert turn.better is not None
    try:
        turns = dict(turns_of(before))
    except NotProved:
        return None
    best = before.after(turn.better.turn).key
    if len(turns) > MOST_TURNS or best not in {after.key for after in turns.values()}:
        return None
    costs = comparison.costs(before, turns)
    if any((after.key == best) != (costs[actions] < CLEAR) for actions, after in turns.items()):
        return None
    position = before.text()
    return Card(
        id=hashlib.sha256(f"{position} {turn.seat}".encode()).hexdigest()[:16], at=at, position=position,
        table=table, ply=turn.ply, played=_text(before, turn.played.turn),
        better=_text(before, turn.better.turn), lost=round(turn.verdict.points.value, 1),
        judge=review.judge, weights=review.weights,
        names=tuple(player.name[:64] if player.bot else "" for player in review.record.seats),
        costs={_text(before, actions): cost for actions, cost in costs.items()},
        replies={_text(before, actions): _text(after, comparison.reply(after))
                 for actions, after in turns.items()},
        reasons=tuple(Sentence.of(sentence) for sentence in sentences(review, turn)[:6]),
    )


def _text(position: Position, actions: tuple[int, ...]) -> str:
    return " ".join(position.game.moves.text(action) for action in actions)


# --- judged games ----------------------------------------------------------------------------------------


def judged_game(found: GameLosses, *, table: str, at: int, cards: int) -> JudgedGame:
    return JudgedGame(
        table=table, seat=found.seat, at=at, box=found.box, players=found.players, judge=found.judge,
        weights=found.weights, level=found.version, cards=min(99, cards),
        losses=tuple((turn.own, turn.bots) for turn in found.turns),
    )


def game_losses(game: JudgedGame) -> GameLosses:
    """As `insight.level` wants it."""
    return GameLosses(
        version=game.level, judge=game.judge, weights=game.weights, box=game.box, players=game.players,
        seat=Seat(game.seat),
        turns=tuple(TurnLoss(number, own, bots) for number, (own, bots) in enumerate(game.losses)),
    )
