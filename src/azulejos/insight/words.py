"""The reasons of a review, a hint in its three steps, and what a coach says, as sentences.

Each sentence says a fact that was checked, and how it is known. Games bring their own words (`core.tell`);
for those without, `plain_tell` compares points by the headings of their reasons.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from azulejos.core import layout
from azulejos.core.contract import Tell
from azulejos.core.game import Game
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.core.tell import Aspect, Fact, Future
from azulejos.insight.results import Coaching, Hint, JudgedTurn, Mood, Reason, Review, Statement

# --- reasons ---------------------------------------------------------------------------------------------


def sentences(review: Review, turn: JudgedTurn) -> list[Message]:
    """Why a turn was worse than the better one; "you" is who played it."""
    start, names = review.record.start, [player.name for player in review.record.seats]
    return [sentence for reason in turn.reasons
            for sentence in reason_sentences(start, names, turn.seat, reason)]


def reason_sentences(position: Position, names: Sequence[str], seat: int, reason: Reason) -> list[Message]:
    """One reason in any position of the game, with the names of the seats; "you" is the seat."""
    told = [played_sentence(reason.played, clause_of(position, names, seat, reason.played.fact)),
            better_sentence(reason.better, clause_of(position, names, seat, reason.better.fact))]
    if reason.gift is not None:
        told.insert(0, msg("{what}. Without that, little would have been lost.",
                           what=clause_of(position, names, seat, reason.gift)))
    return [sentence.renamed(position.preset.names) for sentence in told]


def clause_of(position: Position, names: Sequence[str], seat: int, fact: Fact) -> Message:
    return tell_of(position.game).say(fact, "" if fact.seat in (-1, seat) else names[fact.seat])


def played_sentence(statement: Statement, what: Message) -> Message:
    if statement.mood is Mood.HAPPENED:
        return msg("In the game: {what}.", what=what)
    if statement.mood is Mood.FORCED:
        return msg("Certain after your turn: {what}.", what=what)
    if statement.mood is Mood.BEST_PLAY:
        return msg("With best play after your turn: {what}.", what=what)
    return msg("Expected after your turn: {what}.", what=what)


def better_sentence(statement: Statement, what: Message) -> Message:
    if statement.mood is Mood.FORCED:
        return msg("Certain after the better turn: {what}.", what=what)
    if statement.mood is Mood.BEST_PLAY:
        return msg("With best play after the better turn: {what}.", what=what)
    return msg("Expected after the better turn: {what}.", what=what)


# --- hints and the coach ---------------------------------------------------------------------------------

WHERE: Final = 1
WHAT: Final = 2
WHICH: Final = 3
STEPS: Final = (WHERE, WHAT, WHICH)
GLOW: Final = msg("The best turn is among the places that glow.")
UNSURE: Final = msg("Another turn is as good for all that our judge can tell.")


@dataclass(frozen=True)
class AdviceWords:
    """Advice about a position in words for one seat; `names` are those of all seats."""

    position: Position
    names: Sequence[str]
    seat: int

    def step(self, hint: Hint, step: int) -> list[Message]:
        """The sentences of one step of a hint."""
        told = {WHERE: self._where, WHAT: self._what, WHICH: self._which}[step](hint)
        return [sentence.renamed(self.position.preset.names) for sentence in told]

    def coach(self, coaching: Coaching) -> list[Message]:
        """What was lost, and what follows from the turn; the better turn is left to the player."""
        verdict = coaching.turn.verdict
        told = list[Message]()
        for reason in coaching.turn.reasons:
            what = self._clause(reason.played.fact if reason.gift is None else reason.gift)
            told.append(msg("And also: {what}.", what=what) if told else
                        msg("Are you sure? Look: {what}.", what=what))
        told.append(
            msg("That gives away about {points} points and {win} % of the chance to win.",
                points=round(max(0.0, verdict.points.value), 1), win=round(100 * verdict.win.value))
            if told else
            msg("Are you sure? That gives away about {points} points and {win} % of the chance to win.",
                points=round(max(0.0, verdict.points.value), 1), win=round(100 * verdict.win.value)))
        return [sentence.renamed(self.position.preset.names) for sentence in told]

    def _where(self, hint: Hint) -> list[Message]:
        """The places by name; on a page they glow (`GLOW`)."""
        slots = scene_of(self.position, self.names).slots()
        around = [slots.get(place.rpartition(".")[0]) or slots[place] for place in hint.places]
        names = dict.fromkeys(slot.name for slot in around)
        return [msg("Look here: {what}.", what=functools.reduce(_and_then, names))]

    def _what(self, hint: Hint) -> list[Message]:
        reasons = hint.contrast.reasons if hint.contrast else ()
        return [self._theme(reasons[0])] if reasons else \
            [msg("No single thing decides here: the whole position counts.")]

    def _theme(self, reason: Reason) -> Message:
        if reason.gift is not None:
            return msg("Watch out: {what}.", what=self._clause(reason.gift))
        if reason.played.fact.seat not in (-1, self.seat):
            return msg("Think of what {name} wants: {what}.", name=self.names[reason.played.fact.seat],
                       what=self._clause(reason.played.fact))
        return msg("This is within reach: {what}.", what=self._clause(reason.better.fact))

    def _which(self, hint: Hint) -> list[Message]:
        told = turn_sentences(self.position, hint.best.turn, None)
        if hint.unsure:
            return [*told, UNSURE]
        reasons = hint.contrast.reasons[:1] if hint.contrast else ()
        return told + [what_follows(reason.better, self._clause(reason.better.fact)) for reason in reasons]

    def _clause(self, fact: Fact) -> Message:
        return clause_of(self.position, self.names, self.seat, fact)


def _and_then(names: Message, name: Message) -> Message:
    return msg("{names}, {name}", names=names, name=name)


def what_follows(statement: Statement, what: Message) -> Message:
    """After the turn that is advised, or was right."""
    if statement.mood is Mood.FORCED:
        return msg("That makes sure of this: {what}.", what=what)
    if statement.mood is Mood.BEST_PLAY:
        return msg("With best play this follows: {what}.", what=what)
    return msg("Then this can be expected: {what}.", what=what)


# --- turns -----------------------------------------------------------------------------------------------


def turn_sentences(before: Position, actions: Sequence[int], name: str | None) -> list[Message]:
    """A turn without codes, where the game has words for it (`Tell.turn`)."""
    told = tell_of(before.game).turn(before, actions, name)
    if told:
        return [sentence.renamed(before.preset.names) for sentence in told]
    moves = " ".join(before.game.moves.text(action) for action in actions)
    return [msg("The best turn for our judge: {turn}.", turn=moves) if name is None else
            msg("{name} plays {turn}.", name=name, turn=moves) if name else
            msg("You played {turn}.", turn=moves)]


# --- games without tell.py -------------------------------------------------------------------------------


def tell_of(game: Game) -> Tell[Any]:
    """What a game brings to put differences into words, or the points of each seat by their headings."""
    return game.tell or plain_tell(game)


@functools.cache
def plain_tell(game: Game) -> Tell[Any]:
    reasons = game.reasons
    kind = reasons.kind or (lambda code: reasons.text(code, -1))
    headings: dict[Message, list[int]] = {}
    for code in range(len(reasons.names)):
        headings.setdefault(kind(code), []).append(code)
    names = list(headings)

    def aspects(position: Position) -> list[Aspect]:
        table = tuple((field, ()) for field in layout.fields_of(game.state) if field != "score")
        return [
            Aspect(name="table", parts=table),
            *(Aspect(name="points", seat=seat, place=number, codes=frozenset(codes))
              for seat in range(position.players) for number, codes in enumerate(headings.values())),
        ]

    def fact(aspect: Aspect, future: Future) -> Fact | None:
        if aspect.name == "table":
            return None
        return Fact(name="points", seat=aspect.seat, place=aspect.place, numbers=(future.points(aspect),))

    def say(fact: Fact, name: str) -> Message:
        if name:
            return msg("{name}, {what}: {points} points", name=name, what=names[fact.place],
                       points=fact.numbers[0])
        return msg("your points, {what}: {points}", what=names[fact.place], points=fact.numbers[0])

    return Tell(aspects=aspects, fact=fact, say=say)
