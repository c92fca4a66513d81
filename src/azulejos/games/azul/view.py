"""The table of Azul for the page: box -> Plan, state -> Scene.

    offer, supply   as in parts/offer_scene.py
    seat1           seat1.line4, seat1.wall3-5, seat1.floor, seat1.zero, seat1.hand
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core import registry
from azulejos.core.contract import View
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import Move
from azulejos.core.position import Position, Scored
from azulejos.core.scene import (
    BROAD, PHONE, SMALL, WIDE, Choice, Label, Lying, Panel, Piece, Plan, Point, Scene, Slot, by_slot,
    renamed,
)
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.azul import boards, rounds
from azulejos.games.azul.layout import (
    CAUGHT, DIVIDING, EMPTY, EXTRA, FLOOR_PENALTY, FLOOR_SPACES, LINES, MARKER, NO_DISC, OFFER, PLAIN,
    SPLIT, STAY, TILING, WALL_COLUMN, ZERO, State,
)
from azulejos.games.azul.moves import COLOUR_NAMES, FLOOR, LETTERS, MOVES, Column, Divide, Take
from azulejos.games.azul.reasons import COLOUR, FLOOR_LINE, FULL_COLUMN, FULL_ROW, TILE
from azulejos.parts.offer import CENTRE, COLOURS, FACTORIES, tiles_at
from azulejos.parts.offer_scene import (
    MARKER_NAME, SPECIAL, Badge, Offer, Tiles, lay_offer, offer_plan, stored, supply_plan,
)

KINDS: Final = ("blue", "yellow", "red", "black", "white", "marker")
"""Kind of piece by the contents of a space, minus one."""


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """The tile for which a column was chosen; None for moves that name their places themselves."""
    s, move = position.state, position.game.moves[action]
    if not isinstance(move, Column):
        return None
    line = boards.complete_line(s, s.to_move)
    colour = int(s.line_colour[s.to_move, line])
    where = msg("wall, row {row}, column {column}", row=line + 1, column=move.column + 1)
    return [Piece(KINDS[colour], "", COLOUR_NAMES[colour])], where


@dataclass(frozen=True, kw_only=True, slots=True)
class BoardForm:
    """Places in tiles, from the top left corner of the board."""

    width: float
    height: float
    top: float
    """The middle of the first row."""
    pitch: float
    """From row to row, and from column to column of the wall."""
    line_right: float
    """The middle of the tile that is next to the wall."""
    line_step: float
    wall: float
    floor: Point
    floor_step: float
    floor_size: float
    zero: Point
    hand: Point
    name: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Place and size; size 0: not shown."""
    score: tuple[float, float, float] = (0.0, 0.0, 0.0)
    score_anchor: str = "end"
    penalties: float = 0.0
    """The size of the numbers in the spaces of the floor line."""


BOARDS: Final = {
    WIDE: BoardForm(
        width=12.14, height=8.14, top=1.82, pitch=1.069, line_right=5.24, line_step=1.069, wall=6.79,
        floor=(0.97, 7.3), floor_step=1.036, floor_size=0.94, zero=(8.75, 7.3), hand=(10.0, 7.3),
        name=(0.5, 0.8, 0.5), score=(11.6, 0.66, 0.78), penalties=0.3,
    ),
    PHONE: BoardForm(
        width=8.49, height=6.68, top=0.67, pitch=1.073, line_right=2.207, line_step=0.366,
        wall=3.476, floor=(0.8, 6.06), floor_step=1.141, floor_size=1.0, zero=(0.66, 1.75),
        hand=(0.52, 2.8), score=(0.72, 0.76, 0.8), score_anchor="middle", penalties=0.32,
    ),
    SMALL: BoardForm(
        width=11.14, height=6.85, top=0.65, pitch=1.06, line_right=4.89, line_step=1.06, wall=6.25,
        floor=(0.65, 6.2), floor_step=1.06, floor_size=1.0, zero=(8.5, 6.2), hand=(9.8, 6.2),
    ),
    BROAD: BoardForm(
        width=18.9, height=5.8, top=0.78, pitch=1.06, line_right=4.89, line_step=1.06, wall=6.25,
        floor=(12.0, 5.02), floor_step=1.03, floor_size=0.96, zero=(13.5, 3.7), hand=(12.1, 3.7),
        penalties=0.36,
    ),
}


def board(seat: int, *, grey: bool, form: str) -> Panel:
    """An empty board."""
    at = BOARDS[form]
    rows = [
        slot for row in range(LINES) for slot in (_line(seat, row, at), *_wall_row(seat, row, grey, at))
    ]
    name = Label(raw(""), *at.name, "start", "strong called", id=f"name{seat + 1}")
    labels = (name, score(0, seat, form), *_penalties(at))
    slots = (*rows, _floor(seat, at), *_beside(seat, at))
    return Panel(f"seat{seat + 1}", raw(""), at.width, at.height, slots, (), labels, seat)


@functools.lru_cache(maxsize=1024)
def score(points: int, seat: int, form: str = WIDE) -> Label:
    at = BOARDS[form]
    return Label(raw(str(points)), *at.score, at.score_anchor, "score", id=f"score{seat + 1}")


def _beside(seat: int, at: BoardForm) -> tuple[Slot, Slot]:
    """Slots for a taken ZERO disc and for a marker that found the floor line full."""
    name = msg("ZERO disc: the next piece that falls costs nothing")
    zero = Slot(f"seat{seat + 1}.zero", *at.zero, name, 1.0, 1.0, "badge", mark="zero", size=0.9,
                optional=True)
    hand = Slot(f"seat{seat + 1}.hand", *at.hand, MARKER_NAME, 0.9, 0.9, "area", optional=True)
    return zero, hand


