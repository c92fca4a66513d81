"""The panels of the plan, and the pieces on them: a player's garden and storage, display, supply, dial."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from azulejos.core.message import Message, msg, nmsg, raw, whole
from azulejos.core.scene import (
    BROAD, GROUP, PHONE, SMALL, WIDE, Label, Lying, Panel, Piece, Plan, Point, Slot, by_slot,
)
from azulejos.games.queens_garden.components import (
    BENCH, CELLS, CENTRES_AT, COLOURS, COORDINATES, ELEMENTS_AT, EXPANSION_SPACES, FACE_DOWN_PRICE, FIELDS,
    HEXAGONS, PAVILION, PLACES, ROUNDS, STACK, STATUE,
)
from azulejos.games.queens_garden.garden import centre_of, direction_of, place_of
from azulejos.games.queens_garden.layout import (
    BACK, EMPTY, HELD_BACK, HELD_EXPANSION, HELD_TILE, NO_EXPANSION, NOTHING, State,
)
from azulejos.games.queens_garden.moves import (
    FIELD_KINDS, FIELD_NAMES, cell_text, field_text, hexagon_name, hexagon_text, kind,
)
from azulejos.games.queens_garden.scoring import worth
from azulejos.games.queens_garden.wheel import ROUND_FIELDS, Wheel

ROW: Final = 0.75**0.5
"""Distance between two rows of hexagons."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardForm:
    """Places in hexagons, from the top left corner of the board."""

    width: float
    height: float
    middle: Point
    turned: bool = False
    """Hexagons lie on a side: on a phone the garden fills the width, and its four corners are free."""
    storage: tuple[Point, ...]
    """The twelve spaces."""
    space: float
    expansions: tuple[Point, Point]
    hand: Point
    marker: Point
    name: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Place and size; size 0: not shown."""
    score: tuple[float, float, float] = (0.0, 0.0, 0.0)
    groups: tuple[float, float, float] = (0.0, 0.0, 0.0)
    passed: tuple[float, float, float] = (0.0, 0.0, 0.0)
    anchors: tuple[str, str] = ("start", "end")
    """Of name and passed; of score and groups."""


def _rows(count: int, across: int, start: Point, step: Point) -> tuple[Point, ...]:
    return tuple((start[0] + i % across * step[0], start[1] + i // across * step[1]) for i in range(count))


SMALL_BOARD: Final = BoardForm(
    width=9.9, height=9.3, middle=(4.95, 4.1), storage=_rows(12, 12, (0.58, 8.8), (0.795, 0.0)),
    space=0.78, expansions=((0.65, 7.5), (1.75, 7.8)), hand=(9.2, 0.7), marker=(9.2, 7.6),
)
BOARDS: Final = {
    WIDE: BoardForm(
        width=10.4, height=11.7, middle=(5.2, 4.95), storage=_rows(12, 12, (0.75, 9.6), (0.81, 0.0)),
        space=0.8, expansions=((0.85, 10.85), (2.05, 10.85)), hand=(5.2, 10.85), marker=(9.5, 10.85),
        name=(0.5, 0.75, 0.52), score=(9.9, 0.85, 0.85), groups=(9.95, 1.42, 0.3), passed=(0.5, 1.3, 0.34),
    ),
    PHONE: BoardForm(
        width=8.6, height=11.7, middle=(4.3, 4.75), turned=True,
        storage=_rows(12, 6, (0.72, 10.0), (1.17, 1.08)), space=1.0,
        expansions=((7.85, 10.0), (7.85, 11.08)), hand=(0.75, 8.75), marker=(7.85, 8.75),
        score=(0.3, 0.65, 0.85), groups=(0.3, 1.3, 0.36), passed=(0.3, 1.75, 0.36),
        anchors=("start", "start"),
    ),
    SMALL: SMALL_BOARD,
    BROAD: SMALL_BOARD,
}


class Laid(NamedTuple):
    """What a scene adds to the plan."""

    lies: dict[str, Lying]
    places: dict[str, Slot | None]
    labels: dict[str, Label]


def held_hexagon(s: State) -> int:
    """The hexagon of the piece in the hand; -1 for a face-down expansion or an empty hand."""
    if s.held in (NOTHING, HELD_BACK):
        return -1
    return int(s.held) - (HELD_EXPANSION if s.held >= HELD_EXPANSION else HELD_TILE)


def board(seat: int, form: str) -> Panel:
    """An empty garden and storage."""
    at = BOARDS[form]
    name = Label(raw(""), *at.name, at.anchors[0], "strong called", id=f"name{seat + 1}")
    labels = (name, _score(0, seat, form), _groups(0, seat, form), _passed(raw(""), seat, form))
    slots = (*_places(seat, at), *_elements(seat, at), *_cells(seat, at), *_storage(seat, at))
    return Panel(f"seat{seat + 1}", raw(""), at.width, at.height, slots, (), labels, seat, turned=at.turned)


@functools.lru_cache(maxsize=1024)
def _score(points: int, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    return Label(raw(whole(points)), *at.score, at.anchors[1], "score", id=f"score{seat + 1}")


@functools.lru_cache(maxsize=1024)
def _groups(points: int, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    text = msg("groups {points}", points=f"+{points}") if points else raw("")
    return Label(text, *at.groups, at.anchors[1], "quiet", id=f"groups{seat + 1}")


@functools.cache
def _passed(text: Message, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    return Label(text, *at.passed, at.anchors[0], "quiet", id=f"passed{seat + 1}")


def _at(coordinates: tuple[int, int], at: BoardForm) -> Point:
    """The middle of a hexagon; in a turned garden, rotated by 30 degrees around the fountain."""
    q, r = coordinates
    x, y = (1.5 * q / 3**0.5, r + q / 2) if at.turned else (q + r / 2, r * ROW)
    return at.middle[0] + x, at.middle[1] + y


def _places(seat: int, at: BoardForm) -> Iterator[Slot]:
    """Beds for expansions, and the flower shapes of the expansions placed there."""
    for place in range(PLACES):
        name, middle = msg("place {n} for an expansion", n=place + 1), _at(CENTRES_AT[place], at)
        yield Slot(f"seat{seat + 1}.place{place + 1}", *middle, name, 3.0, 3.0, "bed")
        yield Slot(f"seat{seat + 1}.flower{place + 1}", *middle, name, 3.0, 3.0, "flower", optional=True)


ELEMENTS: Final = {"bench": msg("bench"), "statue": msg("statue"), "fountain": msg("fountain")}


def _element(element: int) -> tuple[str, str]:
    """The kind of an element, and the last part of its slot's id."""
    if element < STATUE:
        return "fountain", "fountain"
    what, first = ("bench", BENCH) if element >= BENCH else ("statue", STATUE)
    return what, f"{what}{element - first + 1}"


