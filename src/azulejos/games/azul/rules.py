"""The law of Azul and Master Chocolatier (azul.md, chocolatier.md), and the only copy of it."""

from __future__ import annotations

from collections.abc import Mapping

from azulejos.core.jit import rule
from azulejos.core.layout import Cells
from azulejos.core.points import award
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul.layout import (
    CAUGHT,
    COLOUR_BONUS,
    COLUMN_BONUS,
    DISCS,
    DIVIDING,
    DRY_ROUNDS,
    EFFECTS,
    EMPTY,
    ENDED,
    EXTRA,
    EXTRA_TILE,
    FILLING,
    FLOOR_PENALTY,
    FLOOR_SPACES,
    LINES,
    LOT,
    MARKER,
    NO_DISC,
    NO_TILES,
    OFFER,
    OPEN_DISC,
    PLAIN,
    ROW_BONUS,
    ROW_COMPLETED,
    SPLIT,
    STALLED,
    STAY,
    TILES_PER_COLOUR,
    TILING,
    WALL_COLUMN,
    ZERO,
    State,
)
from azulejos.games.azul.moves import COLUMN, DISC, DIVIDE, DRAW, FLOOR, SEAT, TARGETS
from azulejos.games.azul.reasons import COLOUR, FLOOR_LINE, FULL_COLUMN, FULL_ROW, TILE
from azulejos.parts.bag import can_draw, draw_odds, possible_draws, total
from azulejos.parts.offer import (
    ALL_COLOURS,
    CENTRE,
    COLOURS,
    FACTORIES,
    FACTORY_TILES,
    MAX_FACTORIES,
    lift,
    offer_is_empty,
    possible_takes,
    spread_table,
    sweep,
    tiles_at,
)

# --- tables for bit sets -----------------------------------------------------------------------------

FLOOR_FOR_ALL = sum(1 << (colour * TARGETS + FLOOR) for colour in range(COLOURS))
SPREAD = spread_table(TARGETS)

# --- the start ---------------------------------------------------------------------------------------


def start(s: State, players: int, options: Mapping[str, str]) -> None:
    """All tiles in the bag; the first start player is drawn by lot or given."""
    s.players = players
    s.grey = int(options["wall"] == "grey")
    s.special = int(options["factories"] == "special")
    s.free_split = int(options["split"] == "free")
    s.bag[:] = TILES_PER_COLOUR
    s.gone = s.dividing = s.marker = -1
    if options["start"] == "lot":
        s.stage = LOT
        s.to_move = CHANCE
    else:
        seat = int(options["start"]) - 1
        if seat >= players:
            raise ValueError(f"start is seat {seat + 1}, but there are {players} players")
        s.starter = seat
        begin_round(s)


# --- setting up a round ------------------------------------------------------------------------------


@rule
def begin_round(s: State) -> None:
    """The marker's holder starts (azul.md 7); special discs are shuffled anew (chocolatier.md 2)."""
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
def turn_disc(s: State, place: int, effect: int) -> None:
    """As many discs are turned over as there are players (chocolatier.md 2)."""
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
    """Factory 1 first, four tiles each, one by one, as long as there are tiles (azul.md 8)."""
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
    """NEIGHBOUR discs attract, then the start player moves; without any tile the game ends."""
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
    """One tile of the disc's colour from each neighbour that has one (chocolatier.md 3)."""
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
    """The next disc of the circle to the left (-1) or right (1); a taken disc is skipped."""
    factories = FACTORIES[s.players]
    other = (place + step) % factories
    if other == s.gone:
        other = (other + step) % factories
    return other


# --- a turn ------------------------------------------------------------------------------------------


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
    """All tiles of one colour from one source, into one line or onto the floor; True: divide the rest."""
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
    """The factory's other tiles, by its effect; True if the seat has to divide them."""
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
def put(s: State, seat: int, colour: int, tiles: int, target: int) -> None:
    """As many as fit into the line, the others fall (azul.md 3)."""
    fitting = 0
    if target != FLOOR:
        fitting = min(tiles, target + 1 - s.line_tiles[seat, target])
        s.line_colour[seat, target] = colour
        s.line_tiles[seat, target] += fitting
    for _ in range(tiles - fitting):
        drop(s, seat, 1 + colour)


@rule
def drop(s: State, seat: int, piece: int) -> None:
    """A piece falls: onto an open ZERO disc, the leftmost free floor space, or past a full floor."""
    for space in range(FLOOR_SPACES):
        if s.floor[seat, space] == EMPTY:
            if s.disc[seat] == OPEN_DISC:
                s.disc[seat] = CAUGHT + piece
            else:
                s.floor[seat, space] = piece
            return
    if piece != MARKER:
        s.lid[piece - 1] += 1


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
    """Clockwise, until the offer is empty (azul.md 4)."""
    if offer_is_empty(s.factories, s.centre):
        tile_walls(s, s.starter)
    else:
        s.stage = OFFER
        s.to_move = (s.to_move + 1) % s.players


