"""A position with a question, as its page (solve.html) needs it: the table, and what may be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.web.learn.solving import first_node
from azulejos.web.pages.table import in_script
from azulejos.web.wire.plan import plan_of


def asked_position(position: Position, names: Sequence[str], seat: int, language: str) -> dict[str, Any]:
    """The table as the seat that is asked sees it: its board first."""
    scene = scene_of(position, names)
    panels = [panel for panel in scene.plan.panels if panel.seat is not None]
    return {
        "plan": plan_of(position, language), "seat_names": scene.names,
        "first": in_script(msgspec.json.encode(first_node(position, names, language))),
        "boards": [*panels[seat:], *panels[:seat]],
        "shared": [panel for panel in scene.plan.panels if panel.seat is None],
    }