def _elements(seat: int, at: BoardForm) -> Iterator[Slot]:
    for element in range(PAVILION):
        what, end = _element(element)
        yield Slot(f"seat{seat + 1}.{end}", *_at(ELEMENTS_AT[element], at), ELEMENTS[what], shape="hex")


@functools.cache
def _lying_elements(seat: int) -> dict[str, Lying]:
    elements = map(_element, range(PAVILION))
    return by_slot(*(Piece(what, f"seat{seat + 1}.{end}") for what, end in elements))


def _cells(seat: int, at: BoardForm) -> Iterator[Slot]:
    """The cells of the fountain board, and those that an expansion adds."""
    for cell in range(CELLS):
        text = cell_text(cell)
        yield Slot(f"seat{seat + 1}.{text}", *_at(COORDINATES[cell], at), _cell_name(cell),
                   shape="cell", key=text, optional=place_of(cell) >= 0)


def _cell_name(cell: int) -> Message:
    place = place_of(cell)
    if place < 0:
        return msg("fountain, cell {n}", n=cell + 1)
    if direction_of(cell) == 0:
        return msg("place {place}, middle", place=place + 1)
    return msg("place {place}, cell {n}", place=place + 1, n=direction_of(cell))


def _storage(seat: int, at: BoardForm) -> Iterator[Slot]:
    """Twelve spaces: tiles from the left, jokers from the right; beside them the expansions, the piece in
    the hand and the first passer's marker."""
    mine, first, last, space = f"seat{seat + 1}", at.storage[0], at.storage[-1], at.space
    x, y = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
    spots = tuple((dx - x, dy - y) for dx, dy in at.storage)
    yield Slot(f"{mine}.storage", x, y, msg("storage"), last[0] - first[0] + space,
               last[1] - first[1] + space, "hex", spots=spots, size=space)
    for hexagon in range(HEXAGONS):
        yield Slot(f"{mine}.tile.{kind(hexagon)}", x, y, hexagon_name(hexagon), space, space, GROUP,
                   spots=spots, size=space, key=hexagon_text(hexagon), optional=True)
    yield Slot(f"{mine}.jokers", x, y, msg("jokers"), space, space, GROUP, spots=spots[::-1], size=space,
               key="j", optional=True)
    for number in range(EXPANSION_SPACES):
        yield Slot(f"{mine}.x{number + 1}", *at.expansions[number], msg("expansion {n}", n=number + 1),
                   shape="hex", mark="expansion", key=f"x{number + 1}")
    yield Slot(f"{mine}.hand", *at.hand, msg("in hand"), shape="hex", optional=True)
    yield Slot(f"{mine}.marker", *at.marker, msg("start marker"), shape="area", optional=True)