# --- wall tiling -------------------------------------------------------------------------------------


@rule
def tile_walls(s: State, seat: int) -> None:
    """Each seat from `seat` on tiles its wall and pays its floor; a column choice interrupts (14)."""
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
    """Complete lines from top to bottom (azul.md 5); True if a column has to be chosen."""
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
def complete_line(s: State, seat: int) -> int:
    """The topmost complete line, or -1."""
    for line in range(LINES):
        if s.line_tiles[seat, line] == line + 1:
            return line
    return -1


@rule
def set_tile(s: State, seat: int, line: int, column: int) -> None:
    """One tile to the wall, which scores; the line's others to the lid (azul.md 5)."""
    colour = s.line_colour[seat, line]
    s.wall[seat, line, column] = 1 + colour
    s.lid[colour] += line
    s.line_tiles[seat, line] = 0
    s.line_colour[seat, line] = 0
    s.tiled = 1
    award(s, seat, tile_points(s, seat, line, column), TILE, line * LINES + column)


@rule
def tile_points(s: State, seat: int, row: int, column: int) -> int:
    """The runs through a tile count from 2 on; a lonely tile is 1 point (azul.md 6)."""
    across = 1 + run(s, seat, row, column, 0, -1) + run(s, seat, row, column, 0, 1)
    down = 1 + run(s, seat, row, column, -1, 0) + run(s, seat, row, column, 1, 0)
    if across == 1:
        return down
    if down == 1:
        return across
    return across + down


@rule
def run(s: State, seat: int, row: int, column: int, down: int, right: int) -> int:
    """Tiles in a row, starting beside a space and going in one direction."""
    length = 0
    row += down
    column += right
    while 0 <= row < LINES and 0 <= column < LINES and s.wall[seat, row, column] != EMPTY:
        length += 1
        row += down
        column += right
    return length


@rule
def column_is_open(s: State, seat: int, line: int, column: int) -> bool:
    """Grey wall: a free space whose column does not hold the colour yet (azul.md 11)."""
    if s.wall[seat, line, column] != EMPTY:
        return False
    for row in range(LINES):
        if s.wall[seat, row, column] == 1 + s.line_colour[seat, line]:
            return False
    return True


@rule
def has_open_column(s: State, seat: int, line: int) -> bool:
    for column in range(LINES):
        if column_is_open(s, seat, line, column):
            return True
    return False


@rule
def line_falls(s: State, seat: int, line: int) -> None:
    """A line that fits nowhere falls to the floor, all of it (azul.md 13)."""
    for _ in range(line + 1):
        drop(s, seat, 1 + s.line_colour[seat, line])
    s.line_tiles[seat, line] = 0
    s.line_colour[seat, line] = 0


@rule
def charge_floor(s: State, seat: int) -> None:
    """Penalties, never below 0; floor tiles go to the lid (azul.md 7)."""
    occupied = 0
    for space in range(FLOOR_SPACES):
        piece = s.floor[seat, space]
        if piece != EMPTY:
            occupied += 1
            if piece != MARKER:
                s.lid[piece - 1] += 1
            s.floor[seat, space] = EMPTY
    loss = min(FLOOR_PENALTY[occupied], s.score[seat])
    if loss > 0:
        award(s, seat, -loss, FLOOR_LINE, -1)


# --- the end of a round and of the game --------------------------------------------------------------


@rule
def end_round(s: State) -> None:
    """A complete row ends the game, and so do five rounds without progress (azul.md 8)."""
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
def return_discs(s: State) -> None:
    """A taken ZERO disc comes back; a tile on it goes to the lid (chocolatier.md 5)."""
    for seat in range(s.players):
        piece = s.disc[seat] - CAUGHT
        if piece > 0 and piece != MARKER:
            s.lid[piece - 1] += 1
        s.disc[seat] = NO_DISC


@rule
def end_game(s: State, reason: int) -> None:
    """Bonuses for rows, columns and colours (azul.md 9)."""
    s.stage = ENDED
    s.to_move = OVER
    s.ended = reason
    for seat in range(s.players):
        award(s, seat, ROW_BONUS * complete_rows(s, seat), FULL_ROW, -1)
        award(s, seat, COLUMN_BONUS * complete_columns(s, seat), FULL_COLUMN, -1)
        award(s, seat, COLOUR_BONUS * complete_colours(s, seat), COLOUR, -1)


@rule
def complete_rows(s: State, seat: int) -> int:
    rows = 0
    for row in range(LINES):
        tiles = 0
        for column in range(LINES):
            if s.wall[seat, row, column] != EMPTY:
                tiles += 1
        if tiles == LINES:
            rows += 1
    return rows


@rule
def complete_columns(s: State, seat: int) -> int:
    columns = 0
    for column in range(LINES):
        tiles = 0
        for row in range(LINES):
            if s.wall[seat, row, column] != EMPTY:
                tiles += 1
        if tiles == LINES:
            columns += 1
    return columns


