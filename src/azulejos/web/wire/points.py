"""Points as a page shows them: rising from the places that earned them, and added up at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.game import Game, Outcome
from azulejos.core.message import Message, msg, nmsg, raw, whole
from azulejos.core.part import needed
from azulejos.core.position import Scored
from azulejos.web.wire import messages
from azulejos.web.wire.account import Scoring
from azulejos.web.wire.plan import PagePlan

# --- while they are scored ---------------------------------------------------------------------------


def scoring(plan: PagePlan, game: Game, scored: Scoring) -> messages.ScoredAction:
    """The points of one action, with the places that earned them."""
    reasons = {term.reason: term for term in reversed(scored.terms)}
    numbers = {reason: i for i, reason in enumerate(reasons)}
    return messages.ScoredAction(
        ply=scored.ply, before=list(scored.before), reasons=list(map(plan.say, reasons)),
        short=[plan.say(_short(game, term)) for term in reasons.values()],
        terms=[
            (term.seat, term.points, numbers[term.reason], *_places(plan, game, scored, term))
            for term in scored.terms
        ],
    )


def _short(game: Game, term: Scored) -> Message:
    short = game.reasons.short
    return term.reason if short is None else short(term.code, term.place)


def _places(
    plan: PagePlan, game: Game, scored: Scoring, term: Scored
) -> tuple[int | None, list[int]]:
    """The place from which the number rises, and the places that light up."""
    view = needed(game, game.view, "view.py")
    slot = view.slot_of(term.seat, term.place)
    lit = view.scored_slots(*scored.states, term)
    first = slot or next(iter(lit), None)
    return None if first is None else plan.slots[first], [plan.slots[place] for place in lit]


def told(scorings: Sequence[Scoring], names: Sequence[str]) -> list[Message]:
    """A short sentence for each seat that scored, for screen readers."""
    if not scorings:
        return []
    before, after = scorings[0].before, scorings[-1].after
    return [
        _told(name, after[seat] - before[seat], after[seat])
        for seat, name in enumerate(names) if before[seat] != after[seat]
    ]


def _told(name: str, points: int, total: int) -> Message:
    if points > 0:
        return nmsg("{name} scores {n} point: {total}.", "{name} scores {n} points: {total}.",
                    n=points, name=name, total=total)
    return nmsg("{name} loses {n} point: {total}.", "{name} loses {n} points: {total}.",
                n=-points, name=name, total=total)


# --- at the end --------------------------------------------------------------------------------------


COLON: Final = "\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}"
"""Between scores, which stay in one line."""


def result(outcome: Outcome, names: Sequence[str], own: frozenset[int]) -> Message:
    """Who won, as told to the holder of the `own` seats."""
    points = raw(COLON.join(whole(score) for score in sorted(outcome.scores, reverse=True)))
    if len(outcome.winners) > 1:
        return msg("A shared win, {points}.", points=points)
    winner = outcome.winners[0]
    even = outcome.scores.count(outcome.scores[winner]) > 1
    if own == {winner}:
        return msg("You won the tie-break, {points}.", points=points) if even \
            else msg("You won, {points}.", points=points)
    return msg("{name} won the tie-break, {points}.", name=names[winner], points=points) if even \
        else msg("{name} won, {points}.", name=names[winner], points=points)


def breakdown(plan: PagePlan, scorings: Sequence[Scoring], first: Sequence[int]) -> messages.Breakdown:
    """All points of a game by heading, in order of appearance; `first` holds the scores at the start."""
    terms = [term for scored in scorings for term in scored.terms]
    kinds = dict.fromkeys(term.kind for term in terms)
    table = [
        [sum(term.points for term in terms if (term.seat, term.kind) == (seat, kind)) for kind in kinds]
        for seat in range(len(first))
    ]
    start = [msg("at the start")] if any(first) else []
    return messages.Breakdown(
        kinds=list(map(plan.say, [*start, *kinds])),
        points=[[*([began] if start else []), *row] for began, row in zip(first, table, strict=True)],
    )
