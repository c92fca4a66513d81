"""What follows from what somebody has practised: days in a row, how well they solve, cards that are due."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np

from azulejos.insight.progress import Answer, Attempt, Card, Progress
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

SKILLS: Final = np.linspace(-1.0, 8.0, 181)
STEEPNESS: Final = 1.5
"""Of the chance to solve a puzzle, by skill minus difficulty; see docs/lab/practice.md."""
EXPECTED: Final = 2.5
SPREAD: Final = 2.0
"""Of the skills of people, before anything is known about one of them."""
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
    log_chance = -0.5 * ((SKILLS - EXPECTED) / SPREAD) ** 2
    for age, (difficulty, found) in enumerate(reversed(results)):
        way = 1.0 if found else -1.0
        log_chance -= FORGETTING**age * np.log1p(np.exp(-way * STEEPNESS * (SKILLS - difficulty)))
    weights = np.exp(log_chance - log_chance.max())
    weights /= weights.sum()
    low, high = np.interp((0.05, 0.95), weights.cumsum(), SKILLS)
    return Estimate(float(weights @ SKILLS), float(low), float(high))


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
    answers: dict[str, list[Answer]] = {}
    for entry in progress.answers:
        answers.setdefault(entry.card, []).append(entry)
    found = [_planned(card, answers.get(card.id, [])) for card in progress.cards
             if judges is None or card.weights in judges.get(card.judge, ())]
    return sorted(found, key=lambda each: (each.due, each.card.id))


def due(plan: Iterable[Planned], now: datetime) -> list[Planned]:
    return [each for each in plan if not each.retired and each.due <= now]


def _planned(card: Card, answers: Iterable[Answer]) -> Planned:
    import fsrs

    state, successes = fsrs.Card(card_id=1, due=_time(card.at)), 0
    for answer in sorted(answers, key=lambda entry: entry.at):
        state, _ = scheduler().review_card(state, _rating(answer), _time(answer.at))
        successes = 0 if answer.first == "wrong" else successes + (answer.first == "right")
    return Planned(card=card, due=state.due, successes=successes)


def _rating(answer: Answer) -> fsrs.Rating:
    import fsrs

    return {"right": fsrs.Rating.Good, "helped": fsrs.Rating.Hard, "wrong": fsrs.Rating.Again}[answer.first]


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
