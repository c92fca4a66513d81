"""What is drawn under the places: pewter dishes, leaded strips, pointed windows on a sill."""

from __future__ import annotations

from typing import Final

from azulejos.core.scene import Panel, Slot
from azulejos.games.stained_glass.components import WINDOWS
from azulejos.parts.board_shapes import basin, bounds
from azulejos.parts.paths import circle, number, petals, polar

ENGRAVED: Final = petals(8, 19, 4.6, 0, 3)
HIGHEST: Final = 46
"""Of an arch above its panes."""
RIVETS: Final = "".join(circle(0.8, *polar(43.4, 10 * i)) for i in range(36))


def pewter(theme: str) -> str:
    """A pewter dish; empty, it shows an engraved flower."""
    return (
        '<circle cx="2" cy="4.5" r="53.5" fill="url(#l-cast)" opacity=".55"/>'
        f'<circle r="49.5" fill="url(#{theme}-plate)"/>'
        '<circle r="48.8" fill="none" stroke="var(--plate-lit)" stroke-width="1.3"/>'
        f'<path class="paint" opacity=".7" d="{RIVETS}"/><circle class="paint-line" r="39.4" opacity=".7"/>'
        f'<circle r="38.4" fill="url(#{theme}-well)"/><circle r="37.4" fill="none"'
        ' stroke="var(--plate-lit)"'
        ' stroke-opacity=".7" stroke-width=".9"/>'
        f'<path class="paint-line" opacity=".8" d="{ENGRAVED}"/><circle class="paint" r="1.6"/>'
        '<path class="shine" stroke-width="2" d="M-34-33.5A48 48 0 0 1-12-46.5"/>'
    )


def ground(panel: Panel, theme: str) -> str:
    if panel.seat is None:
        return basin(panel, theme)
    named = {slot.id.partition(".")[2]: slot for slot in panel.ever}
    columns = [n for n in range(1, WINDOWS + 1) if f"strip{n}" in named]
    windows = [[named[f"window{n}.{part}"] for part in ("upper", "lower")] for n in columns]
    strips = [named[f"strip{n}"] for n in columns]
    arches = "".join(map(_window, windows, strips))
    return "".join(map(_strip, strips)) + arches + _sill([lower for _, lower in windows])


def _strip(strip: Slot) -> str:
    """The groove in which a strip lies; it stays when the strip is gone."""
    left, top, right, bottom = bounds([strip])
    return (
        f'<rect class="groove" x="{number(left)}" y="{number(top)}" width="{number(right - left)}"'
        f' height="{number(bottom - top)}" rx="8"/>'
    )


def _window(panes: list[Slot], strip: Slot) -> str:
    """A pointed arch in lead over two panes and below a strip, with a round light at its top."""
    left, top, right, bottom = bounds(panes)
    rise = min(HIGHEST, top - bounds([strip])[3])
    left, right, middle, peak = left - 5, right + 5, (left + right) / 2, top - rise
    shoulder = number(peak + 0.3 * rise)
    arch = (
        f"M{number(left)} {number(bottom + 4)}V{number(top - 4)}Q{number(left + 6)} {shoulder}"
        f" {number(middle)} {number(peak)}Q{number(right - 6)} {shoulder} {number(right)}"
        f" {number(top - 4)}V{number(bottom + 4)}Z"
    )
    return (
        f'<path class="window" d="{arch}"/><path class="window-lead" d="M{number(middle)}'
        f' {number(peak)}V{number(top)}'
        f'M{number(left)} {number(top)}H{number(right)}"/>'
        f'<circle class="window-light" cx="{number(middle)}" cy="{number(top - 0.44 * rise)}"'
        f' r="{number(0.2 * rise)}"/>'
    )


def _sill(windows: list[Slot]) -> str:
    if not windows:
        return ""
    left, _, right, bottom = bounds(windows)
    box = f'x="{number(left - 22)}" width="{number(right - left + 44)}" rx="5"'
    return (
        f'<rect class="sill-shade" y="{number(bottom + 8)}" height="50" {box}/>'
        f'<rect class="sill" y="{number(bottom + 4)}" height="50" {box}/>'
    )