# --- the pieces on it --------------------------------------------------------------------------------


def lay_board(s: State, seat: int, laid: Laid, table: Plan) -> None:
    """Add the pieces in a garden and its storage."""
    garden, expansions = s.garden[seat].tobytes(), s.places[seat].tobytes()
    lies, places = _garden(table, seat, garden, expansions, _invites(s, seat))
    laid.lies.update(_lying_elements(seat))
    laid.lies.update(lies)
    laid.places.update(places)
    laid.lies.update(_stored(seat, tuple(s.stored[seat].tolist()), int(s.jokers[seat])))
    for number, stored in enumerate(s.slots[seat].tolist()):
        if stored != EMPTY:
            slot = f"seat{seat + 1}.x{number + 1}"
            laid.lies[slot] = _expansion(slot, stored - 1)
    _lay_hand(s, seat, laid)
    laid.labels[f"score{seat + 1}"] = _score(int(s.score[seat]), seat)
    laid.labels[f"groups{seat + 1}"] = _groups(sum(worth(s, seat)), seat)
    if s.passed[seat]:
        laid.labels[f"passed{seat + 1}"] = _passed(msg("passed"), seat)


NOWHERE, BY_CENTRE, BY_RIM = range(3)
"""The cells of free places where the expansion in the hand could be placed."""


def _invites(s: State, seat: int) -> int:
    if s.to_move != seat or s.held < HELD_EXPANSION:
        return NOWHERE
    return BY_CENTRE if s.held == HELD_BACK else BY_RIM


@functools.lru_cache(maxsize=1024)
def _garden(
    table: Plan, seat: int, garden: bytes, expansions: bytes, invited: int
) -> tuple[dict[str, Lying], dict[str, Slot | None]]:
    """A flower and cells for each expansion, and the rims of free places for an expansion in the hand."""
    lies: dict[str, Lying] = {}
    places: dict[str, Slot | None] = {}
    for place, expansion in enumerate(expansions):
        if expansion != NO_EXPANSION:
            flower = f"seat{seat + 1}.flower{place + 1}"
            places[f"seat{seat + 1}.place{place + 1}"], places[flower] = None, table.slots[flower]
    for cell, number in enumerate(garden):
        slot = f"seat{seat + 1}.{cell_text(cell)}"
        place = place_of(cell)
        if place >= 0 and _is_there(cell, expansions[place], invited):
            places[slot] = table.slots[slot]
        if number != EMPTY:
            lies[slot] = (_hexagon(slot, number - 1),)
        elif place >= 0 and cell == centre_of(place) and expansions[place] > BACK:
            lies[slot] = (Piece("pavilion", slot),)
    return lies, places


def _is_there(cell: int, expansion: int, invited: int) -> bool:
    if expansion == NO_EXPANSION:
        return invited == (BY_CENTRE if direction_of(cell) == 0 else BY_RIM)
    return True


@functools.cache
def _hexagon(slot: str, hexagon: int, spot: int = 0) -> Piece:
    return Piece(kind(hexagon), slot, spot=spot)


@functools.lru_cache(maxsize=4096)
def _stored(seat: int, tiles: tuple[int, ...], jokers: int) -> dict[str, Lying]:
    """Identical tiles are side by side."""
    lies: dict[str, Lying] = {}
    first = 0
    for hexagon, count in enumerate(tiles):
        if count:
            slot = f"seat{seat + 1}.tile.{kind(hexagon)}"
            lies[slot] = tuple(_hexagon(slot, hexagon, first + i) for i in range(count))
            first += count
    if jokers:
        slot = f"seat{seat + 1}.jokers"
        lies[slot] = tuple(Piece("joker", slot, spot=i) for i in range(jokers))
    return lies


@functools.cache
def _expansion(slot: str, hexagon: int) -> Lying:
    return (Piece(kind(hexagon), slot, msg("expansion with {hexagon}", hexagon=hexagon_name(hexagon))),)


