"""The story of a game in five sentences: opening, turning point, luck, what was typical, what to practise.

`recap` finds what is told, as data; `told` says it. Nothing is told that the review does not hold.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from azulejos.core.game import Seat
from azulejos.core.message import Message, msg
from azulejos.core.tell import Cause
from azulejos.insight.results import MISTAKE_WIN, Grade, JudgedTurn, Margin, Reason, Review
from azulejos.insight.words import tell_of

LEAD: Final = 1.0
"""Points of the expected margin from which on somebody is said to be ahead."""
TWICE: Final = 2
"""How often a cause must come to be typical."""


@dataclass(frozen=True, kw_only=True)
class Recap:
    """What the story of a game tells one seat."""

    seat: Seat
    opening: Margin | None
    """The expected margin when the second round began; None: the game had one round."""
    turning: JudgedTurn | None
    """The turn, of whichever seat, that lost most of the chance to win, if it was that much."""
    luck: Margin
    typical: tuple[Cause, int, int] | None
    """A cause that came more than once, how often, and of how many losses."""
    practise: Cause | None
    """The cause that lost most; None: no turn of the seat lost anything for certain."""


def recap(review: Review, seat: Seat) -> Recap:
    """What is told of a finished review."""
    lost = [turn for turn in review.turns if turn.seat == seat and turn.grade is not Grade.EQUAL]
    causes = [(cause_of(review, turn.reasons[0], seat), turn) for turn in lost if turn.reasons]
    counts = Counter(cause for cause, _ in causes)
    points = {cause: sum(turn.verdict.points.value for each, turn in causes if each is cause)
              for cause in counts}
    common = max(counts, key=lambda cause: (counts[cause], points[cause]), default=None)
    worst = next(iter(review.mattered(None, 1)), None)
    return Recap(
        seat=seat, opening=_opening(review, seat), luck=review.ledgers[seat].luck,
        turning=worst if worst and worst.verdict.win.value >= MISTAKE_WIN else None,
        typical=None if common is None or counts[common] < TWICE else (common, counts[common], len(lost)),
        practise=max(points, key=lambda cause: points[cause], default=None),
    )


def _opening(review: Review, seat: int) -> Margin | None:
    moment = next((moment for moment in review.moments if moment.round > 1), None)
    return None if moment is None else moment.margin[seat]


def cause_of(review: Review, reason: Reason, seat: int) -> Cause:
    fact = reason.played.fact
    if reason.gift is not None:
        return Cause.GIFT
    causes = tell_of(review.record.start.game).causes
    if fact.seat not in (-1, seat) and causes.get(fact.name) is not Cause.START:
        return Cause.THEIRS
    return causes.get(fact.name, Cause.OWN)


# --- words -----------------------------------------------------------------------------------------------

KINDS: Final = {
    Cause.GIFT: msg("what you left to the others"), Cause.THEIRS: msg("what the others could do"),
    Cause.OWN: msg("points on your own board"), Cause.PENALTY: msg("penalty points"),
    Cause.START: msg("who starts the next round"), Cause.END: msg("the end of the game"),
    Cause.SUPPLIES: msg("what you kept for later"),
}
PRACTISE: Final = {
    Cause.GIFT: msg("Practise this: before you take, look at what the next player can finish with the "
                    "rest."),
    Cause.THEIRS: msg("Practise this: look first for the pieces that help the others most."),
    Cause.OWN: msg("Practise this: before you choose, count what each part of your board can still bring."),
    Cause.PENALTY: msg("Practise this: count the pieces that nobody wants, and see who will have to take "
                       "them."),
    Cause.START: msg("Practise this: ask in every round what the next start costs and what it is worth."),
    Cause.END: msg("Practise this: reckon early how the game ends, and for whom that is good."),
    Cause.SUPPLIES: msg("Practise this: before you stop, look once more at what you can still do with what "
                        "you have."),
}
NOTHING: Final = msg("Nothing to practise from this game: try a stronger opponent.")
SOMETHING: Final = msg("Practise this: play on from the turns below, and try another way.")


def told(review: Review, found: Recap) -> list[Message]:
    """The story; “you” is the seat."""
    sentences = [_opening_told(found.opening), _turning_told(review, found), _luck_told(found.luck),
                 _typical_told(found), _practise_told(review, found)]
    return [sentence for sentence in sentences if sentence is not None]


def _opening_told(opening: Margin | None) -> Message | None:
    if opening is None:
        return None
    points = round(abs(opening.value), 1)
    if opening.low > LEAD:
        return msg("You came out of the first round ahead: {points} points to be expected.", points=points)
    if opening.high < -LEAD:
        return msg("You came out of the first round behind: {points} points to make up.", points=points)
    return msg("The first round left everything open.")


def _turning_told(review: Review, found: Recap) -> Message:
    turn = found.turning
    if turn is None:
        return msg("No single turn decided the game.")
    win = round(100 * turn.verdict.win.value)
    if turn.seat == found.seat:
        return msg("It turned in round {round}: one turn of yours cost {win} % of the chance to win.",
                   round=turn.round, win=win)
    return msg("It turned in round {round}, when {name} gave away {win} % of the chance to win.",
               round=turn.round, win=win, name=review.record.seats[turn.seat].name)


def _luck_told(luck: Margin) -> Message:
    points = round(abs(luck.value), 1)
    if luck.low > 0:
        return msg("The draws were kind to you: about {points} points.", points=points)
    if luck.high < 0:
        return msg("The draws were against you: about {points} points.", points=points)
    return msg("It cannot be said whether the draws helped you.")


def _typical_told(found: Recap) -> Message | None:
    if found.typical is None:
        return None
    cause, count, of_all = found.typical
    return msg("Typical of you in this game: {n} of {all} losses came from {what}.", n=count, all=of_all,
               what=KINDS[cause])


def _practise_told(review: Review, found: Recap) -> Message:
    if found.practise is not None:
        return PRACTISE[found.practise]
    return SOMETHING if review.mattered(found.seat) else NOTHING
