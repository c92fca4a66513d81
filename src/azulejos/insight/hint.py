"""Advice about a turn that is to be played, or has just been played: the best turn in three steps, and what
a turn lost.

The judge and its effort are those of a review, as far as a second allows, so that the review of the game
agrees with the hint.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from azulejos.bots.skill import SEARCHES, TurnJudge
from azulejos.core.game import Seat
from azulejos.core.part import needed
from azulejos.core.position import Position
from azulejos.core.scene import WIDE, Plan, scene_of
from azulejos.insight.judge import Grower, Judge, Solver, both
from azulejos.insight.results import SLIP_POINTS, Coaching, Hint, JudgedTurn, Kind, Line
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN
from azulejos.insight.stretches import (
    Effort,
    GrownStretch,
    Known,
    SolvedStretch,
    Step,
    Stretch,
    efforts_for,
)
from azulejos.insight.why import Explainer
from azulejos.protocol.bot import Limit

ALTERNATIVES: Final = 5
"""Turns that are compared with the best one: those that look best without search."""
SHARE: Final = 8
"""Alternatives are searched with this fraction (1/SHARE) of the nodes."""
CLEAR: Final = 1.0
"""Points: an alternative that loses so much shows best what the best turn is about."""
SEEN_NODES: Final = 1 << 20
SOLVER_EFFORTS: Final = (
    Effort(nodes=30_000, deals=3, deal_nodes=3000),
    Effort(nodes=600_000, deals=6, deal_nodes=10_000),
)
"""The first answer after a tenth of a second, the second one while the player looks at the table."""


def hint_efforts(position: Position, judge: Judge) -> tuple[Effort, ...]:
    if isinstance(judge, Solver):
        return SOLVER_EFFORTS
    quick, thorough = efforts_for(position)
    return quick, replace(quick, nodes=thorough.nodes)


class Adviser(ABC):
    """Judges the turns of one position, which must be the beginning of a turn."""

    def __init__(self, judge: Judge, before: Position, effort: Effort) -> None:
        self.before, self.effort, self._judge = before, effort, judge

    @abstractmethod
    def best(self) -> Line:
        """The best turn, and what is expected after it."""

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """How the best turn was found."""

    @property
    @abstractmethod
    def win(self) -> float:
        """The chance to win with the best turn."""

    @abstractmethod
    def judged(self, turn: Sequence[int]) -> JudgedTurn:
        """What a turn loses compared with the best one."""

    @abstractmethod
    def _worth(self, turn: tuple[int, ...]) -> float:
        """About how many points of margin the seat can expect after a turn."""

    def explained(self, turn: Sequence[int]) -> JudgedTurn:
        """What a turn loses, and why, if it loses anything to speak of."""
        judged = self.judged(turn)
        if judged.verdict.points.value < SLIP_POINTS:
            return judged
        explainer = Explainer(self._judge, self.before.after(turn))
        return replace(judged, reasons=explainer.reasons(judged, None))

    def coaching(self, turn: Sequence[int]) -> Coaching:
        """What to say about a turn that was played; reasons only if there is something to say."""
        quick = Coaching(turn=self.judged(turn), win=self.win)
        return replace(quick, turn=self.explained(turn)) if quick.speaks else quick

    def hint(self, *, finished: bool = True) -> Hint:
        best, others = self.best(), self._ranked()
        losses = [self._worth(best.turn) - worth for worth, _ in others]
        runner_up = self.judged(others[0][1]) if others else None
        clear = next((turn for (_, turn), lost in zip(others, losses, strict=True) if lost >= CLEAR), None)
        contrast = self.explained(clear or others[0][1]) if others else None
        return Hint(
            ply=self.before.ply, seat=Seat(self.before.to_move), best=best, kind=self.kind,
            runner_up=runner_up, contrast=contrast, panel=panel_of(self.before, best, contrast),
            finished=finished,
        )

    def _ranked(self) -> list[tuple[float, tuple[int, ...]]]:
        """Other turns, the best first, with what they are worth."""
        known = {self.before.after(self.best().turn).key}
        found: list[tuple[float, tuple[int, ...]]] = []
        for turn in promising(self.before):
            key = self.before.after(turn).key
            if key not in known and len(found) < ALTERNATIVES:
                known.add(key)
                found.append((self._worth(turn), turn))
        return sorted(found, key=lambda pair: -pair[0])


def advisers(
    judge: Judge, before: Position, efforts: Sequence[Effort] = ()
) -> Iterator[tuple[Adviser, bool]]:
    """Ever more thorough advisers about a position, and whether one is the last."""
    if isinstance(judge, Solver):
        judge.forget()
    efforts = efforts or hint_efforts(before, judge)
    for number, effort in enumerate(efforts, start=1):
        yield adviser(judge, before, effort), number == len(efforts)


def adviser(judge: Judge, before: Position, effort: Effort) -> Adviser:
    if isinstance(judge, Solver):
        return SolvedAdviser(judge, before, effort)
    assert isinstance(judge, Grower)
    return GrownAdviser(judge, before, effort)


def hints(judge: Judge, before: Position, efforts: Sequence[Effort] = ()) -> Iterator[Hint]:
    """Ever better hints for the seat to move."""
    for found, last in advisers(judge, before, efforts):
        yield found.hint(finished=last)


def promising(before: Position) -> list[tuple[int, ...]]:
    """The turns that look best without search, best first."""
    moves = before.game.moves
    seen = TurnJudge(SEARCHES).see(before, Limit(nodes=SEEN_NODES))
    return [tuple(moves.number(move) for move in turn.line) for turn in seen[: 4 * ALTERNATIVES]]


def _now(before: Position) -> Stretch:
    return Stretch(deal=before.ply, first=before.ply, end=before.ply + 1)


class SolvedAdviser(Adviser):
    """Two seats, rounds without chance. Every action is a decision, as in reviews."""

    _judge: Solver

    def __init__(self, judge: Solver, before: Position, effort: Effort) -> None:
        super().__init__(judge, before, effort)
        self._stretch = SolvedStretch(judge, before, _now(before), effort)
        self._found = judge.search(before, effort.nodes)
        self._values: dict[bytes, float] = {}

    def best(self) -> Line:
        turn = self.before.first_turn(self._found.line)
        return Line(turn, self._found.line[len(turn) :])

    @property
    def kind(self) -> Kind:
        if not self._found.proved:
            return Kind.ESTIMATE
        line = self._judge.solved_line(self.before, self._found.line)
        return Kind.EXACT if self.before.after(line).is_over else Kind.PROVED

    @property
    def win(self) -> float:
        meant = self._judge.meaning(both(self._found.value), self.before)
        return float(meant[self.before.to_move, CHANCE_TO_WIN])

    def judged(self, turn: Sequence[int]) -> JudgedTurn:
        here, steps = self.before, []
        for action in turn:
            steps.append(self._step(here, action))
            here = here.after((action,))
        return max(steps, key=lambda step: step.turn.verdict.points.low).turn

    def _step(self, before: Position, action: int) -> Step:
        found = self._found if before is self.before else self._judge.search(before, self.effort.nodes)
        after = before.after((action,))
        return self._stretch.judged(before, after, found, self._known(after))[0]

    def _known(self, position: Position) -> Known | None:
        if position.to_move < 0:
            return None
        found = self._judge.search(position, self.effort.nodes // SHARE)
        if not found.proved:
            return Known(found, found.line, None)
        line = self._judge.solved_line(position, found.line)
        return Known(found, line, position.after(line))

    def _worth(self, turn: tuple[int, ...]) -> float:
        after, seat = self.before.after(turn), self.before.to_move
        if after.to_move < 0:
            return float(self._stretch.samples(after).mean(0)[seat, MARGIN])
        if after.key not in self._values:
            value = self._judge.search(after, self.effort.nodes // SHARE).value / 100
            self._values[after.key] = value if seat == 0 else -value
        return self._values[after.key]


class GrownAdviser(Adviser):
    """Any game: whole turns, each searched by a tree."""

    _judge: Grower

    def __init__(self, judge: Grower, before: Position, effort: Effort) -> None:
        super().__init__(judge, before, effort)
        self._stretch = GrownStretch(judge, before, _now(before), effort)

    def best(self) -> Line:
        expected = self._stretch.expected(self.before)
        turn = self.before.first_turn(expected)
        return Line(turn, expected[len(turn) :])

    @property
    def kind(self) -> Kind:
        return Kind.ESTIMATE

    @property
    def win(self) -> float:
        after = self.before.after(self.best().turn)
        return float(self._stretch.samples(after).mean(0)[self.before.to_move, CHANCE_TO_WIN])

    def judged(self, turn: Sequence[int]) -> JudgedTurn:
        return self._stretch.judged(self.before, self.before.after(turn)).turn

    def _worth(self, turn: tuple[int, ...]) -> float:
        after = self.before.after(turn)
        return float(self._stretch.samples(after).mean(0)[self.before.to_move, MARGIN])


# --- where to look ---------------------------------------------------------------------------------------


def panel_of(before: Position, best: Line, contrast: JudgedTurn | None) -> str:
    """The panel where the first reason is found; without a reason, that of the first click; another if
    that one tells the turn."""
    plan = needed(before.game, before.game.view, "view.py").plan(before, WIDE)
    choices = scene_of(before, [""] * before.players).choices
    paths = [choice.path for choice in choices if choice.action == best.turn[0]]
    told = {panel for path in paths for panel in _telling(path, [each.path for each in choices], plan)}
    own = next(panel.id for panel in plan.panels if panel.seat == before.to_move)
    first = [plan.panel_of[path[0]] for path in paths[:1] if path]
    wished = [*_reason_panels(contrast, plan), *first, own, *(panel.id for panel in plan.panels)]
    return next((panel for panel in wished if panel not in told), wished[0])


def _reason_panels(contrast: JudgedTurn | None, plan: Plan) -> Iterator[str]:
    """The boards of which the reasons speak."""
    for reason in contrast.reasons if contrast else ():
        seat = reason.played.fact.seat
        if seat >= 0 and seat == reason.better.fact.seat:
            yield next(panel.id for panel in plan.panels if panel.seat == seat)


def _telling(path: Sequence[str], paths: Sequence[Sequence[str]], plan: Plan) -> Iterator[str]:
    """The panels that hold a place of the path and no other place that could be chosen instead."""
    for depth, place in enumerate(path):
        possible = {other[depth] for other in paths if len(other) > depth}
        panel = plan.panel_of[place]
        if len(possible) > 1 and sum(plan.panel_of[each] == panel for each in possible) == 1:
            yield panel
