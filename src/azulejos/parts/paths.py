"""SVG path data: polygons, stars, petals. A tile is 100 units wide, with 0, 0 in its middle."""

from __future__ import annotations

import math


def number(value: float) -> str:
    return f"{round(value, 1):g}"


def closed(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """A point on a circle; 0 degrees is up, angles go clockwise."""
    angle = math.radians(degrees - 90)
    return radius * math.cos(angle), radius * math.sin(angle)


def polygon(corners: int, radius: float, turn: float = 0) -> str:
    return closed([polar(radius, turn + 360 * i / corners) for i in range(corners)])


def star(points: int, outer: float, inner: float, turn: float = 0) -> str:
    step = 180 / points
    return closed([polar(outer if i % 2 == 0 else inner, turn + step * i) for i in range(2 * points)])


def circle(radius: float, x: float = 0, y: float = 0) -> str:
    r = number(radius)
    top, bottom = number(y - radius), number(y + radius)
    return f"M{number(x)} {top}A{r} {r} 0 1 1 {number(x)} {bottom}A{r} {r} 0 1 1 {number(x)} {top}Z"


def petals(count: int, length: float, width: float, turn: float = 0, start: float = 0) -> str:
    """Petals around the origin, each from `start` to `length` away from it."""
    return "".join(petal(length, width, turn + 360 * i / count, start) for i in range(count))


def petal(length: float, width: float, degrees: float, start: float = 0) -> str:
    foot, tip = polar(start, degrees), polar(length, degrees)
    middle = polar(start + (length - start) * 0.55, degrees)
    side = polar(width, degrees + 90)
    left = (middle[0] - side[0], middle[1] - side[1])
    right = (middle[0] + side[0], middle[1] + side[1])
    text = [f"{number(x)} {number(y)}" for x, y in (foot, left, tip, right)]
    return f"M{text[0]}Q{text[1]} {text[2]}Q{text[3]} {text[0]}Z"


def rectangle(width: float, height: float, x: float = 0, y: float = 0) -> str:
    left, top = x - width / 2, y - height / 2
    return f"M{number(left)} {number(top)}h{number(width)}v{number(height)}h{number(-width)}Z"


def seven(width: float, scale: float = 1.0) -> str:
    """Seven touching hexagons, each `width` from side to side."""
    step = width / 3
    cell = [polar(step / 3**0.5 * scale, 60 * i) for i in range(6)]
    middles = [(0.0, 0.0), *(polar(step, 60 * i + 30) for i in range(6))]
    return "".join(closed([(x + dx, y + dy) for dx, dy in cell]) for x, y in middles)
