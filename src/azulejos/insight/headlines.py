"""What a reader of a review is told first: a headline for each turn, and why in at most two clauses.

A headline names what happened and what it cost in the words of a player. It is made from the same checked
facts as the reasons; which of several true ways to say it is chosen varies along the game. How sure a fact
is, and what both lines show, stands one step deeper (`insight.words.sentences`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.tell import Difference, Fact
from azulejos.insight.results import Grade, JudgedTurn, Mood, Reason, Review
from azulejos.insight.words import clause_of, tell_of, turn_sentences

MOST_CLAUSES: Final = 2


@dataclass(frozen=True, kw_only=True)
class TurnTold:
    """A judged turn in sentences; “you” is who played it."""

    headline: Sequence[Message]
    why: Sequence[Message]


def told_turns(review: Review, seat: int) -> dict[int, TurnTold]:
    """By ply: the turns of a seat for which there was a better one."""
    teller = _Teller(review, seat)
    return {turn.ply: teller.told(turn) for turn in review.turns
            if turn.seat == seat and turn.better is not None}


class _Teller:
    """Tells the turns of one seat in their order, so that neighbours do not begin alike."""

    def __init__(self, review: Review, seat: int) -> None:
        self._review, self._seat = review, seat
        self._start = review.record.start
        self._names = [player.name for player in review.record.seats]
        self._tell = tell_of(self._start.game)
        self._said: Counter[str] = Counter()
        """How often each way of telling something was used, by its first variant."""

    def told(self, turn: JudgedTurn) -> TurnTold:
        for reason in turn.reasons:
            ways = self._tell.headline(self.difference(turn, reason), self._name_of)
            if ways:
                return self._both(turn, [self._vary(ways)], reason)
        if turn.reasons:
            return self._both(turn, [self._plain(turn.reasons[0])], turn.reasons[0])
        return self._both(turn, self._by_the_turn(turn), None)

    def difference(self, turn: JudgedTurn, reason: Reason) -> Difference:
        return Difference(
            played=reason.played.fact, happened=reason.played.mood is Mood.HAPPENED,
            better=reason.better.fact, gift=reason.gift, taken=_was_taken(self._review, turn, reason),
        )

    def _name_of(self, seat: int) -> str:
        return "" if seat == self._seat else self._names[seat]

    def _vary(self, ways: Sequence[Message]) -> Message:
        count = self._said[ways[0].text]
        self._said[ways[0].text] += 1
        return ways[count % len(ways)]

    def _both(self, turn: JudgedTurn, headline: list[Message], named: Reason | None) -> TurnTold:
        called = self._start.preset.names
        return TurnTold(headline=[sentence.renamed(called) for sentence in headline],
                        why=[sentence.renamed(called) for sentence in self._why(turn, named)])

    # --- headlines without a template ----------------------------------------------------------------

    def _plain(self, reason: Reason) -> Message:
        what = self._clause(reason.played.fact)
        if reason.played.mood is Mood.HAPPENED:
            return self._vary((msg("It came to this: {what}.", what=what),
                               msg("This was the outcome: {what}.", what=what),
                               msg("How it ended: {what}.", what=what)))
        return self._vary((msg("That leads to this: {what}.", what=what),
                           msg("This was to be expected: {what}.", what=what)))

    def _by_the_turn(self, turn: JudgedTurn) -> list[Message]:
        """What was played, where nothing more can be said for certain."""
        points = round(turn.verdict.points.value, 1)
        tail = msg("Another turn may have been a little better.") if turn.grade is Grade.EQUAL else \
            self._vary((msg("Another turn promised about {points} points more.", points=points),
                        msg("About {points} points more were possible.", points=points),
                        msg("That gave away about {points} points.", points=points)))
        before = self._position(turn.ply)
        return [*turn_sentences(before, turn.played.turn, ""), tail]

    def _position(self, ply: int) -> Position:
        return self._start.after(self._review.record.actions[:ply])

    # --- why -----------------------------------------------------------------------------------------

    def _why(self, turn: JudgedTurn, named: Reason | None) -> list[Message]:
        """What the headline does not say: the other side of something on another board, and the next
        reason."""
        facts = [reason.better for reason in turn.reasons
                 if reason is not named or reason.better.fact.seat not in (-1, self._seat)]
        clauses = list[Message]()
        for statement in facts[:MOST_CLAUSES]:
            what = self._clause(statement.fact)
            besides = (msg("Besides: {what}.", what=what), msg("And also: {what}.", what=what))
            clauses.append(self._vary(besides) if clauses else self._instead(statement.mood, what))
        return clauses

    def _instead(self, mood: Mood, what: Message) -> Message:
        if mood is Mood.FORCED:
            return self._vary((msg("The better turn makes sure of this: {what}.", what=what),
                               msg("Instead, for certain: {what}.", what=what)))
        if mood is Mood.BEST_PLAY:
            return self._vary((msg("Instead, with best play: {what}.", what=what),
                               msg("The better turn, played on well, leads to this: {what}.", what=what),
                               msg("With the better turn and best play: {what}.", what=what)))
        return self._vary((msg("Instead this could be expected: {what}.", what=what),
                           msg("The better turn promised this: {what}.", what=what),
                           msg("What to expect of the better turn: {what}.", what=what)))

    def _clause(self, fact: Fact) -> Message:
        return clause_of(self._start, self._names, self._seat, fact)


def _was_taken(review: Review, turn: JudgedTurn, reason: Reason) -> bool:
    """Whether the next turn of the game was to take the gift of a reason."""
    if reason.gift is None:
        return False
    end, played = turn.ply + len(turn.played.turn), reason.lines[0]
    actions = review.record.actions
    return end < len(actions) and len(played) > len(turn.played.turn) \
        and actions[end] == played[len(turn.played.turn)]
