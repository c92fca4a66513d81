"""The rules of Azul and Master Chocolatier (azul.md, chocolatier.md): turns and the functions of the
contract.

`rounds` has the phases of a round, `boards` the changes to one player's board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azulejos.core.contract import Rules
from azulejos.core.game import first_seat
from azulejos.core.grid import fill
from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import CHANCE, LEGAL
from azulejos.games.azul.boards import (
    colours_for, complete_line, complete_rows, drop, put, refused_column, refused_line, set_tile,
)
from azulejos.games.azul.census import census as census
from azulejos.games.azul.layout import (
    COLUMN_NOW, DISCS, DIVIDE_NOW, DIVIDING, EFFECTS, EXTRA_TILE, FILLING, LINES, LOT, MARKER,
    NOT_TO_DIVIDE, OFFER, OPEN_DISC, PLAIN, SPLIT, STAY, TAKE_NOW, TILES_PER_COLOUR, TILING, UNEVEN, ZERO,
    State,
)
from azulejos.games.azul.moves import COLUMN, DISC, DIVIDE, DRAW, FLOOR, REFUSED, SEAT, TARGETS, end_reason
from azulejos.games.azul.rounds import begin_round, lay_tile, neighbour, place_of, tile_walls, turn_disc
from azulejos.parts.bag import draw_odds, even_odds, possible_draws, total
from azulejos.parts.listing import choices
from azulejos.parts.offer import (
    CENTRE, COLOURS, FACTORIES, lift, offer_is_empty, possible_takes, spread_table, sweep,
)
from azulejos.parts.offer_game import NOT_DRAWN, refused_source

FLOOR_FOR_ALL = sum(1 << (colour * TARGETS + FLOOR) for colour in range(COLOURS))
SPREAD = spread_table(TARGETS)


def start(s: State, players: int, options: Mapping[str, str]) -> None:
    """All tiles are in the bag; the first start player is drawn by lot or given."""
    s.players = players
    s.grey = int(options["wall"] == "grey")
    s.special = int(options["factories"] == "special")
    s.free_split = int(options["split"] == "free")
    fill(s.bag, TILES_PER_COLOUR)
    s.gone = s.dividing = s.marker = -1
    seat = first_seat(players, options)
    if seat is None:
        s.stage = LOT
        s.to_move = CHANCE
    else:
        s.starter = seat
        begin_round(s)


@rule
def take(s: State, source: int, colour: int, target: int) -> None:
    """A turn: take and place, then divide the rest or pass the turn on (azul.md 2-3)."""
    if take_tiles(s, source, colour, target):
        s.stage = DIVIDING
        s.dividing = source - 1
    else:
        next_turn(s)


@rule
def take_tiles(s: State, source: int, colour: int, target: int) -> bool:
    """Take all tiles of one colour from one source and place them; True if the rest must be divided."""
    seat = s.to_move
    tiles = lift(s.factories, s.centre, source, colour)
    divides = False
    if source == CENTRE:
        if s.marker < 0:
            s.marker = seat
            drop(s, seat, MARKER)
    else:
        divides = leave_rest(s, seat, source - 1)
    put(s, seat, colour, tiles, target)
    return divides


@rule
def leave_rest(s: State, seat: int, place: int) -> bool:
    """Move the factory's other tiles according to its effect; True if the seat has to divide them."""
    effect = s.effects[place]
    if effect == STAY:
        return False
    if effect == SPLIT:
        return total(s.factories[place]) > 0
    sweep(s.factories, s.centre, place)
    if effect == ZERO:
        s.gone = place
        s.effects[place] = PLAIN
        s.disc[seat] = OPEN_DISC
    return False


@rule
def divide(s: State, left_colours: int) -> None:
    """SPLIT: the colours of the bit set go to the left neighbour, the others to the right one."""
    place = s.dividing
    left = neighbour(s, place, -1)
    right = neighbour(s, place, 1)
    for colour in range(COLOURS):
        side = left if left_colours >> colour & 1 else right
        s.factories[side, colour] += s.factories[place, colour]
        s.factories[place, colour] = 0
    s.dividing = -1
    next_turn(s)


@rule
def next_turn(s: State) -> None:
    """Continue clockwise until no tiles are on offer (azul.md 4)."""
    if offer_is_empty(s.factories, s.centre):
        tile_walls(s, s.starter)
    else:
        s.stage = OFFER
        s.to_move = (s.to_move + 1) % s.players


@rule
def standing(s: State, seat: int) -> int:
    """Points, then complete rows (azul.md 10)."""
    return int(s.score[seat]) * (LINES + 1) + complete_rows(s, seat)


@rule
def apply(s: State, action: int) -> None:
    if action < COLUMN:
        take(s, action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS)
    elif action < DIVIDE:
        set_tile(s, s.to_move, complete_line(s, s.to_move), action - COLUMN)
        tile_walls(s, s.to_move)
    elif action < DRAW:
        divide(s, action - DIVIDE)
    elif action < DISC:
        lay_tile(s, action - DRAW)
    elif action < SEAT:
        turn_disc(s, (action - DISC) // EFFECTS, (action - DISC) % EFFECTS + 1)
    else:
        s.starter = action - SEAT
        begin_round(s)


@rule
def legal(s: State, actions: Cells) -> int:
    if s.stage == OFFER:
        return legal_takes(s, actions)
    if s.stage == FILLING or s.stage == EXTRA_TILE:
        return possible_draws(s.bag, DRAW, actions)
    if s.stage == TILING:
        return choices(s, COLUMN, DIVIDE, 0, actions)
    if s.stage == DIVIDING:
        return legal_divisions(s, actions)
    if s.stage == DISCS:
        return choices(s, DISC, SEAT, 0, actions)
    if s.stage == LOT:
        return choices(s, SEAT, SEAT + s.players, 0, actions)
    return 0


@rule
def legal_takes(s: State, actions: Cells) -> int:
    targets = open_targets(s, s.to_move)
    return possible_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, actions)


