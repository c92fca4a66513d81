"""Points as a page shows them: rising from the places that earned them, and summed up at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from azulejos.core.game import Outcome
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.part import needed
from azulejos.core.position import Position, Scored
from azulejos.i18n.catalogue import Say
from azulejos.web.pages.templates import number

Explain = Callable[[Position, int], Sequence[Scored]]
"""The points that one action of a position's past brought."""

# --- while they are scored ---------------------------------------------------------------------------


def rising(
    since: Position | None, now: Position, say: Say, *, explain: Explain = Position.explain
) -> list[dict[str, Any]]:
    """What was scored between two moments of one game, term by term, and the places that earned it."""
    if since is None or now.ply <= since.ply:
        return []
    terms: list[dict[str, Any]] = []
    for ply in range(since.ply, now.ply):
        scored = explain(now, ply)
        if scored:
            around = (_at(now, ply), _at(now, ply + 1))
            terms += [_term(now, term, around, say) for term in scored]
    return terms


def _term(now: Position, scored: Scored, around: tuple[Any, Any], say: Say) -> dict[str, Any]:
    """`around` are the states before and after the action that scored."""
    view = needed(now.game, now.game.view, "view.py")
    slot = view.slot_of(scored.seat, scored.place)
    lit = list(view.scored_slots(*around, scored))
    return {
        "seat": scored.seat, "points": number(scored.points, sign=True), "loss": scored.points < 0,
        "reason": say(scored.reason), "slot": slot or next(iter(lit), None), "lights": lit,
    }


def _at(now: Position, ply: int) -> Any:
    return now.at(ply).state


def sums(since: Position | None, now: Position) -> list[str]:
    """What happened to each seat's score, as "10 + 5 = 15"; empty where nothing did."""
    if since is None or now.ply <= since.ply:
        return []
    return [_sum(before, after) for before, after in zip(since.scores, now.scores, strict=True)]


def _sum(before: int, after: int) -> str:
    if before == after:
        return ""
    sign = "+" if after > before else "−"
    return f"{number(before)} {sign} {abs(after - before)} = {number(after)}"


def told(since: Position | None, now: Position, names: Sequence[str]) -> list[Message]:
    """The same in a short sentence for each seat, for whoever listens."""
    if since is None or now.ply <= since.ply:
        return []
    return [
        _told(name, after - before, after)
        for name, before, after in zip(names, since.scores, now.scores, strict=True) if before != after
    ]


def _told(name: str, points: int, total: int) -> Message:
    now = number(total)
    if points > 0:
        return nmsg("{name} scores {n} point: {total}.", "{name} scores {n} points: {total}.",
                    n=points, name=name, total=now)
    return nmsg("{name} loses {n} point: {total}.", "{name} loses {n} points: {total}.",
                n=-points, name=name, total=now)


# --- at the end --------------------------------------------------------------------------------------


def result(outcome: Outcome, names: Sequence[str], own: frozenset[int]) -> Message:
    """Who won, in words to whoever holds the `own` seats."""
    points = raw(" : ".join(number(score) for score in sorted(outcome.scores, reverse=True)))
    if len(outcome.winners) > 1:
        return msg("A shared win, {points}.", points=points)
    winner = outcome.winners[0]
    even = outcome.scores.count(outcome.scores[winner]) > 1
    if own == {winner}:
        return msg("You won the tie-break, {points}.", points=points) if even \
            else msg("You won, {points}.", points=points)
    return msg("{name} won the tie-break, {points}.", name=names[winner], points=points) if even \
        else msg("{name} won, {points}.", name=names[winner], points=points)


@dataclass(frozen=True, kw_only=True)
class Breakdown:
    """Where the points of each seat came from: a column of points for each heading."""

    kinds: tuple[Message, ...]
    points: tuple[tuple[int, ...], ...]
    """[seat][heading]"""

    @property
    def totals(self) -> list[int]:
        return [sum(points) for points in self.points]


def breakdown(first: Sequence[int], scored: Sequence[Scored]) -> Breakdown:
    """All points of a game by heading, as they first came; `first` is what the seats began with."""
    kinds = dict.fromkeys(term.kind for term in scored)
    table = [
        [sum(term.points for term in scored if (term.seat, term.kind) == (seat, kind)) for kind in kinds]
        for seat in range(len(first))
    ]
    if not any(first):
        return Breakdown(kinds=tuple(kinds), points=tuple(map(tuple, table)))
    return Breakdown(
        kinds=(msg("at the start"), *kinds),
        points=tuple((before, *points) for before, points in zip(first, table, strict=True)),
    )
