"""What follows from what somebody has practised: days in a row, how well they solve, cards that are due."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

from azulejos.insight.progress import Attempt, Card, CardAnswer, Progress
from azulejos.insight.results import Estimate

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
