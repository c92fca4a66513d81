"""What is in the box, as data: the one file to correct if your copy of the game differs.

Certain, from the rule book: colours, 20 panes of each, six rounds, eight windows, ornament points, the -8
and the -18 of the broken-glass track. Known from pictures: the points under the windows, where the
ornaments are. Inferred: the other steps of the track. Stand-ins with the right statistics: the strips
(`STRIPS`); an owner gives the real ones with the option ``strips``, see `read_strips`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Final

LETTERS: Final = "bpoyw"
"""Blue, pink, orange, yellow, white: the order of the colours everywhere."""

JOKER_LETTER: Final = "j"
PANES_PER_COLOUR: Final = 20
ROUNDS: Final = 6
WINDOWS: Final = 8
STRIP_SPACES: Final = 5
JOKERS: Final = 2

WINDOW_POINTS: Final = (4, 3, 3, 2, 2, 1, 1, 2)
"""Under the windows, left to right, on both sides of the board."""

BROKEN_GLASS: Final = (0, 1, 2, 4, 6, 8, 11, 14, 18)
"""Points lost on each step of the track, top to bottom."""

LAST_STEP: Final = len(BROKEN_GLASS) - 1

ORNAMENTS: Final = ((0, 1), (2, 3), (4, 5), (6, 7))
"""Side A: the two windows (from 0) on either side of each ornament; each has two pane spaces."""

ORNAMENT_POINTS: Final = (0, 0, 3, 6, 10)
"""By the number of panes in the four spaces around an ornament."""

PANES_PER_POINT: Final = 3
"""So many panes left on the strips are worth a point at the end."""

STRIPS: Final = (
    "BBBOP-BBOOP.OOOPW-BBPPO.PPPWY-BBWWO.WWWYB-BBYYP.YYYBO-OOPPB.OOWWY-OOYYW.PPWWY-PPYYW.WWYYB-JJBPY"
)
"""Eight strips, front-back; the order of the five spaces has no effect."""

Counts = tuple[int, ...]
"""Spaces of one side: one number per colour, then the jokers."""


def read_table(text: str) -> tuple[tuple[Counts, Counts], ...]:
    """The strips of a table's text, each as the counts of its front and of its back."""
    return tuple(
        (_counts(front), _counts(back))
        for front, _, back in (strip.partition("-") for strip in check_strips(text).split("."))
    )


def check_strips(text: str) -> str:
    """The canonical text of a table of strips, or a ValueError that says what is wrong with it."""
    strips = text.strip().upper().split(".")
    if len(strips) != WINDOWS:
        raise ValueError(f"strips must be {WINDOWS} strips joined by dots, not {len(strips)}")
    for number, strip in enumerate(strips, 1):
        _check_strip(number, strip)
    jokers = sum(JOKER_LETTER.upper() in strip for strip in strips)
    if jokers != 1:
        raise ValueError(f"exactly one strip has {JOKERS} jokers (J) on its back, here {jokers} have")
    return ".".join(strips)


def read_strips(path: str | Path) -> str:
    """The table in a TOML file like ``strips = [["BBBOP", "BBOOP"], …]``, as text for the option."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path} is not TOML: {error}") from None
    strips = table.get("strips")
    if not isinstance(strips, list) or not all(_is_pair(strip) for strip in strips):
        raise ValueError(f'{path} should hold strips = [["BBBOP", "BBOOP"], ...]: front and back of each')
    return check_strips(".".join("-".join(strip) for strip in strips))


def _check_strip(number: int, strip: str) -> None:
    sides = strip.split("-")
    if len(sides) != 2:
        raise ValueError(f"strip {number} must be front-back like BBBOP-BBOOP, not {strip!r}")
    for name, side in zip(("front", "back"), sides, strict=True):
        _check_side(f"the {name} of strip {number}", side)
    if JOKER_LETTER.upper() in sides[0]:
        raise ValueError(f"strip {number}: the side with jokers starts face down, so it is the back")


def _check_side(name: str, side: str) -> None:
    known = LETTERS + JOKER_LETTER
    wrong = [letter for letter in side if letter.lower() not in known]
    if wrong:
        raise ValueError(f"{name} has {wrong[0]!r}; spaces are {' '.join(known.upper())}")
    if len(side) != STRIP_SPACES:
        raise ValueError(f"{name} must have {STRIP_SPACES} spaces, not {len(side)} ({side!r})")
    if side.count(JOKER_LETTER.upper()) not in (0, JOKERS):
        raise ValueError(f"{name} must have no jokers or {JOKERS} ({side!r})")


def _counts(side: str) -> Counts:
    return tuple(side.lower().count(letter) for letter in LETTERS + JOKER_LETTER)


def _is_pair(strip: Sequence[object]) -> bool:
    return isinstance(strip, list) and len(strip) == 2 and all(isinstance(side, str) for side in strip)
