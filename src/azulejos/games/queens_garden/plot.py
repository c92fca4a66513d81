"""A player's garden and storage as a panel of the scene."""

from __future__ import annotations

from typing import Final

from azulejos.core.message import msg, raw
from azulejos.core.scene import Label, Panel, Piece, Slot
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
from azulejos.games.queens_garden.garden import centre_of, direction_of, exists, place_of
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
"""From one row of hexagons to the next."""
MIDDLE: Final = (4.95, 5.3)
WIDTH: Final = 2 * MIDDLE[0]
STORAGE_Y: Final = MIDDLE[1] + 4 * ROW + 1.3
SPACE: Final = 0.76
HEIGHT: Final = STORAGE_Y + 1.75

Lists = tuple[list[Slot], list[Piece]]


def held_hexagon(s: State) -> int:
    """The hexagon of the piece in the hand; -1 for a face-down expansion or none."""
    if s.held in (NOTHING, HELD_BACK):
        return -1
    return int(s.held) - (HELD_EXPANSION if s.held >= HELD_EXPANSION else HELD_TILE)


def board(s: State, seat: int, name: str) -> Panel:
    lists: Lists = ([], [])
    _lay_places(s, seat, lists)
    _lay_elements(seat, lists)
    _lay_cells(s, seat, lists)
    _lay_storage(s, seat, lists)
    _lay_hand(s, seat, lists)
    labels = [
        Label(raw(name), 0.4, 0.7, 0.62, "start", "strong"),
        Label(raw(str(int(s.score[seat])).replace("-", "−")), WIDTH - 0.4, 0.7, 0.8, "end", "score"),
    ]
    groups = sum(worth(s, seat))
    if groups:
        now = msg("groups {points}", points=f"+{groups}")
        labels.append(Label(now, WIDTH - 0.4, 1.4, 0.42, "end", "quiet"))
    if s.passed[seat]:
        labels.append(Label(msg("passed"), 0.4, 1.35, 0.42, "start", "quiet"))
    return Panel(
        f"seat{seat + 1}", raw(name), WIDTH, HEIGHT, tuple(lists[0]), tuple(lists[1]), tuple(labels), seat,
        active=s.to_move == seat,
    )


def _at(coordinates: tuple[int, int]) -> tuple[float, float]:
    q, r = coordinates
    return MIDDLE[0] + q + r / 2, MIDDLE[1] + r * ROW


def _lay_places(s: State, seat: int, lists: Lists) -> None:
    """A flower where an expansion lies, a bed where one could."""
    for place in range(PLACES):
        lies = s.places[seat, place] != NO_EXPANSION
        lists[0].append(Slot(
            f"seat{seat + 1}.place{place + 1}", *_at(CENTRES_AT[place]),
            msg("place {n} for an expansion", n=place + 1), 3.0, 3.0, "flower" if lies else "bed",
        ))


def _lay_elements(seat: int, lists: Lists) -> None:
    for element in range(PAVILION):
        number = element - (BENCH if element >= BENCH else STATUE) + 1
        what = "bench" if element >= BENCH else "statue" if element >= STATUE else "fountain"
        name = {"bench": msg("bench"), "statue": msg("statue"), "fountain": msg("fountain")}[what]
        slot = f"seat{seat + 1}.{what}{number if element >= STATUE else ''}"
        lists[0].append(Slot(slot, *_at(ELEMENTS_AT[element]), name, shape="hex"))
        lists[1].append(Piece(what, slot, name))


def _lay_cells(s: State, seat: int, lists: Lists) -> None:
    """Cells that exist; the rim of free places too, for an expansion in the hand."""
    for cell in range(CELLS):
        name = cell_text(cell)
        slot = f"seat{seat + 1}.{name}"
        if exists(s, seat, cell) or _invites(s, seat, cell) or _is_pavilion(s, seat, cell):
            lists[0].append(
                Slot(slot, *_at(COORDINATES[cell]), msg("cell {name}", name=name), shape="hex", key=name)
            )
        number = int(s.garden[seat, cell])
        if number != EMPTY:
            lists[1].append(Piece(kind(number - 1), slot, hexagon_name(number - 1)))
        elif _is_pavilion(s, seat, cell):
            lists[1].append(Piece("pavilion", slot, msg("pavilion")))


