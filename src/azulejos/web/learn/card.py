"""An own mistake as a decision that a page can ask (`frames.solving`)."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.i18n import is_ours
from azulejos.insight.progress import Card
from azulejos.insight.words import turn_sentences
from azulejos.web.learn.solving import Actions, Decision, Script, Verdict, script_of

EQUAL = 0.05
"""Points: a turn that loses less is as good as the best."""


def card_script(card: Card, names: Sequence[str], language: str) -> Script:
    """Every turn with its answer; raises ValueError if the card cannot be read by this version."""
    return script_of(card_decision(card), names, language)


def card_decision(card: Card) -> Decision:
    position = Position.from_text(card.position)
    best = actions_of(position, card.better)
    reasons = [sentence.message() for sentence in card.reasons]
    told = [reason for reason in reasons if is_ours(reason)]
    right = position.after(best).key
    known = {position.after(actions_of(position, text)).key: text for text in card.costs}

    def judge(turn: Actions, after: Position) -> Verdict:
        text = known.get(after.key, "")
        reply = _reply(after, card.replies.get(text, ""))
        if after.key == right or card.costs.get(text, 1.0) < EQUAL:
            return Verdict(right=True, said=[*_in_the_game(card, position), *told], line=reply)
        return Verdict(right=False, said=_cost(card, text), line=reply)

    return Decision(position=position, best=best, judge=judge)


def actions_of(position: Position, text: str) -> Actions:
    """The actions of a turn; raises ValueError if it is not legal."""
    return position.after(text.split()).history.actions[position.ply :]


def _reply(after: Position, text: str) -> Actions:
    return actions_of(after, text) if after.to_move >= 0 else ()


def _cost(card: Card, text: str) -> list[Message]:
    played = [msg("That is what you played in the game.")] if text == card.played else []
    if text not in card.costs:
        return [*played, msg("Another turn is better.")]
    return [*played, msg("It costs you about {points} points.", points=round(card.costs[text], 1))]


def _in_the_game(card: Card, position: Position) -> list[Message]:
    played = actions_of(position, card.played)
    return [*turn_sentences(position, played, ""),
            msg("That gave away about {points} points.", points=round(card.lost, 1))]
