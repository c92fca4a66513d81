"""Checks that a state is consistent and playable; positions from outside must pass them."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul.boards import complete_line, has_open_column
from azulejos.games.azul.layout import (
    CAUGHT, DIVIDING, EMPTY, ENDED, EXTRA, EXTRA_TILE, FILLING, FLOOR_SPACES, LINES, MARKER, NO_DISC, OFFER,
    PLAIN, TILES_PER_COLOUR, TILING, WALL_COLUMN, State,
)
from azulejos.games.azul.rounds import place_of
from azulejos.parts.bag import total
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES, MAX_FACTORIES, offer_is_empty
from azulejos.parts.offer_game import tiles_off_boards


@rule
def census(s: State) -> bool:
    """Twenty tiles of each colour in all, and only arrangements that the rules can produce."""
    if not (offer_is_sound(s) and discs_are_sound(s) and stage_is_sound(s)):
        return False
    for seat in range(s.players):
        if not (lines_are_sound(s, seat) and wall_is_sound(s, seat) and floor_is_sound(s, seat)):
            return False
    for colour in range(COLOURS):
        tiles = tiles_off_boards(s.bag, s.lid, s.factories, s.centre, colour)
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
    """Tiles and effects only on factories in play; no effect appears twice."""
    for place in range(MAX_FACTORIES):
        in_play = place < FACTORIES[s.players]
        if not in_play and (s.effects[place] != PLAIN or total(s.factories[place]) > 0):
            return False
        if s.effects[place] != PLAIN and place_of(s, s.effects[place]) != place:
            return False
    return s.gone < FACTORIES[s.players] and s.dividing < FACTORIES[s.players]


@rule
def discs_are_sound(s: State) -> bool:
    """Effects and ZERO discs occur only with special factories; the place of a taken disc is empty."""
    for place in range(MAX_FACTORIES):
        if s.effects[place] != PLAIN and not s.special:
            return False
    taken = 0
    for seat in range(s.players):
        if s.disc[seat] != NO_DISC:
            taken += 1
    if taken == 0:
        return s.gone < 0
    return taken == 1 and s.gone >= 0 and total(s.factories[s.gone]) == 0 and s.effects[s.gone] == PLAIN


@rule
def lines_are_sound(s: State, seat: int) -> bool:
    """A line holds no more tiles than fit, and no colour that its wall row already has."""
    for line in range(LINES):
        if s.line_tiles[seat, line] > line + 1:
            return False
        for column in range(LINES):
            if s.line_tiles[seat, line] > 0 and s.wall[seat, line, column] == 1 + s.line_colour[seat, line]:
                return False
    return True


@rule
def wall_is_sound(s: State, seat: int) -> bool:
    """Every tile is on the space of its colour; a grey wall has no colour twice in a row or column."""
    for row in range(LINES):
        for column in range(LINES):
            tile = s.wall[seat, row, column]
            if tile == EMPTY:
                continue
            if not s.grey and WALL_COLUMN[row][tile - 1] != column:
                return False
            for other in range(LINES):
                if other != column and s.wall[seat, row, other] == tile:
                    return False
                if other != row and s.wall[seat, other, column] == tile:
                    return False
    return True


@rule
def floor_is_sound(s: State, seat: int) -> bool:
    """Filled from the left; only the holder has the marker, and only once."""
    markers = 1 if s.disc[seat] == CAUGHT + MARKER else 0
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] == MARKER:
            markers += 1
        if space > 0 and s.floor[seat, space] != EMPTY and s.floor[seat, space - 1] == EMPTY:
            return False
    return markers == 0 or (markers == 1 and s.marker == seat)


@rule
def stage_is_sound(s: State) -> bool:
    """The stage agrees with the seat to move, and there is at least one choice."""
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
