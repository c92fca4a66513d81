"""The components as data: the one file to correct if your copy of the game differs.

Certain, from the rule book: colours, 20 panes of each, six rounds, eight windows, ornament points, the -8
and the -18 of the broken-glass track. Known from pictures: the points under the windows, the places of the
ornaments. Inferred: the other steps of the track (`BROKEN_GLASS`). Stand-ins with the right statistics:
the strips (`STRIPS`). Owners of the game can supply the printed ones in a components file
(docs/components.md).
"""

from __future__ import annotations

import itertools
import re
from typing import Final

from azulejos.core.game import Component
from azulejos.core.message import Message, Problem, msg

LETTERS: Final = "bpoyw"
"""Blue, pink, orange, yellow, white: colours are always in this order."""

JOKER_LETTER: Final = "j"
PANES_PER_COLOUR: Final = 20
ROUNDS: Final = 6
WINDOWS: Final = 8
STRIP_SPACES: Final = 5
JOKERS: Final = 2

WINDOW_POINTS: Final = (4, 3, 3, 2, 2, 1, 1, 2)
"""Points under the windows, left to right, on both sides of the board."""

BROKEN_GLASS: Final = "0.1.2.4.6.8.11.14.18"
"""Points lost on each step of the track, top to bottom."""

KNOWN_LOSS: Final = 8
LAST_LOSS: Final = 18
"""The two steps of the track that the rule book names; LAST_LOSS is the last step."""

MOST_STEPS: Final = LAST_LOSS
"""Every step costs at least one point more than the one above it."""

ORNAMENTS: Final = ((0, 1), (2, 3), (4, 5), (6, 7))
"""Side A: the two windows (from 0) on either side of each ornament; each has two pane spaces."""

ORNAMENT_POINTS: Final = (0, 0, 3, 6, 10)
"""Points by the number of panes in the four spaces around an ornament."""

PANES_PER_POINT: Final = 3
"""At the end, this many panes left on strips are worth one point."""

STRIPS: Final = (
    "BBBOP-BBOOP.OOOPW-BBPPO.PPPWY-BBWWO.WWWYB-BBYYP.YYYBO-OOPPB.OOWWY-OOYYW.PPWWY-PPYYW.WWYYB-JJBPY"
)
"""Eight strips, front-back; the order of the five spaces does not matter."""

Counts = tuple[int, ...]
"""Spaces on one side: one number per colour, then the jokers."""


def read_table(text: str) -> tuple[tuple[Counts, Counts], ...]:
    """The strips in the text of an option, each as the counts of its front and its back."""
    return tuple(
        (_counts(front), _counts(back))
        for front, _, back in (strip.partition("-") for strip in check_strips(text).split("."))
    )


def _counts(side: str) -> Counts:
    return tuple(side.lower().count(letter) for letter in LETTERS + JOKER_LETTER)


def read_track(text: str) -> tuple[int, ...]:
    """Points lost on each step of the broken-glass track, as positive numbers."""
    return tuple(int(loss) for loss in check_track(text).split("."))


# --- strips supplied by an owner ---------------------------------------------------------------------


def check_strips(text: str) -> str:
    """The canonical text of a table of strips; raises a Problem that explains what is wrong with it."""
    strips = text.strip().upper().split(".")
    if len(strips) != WINDOWS:
        raise Problem(msg("strips must be {n} strips joined by dots, not {found}",
                          n=WINDOWS, found=len(strips)))
    for number, strip in enumerate(strips, 1):
        _check_strip(number, strip)
    jokers = sum(JOKER_LETTER.upper() in strip for strip in strips)
    if jokers != 1:
        raise Problem(msg("exactly one strip has {n} jokers (J) on its back, here {found} have",
                          n=JOKERS, found=jokers))
    return ".".join(strips)


def _check_strip(number: int, strip: str) -> None:
    sides = strip.split("-")
    if len(sides) != 2:
        raise Problem(msg("strip {n} must be front-back like BBBOP-BBOOP, not {text}",
                          n=number, text=repr(strip)))
    _check_side(msg("the front of strip {n}", n=number), sides[0])
    _check_side(msg("the back of strip {n}", n=number), sides[1])
    if JOKER_LETTER.upper() in sides[0]:
        raise Problem(msg("strip {n}: the side with jokers starts face down, so it is the back", n=number))


