"""What moved between two scenes, for tests of views and of the browser's pieces."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from azulejos.core.scene import Plan, Scene


@dataclass(frozen=True, slots=True)
class Flight:
    """Pieces of one kind that left one slot and arrived in another."""

    kind: str
    source: str
    target: str
    count: int


def flights(before: Scene, after: Scene) -> list[Flight]:
    """What moved between two scenes: kind by kind, what left joins what arrived, the nearest first."""
    was, now = _lying(before), _lying(after)
    gone = {key: count - now.get(key, 0) for key, count in was.items() if count > now.get(key, 0)}
    come = {key: count - was.get(key, 0) for key, count in now.items() if count > was.get(key, 0)}
    moved = []
    for kind in dict.fromkeys(kind for kind, _ in gone):
        pairs = [(s, t) for s in gone if s[0] == kind for t in come if t[0] == kind]
        if len(pairs) > 1:
            pairs.sort(key=lambda pair: _apart(before.plan, pair[0][1], pair[1][1]))
        for source, target in pairs:
            count = min(gone[source], come[target])
            gone[source] -= count
            come[target] -= count
            if count:
                moved.append(Flight(kind, source[1], target[1], count))
    return moved


def _apart(plan: Plan, one: str, other: str) -> float:
    """The distance within a panel; other panels are farther than anything."""
    panel_of = {slot.id: panel.id for panel in plan.panels for slot in panel.slots}
    if panel_of[one] != panel_of[other]:
        return math.inf
    source, target = plan.slots[one], plan.slots[other]
    return math.hypot(source.x - target.x, source.y - target.y)


def _lying(scene: Scene) -> Counter[tuple[str, str]]:
    """How many pieces of each kind lie in each slot, by kind and slot."""
    counts = Counter[tuple[str, str]]()
    for slot, pieces in scene.lies.items():
        for piece in pieces:
            counts[piece.kind, slot] += piece.count
    return counts
