"""The table of Queen's Garden for the page: box -> Plan, state -> Scene.

    display   s2, s2.light-blue.tree: an expansion of the stack and a hexagon there; name.tree: a name to
              acquire; supply; stack: what is below the top; pass
    seat1     seat1.01 ... seat1.66: cells; seat1.place2: a place; seat1.fountain, seat1.statue1, ...;
              seat1.tile.yellow.bird: tiles of the storage; seat1.x1; seat1.jokers; seat1.hand
    wheel     wheel.dark-green: what this round and the others score

To acquire, click a hexagon and then its colour or pattern, or only the name.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from azulejos.core.contract import View
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position, Scored
from azulejos.core.scene import WIDE, Choice, Label, Lying, Piece, Plan, Scene, Slot, by_slot
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.queens_garden import reasons
from azulejos.games.queens_garden.components import (
    CELLS, FIELD_BITS, FIELDS, HEXAGONS, PATTERNS, ROUNDS, STACK,
)
from azulejos.games.queens_garden.display import faces_offered, tiles_offered
from azulejos.games.queens_garden.garden import gather, on_field
from azulejos.games.queens_garden.layout import (
    ACTING, CHOOSING, DISCARDING, EMPTY, FACE_DOWN, FILLING, HELD_BACK, LOT, PAYING, PLACING, TAKEN, State,
)
from azulejos.games.queens_garden.moves import (
    ACQUIRE, FIELD_KINDS, FIELD_NAMES, MOVES, PIECE, SLOT, Acquire, Buy, Cell, Jokers, Pass, Slot as Stored,
    Source, Tile, any_of, cell_text, hexagon_name, kind, offered,
)
from azulejos.games.queens_garden.panels import (
    ELEMENTS, KEPT_PLANS, OWN_HEXAGON, Laid, board, dial, display, held_hexagon, lay_board, quarter,
    wheel_labels,
)
from azulejos.games.queens_garden.payments import judge, selection
from azulejos.games.queens_garden.storage import hexagon_of
from azulejos.games.queens_garden.wheel import Wheel, wheel_on

# --- the log ---------------------------------------------------------------------------------------------


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """Hexagons that were acquired, paid or discarded; None for moves that name their places themselves."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Acquire):
        bits = (tiles_offered(s) | faces_offered(s)) & FIELD_BITS[move.field]
        taken = [_piece(hexagon) for hexagon in range(HEXAGONS) if bits >> hexagon & 1]
        return taken, msg("takes: {field}", field=FIELD_NAMES[move.field])
    if isinstance(move, Source):
        return [_piece(int(s.choosing))], msg("expansion {n}", n=move.source + 1)
    if isinstance(move, Jokers):
        return [Piece("joker", "", msg("joker"), count=int(s.due))], msg("paid")
    if isinstance(move, Pass):  # the entries before the end of a turn list the discards
        return [], msg("discarded") if s.stage == DISCARDING and s.last >= 0 else msg("passes")
    if isinstance(move, Tile | Stored) and s.stage in (PAYING, DISCARDING):
        return [_piece(_hexagon(s, move))], msg("paid") if s.stage == PAYING else msg("discarded")
    return None


def _hexagon(s: State, move: Tile | Stored) -> int:
    return move.hexagon if isinstance(move, Tile) else hexagon_of(s, s.seat, HEXAGONS + move.slot)


def _piece(hexagon: int) -> Piece:
    return Piece(kind(hexagon), "", hexagon_name(hexagon))


# --- where points are scored -----------------------------------------------------------------------------


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board, seat = f"seat{scored.seat + 1}", scored.seat
    if scored.code == reasons.JOKERS_LEFT:
        return [f"{board}.jokers"]
    if scored.code == reasons.PIECES_LEFT:
        left = [hexagon for hexagon in range(HEXAGONS) if after.stored[seat, hexagon]]
        return [f"{board}.tile.{kind(hexagon)}" for hexagon in left]
    if scored.place < 0:
        return []
    group = 1 << scored.place
    if reasons.GROUP <= scored.code < reasons.PAVILION_SEEN:
        field = (scored.code - reasons.GROUP) % (reasons.BONUS - reasons.GROUP)
        hexagon = int(after.garden[seat, scored.place]) - 1
        by_colour = field < (reasons.BONUS - reasons.GROUP) // 2
        group = gather(after.garden[seat], scored.place, hexagon, by_colour)
    return [f"{board}.{cell_text(cell)}" for cell in range(CELLS) if group >> cell & 1]