def _check_side(name: Message, side: str) -> None:
    known = LETTERS + JOKER_LETTER
    wrong = [letter for letter in side if letter.lower() not in known]
    if wrong:
        raise Problem(msg("{side} has {letter}; spaces are {letters}",
                          side=name, letter=repr(wrong[0]), letters=" ".join(known.upper())))
    if len(side) != STRIP_SPACES:
        raise Problem(msg("{side} must have {n} spaces, not {found} ({text})",
                          side=name, n=STRIP_SPACES, found=len(side), text=repr(side)))
    if side.count(JOKER_LETTER.upper()) not in (0, JOKERS):
        raise Problem(msg("{side} must have no jokers or {n} ({text})",
                          side=name, n=JOKERS, text=repr(side)))


def strips_from_file(value: object) -> str:
    """Convert ``[["BBBOP", "BBOOP"], …]`` to the text of the option."""
    if not isinstance(value, list) or not all(_is_pair(strip) for strip in value):
        raise Problem(msg('strips must be a list like [["BBBOP", "BBOOP"], ...]: front and back of each'))
    return check_strips(".".join("-".join(strip) for strip in value))


def _is_pair(strip: object) -> bool:
    return isinstance(strip, list) and len(strip) == 2 and all(isinstance(side, str) for side in strip)


def strips_for_file(text: str) -> str:
    pairs = (strip.partition("-") for strip in text.split("."))
    return "[\n" + "".join(f'    ["{front}", "{back}"],\n' for front, _, back in pairs) + "]"


# --- a broken-glass track supplied by an owner -------------------------------------------------------


def check_track(text: str) -> str:
    """The canonical text of a track; raises a Problem that explains what is wrong with it."""
    steps = text.strip().split(".")
    if not all(re.fullmatch(r"[0-9]{1,3}", step) for step in steps):
        raise Problem(msg("broken must be numbers joined by dots like {sample}, not {text}",
                          sample=BROKEN_GLASS, text=repr(text)[:80]))
    losses = [int(step) for step in steps]
    if losses[0] != 0:
        raise Problem(msg("the broken-glass track begins with 0, not with {loss}", loss=losses[0]))
    for above, below in itertools.pairwise(losses):
        if below <= above:
            raise Problem(msg("the losses of the broken-glass track grow from step to step, but {below} "
                              "follows {above}", below=below, above=above))
    if losses[-1] != LAST_LOSS:
        raise Problem(msg("the broken-glass track ends with {loss}, not with {found}",
                          loss=LAST_LOSS, found=losses[-1]))
    if KNOWN_LOSS not in losses:
        raise Problem(msg("the broken-glass track has a step of {loss}; the rulebook names it",
                          loss=KNOWN_LOSS))
    return ".".join(str(loss) for loss in losses)


def track_from_file(value: object) -> str:
    """Convert ``[0, 1, 2, …]`` to the text of the option; losses may have a minus sign."""
    if not isinstance(value, list) or not value or not all(type(loss) is int for loss in value):
        raise Problem(msg("broken_glass must be a list of whole numbers like [{sample}]",
                          sample=BROKEN_GLASS.replace(".", ", ")))
    return check_track(".".join(str(abs(loss)) for loss in value))


def track_for_file(text: str) -> str:
    return f"[{text.replace('.', ', ')}]"


COMPONENTS: Final = {
    "strips": Component(
        key="strips", read=strips_from_file, write=strips_for_file,
        about=msg("The colours of the strips are stand-ins with the same statistics. Certain: 8 strips, 5 "
                  "spaces on each side, two jokers on the back of one."),
    ),
    "broken": Component(
        key="broken_glass", read=track_from_file, write=track_for_file,
        about=msg("The steps of the broken-glass track are stand-ins. Certain: it begins with 0, has a "
                  "step of −8 and ends with −18. What is left of a picture in the rulebook seems to show "
                  "−4, −5 and −6."),
    ),
}
"""Keyed by the option that holds them."""