def _line(seat: int, line: int, at: BoardForm) -> Slot:
    right = at.line_right + at.pitch / 2
    left = at.line_right - line * at.line_step - at.pitch / 2
    middle = (left + right) / 2
    return Slot(
        f"seat{seat + 1}.line{line + 1}", middle, at.top + line * at.pitch, msg("line {n}", n=line + 1),
        right - left, at.pitch,
        spots=tuple((at.line_right - i * at.line_step - middle, 0.0) for i in range(line + 1)), size=1.0,
        key=str(line + 1),
    )


def _wall_row(seat: int, row: int, grey: bool, at: BoardForm) -> list[Slot]:
    return [
        Slot(
            f"seat{seat + 1}.wall{row + 1}-{column + 1}",
            at.wall + column * at.pitch, at.top + row * at.pitch,
            _wall_name(row, column, grey=grey),
            mark=None if grey else KINDS[WALL_COLUMN[row].index(column)],
            key=f"c{column + 1}" if grey else "",
        )
        for column in range(LINES)
    ]


def _wall_name(row: int, column: int, *, grey: bool) -> Message:
    if grey:
        return msg("wall, row {row}, column {column}", row=row + 1, column=column + 1)
    return msg("wall, row {row}, column {column}, for {colour}", row=row + 1, column=column + 1,
               colour=COLOUR_NAMES[WALL_COLUMN[row].index(column)])


def _floor(seat: int, at: BoardForm) -> Slot:
    half = (FLOOR_SPACES - 1) / 2
    return Slot(
        f"seat{seat + 1}.floor", at.floor[0] + half * at.floor_step, at.floor[1], msg("floor line"),
        FLOOR_SPACES * at.floor_step, at.pitch, size=at.floor_size,
        spots=tuple(((space - half) * at.floor_step, 0.0) for space in range(FLOOR_SPACES)), key="f",
    )


def _penalties(at: BoardForm) -> list[Label]:
    x, y = at.floor
    return [
        Label(raw(f"−{FLOOR_PENALTY[space + 1] - FLOOR_PENALTY[space]}"), x + space * at.floor_step, y,
              at.penalties, style="caption")
        for space in range(FLOOR_SPACES)
    ]


Space = tuple[int, int]


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board = f"seat{scored.seat + 1}"
    if scored.code == FLOOR_LINE:
        return [f"{board}.floor"]
    spaces = _run(before, after, scored) if scored.code == TILE else _complete(after, scored)
    return [f"{board}.wall{row + 1}-{column + 1}" for row, column in spaces]


def _run(before: State, after: State, scored: Scored) -> Iterator[Space]:
    """A tile with its row and column. Lines below it were tiled later in the same action."""
    seat, (row, column) = scored.seat, divmod(scored.place, LINES)
    yield row, column
    for state, down, right in ((after, 0, -1), (after, 0, 1), (after, -1, 0), (before, 1, 0)):
        for step in range(1, boards.run(state, seat, row, column, down, right) + 1):
            yield row + step * down, column + step * right


def _complete(after: State, scored: Scored) -> Iterator[Space]:
    """All complete rows, columns or colours, depending on which of them scored."""
    wall = after.wall[scored.seat]
    spaces = [(row, column) for row in range(LINES) for column in range(LINES)]
    same: dict[int, Callable[[Space], int]] = {
        FULL_ROW: lambda at: at[0], FULL_COLUMN: lambda at: at[1], COLOUR: lambda at: int(wall[at]),
    }
    key = same[scored.code]
    tiled = [at for at in spaces if wall[at]]
    return (at for at in tiled if sum(key(other) == key(at) for other in tiled) == LINES)


# --- the table -------------------------------------------------------------------------------------------


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
    called = position.preset.names
    lay_offer(_offer(s, called), lies, places, table)
    for seat in range(s.players):
        _lay_board(s, seat, lies, places, table)
        labels[f"score{seat + 1}"] = score(int(s.score[seat]), seat)
    for slot, held in (("bag", s.bag), ("lid", s.lid)):
        lies[slot] = stored(TILES, slot, tuple(held.tolist()))
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


def _offer(s: State, called: Mapping[str, Message]) -> Offer:
    places = range(FACTORIES[s.players])
    effects = s.effects.tolist()
    return Offer(
        TILES,
        factories=[None if s.gone == place else s.factories[place] for place in places],
        centre=s.centre,
        marker=s.marker < 0 and s.round > 0,
        badges={place: _badge(effects[place], called) for place in places if effects[place] != PLAIN},
    )


def _badge(effect_of: int, called: Mapping[str, Message]) -> Badge:
    if effect_of in BADGES:
        return BADGES[effect_of]
    colour = effect_of - 1
    name = msg("NEIGHBOUR: one {colour} came from each neighbouring factory",
               colour=COLOUR_NAMES[colour])
    return Badge(f"neighbour.{KINDS[colour]}", name.renamed(called))


BADGES: Final = {
    EXTRA: Badge("extra", msg("EXTRA: one more was placed here")),
    STAY: Badge("stay", msg("STAY: the rest stays on the disc")),
    SPLIT: Badge("split", msg("SPLIT: the rest is divided between the neighbouring factories")),
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
