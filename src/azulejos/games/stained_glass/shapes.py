"""Drawings of leaded panes that cast coloured light, of the glazier, and of the material around them."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art, Shapes
from azulejos.core.scene import Panel, Slot
from azulejos.games.stained_glass.components import WINDOWS
from azulejos.parts.shapes import (
    COVER, MARKS as SHARED, TABLE, basin, bounds, circle, closed, coloured, frieze_art, inked, medal,
    number, painted, petal, petals, polar, polygon, rounded, soft_shadow, states, token, veil,
)

# --- grounds ---------------------------------------------------------------------------------------------


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


# --- covers, friezes and tables --------------------------------------------------------------------------


MIDDLE: Final = "translate(300 142)"
JEWELS: Final = ("glass-sea", "glass-rose", "glass-sun", "glass-leaf", "glass-fire", "glass-dusk")


def _ring(inner: float, outer: float, panes: int, turn: float, first: int) -> str:
    """Panes between two circles."""
    step, drawn = 360 / panes, ""
    for i in range(panes):
        start, end = turn + step * i, turn + step * (i + 1)
        (ax, ay), (bx, by) = polar(outer, start), polar(outer, end)
        (cx, cy), (dx, dy) = polar(inner, end), polar(inner, start)
        path = (
            f"M{number(ax)} {number(ay)}A{outer} {outer} 0 0 1 {number(bx)} {number(by)}L{number(cx)}"
            f" {number(cy)}"
            f"A{inner} {inner} 0 0 0 {number(dx)} {number(dy)}Z"
        )
        drawn += f'<path d="{path}" fill="var(--{JEWELS[(first + i * 5) % len(JEWELS)]})"/>'
    return drawn


def _petals(length: float, width: float, start: float, count: int, first: int) -> str:
    return "".join(
        f'<path d="{petal(length, width, 360 / count * i, start)}"'
        f' fill="var(--{JEWELS[(first + i) % len(JEWELS)]})"/>'
        for i in range(count)
    )


def rose(theme: str) -> Art:
    """Rings of panes around a flower of eight; the light is behind its heart."""
    stars = "".join(closed([polar(40, t), polar(31, t - 9), polar(23, t), polar(31, t + 9)])
                    for t in range(0, 360, 45))
    glass = (
        f"{_ring(210, 340, 32, 4, 0)}{_ring(150, 210, 24, 0, 2)}{_ring(112, 150, 16, 11, 4)}"
        f'<path d="{circle(112)}" fill="var(--glass-night)"/>{_petals(106, 38, 34, 8, 0)}'
        f'<path d="{circle(36)}" fill="var(--glass-dusk)"/><path d="{stars}" fill="var(--glass-sun)"/>'
        f'<path d="{circle(18)}" fill="var(--glass-light)"/>'
    )
    body = (
        '<defs><radialGradient id="behind" cx=".5" cy=".48" r=".56"><stop stop-color="white"'
        ' stop-opacity=".82"/>'
        '<stop offset=".22" stop-color="white" stop-opacity=".34"/><stop offset=".55" stop-color="white"'
        ' stop-opacity=".05"/><stop offset="1" stop-color="var(--glass-night)" stop-opacity=".7"/>'
        '</radialGradient></defs><rect width="600" height="280" fill="var(--glass-night)"/>'
        f'<g transform="{MIDDLE}" stroke="var(--lead)" stroke-width="5" stroke-linejoin="round">{glass}</g>'
        '<rect width="600" height="280" fill="url(#behind)"/>'
    )
    return Art(**COVER, body=body)


LOZENGES: Final = (
    '<rect width="36" height="18" fill="var(--glass-pale)"/><g stroke="var(--lead)" stroke-width="1.3">'
    '<path d="M9 0L18 9L9 18L0 9Z" fill="var(--glass-mist)"/><path d="M27 0L36 9L27 18L18 9Z"'
    ' fill="var(--glass-honey)"/>'
    '<path d="M-9 0L0 9L9 0ZM9 0L18 9L27 0ZM27 0L36 9L45 0ZM-9 18L0 9L9 18ZM9 18L18 9L27 18ZM27 18L36'
    ' 9L45 18Z"'
    ' fill="var(--glass-blush)"/><path d="M0 .6H36M0 17.4H36"/></g><path d="M6 4L3 7M24 4L21 7"'
    ' stroke="white"'
    ' stroke-width="1.2" opacity=".8"/>'
)


def floor(theme: str) -> Art:
    """The light of a leaded window on the floor: slanting lozenges, softer at their rims."""
    drawn = ""
    for row in range(5):
        for column in range(9):
            x, y = 60 + column * 96 - row * 46, 150 + row * 118
            paint = (*JEWELS[:4], "glass-honey")[(row * 2 + column) % 5]
            for size, alpha in ((1.0, 0.07), (0.9, 0.06), (0.8, 0.05)):
                w, h = 46 * size, 56 * size
                drawn += (
                    f'<path d="M{number(x - w + 22)} {number(y - h)}L{number(x + w + 22)} {number(y - h)}'
                    f'L{number(x + w - 22)} {number(y + h)}L{number(x - w - 22)} {number(y + h)}Z"'
                    f' fill="var(--{paint})"'
                    f' opacity="{alpha}"/>'
                )
    return Art(**TABLE, body=drawn)


ART: Final = {"table": floor, "cover": rose, "frieze": frieze_art(36, LOZENGES)}


def art(theme: str, what: str) -> Art | None:
    make = ART.get(what)
    return None if make is None else make(theme)


# --- panes -----------------------------------------------------------------------------------------------


HEART: Final = "M0 34C-46 2-35-31-13-30C-4-29 0-21 0-16C0-21 4-29 13-30C35-31 46 2 0 34Z"
MARKS: Final = {
    **SHARED,
    "pink": HEART,
    "orange": polygon(3, 40) + polygon(3, 27) + polygon(3, 12),
    "glazier": circle(13, 0, -19) + "M-24 34C-24 4-12-4 0-4C12-4 24 4 24 34Z",
    "broken": closed([(-30, -26), (-4, -30), (-10, -6), (4, -2), (-6, 28), (-30, 24)])
    + closed([(6, -30), (30, -28), (30, 26), (4, 30), (16, -4), (2, -10)]),
}
LOWER: Final = {"orange": " translate(0 6)", "pink": " translate(0 1)"}
"""Marks whose middle is not the middle of their form."""

FRAME: Final = rounded(47, -47, 47, 4)
GLASS: Final = rounded(43, -43, 43, 2)
CAST: Final = rounded(46, -46, 46, 6)
REFLECTIONS: Final = "M-43-12L-12-43H10L-43 10ZM-43 24L24-43H32L-43 32Z"
LEADED: Final = f'<path class="lead" opacity=".8" d="{rounded(47, -47, 47, 3)}"/>'
"""The lead around a place of a strip."""
CHIP: Final = '<path class="face" d="' + rounded(47, -47, 47, 12) + '"/>'
FIGURE: Final = "M-31 44C-31 12-19 0-11-5A20 20 0 1 1 11-5C19 0 31 12 31 44Z"
WINDOW: Final = "M-14 12H14V37H-14ZM-10 16V23H-2V16ZM2 16V23H10V16ZM-10 27V33H-2V27ZM2 27V33H10V27Z"
BACK: Final = ".back"
"""Suffix of kinds printed on the other side of a strip: drawn flat, without lead."""


def mark(kind: str, theme: str = "") -> str:
    return MARKS[kind]


def piece(kind: str, theme: str) -> str:
    return coloured(kind.removesuffix(BACK), _drawn(kind, theme))


def _drawn(kind: str, theme: str) -> str:
    if kind == "glazier":
        return _figure(theme)
    if kind == "marker":
        return token(mark(kind))
    if kind == "broken":
        return medal(mark(kind))
    if kind.endswith(BACK):
        return CHIP + inked(mark(kind.removesuffix(BACK)))
    return _pane(kind, theme)


def _pane(kind: str, theme: str) -> str:
    """Coloured light on the table instead of a grey shadow, glass, mark, reflections, lead."""
    light = "".join(
        painted("face", CAST, f"translate({x} {y}) scale({size})").replace("/>", f' opacity="{alpha}"/>')
        for x, y, size, alpha in ((7, 9, 1.0, 0.3), (11, 14, 1.04, 0.16), (15, 19, 1.1, 0.09))
    )
    return (
        f'{light}{states(FRAME)}<path fill="url(#{theme}-{kind})" d="{GLASS}"/>'
        f'{inked(mark(kind), "scale(.86)" + LOWER.get(kind, ""))}'
        f'<path fill="var(--sheen)" opacity=".22" d="{REFLECTIONS}"/><path class="lead" d="{FRAME}"/>'
        f'<path class="shine" opacity=".5" d="M-46.5 30V-46.5H30"/>{veil(FRAME)}'
    )


def _figure(theme: str) -> str:
    return (
        f'{soft_shadow(FIGURE, reach=0.7)}{states(FIGURE)}<path class="edge" d="{FIGURE}"/>'
        f'<path fill="url(#{theme}-glazier)" transform="translate(0 -1) scale(.92)" d="{FIGURE}"/>'
        f'{inked(WINDOW)}<path class="shine" d="M-10-27A14 14 0 0 1 1-35"/>{veil(FIGURE)}'
    )


def surface(shape: str, theme: str) -> str:
    return {"plate": pewter(theme), "frame": LEADED}.get(shape, "")


SHAPES: Final = Shapes(piece=piece, mark=mark, surface=surface, ground=ground, art=art)