def _lay_hand(s: State, seat: int, laid: Laid) -> None:
    """Add the piece in the hand and the first passer's marker."""
    slot = f"seat{seat + 1}.hand"
    if s.to_move == seat and s.held != NOTHING:
        hexagon = held_hexagon(s)
        laid.lies[slot] = (Piece("expansion", slot) if hexagon < 0 else _hexagon(slot, hexagon),)
    if s.marker == seat:
        slot = f"seat{seat + 1}.marker"
        laid.lies[slot] = (Piece("marker", slot),)


# --- panels that belong to nobody: display, names, supply, pass, dial ---------------------------------


KEPT_PLANS: Final = 64
"""Each owner-supplied wheel needs its own plan; the boxes need only a few."""
SIZE: Final = 5.8
FIELD_RADIUS: Final = 1.72
POINTS_RADIUS: Final = 2.5
ROUND_RADIUS: Final = 0.86


def _on_dial(angle: float, radius: float) -> Point:
    """Clockwise from the top."""
    turn = math.radians(angle)
    return SIZE / 2 + radius * math.sin(turn), SIZE / 2 - radius * math.cos(turn)


@functools.cache
def quarter(number: int) -> str:
    """The mark of the dial in a round, counted from 0."""
    return f"quarter{number + 1}"


def _angle(number: int, field: int) -> float:
    return 90.0 * number + 30.0 * (field - (ROUND_FIELDS - 1) / 2)


def dial(wheel: Wheel) -> Panel:
    """The three fields of each round; the current round is highlighted."""
    slots = [Slot("wheel", SIZE / 2, SIZE / 2, msg("Wheel"), SIZE - 0.1, SIZE - 0.1, "dial")]
    for number in range(ROUNDS):
        for i, (field, _) in enumerate(wheel[number]):
            slots.append(Slot(f"wheel.{FIELD_KINDS[field]}", *_on_dial(_angle(number, i), FIELD_RADIUS),
                              FIELD_NAMES[field], 0.8, 0.8, "hex"))
    labels = tuple(label for number in range(ROUNDS) for label in wheel_labels(wheel, number, "quiet"))
    return Panel("wheel", msg("Wheel"), SIZE, SIZE, tuple(slots), (), labels)


@functools.lru_cache(maxsize=KEPT_PLANS)
def wheel_labels(wheel: Wheel, number: int, style: str) -> tuple[Label, ...]:
    """The number of a round, and what each of its fields scores."""
    n = number + 1
    points = (
        Label(raw(f"+{points}"), *_on_dial(_angle(number, i), POINTS_RADIUS), 0.42, style=style,
              id=f"wheel{n}-{i + 1}")
        for i, (_, points) in enumerate(wheel[number])
    )
    place = _on_dial(90.0 * number, ROUND_RADIUS)
    return (Label(raw(str(n)), *place, 0.5, style=style, id=f"round{n}"), *points)


