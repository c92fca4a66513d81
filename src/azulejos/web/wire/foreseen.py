"""What a move would do, by the numbers of the plan: ghost pieces and points in place."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.position import Position
from azulejos.core.prospect import prospect
from azulejos.core.scene import Scene
from azulejos.web.wire.changes import lying
from azulejos.web.wire.messages import Lying
from azulejos.web.wire.plan import PagePlan


def foreseen(
    plan: PagePlan, scene: Scene, position: Position, action: int, path: Sequence[str]
) -> tuple[dict[int, list[Lying]], list[tuple[int, int]]]:
    """The ghosts and the points of an `Effect`."""
    found = prospect(position, action, scene, path)
    ghosts: dict[int, list[Lying]] = {}
    for piece in found.pieces:
        ghosts.setdefault(plan.slots[piece.slot], []).append(lying(plan, piece))
    return ghosts, [(plan.slots[slot], points) for slot, points in found.points]
