"""The table of Azul for the page: box -> Plan, state -> Scene.

    offer, supply   as in parts/offer_scene.py
    seat1           seat1.line4, seat1.wall3-5, seat1.floor, seat1.zero, seat1.hand
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from azulejos.core import registry
from azulejos.core.contract import View
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.core.scene import WIDE, Choice, Label, Lying, Piece, Plan, Scene, Slot, by_slot, renamed
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul import boards, rounds
from azulejos.games.azul.board_plan import board, score
from azulejos.games.azul.layout import (
    CAUGHT,
    DIVIDING,
    EMPTY,
    EXTRA,
    LINES,
    MARKER,
    NO_DISC,
    OFFER,
    PLAIN,
    SPLIT,
    STAY,
    TILING,
    ZERO,
    State,
)
from azulejos.games.azul.log_entry import KINDS, log_entry
from azulejos.games.azul.moves import COLOUR_NAMES, FLOOR, LETTERS, MOVES, Column, Divide, Take
from azulejos.games.azul.scored_slots import scored_slots
from azulejos.parts.offer import CENTRE, COLOURS, FACTORIES, tiles_at
from azulejos.parts.offer_scene import (
    MARKER_NAME,
    SPECIAL,
    Badge,
    Offer,
    Tiles,
    lay_offer,
    offer_plan,
    stored,
    supply_plan,
)

NAMES: Final = (*COLOUR_NAMES, MARKER_NAME)


def _tiles(colour: Message, n: int) -> Message:
    return nmsg("{n} {colour} tile", "{n} {colour} tiles", n=n, colour=colour)


TILES: Final = Tiles(KINDS[:COLOURS], LETTERS, COLOUR_NAMES, _tiles)


def plan(position: Position, form: str = WIDE) -> Plan:
    """The empty table."""
    return _plan(position.preset.name, position.players, bool(position.state.grey), form)


@functools.cache
def _plan(box: str, players: int, grey: bool, form: str) -> Plan:
    _, preset = registry.find(box)
    offer = offer_plan(TILES, FACTORIES[players], form)
    supply = supply_plan(TILES, msg("Bag and lid"), (("bag", msg("Bag")), ("lid", msg("Lid"))))
    boards = (board(seat, grey=grey, form=form) for seat in range(players))
    kinds = dict(zip(KINDS, NAMES, strict=True))
    panels = (offer, *boards, supply)
    return renamed(Plan(panels, preset.theme, kinds, marks=MARKS), preset.names)


def scene(position: Position, names: Sequence[str]) -> Scene:
    """The table as a person sees it, with the clicks for every legal move."""
    s, table = position.state, plan(position)
    lies: dict[str, Lying] = {}
    places: dict[str, Slot | None] = {}
    labels: dict[str, Label] = {}
    lay_offer(_offer(s), lies, places, table)
    for seat in range(s.players):
        _lay_board(s, seat, lies, places, table)
        labels[f"score{seat + 1}"] = score(int(s.score[seat]), seat)
    for slot, held in (("bag", s.bag), ("lid", s.lid)):
        lies[slot] = stored(TILES, slot, tuple(held.tolist()))
    called = position.preset.names
    prompt = PROMPTS.get(int(s.stage)) if s.to_move >= 0 else None
    return Scene(
        plan=table, lies=lies, places=places, labels=labels, names=tuple(map(raw, names)),
        to_move=s.to_move, choices=_choices(position, s),
        status=_status(position, s, names).renamed(called),
        prompt=None if prompt is None else prompt.renamed(called),
        notice=_last_round(s, names),
    )


def slot_of(seat: int, place: int) -> str | None:
    """The slot that earned points (the `place` of `Scored`), or None for the board as a whole."""
    return f"seat{seat + 1}.wall{place // LINES + 1}-{place % LINES + 1}" if place >= 0 else None


def _status(position: Position, s: State, names: Sequence[str]) -> Message:
    if s.to_move == CHANCE:
        return msg("Round {round}: tiles are being drawn.", round=max(1, s.round))
    if s.to_move == OVER:
        return position.game.rules.end_reason(s)
    name = names[s.to_move]
    if s.stage == TILING:
        line = boards.complete_line(s, s.to_move)
        return msg("{name} chooses a column for the tile of line {line}.", name=name, line=line + 1)
    if s.stage == DIVIDING:
        return msg("{name} divides the tiles left on factory {factory}.",
                   name=name, factory=s.dividing + 1)
    return msg("{name} takes tiles.", name=name)


PROMPTS: Final = {
    OFFER: msg("Pick tiles and a line for them."),
    TILING: msg("Choose a column for the tile."),
    DIVIDING: msg("Divide the tiles that are left over."),
}


def _last_round(s: State, names: Sequence[str]) -> Message | None:
    """A warning if someone has four tiles in a wall row and the fifth in a full line."""
    if s.to_move == OVER:
        return None
    for seat in range(s.players):
        tiles, wall = s.line_tiles[seat].tolist(), s.wall[seat].tolist()
        for line in range(LINES):
            if tiles[line] == line + 1 and wall[line].count(EMPTY) == 1:
                return msg("Last round: {name} completes a row.", name=names[seat])
    return None


# --- the offer ---------------------------------------------------------------------------------------


def _offer(s: State) -> Offer:
    places = range(FACTORIES[s.players])
    effects = s.effects.tolist()
    return Offer(
        TILES,
        factories=[None if s.gone == place else s.factories[place] for place in places],
        centre=s.centre,
        marker=s.marker < 0 and s.round > 0,
        badges={place: _badge(effects[place]) for place in places if effects[place] != PLAIN},
    )


def _badge(effect_of: int) -> Badge:
    if effect_of in BADGES:
        return BADGES[effect_of]
    colour = effect_of - 1
    name = msg("NEIGHBOUR: one {colour} tile came from each neighbouring factory",
               colour=COLOUR_NAMES[colour])
    return Badge(f"neighbour.{KINDS[colour]}", name)


BADGES: Final = {
    EXTRA: Badge("extra", msg("EXTRA: one more tile was placed here")),
    STAY: Badge("stay", msg("STAY: the other tiles stay on the disc")),
    SPLIT: Badge("split", msg("SPLIT: the other tiles are divided between the neighbouring factories")),
    ZERO: Badge("zero", msg("ZERO: take the disc; the next piece that falls costs nothing")),
}


SIGNS: Final = (
    *(badge.sign for badge in BADGES.values()), *(f"neighbour.{kind}" for kind in KINDS[:COLOURS])
)
MARKS: Final = (("plate", SPECIAL), *(("badge", sign) for sign in SIGNS))


# --- a player's board --------------------------------------------------------------------------------


def _lay_board(
    s: State, seat: int, lies: dict[str, Lying], places: dict[str, Slot | None], table: Plan
) -> None:
    colours, tiles, wall = (field[seat].tolist() for field in (s.line_colour, s.line_tiles, s.wall))
    for line in range(LINES):
        if tiles[line]:
            on_line = _on_line(seat, line, colours[line], tiles[line])
            lies[on_line[0].slot] = on_line
        if any(wall[line]):
            lies.update(_on_wall(seat, line, tuple(wall[line])))
    floor = _on_floor(seat, tuple(s.floor[seat].tolist()))
    if floor:
        lies[floor[0].slot] = floor
    if s.disc[seat] != NO_DISC or s.marker == seat:
        _lay_beside(s, seat, lies, places, table)


def _lay_beside(
    s: State, seat: int, lies: dict[str, Lying], places: dict[str, Slot | None], table: Plan
) -> None:
    caught = int(s.disc[seat]) - CAUGHT
    if s.disc[seat] != NO_DISC:
        slot = f"seat{seat + 1}.zero"
        places[slot] = table.slots[slot]
        if caught > 0:
            lies[slot] = (Piece(KINDS[caught - 1], slot),)
    if s.marker == seat and caught != MARKER and MARKER not in s.floor[seat]:
        slot = f"seat{seat + 1}.hand"
        lies[slot] = (Piece("marker", slot),)


@functools.cache
def _on_line(seat: int, line: int, colour: int, tiles: int) -> Lying:
    slot = f"seat{seat + 1}.line{line + 1}"
    return tuple(Piece(KINDS[colour], slot, spot=i) for i in range(tiles))


@functools.lru_cache(maxsize=4096)
def _on_wall(seat: int, row: int, wall: tuple[int, ...]) -> dict[str, Lying]:
    return by_slot(*(
        Piece(KINDS[piece - 1], f"seat{seat + 1}.wall{row + 1}-{column + 1}")
        for column, piece in enumerate(wall) if piece
    ))


@functools.lru_cache(maxsize=4096)
def _on_floor(seat: int, floor: tuple[int, ...]) -> Lying:
    slot = f"seat{seat + 1}.floor"
    return tuple(Piece(KINDS[piece - 1], slot, spot=space) for space, piece in enumerate(floor) if piece)


# --- choices -----------------------------------------------------------------------------------------


def _choices(position: Position, s: State) -> tuple[Choice, ...]:
    seat = s.to_move
    if seat < 0:
        return ()
    if s.stage == OFFER:
        return tuple(_taking(seat, action) for action in position.legal_actions())
    return tuple(Choice(action, _path(s, MOVES[action])) for action in position.legal_actions())


@functools.cache
def _taking(seat: int, action: int) -> Choice:
    move = MOVES[action]
    assert isinstance(move, Take)
    source = "C" if move.source == CENTRE else f"F{move.source}"
    target = "floor" if move.target == FLOOR else f"line{move.target + 1}"
    return Choice(action, (f"{source}.{KINDS[move.colour]}", f"seat{seat + 1}.{target}"))


def _path(s: State, move: Move) -> tuple[str, ...]:
    if isinstance(move, Column):
        return (f"seat{s.to_move + 1}.wall{boards.complete_line(s, s.to_move) + 1}-{move.column + 1}",)
    assert isinstance(move, Divide)
    return _division(s, move)


def _division(s: State, move: Divide) -> tuple[str, ...]:
    """SPLIT: click each colour, then the factory it goes to."""
    here = s.dividing + 1
    left, right = (rounds.neighbour(s, s.dividing, step) + 1 for step in (-1, 1))
    path: list[str] = []
    for colour in range(COLOURS):
        if tiles_at(s.factories, s.centre, here, colour):
            path += [f"F{here}.{KINDS[colour]}", f"F{left if colour in move.left else right}"]
    return tuple(path)


VIEW: Final = View(plan=plan, scene=scene, slot_of=slot_of, scored_slots=scored_slots, log_entry=log_entry)
