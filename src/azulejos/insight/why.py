"""Why a turn lost something: what differs between the turn and the better one, as facts that were checked.

1. Contrast: both turns are played on to the end of the round, and the rules note what is scored for what.
2. Attribution: which aspects of the two ends carry the difference (`insight.attribution`).
3. Counterfactual: "you left this to them" is only said if the loss nearly vanishes without it.
4. Facts: what holds after each turn, and in which mood it may be said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from azulejos.bots.evaluation import evaluation_of
from azulejos.core.contract import Tell
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Fact, Future, changed, future
from azulejos.insight.attribution import EndEvaluator, attributed
from azulejos.insight.judge import Judge
from azulejos.insight.results import JudgedTurn, Kind, Line, Mood, Reason, Statement
from azulejos.insight.words import tell_of

ENOUGH: Final = 0.6
"""The part of a loss that reasons must carry to be given."""
MOST_REASONS: Final = 2
SMALL: Final = 0.15
"""Reasons that carry a smaller part are not worth a sentence."""


class Explainer:
    """Finds reasons for the turns of a game; one thread uses it at a time."""

    def __init__(self, judge: Judge, game: Position) -> None:
        self._judge, self._game = judge, game
        self._tell: Tell[Any] = tell_of(game.game)
        self._evaluator = EndEvaluator(game)
        self._aspects = tuple(self._tell.aspects(game))
        self._to_round_end = evaluation_of(game.game).chance_free_rounds

    def reasons(self, turn: JudgedTurn, end: int | None) -> tuple[Reason, ...]:
        """Why a turn is worse than the better one; `end` is the ply at which its stretch ends, None if
        nothing was played after it."""
        if turn.better is None:
            return ()
        before = self._game.at(turn.ply)
        better, played = (self._future(before, line) for line in (turn.better, turn.played))
        happened = None if end is None else self._happened(before, turn, end)
        parts = attributed(self._evaluator, self._aspects, better, played, turn.seat)
        whole = max(sum(parts.values()), turn.verdict.points.value)
        found = self._given_up(turn, before, better, played)
        for aspect, part in sorted(parts.items(), key=lambda pair: -pair[1]):
            reason = self._reason(turn, aspect, part / whole, better, played, happened)
            if reason and reason.share >= SMALL and len(found) < MOST_REASONS and is_news(reason, found):
                found.append(reason)
        return tuple(found) if sum(reason.share for reason in found) >= ENOUGH else ()

    # --- lines ---------------------------------------------------------------------------------------

    def _future(self, before: Position, line: Line) -> Future:
        """The line, played on to the end of the round where rounds have no chance within; otherwise the
        turn alone, after which chance decides."""
        if not self._to_round_end:
            return future(before, line.turn, ())
        found = future(before, line.turn, line.rest)
        more = self._judge.play_out(found.end, self._judge.efforts.following).history.actions
        return future(before, line.turn, more[before.ply + len(line.turn) :])

    def _happened(self, before: Position, turn: JudgedTurn, end: int) -> Future:
        """What was really played until the end of the stretch."""
        actions = self._game.at(end).history.actions[before.ply :]
        count = len(turn.played.turn)
        return future(before, actions[:count], actions[count:] if self._to_round_end else ())

    # --- facts ---------------------------------------------------------------------------------------

    def _reason(
        self, turn: JudgedTurn, aspect: Aspect, share: float, better: Future, played: Future,
        happened: Future | None,
    ) -> Reason | None:
        instead, fact = self._tell.fact(aspect, better), self._tell.fact(aspect, played)
        if fact is None or instead is None or fact == instead:
            return None
        certain = self._tell.certain(aspect, played)
        gift = self._gift(turn, aspect, played) if aspect.seat not in (-1, turn.seat) else None
        if happened is not None and self._tell.fact(aspect, happened) == fact:
            said = Statement(Mood.HAPPENED, fact)
        elif certain is not None:
            said = Statement(Mood.FORCED, certain)
        else:
            said = Statement(self._mood(turn), fact)
        return Reason(share=share, played=said, better=Statement(self._mood(turn), instead), gift=gift,
                      lines=(_actions(played, turn), _actions(better, turn)))

    def _given_up(
        self, turn: JudgedTurn, before: Position, better: Future, played: Future
    ) -> list[Reason]:
        """A turn that gives up all further ones carries the whole loss: without giving up, the better turn
        is there."""
        assert turn.better is not None
        facts = self._tell.gives_up(before, turn.played.turn[0], turn.better.turn[0])
        if facts is None:
            return []
        said, instead = (Statement(Mood.FORCED, fact) for fact in facts)
        return [Reason(share=1.0, played=said, better=instead,
                       lines=(_actions(played, turn), _actions(better, turn)))]

    def _mood(self, turn: JudgedTurn) -> Mood:
        if not self._to_round_end:
            return Mood.FORCED
        return Mood.EXPECTED if turn.verdict.kind is Kind.ESTIMATE else Mood.BEST_PLAY

    def _gift(self, turn: JudgedTurn, aspect: Aspect, played: Future) -> Fact | None:
        """What the turn left to the seat of an aspect, if that was the cause of the loss."""
        ply = turn.ply + len(turn.played.turn)
        if played.end.ply == ply or played.turn.to_move != aspect.seat or not self._to_round_end:
            return None
        action = played.end.history.actions[ply]
        fact = self._tell.gift(played.turn, action, aspect)
        if fact is None or self._is_there_too(turn, action):
            return None
        without = changed(played.turn, lambda s: self._tell.remove(s, action))
        return fact if self._loss_vanishes(turn, played.turn, without) else None

    def _is_there_too(self, turn: JudgedTurn, action: int) -> bool:
        """Whether the same reply is possible after the better turn."""
        assert turn.better is not None
        after = future(self._game.at(turn.ply), turn.better.turn, ()).turn
        return after.to_move >= 0 and action in after.legal_actions()

    def _loss_vanishes(self, turn: JudgedTurn, after: Position, without: Position) -> bool:
        if not without.legal_actions():
            return False
        nodes = 4 * self._judge.efforts.following
        here, there = (self._judge.values(each, nodes)[turn.seat] for each in (after, without))
        return bool(there - here >= ENOUGH * turn.verdict.points.value)


def _actions(found: Future, turn: JudgedTurn) -> tuple[int, ...]:
    return found.end.history.actions[turn.ply :]


def is_news(reason: Reason, told: Sequence[Reason]) -> bool:
    """Whether nothing that was told says the same about the better turn."""
    return all(reason.better.fact != each.better.fact for each in told)


def carried(reasons: Sequence[Reason]) -> float:
    """The part of the loss that some reasons carry."""
    return sum(reason.share for reason in reasons)
