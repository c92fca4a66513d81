"""A step of a hint as a page shows it: sentences, and the places to look at."""

from __future__ import annotations

from azulejos.core.position import Position
from azulejos.core.scene import Scene
from azulejos.insight.results import Hint
from azulejos.insight.words import STEPS, WHICH, AdviceWords
from azulejos.web.wire.messages import Hinted
from azulejos.web.wire.plan import PagePlan


def hinted(
    plan: PagePlan, scene: Scene, position: Position, names: list[str], hint: Hint, step: int
) -> Hinted:
    told = AdviceWords(position, names, hint.seat).step(hint, step)
    places = turn_places(scene, hint) if step == WHICH else panel_places(scene, hint)
    return Hinted(
        ply=position.ply, step=step, said=[plan.say(sentence) for sentence in told],
        lights=[plan.slots[place] for place in places], more=step < STEPS[-1],
    )


def panel_places(scene: Scene, hint: Hint) -> list[str]:
    """Every place of the part of the table to look at: which of them matter, the player has to find."""
    return [slot.id for slot in scene.panel(hint.panel).slots]


def turn_places(scene: Scene, hint: Hint) -> list[str]:
    """The places to click for the first action of the turn."""
    return list(scene.path(hint.best.turn[0]))
