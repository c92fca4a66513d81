"""What a reader of a review is told first: a headline for each turn, and why in at most two clauses.

A headline names what happened and what it cost in the words of a player. It is made from the same checked
facts as the reasons; which of several true ways to say it is chosen varies along the game. How sure a fact
is, and what both lines show, stands one step deeper (`insight.words.sentences`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.game import Seat
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.tell import Cause, Difference, Fact
from azulejos.insight.results import MISTAKE_WIN, Grade, JudgedTurn, Margin, Mood, Reason, Review
from azulejos.insight.words import clause_of, tell_of, turn_sentences

MOST_CLAUSES: Final = 2
BEGINNING: Final = 3
"""Words by which two sentences begin alike."""


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
        """How often each way of telling something, and each beginning of one, was used."""

    def told(self, turn: JudgedTurn) -> TurnTold:
        for reason in turn.reasons:
            ways = self._tell.headline(self.difference(turn, reason), self._name_of)
            if ways:
                return self._both(turn, self._vary(self._with_the_turn(turn, ways)), reason)
        if turn.reasons:
            plain = self._with_the_turn(turn, self._plain(turn.reasons[0]))
            return self._both(turn, self._vary(plain), turn.reasons[0])
        return self._both(turn, self._by_the_turn(turn), None)

    def _with_the_turn(self, turn: JudgedTurn, ways: Sequence[Message]) -> Iterator[list[Message]]:
        """The ways alone, and after what was taken."""
        yield from ([way] for way in ways)
        for took in self._tell.took(self._position(turn.ply), turn.played.turn):
            yield from ([took, way] for way in ways)

    def difference(self, turn: JudgedTurn, reason: Reason) -> Difference:
        return Difference(
            played=reason.played.fact, happened=reason.played.mood is Mood.HAPPENED,
            better=reason.better.fact, gift=reason.gift, taken=_was_taken(self._review, turn, reason),
        )

    def _name_of(self, seat: int) -> str:
        return "" if seat == self._seat else self._names[seat]

    def _vary(self, ways: Iterable[list[Message]]) -> list[Message]:
        """The way whose beginning, as it reads and as it is written, was used least, then whose words
        were."""
        def used(way: list[Message]) -> tuple[int, ...]:
            return (self._said[self._beginning(way)], self._said[beginning(way[0])], len(way),
                    self._said[way[-1].text])

        chosen = min(ways, key=used)
        self._said.update((self._beginning(chosen), beginning(chosen[0]),
                           *(sentence.text for sentence in chosen)))
        return chosen

    def _beginning(self, way: list[Message]) -> str:
        return " ".join(str(way[0].renamed(self._start.preset.names)).split()[:BEGINNING])

    def _both(self, turn: JudgedTurn, headline: list[Message], named: Reason | None) -> TurnTold:
        called = self._start.preset.names
        return TurnTold(headline=[sentence.renamed(called) for sentence in headline],
                        why=[sentence.renamed(called) for sentence in self._why(turn, named)])

    # --- headlines without a template ----------------------------------------------------------------

    def _plain(self, reason: Reason) -> tuple[Message, ...]:
        what = self._clause(reason.played.fact)
        if reason.played.mood is Mood.HAPPENED:
            return (msg("It came to this: {what}.", what=what),
                    msg("This was the outcome: {what}.", what=what),
                    msg("How it ended: {what}.", what=what),
                    msg("At the end of the round: {what}.", what=what),
                    msg("The result: {what}.", what=what))
        return (msg("That leads to this: {what}.", what=what),
                msg("This was to be expected: {what}.", what=what),
                msg("What to expect then: {what}.", what=what),
                msg("What this turn leads to: {what}.", what=what),
                msg("After that, most likely: {what}.", what=what))

    def _by_the_turn(self, turn: JudgedTurn) -> list[Message]:
        """What was played, where nothing more can be said for certain."""
        points = round(turn.verdict.points.value, 1)
        tails: tuple[Message, ...]
        if turn.grade is Grade.EQUAL:
            tails = (msg("Another turn may have been a little better."),
                     msg("Perhaps another turn was a little better."),
                     msg("One other turn looked a little better."))
        else:
            tails = (msg("Another turn promised about {points} points more.", points=points),
                     msg("About {points} points more were possible.", points=points),
                     msg("That gave away about {points} points.", points=points),
                     msg("There were about {points} points more in another turn.", points=points))
        before, played = self._position(turn.ply), turn.played.turn
        first = turn_sentences(before, played, "")
        ways = [[*first, tail] for tail in tails]
        ways += [[took, *first[1:], tail] for took in self._tell.took(before, played) for tail in tails]
        return self._vary(ways)

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
            besides = (msg("Besides: {what}.", what=what), msg("And also: {what}.", what=what),
                       msg("One more thing: {what}.", what=what),
                       msg("Then there is this: {what}.", what=what))
            ways = besides if clauses else _instead(statement.mood, what)
            clauses += self._vary([way] for way in ways)
        return clauses

    def _clause(self, fact: Fact) -> Message:
        return clause_of(self._start, self._names, self._seat, fact)


def _instead(mood: Mood, what: Message) -> tuple[Message, ...]:
    if mood is Mood.FORCED:
        return (msg("The better turn makes sure of this: {what}.", what=what),
                msg("Instead, for certain: {what}.", what=what),
                msg("Certain after the better turn: {what}.", what=what))
    if mood is Mood.BEST_PLAY:
        return (msg("Instead, with best play: {what}.", what=what),
                msg("The better turn, played on well, leads to this: {what}.", what=what),
                msg("With the better turn and best play: {what}.", what=what),
                msg("What the better turn leads to, played on well: {what}.", what=what),
                msg("With best play, the other turn ends like this: {what}.", what=what))
    return (msg("Instead this could be expected: {what}.", what=what),
            msg("The better turn promised this: {what}.", what=what),
            msg("What to expect of the better turn: {what}.", what=what),
            msg("After the better turn, most likely: {what}.", what=what))


def beginning(way: Message) -> str:
    return " ".join(way.text.split()[:BEGINNING])


def _was_taken(review: Review, turn: JudgedTurn, reason: Reason) -> bool:
    """Whether the next turn of the game was to take the gift of a reason."""
    if reason.gift is None:
        return False
    end, played = turn.ply + len(turn.played.turn), reason.lines[0]
    actions = review.record.actions
    return end < len(actions) and len(played) > len(turn.played.turn) \
        and actions[end] == played[len(turn.played.turn)]


# --- the story of a game ------------------------------------------------------------------------------
# `recap` finds what is told, as data; `told` says it. Nothing is told that the review does not hold.


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
