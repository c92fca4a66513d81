"""The cover, a rose window with light behind it, and a frieze of lead lozenges."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art
from azulejos.parts.art import COVER, TABLE, frieze_art
from azulejos.parts.paths import circle, closed, number, petal, polar

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
