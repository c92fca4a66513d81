"""The rules of Pebbles for people: shown by `azulejos rules pebbles` and at /rules/pebbles."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Section
from azulejos.core.message import msg

from .layout import State

TURN: Final = Section(
    id="turn", title=msg("Your turn"),
    paragraphs=(
        msg("Take all pebbles of one colour from the bowl: 1, 2, 3, … are worth 1, 3, 6, … points."),
    ),
    picture=Picture(
        position="pebbles,players=2/to_move=0,bag=678,bowl=210", panels=("bowl",),
        caption=msg("Red is worth 3 points here, blue 1 point."),
    ),
)
END: Final = Section(
    id="end", title=msg("Rounds and the end"),
    paragraphs=(
        msg("When the bowl is empty, draw one pebble more than there are players into it. If the bag holds "
            "too few, the game ends; the most points win."),
    ),
)


def section_about(s: State, action: int) -> Section:
    return TURN


GUIDE: Final = Guide(
    title=msg("How to play Pebbles"), summary=msg("Take piles of pebbles; large ones are worth more."),
    sections=(TURN, END), section_about=section_about,
)