@rule
def legal_divisions(s: State, actions: Cells) -> int:
    """What `refused_division` allows, with the most even division looked for once."""
    there = 0
    for colour in range(COLOURS):
        there |= int(s.factories[s.dividing, colour] > 0) << colour
    best = most_even(s)
    n = 0
    for left_colours in range(1 << COLOURS):
        if left_colours & ~there == 0 and (s.free_split or imbalance(s, left_colours) == best):
            actions[n] = DIVIDE + left_colours
            n += 1
    return n


@rule
def open_targets(s: State, seat: int) -> int:
    """Bit colour * TARGETS + target is set if the colour may go to the target."""
    targets = FLOOR_FOR_ALL
    for line in range(LINES):
        targets |= int(SPREAD[colours_for(s, seat, line)]) << line
    return targets


@rule
def refusal(s: State, action: int) -> int:
    if s.stage == OFFER:
        if action >= COLUMN:
            return TAKE_NOW
        return refused_take(s, action // TARGETS // COLOURS, action // TARGETS % COLOURS, action % TARGETS)
    if s.stage == TILING:
        if action < COLUMN or action >= DIVIDE:
            return COLUMN_NOW
        return refused_column(s, s.to_move, complete_line(s, s.to_move), action - COLUMN)
    if s.stage == DIVIDING:
        if action < DIVIDE or action >= DRAW:
            return DIVIDE_NOW
        return refused_division(s, action - DIVIDE)
    return LEGAL if may_come(s, action) else NOT_DRAWN


@rule
def refused_take(s: State, source: int, colour: int, target: int) -> int:
    refused = refused_source(s.factories, s.centre, FACTORIES[s.players], source, colour)
    if refused != LEGAL or target == FLOOR:
        return refused
    return refused_line(s, s.to_move, target, colour)


@rule
def may_come(s: State, action: int) -> bool:
    """Whether a draw may have this outcome."""
    if s.stage == FILLING or s.stage == EXTRA_TILE:
        return DRAW <= action < DISC and bool(s.bag[action - DRAW] > 0)
    if s.stage == DISCS:
        if action < DISC or action >= SEAT:
            return False
        return may_turn(s, (action - DISC) // EFFECTS, (action - DISC) % EFFECTS + 1)
    return s.stage == LOT and SEAT <= action < SEAT + s.players


@rule
def may_turn(s: State, place: int, effect: int) -> bool:
    """Each place and each effect is drawn at most once."""
    if place >= FACTORIES[s.players] or s.effects[place] != PLAIN:
        return False
    return place_of(s, effect) < 0


@rule
def refused_division(s: State, left_colours: int) -> int:
    """LEGAL for colours on the disc, divided as evenly as possible unless any division is allowed
    (chocolatier.md 4)."""
    for colour in range(COLOURS):
        if left_colours >> colour & 1 and s.factories[s.dividing, colour] == 0:
            return NOT_TO_DIVIDE
    if s.free_split or imbalance(s, left_colours) == most_even(s):
        return LEGAL
    return UNEVEN


@rule
def most_even(s: State) -> int:
    """The least imbalance of all divisions."""
    best = imbalance(s, 0)
    for other in range(1, 1 << COLOURS):
        best = min(best, imbalance(s, other))
    return best


@rule
def imbalance(s: State, left_colours: int) -> int:
    """Difference in tiles between the two sides of a SPLIT division."""
    difference = 0
    for colour in range(COLOURS):
        tiles = s.factories[s.dividing, colour]
        difference += tiles if left_colours >> colour & 1 else -tiles
    return abs(difference)


@rule
def odds(s: State, weights: Cells) -> int:
    """Tiles in proportion to their number in the bag; discs and start players equally likely."""
    if s.stage == FILLING or s.stage == EXTRA_TILE:
        return draw_odds(s.bag, weights)
    outcomes = 0
    if s.stage == LOT:
        outcomes = s.players
    elif s.stage == DISCS:
        free_places = 0
        for place in range(FACTORIES[s.players]):
            if s.effects[place] == PLAIN:
                free_places += 1
        outcomes = free_places * (EFFECTS - FACTORIES[s.players] + free_places)
    return even_odds(outcomes, weights)


@rule
def in_turn(s: State) -> bool:
    """After a take, the SPLIT division belongs to the same turn; column choices belong to one tiling."""
    return s.stage == DIVIDING


RULES: Final = Rules(
    start=start, legal=legal, refusal=refusal, refused=REFUSED, odds=odds, apply=apply, standing=standing,
    in_turn=in_turn, census=census, steps=frozenset({COLUMN_NOW, DIVIDE_NOW}),
    end_reason=end_reason, round_end=tile_walls,
)
