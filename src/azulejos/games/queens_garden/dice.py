"""Random draws of Queen's Garden without listing what is possible. The law is in `rules` alone."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Dice
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, listed_action
from azulejos.games.queens_garden.components import STACK_TILES
from azulejos.games.queens_garden.display import lay_tile, tiles_on
from azulejos.games.queens_garden.layout import FILLING, TURNING_UP, State
from azulejos.games.queens_garden.rules import apply, fill_on, turn_up
from azulejos.parts.bag import drawn_kind, total


@rule
def deal(s: State, actions: Cells, weights: Cells, rng: Cells) -> None:
    while s.to_move == CHANCE:
        if s.stage == FILLING:
            fill_top(s, rng)
            fill_on(s)
        elif s.stage == TURNING_UP:
            turn_up(s, drawn_kind(s.unseen, total(s.unseen), rng))
        else:
            apply(s, listed_action(s, actions, weights, rng))


@rule
def fill_top(s: State, rng: Cells) -> None:
    """Lay tiles on the stack's top until there are four, or the bag is empty and has to be refilled."""
    tiles = total(s.bag)
    wanted = STACK_TILES - tiles_on(s, s.top)
    while wanted > 0 and tiles > 0:
        lay_tile(s, drawn_kind(s.bag, tiles, rng))
        tiles -= 1
        wanted -= 1


DICE: Final = Dice(deal=deal)
