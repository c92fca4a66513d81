"""The reasons of a review as sentences. Each says a fact that was checked, and how it is known."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.tell import Fact
from azulejos.insight.plain_tell import plain_tell
from azulejos.insight.results import JudgedTurn, Mood, Reason, Review, Said


def sentences(review: Review, turn: JudgedTurn) -> list[Message]:
    """Why a turn was worse than the better one; "you" is who played it."""
    names = [player.name for player in review.record.seats]
    return reasons_told(review.record.start, names, turn)


def reasons_told(position: Position, names: Sequence[str], turn: JudgedTurn) -> list[Message]:
    """The same for any position of the game, with the names of the seats."""
    return [
        sentence for reason in turn.reasons for sentence in reason_told(position, names, turn.seat, reason)
    ]


def reason_told(position: Position, names: Sequence[str], seat: int, reason: Reason) -> list[Message]:
    """One reason; "you" is the seat."""

    def said(fact: Fact) -> Message:
        tell = position.game.tell or plain_tell(position.game)
        return tell.say(fact, "" if fact.seat in (-1, seat) else names[fact.seat])

    told = [after_yours(reason.played, said(reason.played.fact)),
            after_better(reason.better, said(reason.better.fact))]
    if reason.gift is not None:
        told.insert(0, msg("{what}. Without that, little would have been lost.", what=said(reason.gift)))
    return [sentence.renamed(position.preset.names) for sentence in told]


def after_yours(said: Said, what: Message) -> Message:
    if said.mood is Mood.HAPPENED:
        return msg("In the game: {what}.", what=what)
    if said.mood is Mood.FORCED:
        return msg("Certain after your turn: {what}.", what=what)
    if said.mood is Mood.BEST_PLAY:
        return msg("With best play after your turn: {what}.", what=what)
    return msg("Expected after your turn: {what}.", what=what)


def after_better(said: Said, what: Message) -> Message:
    if said.mood is Mood.FORCED:
        return msg("Certain after the better turn: {what}.", what=what)
    if said.mood is Mood.BEST_PLAY:
        return msg("With best play after the better turn: {what}.", what=what)
    return msg("Expected after the better turn: {what}.", what=what)
