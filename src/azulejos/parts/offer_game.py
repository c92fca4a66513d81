"""What games share in which a turn takes all of one colour from the offer: moves, refusals, counting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from azulejos.core.contract import Refused
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.core.notation import Written
from azulejos.core.verbs import LEGAL
from azulejos.parts.offer import CENTRE, FACTORIES, MAX_FACTORIES, tiles_at

# --- moves -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Take(Written):
    """Take all of a colour from a source (0: the centre) to a target. A game says how both are written."""

    letters: ClassVar[str]
    targets: ClassVar[str]
    source: int
    colour: int
    target: int

    @property
    def text(self) -> str:
        return f"{self.source}{self.letters[self.colour]}{self.targets[self.target]}"


@dataclass(frozen=True, slots=True)
class Draw(Written):
    """Chance: the colour of the next tile from the bag."""

    letters: ClassVar[str]
    colour: int

    @property
    def text(self) -> str:
        return f"+{self.letters[self.colour]}"


# --- why a colour cannot be taken ------------------------------------------------------------------------

NO_FACTORY: Final = 1
NOT_OFFERED: Final = 2
NOT_DRAWN: Final = 3
FIRST_REFUSAL: Final = 4
"""The first number for a game's own refusals."""


@rule
def refused_source(factories: Cells, centre: Cells, places: int, source: int, colour: int) -> int:
    """LEGAL if a source is in play and has tiles of a colour."""
    if source > places:
        return NO_FACTORY
    return LEGAL if tiles_at(factories, centre, source, colour) > 0 else NOT_OFFERED


def source_refusals(colours: Sequence[Message]) -> Refused:
    """What `refused_source` says, with the names of the colours."""

    def not_offered(s: Any, move: Take) -> Message:
        colour = colours[move.colour]
        if move.source == CENTRE:
            return msg("There is no {colour} in the centre.", colour=colour)
        return msg("There is no {colour} on factory {factory}.", colour=colour, factory=move.source)

    return {
        NO_FACTORY: lambda s, move: msg("There are only {n} factories.", n=FACTORIES[s.players]),
        NOT_OFFERED: not_offered,
    }


# --- counting --------------------------------------------------------------------------------------------


@rule
def tiles_off_boards(bag: Cells, used: Cells, factories: Cells, centre: Cells, colour: int) -> int:
    """Tiles of a colour that lie on nobody's board."""
    tiles = int(bag[colour]) + int(used[colour]) + int(centre[colour])
    for place in range(MAX_FACTORIES):
        tiles += int(factories[place, colour])
    return tiles
