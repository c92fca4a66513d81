"""The luck of a deal as a story: which pieces came, and who had a use for them.

The game counts (`Tell.brought`); a story is told only where the luck is beyond doubt and what came favours
the same seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.game import Seat
from azulejos.core.layout import view
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.tell import Brought
from azulejos.insight.results import Deal, Review, Story
from azulejos.insight.verdicts import Points

LEAST_GAIN: Final = 1.0
"""Pieces more or fewer than on average, compared with another seat, that are worth telling."""


def stories(before: Position, dealt: Position, luck: Sequence[Points]) -> tuple[Story | None, ...]:
    """[seat]: what a deal brought that fits its luck."""
    tell = before.game.tell
    if tell is None:
        return (None,) * before.players
    states = (view(before.game.state, each.row) for each in (before, dealt))
    brought = tell.brought(*states)
    return tuple(_story(brought, seat, points) for seat, points in enumerate(luck))


def _story(brought: Sequence[Brought], seat: int, luck: Points) -> Story | None:
    if luck.low <= 0 <= luck.high:
        return None
    sign = 1 if luck.value > 0 else -1
    found = [
        (sign * (each.gain(seat) - each.gain(other)), each, Seat(other))
        for each in brought for other in range(len(each.room)) if other != seat
    ]
    gain, each, other = max(found, key=lambda one: one[0], default=(0.0, None, Seat(0)))
    return Story(brought=each, other=other) if each and gain >= LEAST_GAIN else None


def deal_told(review: Review, deal: Deal, seat: int) -> Message | None:
    """The story of a deal for a seat, if there is one."""
    start = review.record.start
    story, tell = deal.stories[seat] if deal.stories else None, start.game.tell
    if story is None or tell is None or tell.tell_deal is None:
        return None
    name = review.record.seats[story.other].name
    sentence = tell.tell_deal(story.brought, deal.round, (seat, story.other), name)
    return sentence.renamed(start.preset.names)


def luckiest(review: Review, seat: int) -> Deal | None:
    """The deal with a story whose luck, good or bad, was the largest for a seat."""
    told = [deal for deal in review.deals if deal.stories and deal.stories[seat] is not None]
    return max(told, key=lambda deal: abs(deal.luck[seat].value), default=None)
