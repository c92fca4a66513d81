"""Advice about a turn that is to be played, or has just been played: the best turn in three steps, and what
a turn lost.

The judge and its effort are those of a review, as far as a second allows, so that the review of the game
agrees with the hint.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from azulejos.bots.skill import SEARCHES, TurnJudge
from azulejos.core.game import Seat
from azulejos.core.position import Position
from azulejos.core.scene import Plan, scene_of
from azulejos.insight.judge import Effort, Judge
from azulejos.insight.results import SLIP_POINTS, Coaching, Hint, JudgedTurn, Line
from azulejos.insight.why import Explainer
from azulejos.protocol.bot import Limit

INTERPRETED: Final = (Effort(nodes=200, deals=1, deal_nodes=20),)
"""Where nothing is compiled, a search is five hundred times as slow."""
ALTERNATIVES: Final = 5
"""Turns that are compared with the best one: those that look best without search."""
CLEAR: Final = 1.0
"""Points: an alternative that loses so much shows best what the best turn is about."""
SEEN_NODES: Final = 1 << 20
MOST_BESIDE: Final = 3
"""Places beside the right one that a first step lights up, ..."""
FEW: Final = 8
"""... at most one for so many that could be chosen."""


class Adviser:
    """Judges the turns of one position, which must be the beginning of a turn, while its judge looks at no
    other."""

    def __init__(self, judge: Judge, before: Position) -> None:
        self.before, self._judge = before, judge
        self._known = judge.best(before)
        turn = before.first_turn(self._known.line)
        self.best = Line(turn, self._known.line[len(turn) :])
        """The best turn, and what is expected after it."""

    def judged(self, turn: Sequence[int]) -> JudgedTurn:
        """What a turn loses compared with the best one."""
        here, judge, found = self.before, self._judge, list[JudgedTurn]()
        for actions in [turn] if judge.whole_turns else [(action,) for action in turn]:
            known, after = judge.best(here) if found else self._known, here.after(actions)
            found.append(judge.compare(here, known, after, judge.glance(after))[0].turn)
            here = after
        return max(found, key=lambda judged: judged.verdict.points.low)

    def explained(self, turn: Sequence[int]) -> JudgedTurn:
        """What a turn loses, and why, if it loses anything to speak of."""
        judged = self.judged(turn)
        if judged.verdict.points.value < SLIP_POINTS:
            return judged
        explainer = Explainer(self._judge, self.before.after(turn))
        return replace(judged, reasons=explainer.reasons(judged, None))

    def coaching(self, turn: Sequence[int]) -> Coaching:
        """What to say about a turn that was played; reasons only if there is something to say."""
        quick = Coaching(turn=self.judged(turn), win=self._judge.chance(self.before, self._known))
        return replace(quick, turn=self.explained(turn)) if quick.speaks else quick

    def where(self) -> Hint:
        """What the first step of a hint needs: known at once, while reasons take some hundred searches."""
        return Hint(
            ply=self.before.ply, seat=Seat(self.before.to_move), best=self.best,
            kind=self._judge.kind_of(self.before, self._known), runner_up=None, contrast=None,
            places=places_of(self.before, self.best.turn), finished=False,
        )

    def hint(self, *, finished: bool = True) -> Hint:
        best, seat = self.best, self.before.to_move
        others = self._ranked()
        most = self._judge.points(self.before.after(best.turn), seat)
        losses = [most - points for points, _ in others]
        runner_up = self.judged(others[0][1]) if others else None
        clear = next((turn for (_, turn), lost in zip(others, losses, strict=True) if lost >= CLEAR), None)
        contrast = self.explained(clear or others[0][1]) if others else None
        return replace(self.where(), runner_up=runner_up, contrast=contrast, finished=finished)

    def _ranked(self) -> list[tuple[float, tuple[int, ...]]]:
        """Other turns, the best first, with what they are worth."""
        best = self.before.after(self.best.turn)
        known, afters = {best.key}, list[tuple[Position, tuple[int, ...]]]()
        for turn in promising(self.before):
            after = self.before.after(turn)
            if after.key not in known and len(afters) < ALTERNATIVES:
                known.add(after.key)
                afters.append((after, turn))
        self._judge.foresee([best, *(after for after, _ in afters)])
        found = [(self._judge.points(after, self.before.to_move), turn) for after, turn in afters]
        return sorted(found, key=lambda pair: -pair[0])


def advisers(
    judge: Judge, before: Position, efforts: Sequence[Effort] = ()
) -> Iterator[tuple[Adviser, bool]]:
    """Ever more thorough advisers about a position, and whether one is the last. Each replaces the one
    before it."""
    efforts = efforts or (judge.efforts.hint if before.game.engine.compiled else INTERPRETED)
    for number, effort in enumerate(efforts, start=1):
        (judge.begin if number == 1 else judge.deepen)(effort, seed=before.ply + 1 + effort.nodes)
        yield Adviser(judge, before), number == len(efforts)


def hints(judge: Judge, before: Position, efforts: Sequence[Effort] = ()) -> Iterator[Hint]:
    """Ever better hints for the seat to move."""
    for found, last in advisers(judge, before, efforts):
        yield found.hint(finished=last)


def promising(before: Position) -> list[tuple[int, ...]]:
    """The turns that look best without search, best first."""
    moves = before.game.moves
    seen = TurnJudge(SEARCHES).see(before, Limit(nodes=SEEN_NODES))
    return [tuple(moves.number(move) for move in turn.line) for turn in seen[: 4 * ALTERNATIVES]]


# --- where to look ---------------------------------------------------------------------------------------


def places_of(before: Position, turn: Sequence[int]) -> tuple[str, ...]:
    """A group of places among which the first action of a turn is: for each of its clicks the place itself
    and those beside it that could be chosen instead, so that the group never tells the turn."""
    scene = scene_of(before, [""] * before.players)
    path, found = scene.path(turn[0]), list[str]()
    for depth, place in enumerate(path):
        possible = {other.path[depth] for other in scene.choices if len(other.path) > depth} - set(path)
        found += [place, *_beside(place, possible, scene.plan)]
    return tuple(dict.fromkeys(found))


def _beside(place: str, possible: Collection[str], plan: Plan) -> list[str]:
    """The nearest of the places that could be chosen instead: those in the same container before all, and
    of many no more than lie around a place."""
    panel, here = plan.panel_of[place], plan.slots[place]
    container = place.rpartition(".")[0]
    same = [other for other in possible if plan.panel_of[other] == panel]
    near = sorted(same or possible, key=lambda other: (
        not container or other.rpartition(".")[0] != container,
        math.hypot(plan.slots[other].x - here.x, plan.slots[other].y - here.y), other))
    return near[: max(1, min(MOST_BESIDE, len(possible) // FEW))]
