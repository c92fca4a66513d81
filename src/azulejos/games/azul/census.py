"""Whether a state adds up and could be played on: positions from outside pass through here."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul.boards import complete_line, has_open_column
from azulejos.games.azul.layout import (
    CAUGHT,
    DIVIDING,
    ENDED,
    EXTRA,
    EXTRA_TILE,
    FILLING,
    FLOOR_SPACES,
    LINES,
    OFFER,
    PLAIN,
    TILES_PER_COLOUR,
    TILING,
    State,
)
from azulejos.games.azul.rounds import place_of
from azulejos.parts.bag import total
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES, MAX_FACTORIES, offer_is_empty


@rule
def census(s: State) -> bool:
    """Twenty tiles of each colour, wherever they are, in places that the rules can bring about."""
    if not (offer_is_sound(s) and lines_are_sound(s) and stage_is_sound(s)):
        return False
    for colour in range(COLOURS):
        tiles = s.bag[colour] + s.lid[colour] + s.centre[colour]
        for place in range(MAX_FACTORIES):
            tiles += s.factories[place, colour]
        for seat in range(s.players):
            tiles += tiles_of(s, seat, colour)
        if tiles != TILES_PER_COLOUR:
            return False
    return True


@rule
def tiles_of(s: State, seat: int, colour: int) -> int:
    """Tiles of a colour on a seat's board."""
    tiles = 0
    for line in range(LINES):
        if s.line_colour[seat, line] == colour:
            tiles += s.line_tiles[seat, line]
        for column in range(LINES):
            if s.wall[seat, line, column] == 1 + colour:
                tiles += 1
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] == 1 + colour:
            tiles += 1
    if s.disc[seat] == CAUGHT + 1 + colour:
        tiles += 1
    return tiles


@rule
def offer_is_sound(s: State) -> bool:
    """Tiles and effects only on factories in play, no effect twice."""
    for place in range(MAX_FACTORIES):
        in_play = place < FACTORIES[s.players]
        if not in_play and (s.effects[place] != PLAIN or total(s.factories[place]) > 0):
            return False
        if s.effects[place] != PLAIN and place_of(s, s.effects[place]) != place:
            return False
    return s.gone < FACTORIES[s.players] and s.dividing < FACTORIES[s.players]


@rule
def lines_are_sound(s: State) -> bool:
    for seat in range(s.players):
        for line in range(LINES):
            if s.line_tiles[seat, line] > line + 1:
                return False
    return True


@rule
def stage_is_sound(s: State) -> bool:
    """Who is to move fits the stage, and there is something to choose."""
    if s.starter >= s.players or s.marker >= s.players:
        return False
    if s.stage == ENDED:
        return s.to_move == OVER and s.ended != 0
    if s.stage == OFFER or s.stage == DIVIDING or s.stage == TILING:
        return 0 <= s.to_move < s.players and seat_can_choose(s)
    if s.stage == FILLING and s.laid >= FACTORIES[s.players] * FACTORY_TILES:
        return False
    if s.stage == EXTRA_TILE and place_of(s, EXTRA) < 0:
        return False
    if s.stage == FILLING or s.stage == EXTRA_TILE:
        return s.to_move == CHANCE and total(s.bag) > 0
    return s.to_move == CHANCE


@rule
def seat_can_choose(s: State) -> bool:
    if s.stage == OFFER:
        return not offer_is_empty(s.factories, s.centre)
    if s.stage == DIVIDING:
        return s.dividing >= 0 and total(s.factories[s.dividing]) > 0
    line = complete_line(s, s.to_move)
    return bool(s.grey) and line >= 0 and has_open_column(s, s.to_move, line)
