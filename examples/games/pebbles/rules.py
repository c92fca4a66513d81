"""The rules of Pebbles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Rules
from azulejos.core.grid import fill
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.points import award
from azulejos.core.verbs import CHANCE, LEGAL, OVER
from azulejos.parts.bag import draw_odds, possible_draws, total

from .layout import COLOURS, PER_COLOUR, State
from .moves import DRAW, NOT_IN_BAG, NOT_IN_BOWL, REFUSED, TAKE, TAKE_NOW, end_reason
from .reasons import PILE


def start(s: State, players: int, options: Mapping[str, str]) -> None:
    s.players = players
    fill(s.bag, PER_COLOUR)
    begin_round(s)


@rule
def begin_round(s: State) -> None:
    """The game is over when the bag holds too few pebbles for another bowl."""
    if total(s.bag) < s.players + 1:
        s.to_move = OVER
    else:
        s.round += 1
        s.to_move = CHANCE


@rule
def draw(s: State, colour: int) -> None:
    s.bag[colour] -= 1
    s.bowl[colour] += 1
    if total(s.bowl) == s.players + 1:
        s.to_move = s.seat


@rule
def take(s: State, colour: int) -> None:
    """n pebbles are worth 1 + 2 + … + n points."""
    count = int(s.bowl[colour])
    s.bowl[colour] = 0
    s.taken[s.to_move, colour] += count
    award(s, s.to_move, count * (count + 1) // 2, PILE, colour)
    s.seat = (s.to_move + 1) % s.players
    if total(s.bowl) == 0:
        begin_round(s)
    else:
        s.to_move = s.seat


# --- the functions of the contract -------------------------------------------------------------------


@rule
def apply(s: State, action: int) -> None:
    if action < DRAW:
        take(s, action - TAKE)
    else:
        draw(s, action - DRAW)


@rule
def legal(s: State, actions: Cells) -> int:
    if s.to_move == OVER:
        return 0
    if s.to_move == CHANCE:
        return possible_draws(s.bag, DRAW, actions)
    return possible_draws(s.bowl, TAKE, actions)


@rule
def refusal(s: State, action: int) -> int:
    if s.to_move == CHANCE:
        return LEGAL if action >= DRAW and s.bag[action - DRAW] > 0 else NOT_IN_BAG
    if s.to_move == OVER or action >= DRAW:
        return TAKE_NOW
    return LEGAL if s.bowl[action - TAKE] > 0 else NOT_IN_BOWL


@rule
def odds(s: State, weights: Cells) -> int:
    return draw_odds(s.bag, weights)


@rule
def standing(s: State, seat: int) -> int:
    return int(s.score[seat])


@rule
def in_turn(s: State) -> bool:
    return False


@rule
def census(s: State) -> bool:
    for colour in range(COLOURS):
        pebbles = int(s.bag[colour]) + int(s.bowl[colour])
        for seat in range(s.players):
            pebbles += int(s.taken[seat, colour])
        if pebbles != PER_COLOUR:
            return False
    return True


RULES: Final = Rules(
    start=start, legal=legal, refusal=refusal, refused=REFUSED, odds=odds, apply=apply, standing=standing,
    in_turn=in_turn, census=census, end_reason=end_reason,
)
