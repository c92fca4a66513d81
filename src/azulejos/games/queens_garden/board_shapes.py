"""What is drawn under the hexagons: beds of lawn in a hedge, free cells, the dial of the wheel."""

from __future__ import annotations

from typing import Final

from azulejos.core.scene import Panel
from azulejos.parts.paths import polar, polygon, seven

BED: Final = seven(100, 1.0)
CELL: Final = polygon(6, 47 / 0.75**0.5)


def bed(theme: str) -> str:
    """Seven cells of lawn inside a clipped hedge."""
    return (
        f'<g stroke-linejoin="round"><path fill="none" stroke="var(--shade)" stroke-opacity=".22"'
        f' stroke-width="7" transform="translate(1 3.2)" d="{BED}"/>'
        '<path fill="none" stroke="var(--hedge-dim)" stroke-width="6" transform="translate(0 1)"'
        f' d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge)" stroke-width="5.6" d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge-lit)" stroke-width="1.2" stroke-dasharray="1.6 1.1"'
        f' transform="translate(-.3 -.5) scale(1.015)" d="{BED}"/>'
        f'<path fill="var(--lawn)" stroke="var(--lawn-line)" stroke-width=".9" d="{BED}"/></g>'
    )


def cell(theme: str) -> str:
    """A free cell."""
    return f'<path fill="var(--cell)" d="{CELL}"/><path fill="url(#l-inset)" d="{CELL}"/>'


def ground(panel: Panel, theme: str) -> str:
    return _dial(panel) if panel.id == "wheel" else ""


def _dial(panel: Panel) -> str:
    """A stone dial under a round wheel; a wheel in a row needs none."""
    width, height = panel.width * 100, panel.height * 100
    if abs(width - height) > 0.2 * width:
        return ""
    middle, radius = width / 2, min(width, height) / 2 - 8
    spokes = "".join(
        f"M{middle + x * 0.3:.0f} {height / 2 + y * 0.3:.0f}L{middle + x:.0f} {height / 2 + y:.0f}"
        for x, y in (polar(radius, 45 + 90 * i) for i in range(4))
    )
    at = f'cx="{middle:.0f}" cy="{height / 2:.0f}"'
    return (
        f'<circle fill="var(--shade)" opacity=".4" cx="{middle:.0f}" cy="{height / 2 + 8:.0f}"'
        f' r="{radius:.0f}"/>'
        f'<circle fill="var(--dial)" {at} r="{radius:.0f}"/><circle fill="none"'
        f' stroke="var(--hairline)" stroke-width="4" {at} r="{radius * 0.94:.0f}"/>'
        f'<path fill="none" stroke="var(--hairline)" stroke-width="4" d="{spokes}"/><circle'
        f' fill="var(--dial-low)" stroke="var(--hairline)" stroke-width="4" {at} r="{radius * 0.28:.0f}"/>'
    )
