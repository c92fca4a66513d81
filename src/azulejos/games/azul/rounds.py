"""The phases of a round: discs, deal, wall tiling, end of the game (azul.md 4-9, chocolatier.md 2-5)."""

from __future__ import annotations

from azulejos.core.jit import rule
from azulejos.core.points import award
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul.boards import (
    charge_floor, complete_colours, complete_columns, complete_line, complete_rows, has_open_column,
    line_falls, set_tile,
)
from azulejos.games.azul.layout import (
    CAUGHT, COLOUR_BONUS, COLUMN_BONUS, DISCS, DRY_ROUNDS, ENDED, EXTRA, EXTRA_TILE, FILLING, MARKER,
    NO_DISC, NO_TILES, OFFER, PLAIN, ROW_BONUS, ROW_COMPLETED, STALLED, TILING, WALL_COLUMN, State,
)
from azulejos.games.azul.reasons import COLOUR, FULL_COLUMN, FULL_ROW
from azulejos.parts.bag import can_draw
from azulejos.parts.offer import COLOURS, FACTORIES, FACTORY_TILES, MAX_FACTORIES, offer_is_empty


@rule
def begin_round(s: State) -> None:
    """The holder of the marker starts (azul.md 7); special discs are shuffled (chocolatier.md 2)."""
    return_discs(s)
    s.round += 1
    if s.marker >= 0:
        s.starter = s.marker
    s.marker = -1
    s.laid = 0
    s.tiled = 0
    s.gone = -1
    for place in range(MAX_FACTORIES):
        s.effects[place] = PLAIN
    if s.special:
        s.stage = DISCS
        s.to_move = CHANCE
    else:
        s.stage = FILLING
        fill_on(s)


@rule
def return_discs(s: State) -> None:
    """Return taken ZERO discs; tiles on them go to the lid (chocolatier.md 5)."""
    for seat in range(s.players):
        piece = s.disc[seat] - CAUGHT
        if piece > 0 and piece != MARKER:
            s.lid[piece - 1] += 1
        s.disc[seat] = NO_DISC


@rule
def turn_disc(s: State, place: int, effect: int) -> None:
    """Turn a disc face up; each round has as many of them as players (chocolatier.md 2)."""
    s.effects[place] = effect
    turned = 0
    for other in range(MAX_FACTORIES):
        if s.effects[other] != PLAIN:
            turned += 1
    if turned == s.players:
        s.stage = FILLING
        fill_on(s)


@rule
def fill_on(s: State) -> None:
    """Fill the factories in order with four tiles each, one by one, while tiles last (azul.md 8)."""
    if s.laid < FACTORIES[s.players] * FACTORY_TILES:
        if can_draw(s.bag, s.lid):
            s.to_move = CHANCE
            return
    elif place_of(s, EXTRA) >= 0 and can_draw(s.bag, s.lid):
        s.stage = EXTRA_TILE
        s.to_move = CHANCE
        return
    open_offer(s)


@rule
def lay_tile(s: State, colour: int) -> None:
    s.bag[colour] -= 1
    if s.stage == EXTRA_TILE:
        s.factories[place_of(s, EXTRA), colour] += 1
        open_offer(s)
    else:
        s.factories[s.laid // FACTORY_TILES, colour] += 1
        s.laid += 1
        fill_on(s)


@rule
def open_offer(s: State) -> None:
    """Resolve NEIGHBOUR discs, then the start player moves; if there is no tile at all, the game ends."""
    for place in range(FACTORIES[s.players]):
        if PLAIN < s.effects[place] <= COLOURS:
            attract(s, place, s.effects[place] - 1)
    if offer_is_empty(s.factories, s.centre):
        end_game(s, NO_TILES)
    else:
        s.stage = OFFER
        s.to_move = s.starter


@rule
def attract(s: State, place: int, colour: int) -> None:
    """Move one tile of the disc's colour from each neighbour that has one (chocolatier.md 3)."""
    for step in (-1, 1):
        other = neighbour(s, place, step)
        if s.factories[other, colour] > 0:
            s.factories[other, colour] -= 1
            s.factories[place, colour] += 1


@rule
def place_of(s: State, effect: int) -> int:
    for place in range(FACTORIES[s.players]):
        if s.effects[place] == effect:
            return place
    return -1


@rule
def neighbour(s: State, place: int, step: int) -> int:
    """The next disc of the circle to the left (-1) or right (1), skipping taken discs."""
    factories = FACTORIES[s.players]
    other = (place + step) % factories
    if other == s.gone:
        other = (other + step) % factories
    return other


@rule
def tile_walls(s: State, seat: int) -> None:
    """Tile walls and charge floor lines from `seat` on; a column choice interrupts this (azul.md 14)."""
    while True:
        if tile_lines(s, seat):
            s.stage = TILING
            s.to_move = seat
            return
        charge_floor(s, seat)
        seat = (seat + 1) % s.players
        if seat == s.starter:
            break
    end_round(s)


@rule
def tile_lines(s: State, seat: int) -> bool:
    """Tile complete lines from top to bottom (azul.md 5); True if a column has to be chosen first."""
    line = complete_line(s, seat)
    while line >= 0:
        if not s.grey:
            set_tile(s, seat, line, WALL_COLUMN[line][s.line_colour[seat, line]])
        elif has_open_column(s, seat, line):
            return True
        else:
            line_falls(s, seat, line)
        line = complete_line(s, seat)
    return False


@rule
def end_round(s: State) -> None:
    """End the game after a complete row or five rounds without a new wall tile (azul.md 8)."""
    s.dry_rounds = 0 if s.tiled else s.dry_rounds + 1
    for seat in range(s.players):
        if complete_rows(s, seat) > 0:
            end_game(s, ROW_COMPLETED)
            return
    if s.dry_rounds == DRY_ROUNDS:
        end_game(s, STALLED)
    else:
        begin_round(s)


@rule
def end_game(s: State, reason: int) -> None:
    """Score the bonuses for rows, columns and colours (azul.md 9)."""
    s.stage = ENDED
    s.to_move = OVER
    s.ended = reason
    for seat in range(s.players):
        award(s, seat, ROW_BONUS * complete_rows(s, seat), FULL_ROW, -1)
        award(s, seat, COLUMN_BONUS * complete_columns(s, seat), FULL_COLUMN, -1)
        award(s, seat, COLOUR_BONUS * complete_colours(s, seat), COLOUR, -1)
