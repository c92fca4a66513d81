"""A mark for every kind: told apart without colour, filled on a piece and thin in an empty place."""

from __future__ import annotations

from typing import Final

from azulejos.render.shapes.paths import circle, closed, petals, polar, polygon, rectangle, star

CROSS: Final = "".join(
    closed([polar(4, turn), polar(33, turn - 19), polar(33, turn + 19)]) for turn in (0, 90, 180, 270)
)
HEART: Final = "M0 30C-40 0-30-30-12-28C-4-27 0-20 0-15C0-20 4-27 12-28C30-30 40 0 0 30Z"

MARKS: Final = {
    "blue": petals(4, 36, 17),
    "yellow": star(8, 34, 19) + circle(9),
    "red": polygon(4, 36) + polygon(4, 22) + polygon(4, 10),
    "black": circle(31) + circle(20) + circle(8),
    "white": CROSS,
    "pink": HEART,
    "orange": polygon(3, 36) + polygon(3, 15),
    "joker": star(5, 37, 15),
    "marker": "M-13 13V-11L-23-3L-28-11L-7-30H5V13H19V26H-27V13Z",
    "glazier": circle(13, 0, -19) + "M-24 34C-24 4-12-4 0-4C12-4 24 4 24 34Z",
    "broken": closed([(-30, -26), (-4, -30), (-10, -6), (4, -2), (-6, 28), (-30, 24)])
    + closed([(6, -30), (30, -28), (30, 26), (4, 30), (16, -4), (2, -10)]),
    "light-blue": circle(26) + circle(15),
    "light-purple": rectangle(44, 44) + rectangle(24, 24),
    "light-green": polygon(3, 34) + polygon(3, 15),
    "dark-green": polygon(3, 34, 180) + polygon(3, 15, 180),
    "dark-purple": polygon(4, 36) + polygon(4, 20),
    "expansion": polygon(6, 34) + polygon(6, 22) + polygon(6, 10),
    "tree": "M0-36C16-36 24-24 20-14C30-8 26 10 12 10H5V34H-5V10H-12C-26 10-30-8-20-14C-24-24-16-36 0-36Z",
    "bird": "M-36-6C-22-10-14-4-8 2C-6-16 6-30 26-32C22-22 18-12 16-6C22-8 28-8 36-2L26 4C22 20 8 28-6 26"
    "L-22 34L-16 20C-26 14-30 4-36-6Z",
    "butterflies": "".join(
        f"M{x} {y}c-18-20-27 4-11 7c-11 7-2 18 9 7c2 0 2 0 4 0c11 11 20 0 9-7c16-3 7-27-11-7z"
        for x, y in ((0, -27), (-21, 12), (21, 12))
    ),
    "flower": petals(4, 38, 26, 45, 8) + circle(7),
    "plant": petals(5, 38, 14, 0, 6),
    "bells": "".join(
        f"M{x:.0f} {y - 7:.0f}c-6 0-7 10-9 14h18c-2-4-3-14-9-14z"
        for x, y in (polar(24, 60 * i) for i in range(6))
    ),
    "pavilion": "M0-36L32-10H-32ZM-26-8h8v32h-8ZM-4-8h8v32h-8ZM18-8h8v32h-8ZM-32 26h64v8h-64Z",
    "fountain": "M-30 8H30C28 22 14 26 5 26V34H-5V26C-14 26-28 22-30 8Z"
    "M0-34C9-22 9-16 0-10C-9-16-9-22 0-34Z"
    "M-20-18C-13-8-14-4-20 0C-27-4-26-10-20-18ZM20-18C27-8 26-4 20 0C13-4 14-10 20-18Z",
    "statue": circle(10, 0, -26) + "M-14-12H14L10 18H-10ZM-20 20H20V34H-20Z",
    "bench": "M-34-14H34V-6H-34ZM-34 2H34V12H-34ZM-28 12h8v20h-8ZM20 12h8v20h-8Z",
}


def mark(kind: str) -> str:
    """The path of a kind; of "yellow.bird" the bird."""
    return MARKS[kind.rpartition(".")[2]]
