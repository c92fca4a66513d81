"""What lies on the table in a game of Queen's Garden: state -> Scene.

    display   s2, s2.light-blue.tree: an expansion of the stack and a hexagon there; name.tree: a name to
              acquire; supply; stack: what is below the top; pass
    seat1     seat1.01 ... seat1.66: cells; seat1.place2: a place; seat1.fountain, seat1.statue1, ...;
              seat1.tile.yellow.bird: tiles of the storage; seat1.x1; seat1.jokers; seat1.hand
    wheel     wheel.dark-green: what this round and the others score

To acquire, point at a hexagon and then at its colour or pattern, or at the name alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.contract import View
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.scene import Choice, Label, Panel, Piece, Scene, Slot
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.queens_garden.components import (
    COLOURS,
    EXPANSION_SPACES,
    FIELDS,
    HEXAGONS,
    PATTERNS,
    ROUNDS,
    STACK,
    WHEEL,
    WHEEL_POINTS,
)
from azulejos.games.queens_garden.garden import on_field
from azulejos.games.queens_garden.giving import judge, selection
from azulejos.games.queens_garden.layout import (
    ACTING,
    CHOOSING,
    DISCARDING,
    EMPTY,
    FACE_DOWN,
    FILLING,
    HELD_BACK,
    LOT,
    PAYING,
    PLACING,
    TAKEN,
    State,
)
from azulejos.games.queens_garden.lights import lights
from azulejos.games.queens_garden.moves import (
    ACQUIRE,
    PIECE,
    SLOT,
    Acquire,
    Buy,
    Cell,
    Jokers,
    Source,
    Tile,
    cell_text,
    field_text,
)
from azulejos.games.queens_garden.moves import (
    Slot as Stored,
)
from azulejos.games.queens_garden.names import FIELD_KINDS, FIELD_NAMES, hexagon_name, kind, offered
from azulejos.games.queens_garden.plot import board, held_hexagon
from azulejos.games.queens_garden.telling import told


def scene(position: Position, names: Sequence[str]) -> Scene:
    """The table as a person sees it, with the clicks for every legal move."""
    s = position.state
    boards = [board(s, seat, names[seat]) for seat in range(s.players)]
    choices, marking = _choices(position, s), selection(position)
    usable = {choice.path[0] for choice in choices} | set(marking.slots if marking else ())
    return Scene(
        panels=(_display(s), *boards, _wheel(s)),
        choices=choices,
        theme=position.preset.theme,
        status=_status(position, s, names),
        prompt=PROMPTS.get(int(s.stage)) if s.to_move >= 0 else None,
        notice=msg("Last round.") if s.round == ROUNDS and s.to_move >= 0 else None,
        selection=marking,
        pale=_pale(s, usable) if s.stage in (ACTING, PAYING) else (),
    )


def slot_of(seat: int, place: int) -> str | None:
    """The cell that earned points (the `place` of `Scored`), or None for the board as a whole."""
    return f"seat{seat + 1}.{cell_text(place)}" if place >= 0 else None


def _status(position: Position, s: State, names: Sequence[str]) -> Message:
    if s.to_move == OVER:
        return position.game.rules.end_reason(s)
    if s.to_move == CHANCE:
        return _drawing(s)
    name = names[s.to_move]
    if s.stage == CHOOSING:
        return msg("{name} chooses one of the identical hexagons: {hexagon}.",
                   name=name, hexagon=hexagon_name(s.choosing))
    if s.stage == PLACING and s.held == HELD_BACK:
        return msg("{name} places a face-down expansion.", name=name)
    if s.stage == PLACING:
        return msg("{name} places {hexagon}.", name=name, hexagon=hexagon_name(held_hexagon(s)))
    if s.stage == PAYING:
        hexagon = int(s.garden[s.seat, s.laid_at]) - 1
        return msg("{name} pays for {hexagon}: {due} more, the hexagon itself counts as one.",
                   name=name, hexagon=hexagon_name(hexagon), due=s.due)
    if s.stage == DISCARDING:
        return msg("{name} passes and may discard hexagons.", name=name)
    return msg("{name} acquires, places or passes.", name=name)


def _drawing(s: State) -> Message:
    if s.stage == LOT:
        return msg("The first player is drawn.")
    if s.stage == FILLING:
        return msg("Round {round}: tiles are drawn.", round=s.round)
    return msg("Round {round}: an expansion is turned up.", round=s.round)


PROMPTS: Final = {
    ACTING: msg("Acquire hexagons, place one, or pass."),
    CHOOSING: msg("Choose one of the identical hexagons."),
    PLACING: msg("Choose where it goes."),
    PAYING: msg("Choose what you pay with, then confirm."),
    DISCARDING: msg("Mark what you throw away, or nothing."),
}


# --- the display -------------------------------------------------------------------------------------

PLATE: Final = 3.0
ACROSS: Final = 4
DISPLAY_WIDTH: Final = ACROSS * (PLATE + 0.2) + 0.4
NAMES_Y: Final = 2 * (PLATE + 0.2) + 1.0
TILE_SPOTS: Final = ((-0.55, -0.5), (0.55, -0.5), (-0.55, 0.5), (0.55, 0.5))


def _display(s: State) -> Panel:
    slots: list[Slot] = []
    pieces: list[Piece] = []
    for source in range(min(s.top + 1, STACK[s.players])):
        if s.face[source] != TAKEN and s.round > 0:
            _lay_source(s, source, slots, pieces)
    slots += [_name_slot(field) for field in range(FIELDS)]
    pieces += [Piece(FIELD_KINDS[f], f"name.{FIELD_KINDS[f]}", FIELD_NAMES[f]) for f in range(COLOURS)]
    _lay_piles(s, slots, pieces)
    bag = msg("bag {bag}, tower {tower}", bag=int(s.bag.sum()), tower=int(s.tower.sum()))
    labels = (
        Label(bag, DISPLAY_WIDTH - 0.4, NAMES_Y + 2.45, 0.4, "end", "quiet"),
        Label(msg("pass"), 9.0, NAMES_Y + 1.45, 0.45, style="strong"),
    )
    height = NAMES_Y + 2.9
    return Panel("display", msg("Display"), DISPLAY_WIDTH, height, tuple(slots), tuple(pieces), labels)


def _lay_source(s: State, source: int, slots: list[Slot], pieces: list[Piece]) -> None:
    """A plate for an expansion of the stack; its hexagon or its tiles on it."""
    x = 0.2 + PLATE / 2 + source % ACROSS * (PLATE + 0.2)
    y = 0.2 + PLATE / 2 + source // ACROSS * (PLATE + 0.2)
    plate = f"s{source + 1}"
    top = source == s.top
    name = msg("top of the stack") if top else msg("expansion {n}", n=source + 1)
    slots.append(Slot(plate, x, y, name, PLATE, PLATE, "plate", caption=str(source + 1), key=plate))
    if s.face[source] != FACE_DOWN:
        hexagon = int(s.face[source]) - 1
        slots += [
            Slot(f"{plate}.pavilion", x, y + 0.4, msg("pavilion"), shape="hex"),
            Slot(f"{plate}.{kind(hexagon)}", x, y - 0.55, hexagon_name(hexagon), shape="hex",
                 key=plate if hexagon == s.choosing else ""),
        ]
        pieces += [
            Piece("pavilion", f"{plate}.pavilion", msg("pavilion")),
            Piece(kind(hexagon), f"{plate}.{kind(hexagon)}", hexagon_name(hexagon)),
        ]
        return
    tiles = [int(tile) - 1 for tile in s.tiles[source] if tile != EMPTY]
    for hexagon in dict.fromkeys(tiles):
        slot = f"{plate}.{kind(hexagon)}"
        spots = tuple(TILE_SPOTS[i] for i in range(len(tiles)) if tiles[i] == hexagon)
        slots.append(Slot(slot, x, y, hexagon_name(hexagon), PLATE, PLATE, "area", spots=spots, size=1.0,
                          key=plate if hexagon == s.choosing else ""))
        pieces += [Piece(kind(hexagon), slot, hexagon_name(hexagon), spot=i) for i in range(len(spots))]


def _name_slot(field: int) -> Slot:
    x = 0.75 + field % COLOURS * 1.1
    y = NAMES_Y + field // COLOURS * 1.1
    drawn = None if field < COLOURS else FIELD_KINDS[field]
    return Slot(f"name.{FIELD_KINDS[field]}", x, y, msg("acquire {name}", name=FIELD_NAMES[field]),
                shape="hex", mark=drawn, key=f"a{field_text(field)}")


def _lay_piles(s: State, slots: list[Slot], pieces: list[Piece]) -> None:
    """The supply, the rest of the stack, and the button to pass."""
    below = max(0, STACK[s.players] - s.top - 1)
    slots += [
        Slot("supply", 8.3, NAMES_Y, msg("face-down supply"), shape="hex", key="f"),
        Slot("stack", 9.9, NAMES_Y, msg("below the stack's top"), shape="hex"),
        Slot("pass", 9.0, NAMES_Y + 1.45, msg("pass"), 3.4, 0.9, "pill", key="-"),
    ]
    for slot, count in (("supply", s.supply), ("stack", below)):
        if count:
            pieces.append(Piece("expansion", slot, msg("face-down expansion"), count=count))


# --- the wheel ---------------------------------------------------------------------------------------


def _wheel(s: State) -> Panel:
    """The three fields of each round; the present one stands out."""
    slots, pieces, labels = [], [], []
    for number in range(ROUNDS):
        x = 0.3 + number * 3.3
        now = number + 1 == s.round
        labels.append(Label(msg("round {n}", n=number + 1), x + 1.5, 0.4, 0.4,
                            style="strong" if now else "quiet"))
        for i, field in enumerate(WHEEL[number]):
            slot = f"wheel.{FIELD_KINDS[field]}"
            at = x + 0.5 + i * 1.0
            slots.append(Slot(slot, at, 1.2, FIELD_NAMES[field], 0.8, 0.8, "hex",
                              mark=None if field < COLOURS else FIELD_KINDS[field]))
            labels.append(Label(raw(f"+{WHEEL_POINTS[s.variant][number][i]}"), at, 1.95, 0.4,
                                style="strong" if now else "quiet"))
            if field < COLOURS:
                pieces.append(Piece(FIELD_KINDS[field], slot, FIELD_NAMES[field]))
    return Panel("wheel", msg("Wheel"), 13.4, 2.3, tuple(slots), tuple(pieces), tuple(labels))


# --- choices -----------------------------------------------------------------------------------------


def _choices(position: Position, s: State) -> tuple[Choice, ...]:
    if s.to_move < 0:
        return ()
    found = []
    for action in position.legal_actions():
        move = position.game.moves[action]
        found += [Choice(action, path) for path in _paths(s, move)]
    return tuple(found)


def _paths(s: State, move: object) -> list[tuple[str, ...]]:
    """The ways to click a move."""
    mine = f"seat{s.seat + 1}"
    if isinstance(move, Acquire):
        return _name_paths(s, move.field)
    if isinstance(move, Tile):
        return [(f"{mine}.tile.{kind(move.hexagon)}",)]
    if isinstance(move, Stored):
        return [(f"{mine}.x{move.slot + 1}",)]
    if isinstance(move, Cell):
        return [(f"{mine}.{cell_text(move.cell)}",)]
    if isinstance(move, Source):
        return [(f"s{move.source + 1}.{kind(s.choosing)}",)]
    if isinstance(move, Buy):
        return [("supply",)]
    return [(f"{mine}.jokers",)] if isinstance(move, Jokers) else [("pass",)]


def _name_paths(s: State, field: int) -> list[tuple[str, ...]]:
    name = f"name.{FIELD_KINDS[field]}"
    return [(name,), *((slot, name) for slot, hexagon in offered(s) if on_field(hexagon, field))]


def _pale(s: State, usable: set[str]) -> tuple[tuple[str, int], ...]:
    """Hexagons that the player cannot place or pay with; what is on offer but does not fit."""
    mine = f"seat{s.seat + 1}"
    stored = [(f"{mine}.tile.{kind(hexagon)}", PIECE + hexagon)
              for hexagon in range(HEXAGONS) if s.stored[s.seat, hexagon]]
    expansions = [(f"{mine}.x{slot + 1}", SLOT + slot)
                  for slot in range(EXPANSION_SPACES) if s.slots[s.seat, slot] != EMPTY]
    if s.stage == PAYING:
        return tuple((slot, action) for slot, action in stored + expansions if slot not in usable)
    display = [(slot, ACQUIRE + hexagon // PATTERNS) for slot, hexagon in offered(s)]
    names = [(f"name.{FIELD_KINDS[field]}", ACQUIRE + field) for field in range(FIELDS)]
    found = stored + expansions + display + names
    return tuple((slot, action) for slot, action in found if slot not in usable)


VIEW: Final = View(scene=scene, slot_of=slot_of, lights=lights, told=told, judge=judge)
