"""What lies under the hexagons: beds of lawn in a hedge, free cells, the dial of the wheel."""

from __future__ import annotations

from typing import Final

from azulejos.parts.paths import number, polar, polygon, seven

BED: Final = seven(100, 1.0)
CELL: Final = polygon(6, 47 / 0.75**0.5)


def bed(theme: str) -> str:
    """Seven cells of lawn inside a clipped hedge."""
    return (
        '<g class="turns" stroke-linejoin="round"><path fill="none" stroke="var(--shade)"'
        ' stroke-opacity=".22"'
        f' stroke-width="7" transform="translate(1 3.2)" d="{BED}"/>'
        '<path fill="none" stroke="var(--hedge-dim)" stroke-width="6" transform="translate(0 1)"'
        f' d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge)" stroke-width="5.6" d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge-lit)" stroke-width="1.2" stroke-dasharray="1.6 1.1"'
        f' transform="translate(-.3 -.5) scale(1.015)" d="{BED}"/>'
        f'<path fill="var(--lawn)" stroke="var(--lawn-line)" stroke-width=".9" d="{BED}"/></g>'
    )


def empty_bed(width: float, at: str) -> str:
    """Where an expansion lay: its outline pressed into the gravel."""
    return (
        f'<path fill="var(--shade)" fill-opacity=".06" stroke="var(--shade)" stroke-opacity=".2"'
        f' stroke-width="3" stroke-linejoin="round" transform="translate({at})" d="{seven(width, 0.97)}"/>'
    )


def cell(theme: str) -> str:
    """A free cell."""
    grass, shade = (f'<path fill="{paint}" d="{CELL}"/>' for paint in ("var(--cell)", "url(#l-inset)"))
    return f'<g class="turns">{grass}{shade}</g>'


def _spokes(inner: float, outer: float) -> str:
    ends = [(polar(inner, 45 + 90 * i), polar(outer, 45 + 90 * i)) for i in range(4)]
    return "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in ends)


def dial(theme: str) -> str:
    """A stone dial with a quarter for each round."""
    return (
        '<circle cx="1" cy="3" r="52" fill="url(#l-cast)" opacity=".6"/><circle cy="1.4" r="49"'
        ' fill="var(--board-side)"/>'
        '<circle r="49" fill="var(--dial)"/><circle r="47.6" fill="var(--dial-low)"/>'
        '<g fill="none" stroke="var(--dial-line)" stroke-width=".8"><circle r="47.6"/><path'
        f' d="{_spokes(16, 47.6)}"/></g>'
        '<circle cy=".8" r="14" fill="var(--board-side)"/><circle r="14" fill="var(--dial)"/>'
    )


def quarter(number_of_round: int) -> str:
    """The light on the quarter of a round."""
    turn = 90 * number_of_round
    return (
        f'<g transform="rotate({turn})"><path d="M-33.6-33.6A47.5 47.5 0 0 1 33.6-33.6L11.3-11.3A16 16 0'
        ' 0 0-11.3-11.3Z"'
        ' fill="var(--glow)" fill-opacity=".34" stroke="var(--ring)" stroke-width="1.2"/></g>'
    )
