"""What several games draw on a panel under its places, in units of the picture (a tile is 100)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.scene import Panel, Slot
from azulejos.parts.paths import number

UNIT: Final = 100
MARGIN: Final = 10


def sunken(slots: Sequence[Slot], margin: float = MARGIN) -> str:
    """A sunken panel around some places."""
    if not slots:
        return ""
    left, top, right, bottom = bounds(slots)
    box = (
        f'x="{number(left - margin)}" y="{number(top - margin)}"'
        f' width="{number(right - left + 2 * margin)}"'
        f' height="{number(bottom - top + 2 * margin)}" rx="16"'
    )
    return f'<rect class="sunken" {box}/><rect class="sunken-lip" {box}/>'


def bounds(slots: Sequence[Slot]) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of some places."""
    return (
        min(slot.x - slot.width / 2 for slot in slots) * UNIT,
        min(slot.y - slot.height / 2 for slot in slots) * UNIT,
        max(slot.x + slot.width / 2 for slot in slots) * UNIT,
        max(slot.y + slot.height / 2 for slot in slots) * UNIT,
    )


def basin(panel: Panel, theme: str) -> str:
    """The shallow basin in the stone around the centre of an offer."""
    centre = next((slot for slot in panel.slots if slot.id == "C"), None)
    if centre is None:
        return ""
    across, down = centre.width * UNIT, centre.height * UNIT
    wide = max(across, down) * 1.05
    room = min(centre.x, centre.y, panel.width - centre.x, panel.height - centre.y) * UNIT
    if centre.height > 0.6 * centre.width and wide / 2 <= room:
        across = down = wide
    x, y = centre.x * UNIT - across / 2, centre.y * UNIT - down / 2
    return "".join(
        f'<rect class="{paint}" x="{number(x + inset)}" y="{number(y + inset)}"'
        f' width="{number(across - 2 * inset)}"'
        f' height="{number(down - 2 * inset)}" rx="{number(min(across, down) / 2 - inset)}"/>'
        for paint, inset in (("basin", 0), ("basin-lip", 0), ("basin-dots", 14))
    )
