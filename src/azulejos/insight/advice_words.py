"""A hint in its three steps, and what a coach says, as sentences to the player of the seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.message import Message, msg
from azulejos.core.part import needed
from azulejos.core.position import Position
from azulejos.core.scene import WIDE
from azulejos.core.tell import Fact
from azulejos.insight.hint import Coaching, Hint
from azulejos.insight.plain_tell import plain_tell
from azulejos.insight.results import Reason
from azulejos.insight.words import after_better, after_yours

WHERE: Final = 1
WHAT: Final = 2
WHICH: Final = 3
STEPS: Final = (WHERE, WHAT, WHICH)
UNSURE: Final = msg("Another turn is as good for all that our judge can tell.")


@dataclass(frozen=True)
class Told:
    """The words about a position for one seat; `names` are those of all seats."""

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
        told = [msg("Are you sure? Your turn gives away about {points} points, {win} % of the win.",
                    points=round(max(0.0, verdict.points.value), 1), win=round(100 * verdict.win.value))]
        for reason in coaching.turn.reasons:
            if reason.gift is not None:
                told.append(msg("{what}.", what=self._said(reason.gift)))
            else:
                told.append(after_yours(reason.played, self._said(reason.played.fact)))
        return [sentence.renamed(self.position.preset.names) for sentence in told]

    # --- the steps -----------------------------------------------------------------------------------

    def _where(self, hint: Hint) -> list[Message]:
        plan = needed(self.position.game, self.position.game.view, "view.py").plan(self.position, WIDE)
        panel = next(panel for panel in plan.panels if panel.id == hint.panel)
        if panel.seat is None:
            return [msg("Look here: {what}.", what=panel.title)]
        if panel.seat == self.seat:
            return [msg("Look at your own board.")]
        return [msg("Look at the board of {name}.", name=self.names[panel.seat])]

    def _what(self, hint: Hint) -> list[Message]:
        reasons = hint.contrast.reasons if hint.contrast else ()
        told = [self._theme(reasons[0])] if reasons else \
            [msg("No single thing decides here: the whole position counts.")]
        return [*told, UNSURE] if hint.unsure else told

    def _theme(self, reason: Reason) -> Message:
        if reason.gift is not None:
            return msg("Watch out: {what}.", what=self._said(reason.gift))
        if reason.played.fact.seat not in (-1, self.seat):
            return msg("After a turn that looks good at first: {what}.",
                       what=self._said(reason.played.fact))
        return msg("This is what it is about: {what}.", what=self._said(reason.better.fact))

    def _which(self, hint: Hint) -> list[Message]:
        first, *rest = hint.best.turn
        text = self.position.game.moves.text
        moves = " ".join(text(action) for action in hint.best.turn)
        told = [msg("The best turn for our judge: {turn}.", turn=moves) if rest else
                msg("The best turn for our judge: {turn} ({effect}).", turn=moves,
                    effect=self.position.preview(first))]
        reasons = hint.contrast.reasons if hint.contrast else ()
        told += [after_better(reason.better, self._said(reason.better.fact)) for reason in reasons]
        return [*told, UNSURE] if hint.unsure else told

    def _said(self, fact: Fact) -> Message:
        tell = self.position.game.tell or plain_tell(self.position.game)
        return tell.say(fact, "" if fact.seat in (-1, self.seat) else self.names[fact.seat])
