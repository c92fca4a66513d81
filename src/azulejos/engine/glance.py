"""The turns that one sees at a glance: how each ends, and how its first action looks."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import promise
from azulejos.engine.turns import Turns, list_turns


@rule
def glance(u: Turns, looks: Cells) -> int:
    """List the turns from ply 0 on, best first, and the promise of each one's first action; how many."""
    kept = list_turns(u, False)
    if kept == 0:
        kept = list_turns(u, True)
    for i in range(kept):
        looks[i] = promise(u.stack[0], int(u.found[u.order[i], 1]))
    return kept
