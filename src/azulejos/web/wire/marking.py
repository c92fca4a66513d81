"""Marking pieces in any order (`core.scene.Selection`): which can be marked, and what a set stands for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from azulejos.core import scene as core
from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.web.refused import Refused
from azulejos.web.wire.messages import Selection, Verdict
from azulejos.web.wire.plan import PagePlan


def offered(plan: PagePlan, scene: core.Scene, position: Position) -> Selection | None:
    """What can be marked, and a suggestion; None while moves are chosen one by one."""
    if scene.selection is None:
        return None
    verdict = judged(plan, scene, position, scene.selection.marked)
    slots = [plan.slots[place] for place in scene.selection.slots]
    return Selection(slots=slots, verdict=verdict)


def judged(plan: PagePlan, scene: core.Scene, position: Position, marked: Sequence[str]) -> Verdict:
    """The game's verdict on some marked pieces; `move` is the text of the moves they make, if any."""
    if scene.selection is None or not Counter(marked) <= Counter(scene.selection.slots):
        raise Refused(msg("You cannot choose these pieces now."))
    view = position.game.view
    if view is None or view.judge is None:
        raise TypeError(f"the view of {position.game.name} has a selection but no judge")
    verdict = view.judge(position, marked)
    return Verdict(
        marked=[plan.slots[place] for place in marked], said=plan.say(verdict.text),
        problem="" if verdict.problem is None else plan.say(verdict.problem),
        move=" ".join(position.game.moves.text(action) for action in verdict.actions),
    )
