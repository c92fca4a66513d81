"""What is drawn under the places: the sunken panel of the wall, arrows that point to it, the basin."""

from __future__ import annotations

from typing import Final

from azulejos.core.scene import Panel, Slot
from azulejos.parts.board_shapes import basin, sunken

ARROW: Final = "M-9-13L9 0L-9 13Z"


def ground(panel: Panel, theme: str) -> str:
    if panel.seat is None:
        return basin(panel, theme)
    wall = [slot for slot in panel.ever if ".wall" in slot.id]
    lines = [slot for slot in panel.ever if ".line" in slot.id]
    return sunken(wall) + "".join(_arrow(line, wall) for line in lines)


def _arrow(line: Slot, wall: list[Slot]) -> str:
    """Between a line and the wall; none where they lie otherwise."""
    left, right = line.x + line.width / 2, min(slot.x - slot.width / 2 for slot in wall)
    if right <= left:
        return ""
    at = f"translate({(left + right) * 50:.0f} {line.y * 100:.0f})"
    return f'<path class="hint-arrow" transform="{at}" d="{ARROW}"/>'