# --- the table -------------------------------------------------------------------------------------------


def plan(position: Position, form: str = WIDE) -> Plan:
    """The empty table."""
    return _plan(position.preset.theme, position.players, wheel_on(position.state), form)


@functools.lru_cache(maxsize=KEPT_PLANS)
def _plan(theme: str, players: int, wheel: Wheel, form: str) -> Plan:
    boards = (board(seat, form) for seat in range(players))
    quarters = tuple(("dial", quarter(number)) for number in range(ROUNDS))
    return Plan((display(players, form), *boards, dial(wheel)), theme, _kinds(), marks=quarters)


def _kinds() -> dict[str, Message]:
    hexagons = {kind(hexagon): hexagon_name(hexagon) for hexagon in range(HEXAGONS)}
    fields = {any_of(field): FIELD_NAMES[field] for field in range(FIELDS)}
    others = {
        "pavilion": msg("pavilion"), "joker": msg("joker"), "marker": msg("start marker"),
        "expansion": msg("face-down expansion"),
    }
    return {**hexagons, **fields, **ELEMENTS, **others}


def scene(position: Position, names: Sequence[str]) -> Scene:
    """The table as a person sees it, with the clicks for every legal move."""
    s, table = position.state, plan(position)
    laid = Laid(dict(ALWAYS), {}, {})
    _lay_display(s, laid, table)
    _lay_wheel(s, laid, table)
    for seat in range(s.players):
        lay_board(s, seat, laid, table)
    choices, marking = _choices(position, s), selection(position)
    usable = {choice.path[0] for choice in choices} | set(marking.slots if marking else ())
    return Scene(
        plan=table, lies=laid.lies, places=laid.places, labels=laid.labels, names=tuple(map(raw, names)),
        to_move=s.to_move, choices=choices,
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
        return msg("{name} pays for {hexagon}: {due} more to pay; the hexagon itself counts as one.",
                   name=name, hexagon=hexagon_name(hexagon), due=s.due)
    if s.stage == DISCARDING:
        return msg("{name} passes and may discard hexagons.", name=name)
    return msg("{name} takes hexagons, places one, or passes.", name=name)


def _drawing(s: State) -> Message:
    if s.stage == LOT:
        return msg("The first player is being chosen at random.")
    if s.stage == FILLING:
        return msg("Round {round}: tiles are being drawn.", round=s.round)
    return msg("Round {round}: an expansion is being turned face up.", round=s.round)


PROMPTS: Final = {
    ACTING: msg("Take hexagons, place one, or pass."),
    CHOOSING: msg("Choose one of the identical hexagons."),
    PLACING: msg("Choose where it goes."),
    PAYING: msg("It counts as one itself. Change the marked payment, or confirm."),
    DISCARDING: msg("Mark the hexagons to discard, or none."),
}


# --- the display -------------------------------------------------------------------------------------

def _lay_display(s: State, laid: Laid, table: Plan) -> None:
    """Add the expansions of the stack, the supply and the rest of the stack."""
    if s.round > 0:
        faces, tiles = s.face.tolist(), s.tiles.tolist()
        for source in range(min(s.top + 1, STACK[s.players])):
            if faces[source] != TAKEN:
                lies, places = _on_source(
                    table, source, faces[source], tuple(tiles[source]), source == s.top, int(s.choosing)
                )
                laid.lies.update(lies)
                laid.places.update(places)
    below = max(0, STACK[s.players] - s.top - 1)
    for slot, count in (("supply", s.supply), ("stack", below)):
        if count:
            laid.lies[slot] = (Piece("expansion", slot, count=int(count)),)
    laid.labels["bag"] = _counts(table, sum(s.bag.tolist()), sum(s.tower.tolist()))


@functools.lru_cache(maxsize=4096)
def _counts(table: Plan, bag: int, tower: int) -> Label:
    counts = msg("{bag} in the bag, {tower} in the tower", bag=bag, tower=tower)
    return replace(table.panels[0].labels[0], text=counts)


@functools.lru_cache(maxsize=4096)
def _on_source(
    table: Plan, source: int, face: int, tiles: tuple[int, ...], top: bool, choosing: int
) -> tuple[dict[str, Lying], dict[str, Slot | None]]:
    plate = table.slots[f"s{source + 1}"]
    places: dict[str, Slot | None] = {
        plate.id: replace(plate, name=msg("top of the stack")) if top else plate
    }
    if face != FACE_DOWN:
        found = [Piece("pavilion", f"{plate.id}.pavilion"), _on_plate(plate, face - 1, OWN_HEXAGON)]
    else:
        found = [_on_plate(plate, tile - 1, i) for i, tile in enumerate(t for t in tiles if t != EMPTY)]
    lies = by_slot(*found)
    chosen = f"{plate.id}.{kind(choosing)}" if choosing >= 0 else ""
    if chosen in lies:
        places[chosen] = replace(table.slots[chosen], key=plate.id)
    return lies, places


def _on_plate(plate: Slot, hexagon: int, spot: int) -> Piece:
    return Piece(kind(hexagon), f"{plate.id}.{kind(hexagon)}", spot=spot)


ALWAYS: Final = by_slot(*(
    Piece(any_of(field), f"{where}.{FIELD_KINDS[field]}")
    for where in ("name", "wheel") for field in range(FIELDS)
))
"""Pieces present in every position: the chips to name a colour or a pattern, and those on the wheel."""


# --- the wheel ---------------------------------------------------------------------------------------


def _lay_wheel(s: State, laid: Laid, table: Plan) -> None:
    if s.round > 0:
        laid.places["wheel"] = _turned(table, s.round)
        for label in wheel_labels(wheel_on(s), s.round - 1, "strong"):
            laid.labels[label.id] = label


@functools.lru_cache(maxsize=KEPT_PLANS * ROUNDS)
def _turned(table: Plan, number: int) -> Slot:
    """The wheel in a round."""
    return replace(table.slots["wheel"], mark=quarter(number - 1))


# --- choices -----------------------------------------------------------------------------------------


def _choices(position: Position, s: State) -> tuple[Choice, ...]:
    if s.to_move < 0:
        return ()
    found = []
    offers = offered(s)
    for action in position.legal_actions():
        move = MOVES[action]
        if isinstance(move, Acquire):
            found += [Choice(action, path) for path in _name_paths(offers, move.field)]
        else:
            found.append(_choice(action, s.seat, s.choosing))
    return tuple(found)


@functools.lru_cache(maxsize=4096)
def _choice(action: int, seat: int, choosing: int) -> Choice:
    """A move that one click makes."""
    return Choice(action, (_place(MOVES[action], f"seat{seat + 1}", choosing),))


def _place(move: object, mine: str, choosing: int) -> str:
    if isinstance(move, Tile):
        return f"{mine}.tile.{kind(move.hexagon)}"
    if isinstance(move, Stored):
        return f"{mine}.x{move.slot + 1}"
    if isinstance(move, Cell):
        return f"{mine}.{cell_text(move.cell)}"
    if isinstance(move, Source):
        return f"s{move.source + 1}.{kind(choosing)}"
    if isinstance(move, Buy):
        return "supply"
    return f"{mine}.jokers" if isinstance(move, Jokers) else "pass"


def _name_paths(offers: list[tuple[str, int]], field: int) -> list[tuple[str, ...]]:
    name = f"name.{FIELD_KINDS[field]}"
    return [(name,), *((slot, name) for slot, hexagon in offers if on_field(hexagon, field))]


def _pale(s: State, usable: set[str]) -> tuple[tuple[str, int], ...]:
    """Hexagons that the player can neither place nor pay with, and offered ones that do not fit."""
    mine = f"seat{s.seat + 1}"
    stored = [(f"{mine}.tile.{kind(hexagon)}", PIECE + hexagon)
              for hexagon, count in enumerate(s.stored[s.seat].tolist()) if count]
    expansions = [(f"{mine}.x{slot + 1}", SLOT + slot)
                  for slot, lying in enumerate(s.slots[s.seat].tolist()) if lying != EMPTY]
    if s.stage == PAYING:
        return tuple((slot, action) for slot, action in stored + expansions if slot not in usable)
    display = [(slot, ACQUIRE + hexagon // PATTERNS) for slot, hexagon in offered(s)]
    names = [(f"name.{FIELD_KINDS[field]}", ACQUIRE + field) for field in range(FIELDS)]
    found = stored + expansions + display + names
    return tuple((slot, action) for slot, action in found if slot not in usable)


VIEW: Final = View(
    plan=plan, scene=scene, slot_of=slot_of, scored_slots=scored_slots, log_entry=log_entry, judge=judge
)
