"""A player's garden and storage: the panel of the plan, and the pieces on it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Final, NamedTuple

from azulejos.core.message import Message, msg, raw
from azulejos.core.scene import GROUP, Label, Lying, Panel, Piece, Plan, Slot, by_slot
from azulejos.games.queens_garden.components import (
    BENCH,
    CELLS,
    CENTRES_AT,
    COORDINATES,
    ELEMENTS_AT,
    EXPANSION_SPACES,
    HEXAGONS,
    PAVILION,
    PLACES,
    STATUE,
    STORAGE_SPACES,
)
from azulejos.games.queens_garden.garden import centre_of, direction_of, place_of
from azulejos.games.queens_garden.layout import (
    BACK,
    EMPTY,
    HELD_BACK,
    HELD_EXPANSION,
    HELD_TILE,
    NO_EXPANSION,
    NOTHING,
    State,
)
from azulejos.games.queens_garden.moves import cell_text, hexagon_text
from azulejos.games.queens_garden.names import hexagon_name, kind
from azulejos.games.queens_garden.worth import worth

ROW: Final = 0.75**0.5
"""Distance between two rows of hexagons."""
MIDDLE: Final = (4.95, 5.3)
WIDTH: Final = 2 * MIDDLE[0]
STORAGE_Y: Final = MIDDLE[1] + 4 * ROW + 1.3
SPACE: Final = 0.76
HEIGHT: Final = STORAGE_Y + 1.75

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


def board(seat: int) -> Panel:
    """An empty garden and storage."""
    labels = (
        Label(raw(""), 0.4, 0.7, 0.62, "start", "strong", id=f"name{seat + 1}"), _score(0, seat),
        _groups(0, seat), _passed(raw(""), seat),
    )
    slots = (*_places(seat), *_elements(seat), *_cells(seat), *_storage(seat))
    return Panel(f"seat{seat + 1}", raw(""), WIDTH, HEIGHT, slots, (), labels, seat)


@functools.lru_cache(maxsize=1024)
def _score(points: int, seat: int) -> Label:
    text = str(points).replace("-", "−")
    return Label(raw(text), WIDTH - 0.4, 0.7, 0.8, "end", "score", id=f"score{seat + 1}")


@functools.lru_cache(maxsize=1024)
def _groups(points: int, seat: int) -> Label:
    text = msg("groups {points}", points=f"+{points}") if points else raw("")
    return Label(text, WIDTH - 0.4, 1.4, 0.42, "end", "quiet", id=f"groups{seat + 1}")


@functools.cache
def _passed(text: Message, seat: int) -> Label:
    return Label(text, 0.4, 1.35, 0.42, "start", "quiet", id=f"passed{seat + 1}")


def _at(coordinates: tuple[int, int]) -> tuple[float, float]:
    q, r = coordinates
    return MIDDLE[0] + q + r / 2, MIDDLE[1] + r * ROW


def _places(seat: int) -> Iterator[Slot]:
    """Beds for expansions, and the flower shapes of the expansions placed there."""
    for place in range(PLACES):
        name, at = msg("place {n} for an expansion", n=place + 1), _at(CENTRES_AT[place])
        yield Slot(f"seat{seat + 1}.place{place + 1}", *at, name, 3.0, 3.0, "bed")
        yield Slot(f"seat{seat + 1}.flower{place + 1}", *at, name, 3.0, 3.0, "flower", optional=True)


ELEMENTS: Final = {"bench": msg("bench"), "statue": msg("statue"), "fountain": msg("fountain")}


def _element(element: int) -> tuple[str, str]:
    """The kind of an element, and the last part of its slot's id."""
    if element < STATUE:
        return "fountain", "fountain"
    what, first = ("bench", BENCH) if element >= BENCH else ("statue", STATUE)
    return what, f"{what}{element - first + 1}"


def _elements(seat: int) -> Iterator[Slot]:
    for element in range(PAVILION):
        what, end = _element(element)
        yield Slot(f"seat{seat + 1}.{end}", *_at(ELEMENTS_AT[element]), ELEMENTS[what], shape="hex")


@functools.cache
def _lying_elements(seat: int) -> dict[str, Lying]:
    elements = map(_element, range(PAVILION))
    return by_slot(*(Piece(what, f"seat{seat + 1}.{end}") for what, end in elements))


def _cells(seat: int) -> Iterator[Slot]:
    """The cells of the fountain board, and those that an expansion adds."""
    for cell in range(CELLS):
        name = cell_text(cell)
        yield Slot(f"seat{seat + 1}.{name}", *_at(COORDINATES[cell]), msg("cell {name}", name=name),
                   shape="hex", key=name, optional=place_of(cell) >= 0)


SPOTS: Final = tuple(((i - 5.5) * SPACE, 0.0) for i in range(STORAGE_SPACES))


def _storage(seat: int) -> Iterator[Slot]:
    """Twelve spaces: tiles from the left, jokers from the right; below them the expansions, the piece in
    the hand and the first passer's marker."""
    mine, below = f"seat{seat + 1}", STORAGE_Y + 0.98
    yield Slot(f"{mine}.storage", MIDDLE[0], STORAGE_Y, msg("storage"), 9.2, SPACE, "hex", spots=SPOTS,
               size=SPACE)
    for hexagon in range(HEXAGONS):
        yield Slot(f"{mine}.tile.{kind(hexagon)}", MIDDLE[0], STORAGE_Y, hexagon_name(hexagon), SPACE,
                   SPACE, GROUP, spots=SPOTS, size=SPACE, key=hexagon_text(hexagon), optional=True)
    yield Slot(f"{mine}.jokers", MIDDLE[0], STORAGE_Y, msg("jokers"), SPACE, SPACE, GROUP,
               spots=SPOTS[::-1], size=SPACE, key="j", optional=True)
    for number in range(EXPANSION_SPACES):
        yield Slot(f"{mine}.x{number + 1}", 0.85 + number * 1.2, below, msg("expansion {n}", n=number + 1),
                   shape="hex", mark="expansion", key=f"x{number + 1}")
    yield Slot(f"{mine}.hand", MIDDLE[0], below, msg("in hand"), shape="hex", optional=True)
    yield Slot(f"{mine}.marker", WIDTH - 0.85, below, msg("start marker"), shape="area", optional=True)


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