def _is_pavilion(s: State, seat: int, cell: int) -> bool:
    place = place_of(cell)
    return place >= 0 and cell == centre_of(place) and bool(s.places[seat, place] > BACK)


def _invites(s: State, seat: int, cell: int) -> bool:
    """Whether the expansion in the hand could be placed by this cell, as far as the place is free."""
    place = place_of(cell)
    if s.to_move != seat or s.held < HELD_EXPANSION or place < 0:
        return False
    if s.places[seat, place] != NO_EXPANSION:
        return False
    return (direction_of(cell) == 0) == bool(s.held == HELD_BACK)


def _lay_storage(s: State, seat: int, lists: Lists) -> None:
    """Twelve spaces: tiles from the left, jokers from the right; the expansions below."""
    mine = f"seat{seat + 1}"
    spots = tuple(((i - 5.5) * SPACE, 0.0) for i in range(STORAGE_SPACES))
    lists[0].append(Slot(f"{mine}.storage", MIDDLE[0], STORAGE_Y, msg("storage"), 9.2, SPACE, "hex",
                         spots=spots, size=SPACE))
    first = 0
    for hexagon in range(HEXAGONS):
        count = int(s.stored[seat, hexagon])
        if count:
            _lay_row(lists, f"{mine}.tile.{kind(hexagon)}", hexagon_text(hexagon), hexagon, first, count)
            first += count
    jokers = int(s.jokers[seat])
    slot = f"{mine}.jokers"
    lists[0].append(Slot(slot, MIDDLE[0], STORAGE_Y, msg("jokers"), 9.2, SPACE, "area", size=SPACE, key="j",
                         spots=tuple(reversed(spots))[: max(1, jokers)]))
    lists[1].extend(Piece("joker", slot, msg("joker"), spot=i) for i in range(jokers))
    for number in range(EXPANSION_SPACES):
        _lay_slot(s, seat, number, lists)


def _lay_row(lists: Lists, slot: str, key: str, hexagon: int, first: int, count: int) -> None:
    """Equal tiles side by side in the storage."""
    x = MIDDLE[0] + (first + (count - 1) / 2 - 5.5) * SPACE
    spots = tuple(((i - (count - 1) / 2) * SPACE, 0.0) for i in range(count))
    lists[0].append(Slot(slot, x, STORAGE_Y, hexagon_name(hexagon), count * SPACE, SPACE, "area",
                         spots=spots, size=SPACE, key=key))
    lists[1].extend(Piece(kind(hexagon), slot, hexagon_name(hexagon), spot=i) for i in range(count))


def _lay_slot(s: State, seat: int, number: int, lists: Lists) -> None:
    slot = f"seat{seat + 1}.x{number + 1}"
    lists[0].append(Slot(slot, 0.85 + number * 1.2, STORAGE_Y + 0.98, msg("expansion {n}", n=number + 1),
                         shape="hex", mark="expansion", key=f"x{number + 1}"))
    stored = int(s.slots[seat, number])
    if stored != EMPTY:
        name = msg("expansion with {hexagon}", hexagon=hexagon_name(stored - 1))
        lists[1].append(Piece(kind(stored - 1), slot, name))


def _lay_hand(s: State, seat: int, lists: Lists) -> None:
    """What the seat is about to place, and the marker of the first to pass."""
    mine = f"seat{seat + 1}"
    if s.to_move == seat and s.held != NOTHING:
        hexagon = held_hexagon(s)
        name = msg("face-down expansion") if hexagon < 0 else hexagon_name(hexagon)
        lists[0].append(Slot(f"{mine}.hand", MIDDLE[0], STORAGE_Y + 0.98, msg("in the hand"), shape="hex"))
        lists[1].append(Piece("expansion" if hexagon < 0 else kind(hexagon), f"{mine}.hand", name))
    if s.marker == seat:
        name = msg("start marker")
        lists[0].append(Slot(f"{mine}.marker", WIDTH - 0.85, STORAGE_Y + 0.98, name, shape="area"))
        lists[1].append(Piece("marker", f"{mine}.marker", name))