TILE_SPOTS: Final = ((-0.5, -ROW), (0.5, -ROW), (-0.5, ROW), (0.5, ROW))
"""Cells of the expansion: two above and two below its middle."""
SOURCE_SPOTS: Final = (*TILE_SPOTS, (-0.5, -ROW))
OWN_HEXAGON: Final = len(TILE_SPOTS)
"""The spot of an expansion's own hexagon, beside its pavilion."""
CHIPS: Final = 6
"""Chips side by side: the colours, and below them the patterns."""
FIRST_CHIP: Final = 0.05
"""Where the first of them begins."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DisplayForm:
    """Places in hexagons, from the top left corner."""

    plate: float
    across: int
    """Expansions side by side."""
    chip: float
    """From the middle of one chip to the next: no less than a finger."""
    heads: tuple[float, float]
    """Room above both rows of chips for what they are."""
    compact: bool = False
    """Whether supply and pass lie beside the chips instead of below."""
    reach: float = 1.0

    @property
    def pitch(self) -> float:
        return self.plate + 0.05

    @property
    def width(self) -> float:
        return self.across * self.pitch + 0.1

    @property
    def above(self) -> float:
        """From the middle of a chip to what stands above it."""
        return self.chip / 2 + 0.24

    @property
    def small(self) -> float:
        """The size of what stands above chips."""
        return 0.64 * self.heads[0]


def _form(players: int, form: str) -> DisplayForm:
    if form != PHONE:
        return DisplayForm(plate=3.0, across=2, chip=1.02, heads=(0.5, 0.46))
    if STACK[players] <= 6:
        return DisplayForm(plate=2.65, across=3, chip=1.06, heads=(0.48, 0.0), compact=True, reach=1.1)
    return DisplayForm(plate=2.65, across=4, chip=1.42, heads=(0.62, 0.0), compact=True, reach=1.1)


def display(players: int, form: str) -> Panel:
    """Expansions, what may be named, and below or beside that what else may be done."""
    at = _form(players, form)
    colours = -(-STACK[players] // at.across) * at.pitch + 0.1 + at.heads[0] + at.chip / 2
    patterns = colours + at.chip + at.heads[1]
    if at.compact:
        left = FIRST_CHIP + CHIPS * at.chip
        room = at.width - left - 0.1
        supply, passing = (left + at.chip / 2 + 0.08, colours), (left + room / 2, patterns)
        end = patterns + at.chip / 2 + 0.1
    else:
        row = patterns + at.chip + 0.1
        room, supply, passing = 2.6, (0.7, row), (at.width - 1.5, row)
        end = row + 1.1
    others = _others(at, supply=supply, passing=passing, room=room)
    sources = (slot for source in range(STACK[players]) for slot in _source(source, at))
    chips = (_chip(field, at, patterns if field >= COLOURS else colours) for field in range(FIELDS))
    labels = (*_words(at, others, end), *_headings(at, colours, patterns))
    return Panel("display", msg("Display"), at.width, end, (*sources, *chips, *others), (), labels)


def _headings(at: DisplayForm, colours: float, patterns: float) -> tuple[Label, Label]:
    """What the chips are."""
    one = msg("Take all of one colour or pattern") if at.compact else msg("Take all of one colour …")
    return (
        Label(one, FIRST_CHIP + 0.05, colours - at.above, at.small, "start", "quiet"),
        Label(msg("… or all of one pattern"), FIRST_CHIP + 0.05, patterns - at.above,
              0.0 if at.compact else at.small, "start", "quiet"),
    )


def _others(at: DisplayForm, *, supply: Point, passing: Point, room: float) -> tuple[Slot, Slot, Slot]:
    stack = (supply[0] + at.chip / 2 + 0.35, supply[1]) if at.compact else (supply[0] + 1.2, supply[1])
    size = 0.6 if at.compact else 1.0
    bought = msg("face-down expansion, for {n} points", n=FACE_DOWN_PRICE)
    pile, high = (round(0.95 * at.chip, 2), round(1.08 * at.chip, 2)) if at.compact else (1.0, 1.0)
    return (
        Slot("supply", *supply, bought, pile, pile, shape="hex", key="f", reach=at.reach),
        Slot("stack", *stack, msg("stack below the top expansion"), size, size, shape="hex"),
        Slot("pass", *passing, msg("pass"), room, high, "pill", key="-"),
    )


def _words(at: DisplayForm, others: tuple[Slot, Slot, Slot], end: float) -> tuple[Label, ...]:
    """The price stands below the supply, in a compact form above it."""
    supply, _, passing = others
    price = nmsg("{n} point", "{n} points", n=FACE_DOWN_PRICE)
    if at.compact:
        priced = Label(price, at.width - 0.15, supply.y - at.above, at.small, "end", "quiet")
    else:
        priced = Label(price, 0.15, end - 0.25, 0.32, "start", "quiet")
    return (
        Label(raw(""), at.width - 0.2, end - 0.25, 0.0 if at.compact else 0.32, "end", "quiet", id="bag"),
        priced,
        Label(msg("Pass"), passing.x, passing.y, 0.42, style="strong"),
    )


def _source(source: int, at: DisplayForm) -> Iterator[Slot]:
    """An expansion of the stack, with spots for its hexagon or its tiles."""
    x = 0.05 + (source % at.across + 0.5) * at.pitch
    y = 0.05 + (source // at.across + 0.5) * at.pitch
    plate = f"s{source + 1}"
    yield Slot(plate, x, y, msg("expansion {n}", n=source + 1), at.plate, at.plate, "bed",
               caption=str(source + 1), key=plate, optional=True)
    yield Slot(f"{plate}.pavilion", x, y, msg("pavilion"), shape="hex", optional=True)
    for hexagon in range(HEXAGONS):
        yield Slot(f"{plate}.{kind(hexagon)}", x, y, hexagon_name(hexagon), at.plate, at.plate, GROUP,
                   spots=SOURCE_SPOTS, size=1.0, reach=at.reach, optional=True)


def _chip(field: int, at: DisplayForm, y: float) -> Slot:
    x = FIRST_CHIP + (field % CHIPS + 0.5) * at.chip
    size = round(at.chip * 0.98, 2)
    return Slot(f"name.{FIELD_KINDS[field]}", x, y, msg("take all: {field}", field=FIELD_NAMES[field]),
                size, size, "hex", key=f"a{field_text(field)}", reach=at.reach)