@rule
def complete_colours(s: State, seat: int) -> int:
    colours = 0
    for colour in range(COLOURS):
        tiles = 0
        for row in range(LINES):
            for column in range(LINES):
                if s.wall[seat, row, column] == 1 + colour:
                    tiles += 1
        if tiles == LINES:
            colours += 1
    return colours


@rule
def standing(s: State, seat: int) -> int:
    """Points, then complete rows (azul.md 10)."""
    return int(s.score[seat]) * (LINES + 1) + complete_rows(s, seat)


# --- the verbs of the contract -----------------------------------------------------------------------


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
        return choices(s, COLUMN, DIVIDE, actions)
    if s.stage == DIVIDING:
        return choices(s, DIVIDE, DRAW, actions)
    if s.stage == DISCS:
        return choices(s, DISC, SEAT, actions)
    if s.stage == LOT:
        return choices(s, SEAT, SEAT + s.players, actions)
    return 0


@rule
def choices(s: State, first: int, end: int, actions: Cells) -> int:
    n = 0
    for action in range(first, end):
        if is_legal(s, action):
            actions[n] = action
            n += 1
    return n


@rule
def legal_takes(s: State, actions: Cells) -> int:
    targets = open_targets(s, s.to_move)
    return possible_takes(s.factories, s.centre, FACTORIES[s.players], targets, TARGETS, actions)


@rule
def open_targets(s: State, seat: int) -> int:
    """A bit set: may a colour go to a target? Bit colour * TARGETS + target."""
    targets = FLOOR_FOR_ALL
    for line in range(LINES):
        targets |= SPREAD[colours_for(s, seat, line)] << line
    return int(targets)


@rule
def line_accepts(s: State, seat: int, line: int, colour: int) -> bool:
    return bool(colours_for(s, seat, line) >> colour & 1)


@rule
def colours_for(s: State, seat: int, line: int) -> int:
    """The colours that a line takes, as a bit set (azul.md 3): a full line none, a begun line its own,
    an empty line all that its wall row does not hold."""
    tiles = s.line_tiles[seat, line]
    held = 0
    for column in range(LINES):
        held |= 1 << int(s.wall[seat, line, column])
    not_in_row = ALL_COLOURS & ~(held >> 1)
    own = 1 << int(s.line_colour[seat, line])
    return not_in_row * int(tiles == 0) + own * int(0 < tiles <= line)


@rule
def is_legal(s: State, action: int) -> bool:
    if action < COLUMN:
        source, colour = action // TARGETS // COLOURS, action // TARGETS % COLOURS
        return s.stage == OFFER and may_take(s, source, colour, action % TARGETS)
    if action < DIVIDE:
        if s.stage != TILING:
            return False
        return column_is_open(s, s.to_move, complete_line(s, s.to_move), action - COLUMN)
    if action < DRAW:
        return s.stage == DIVIDING and may_divide(s, action - DIVIDE)
    if action < DISC:
        return (s.stage == FILLING or s.stage == EXTRA_TILE) and bool(s.bag[action - DRAW] > 0)
    if action < SEAT:
        return s.stage == DISCS and may_turn(s, (action - DISC) // EFFECTS, (action - DISC) % EFFECTS + 1)
    return s.stage == LOT and action - SEAT < s.players


@rule
def may_take(s: State, source: int, colour: int, target: int) -> bool:
    if source > FACTORIES[s.players]:
        return False
    if tiles_at(s.factories, s.centre, source, colour) == 0:
        return False
    return target == FLOOR or line_accepts(s, s.to_move, target, colour)


@rule
def may_turn(s: State, place: int, effect: int) -> bool:
    """Places and effects are drawn without replacement."""
    if place >= FACTORIES[s.players] or s.effects[place] != PLAIN:
        return False
    return place_of(s, effect) < 0


@rule
def may_divide(s: State, left_colours: int) -> bool:
    """Colours that are there; as even as possible, unless the table divides freely (chocolatier.md 4)."""
    for colour in range(COLOURS):
        if left_colours >> colour & 1 and s.factories[s.dividing, colour] == 0:
            return False
    if s.free_split:
        return True
    best = imbalance(s, 0)
    for other in range(1, 1 << COLOURS):
        best = min(best, imbalance(s, other))
    return imbalance(s, left_colours) == best


@rule
def imbalance(s: State, left_colours: int) -> int:
    """How unevenly a division of the tiles on the SPLIT disc would turn out."""
    difference = 0
    for colour in range(COLOURS):
        tiles = s.factories[s.dividing, colour]
        difference += tiles if left_colours >> colour & 1 else -tiles
    return abs(difference)


@rule
def odds(s: State, weights: Cells) -> int:
    """Tiles by their number in the bag; discs and the lot evenly."""
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
    for i in range(outcomes):
        weights[i] = 1
    return outcomes


@rule
def in_turn(s: State) -> bool:
    """After a take the SPLIT division is due; columns belong to one tiling."""
    return s.stage == DIVIDING


@rule
def census(s: State) -> bool:
    """Twenty tiles of each colour, wherever they are."""
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
