"""Names of hexagons, for people and as the kinds of pieces that a theme draws."""

from __future__ import annotations

from typing import Final

from azulejos.core.message import Message, msg
from azulejos.games.queens_garden.components import COLOURS, HEXAGONS, PATTERNS
from azulejos.games.queens_garden.layout import State

FIELD_NAMES: Final = (
    msg("blue"), msg("light purple"), msg("yellow"),
    msg("light green"), msg("dark green"), msg("dark purple"),
    msg("tree"), msg("bird"), msg("butterflies"), msg("flower"), msg("plant"), msg("bells"),
)
FIELD_KINDS: Final = (
    "light-blue", "light-purple", "yellow", "light-green", "dark-green", "dark-purple",
    "tree", "bird", "butterflies", "flower", "plant", "bells",
)


def hexagon_name(hexagon: int) -> Message:
    return msg("{colour} {pattern}",
               colour=FIELD_NAMES[hexagon // PATTERNS], pattern=FIELD_NAMES[COLOURS + hexagon % PATTERNS])


def kind(hexagon: int) -> str:
    """For example "yellow.bird"."""
    return f"{FIELD_KINDS[hexagon // PATTERNS]}.{FIELD_KINDS[COLOURS + hexagon % PATTERNS]}"


def offered(s: State) -> list[tuple[str, int]]:
    """What the display offers: slots such as "s1.yellow.bird", each with its hexagon.

    Reads the lists: calling `offers` for every hexagon of every expansion took a third of the drawing time.
    """
    found = []
    for source, (face, tiles) in enumerate(zip(s.face.tolist(), s.tiles.tolist(), strict=True)):
        numbers = sorted({number for number in (face, *tiles) if 0 < number <= HEXAGONS})
        found += [(f"s{source + 1}.{kind(number - 1)}", number - 1) for number in numbers]
    return found
