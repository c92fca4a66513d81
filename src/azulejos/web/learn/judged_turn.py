"""A turn of a review as a decision that a page can ask (`frames.solving`), before the answer is shown."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.bots.workspaces import is_solvable
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.insight.results import JudgedTurn
from azulejos.web.learn.solving import Actions, Decision, Verdict


def can_be_asked(position: Position) -> bool:
    """The page has room for two boards, and a turn there is short enough to write down all of them."""
    return is_solvable(position)


def turn_decision(before: Position, turn: JudgedTurn, reasons: Sequence[Message]) -> Decision:
    """The better turn is right; what was played has its cost; of others the review knows only that the
    judge would not play them."""
    better = turn.better
    if better is None:
        raise ValueError("nothing better was found, so there is nothing to ask")
    right, played = (before.after(line.turn).key for line in (better, turn.played))
    cost = msg("It costs you about {points} points.", points=round(turn.verdict.points.value, 1))

    def judge(_: Actions, after: Position) -> Verdict:
        if after.key == right:
            return Verdict(right=True, said=reasons, line=better.rest)
        if after.key == played:
            return Verdict(right=False, said=[msg("That is what was played."), cost], line=turn.played.rest)
        return Verdict(right=False, said=[msg("The judge would play another turn.")], line=())

    return Decision(position=before, best=better.turn, judge=judge)
