"""What lies on the table in a game of Stained Glass of Sintra: state -> Scene.

    offer, supply   as in parts/table.py, with bag and tower
    track           track1 .. track6: the bonus panes of the rounds
    seat1           seat1.glazier3, seat1.strip3 with its spaces seat1.strip3.1 .. 5,
                    seat1.back3, seat1.window3.upper, seat1.window3.lower, seat1.ornament2, seat1.broken,
                    seat1.hand

Over each strip lies a small picture of its other side, until it is turned over.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final, NamedTuple

from azulejos.core.contract import View
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.scene import Choice, Label, Panel, Piece, Scene, Slot
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.stained_glass.components import (
    BROKEN_GLASS,
    LETTERS,
    ORNAMENTS,
    ROUNDS,
    STRIP_SPACES,
    WINDOW_POINTS,
    WINDOWS,
)
from azulejos.games.stained_glass.layout import EMPTY, JOKER, KEEPING, LOWER, OFFER, UPPER, State
from azulejos.games.stained_glass.lights import lights
from azulejos.games.stained_glass.moves import BREAK, COLOUR_NAMES, Keep, Reset, Take
from azulejos.games.stained_glass.rules import ornament_points
from azulejos.games.stained_glass.strips import leftmost_strip
from azulejos.games.stained_glass.telling import PANE_KINDS, told
from azulejos.parts.offer import CENTRE, FACTORIES
from azulejos.parts.table import MARKER_NAME, PITCH, Offer, Tiles, offer_panel, supply_panel

PANES: Final = Tiles(PANE_KINDS, LETTERS, COLOUR_NAMES)
SPACE_KINDS: Final = (*PANES.kinds, "joker")
JOKER_NAME: Final = msg("joker")
NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI")


def scene(position: Position, names: Sequence[str]) -> Scene:
    """The table as a person sees it, with the clicks for every legal move."""
    s = position.state
    boards = [_board(s, seat, names[seat]) for seat in range(s.players)]
    stores = (("bag", msg("Bag"), s.bag), ("tower", msg("Tower"), s.tower))
    return Scene(
        panels=(_offer(s), _track(s), *boards, supply_panel(PANES, msg("Bag and tower"), stores)),
        choices=_choices(position, s),
        theme=position.preset.theme,
        status=_status(position, s, names),
        prompt=PROMPTS.get(int(s.stage)) if s.to_move >= 0 else None,
        notice=msg("Last round.") if s.round == ROUNDS and s.to_move >= 0 else None,
    )


def slot_of(seat: int, place: int) -> str | None:
    """The slot that earned points (the `place` of `Scored`), or None for the board as a whole."""
    if place < 0:
        return None
    what = f"window{place + 1}.upper" if place < WINDOWS else f"ornament{place - WINDOWS + 1}"
    return f"seat{seat + 1}.{what}"


def _status(position: Position, s: State, names: Sequence[str]) -> Message:
    if s.to_move == OVER:
        return position.game.rules.end_reason(s)
    if s.round == 0:
        return msg("The table is set up.")
    if s.to_move == CHANCE:
        return msg("Round {round}: panes are drawn.", round=s.round)
    name = names[s.to_move]
    if s.stage == KEEPING:
        window = int(s.glazier[s.to_move]) + 1
        return msg("{name} keeps a pane for window {window}.", name=name, window=window)
    return msg("{name} takes panes.", name=name)


PROMPTS: Final = {
    OFFER: msg("Pick panes, or move the glazier back."),
    KEEPING: msg("Choose a pane for the window."),
}


# --- the middle of the table -------------------------------------------------------------------------


def _offer(s: State) -> Panel:
    factories = [s.factories[place] for place in range(FACTORIES[s.players])]
    waiting = s.start_tile < 0 and s.round > 0
    return offer_panel(Offer(PANES, factories, s.centre, marker=waiting, badges={}))


def _track(s: State) -> Panel:
    slots, pieces, labels = [], [], []
    for slot in range(ROUNDS):
        x = 0.8 + slot * 1.2
        slots.append(Slot(f"track{slot + 1}", x, 1.35, msg("bonus pane of round {n}", n=slot + 1)))
        style = "strong" if slot == s.round - 1 else "quiet"
        labels.append(Label(raw(NUMERALS[slot]), x, 0.45, 0.42, style=style))
        if s.track[slot]:
            pieces.append(_pane(f"track{slot + 1}", int(s.track[slot]) - 1))
    return Panel("track", msg("Round track"), 7.6, 2.1, tuple(slots), tuple(pieces), tuple(labels))


def _pane(slot: str, colour: int) -> Piece:
    return Piece(PANES.kinds[colour], slot, PANES.names[colour])


# --- a player's board --------------------------------------------------------------------------------

LEFT: Final = 0.9
COLUMN: Final = 1.22
GLAZIER_Y: Final = 1.85
BACK_Y: Final = 2.72
BACK_SIZE: Final = 0.36
BACK_SPOTS: Final = tuple((x * BACK_SIZE, y * BACK_SIZE) for y, row in ((-0.5, 3), (0.5, 2))
                          for x in (i - (row - 1) / 2 for i in range(row)))
STRIP_Y: Final = 3.68
WINDOW_Y: Final = STRIP_Y + STRIP_SPACES * PITCH + 0.25
POINTS_Y: Final = WINDOW_Y + PITCH + 0.9
BROKEN_X: Final = LEFT + WINDOWS * COLUMN + 0.1
BROKEN_STEP: Final = 0.88
BOARD_WIDTH: Final = BROKEN_X + 1.5
BOARD_HEIGHT: Final = POINTS_Y + 0.5


def _board(s: State, seat: int, name: str) -> Panel:
    slots: list[Slot] = []
    pieces: list[Piece] = []
    labels = [
        Label(raw(name), 0.4, 0.7, 0.62, "start", "strong"),
        Label(raw(str(int(s.score[seat])).replace("-", "−")), BOARD_WIDTH - 0.4, 0.7, 0.8, "end", "score"),
    ]
    for window, column in enumerate(_columns(s, seat)):
        there = _column(seat, window, column)
        slots += there[0]
        pieces += there[1]
        labels.append(Label(raw(str(WINDOW_POINTS[window])), _x(window), POINTS_Y, 0.5, style="strong"))
    if not s.side_b:
        slots += [_ornament(s, seat, ornament) for ornament in range(len(ORNAMENTS))]
    labels += _lay_broken(s, seat, slots, pieces)
    _lay_start_tile(s, seat, slots, pieces)
    return Panel(
        f"seat{seat + 1}", raw(name), BOARD_WIDTH, BOARD_HEIGHT, tuple(slots), tuple(pieces), tuple(labels),
        seat, active=s.to_move == seat,
    )


def _x(window: int) -> float:
    return LEFT + window * COLUMN


class Column(NamedTuple):
    """All that is seen of a window and what lies above it."""

    glazier: bool
    first: bool
    """The leftmost with a strip: where a glazier goes who is moved back."""
    keeping: bool
    """Whether a pane of the strip is chosen now."""
    front: tuple[int, ...]
    """Spaces of each kind on the strip; nothing without one."""
    back: tuple[int, ...]
    """The same on its other side, until it is turned over."""
    panes: tuple[int, ...]
    """Of each colour on the strip."""
    window: tuple[int, ...]


def _columns(s: State, seat: int) -> list[Column]:
    at, first = int(s.glazier[seat]), leftmost_strip(s, seat)
    keeping = s.stage == KEEPING and s.to_move == seat
    strips, windows, panes = s.strips, s.windows[seat].tolist(), s.panes[seat].tolist()
    found = []
    for window, (strip, face) in enumerate(zip(s.strip[seat].tolist(), s.face[seat].tolist(), strict=True)):
        front = strips[strip - 1, face].tolist() if strip != EMPTY else ()
        turned = strip == EMPTY or windows[window][UPPER] != EMPTY
        found.append(Column(
            glazier=window == at, first=window == first, keeping=keeping and window == at,
            front=tuple(front), back=() if turned else tuple(strips[strip - 1, 1 - face].tolist()),
            panes=tuple(panes[window]), window=tuple(windows[window]),
        ))
    return found


Laid = tuple[list[Slot], list[Piece]]


@functools.lru_cache(maxsize=8192)
def _column(seat: int, window: int, column: Column) -> Laid:
    """Kept: a move changes one or two columns, and all tables share them. It was half of a picture."""
    laid: Laid = ([], [])
    _lay_glazier(seat, window, column, laid)
    if column.front:
        _lay_strip(seat, window, column, laid)
    if column.back:
        _lay_back(seat, window, column.back, laid)
    _lay_window(seat, window, column.window, laid)
    return laid


def _lay_glazier(seat: int, window: int, column: Column, laid: Laid) -> None:
    slot = f"seat{seat + 1}.glazier{window + 1}"
    name = msg("glazier's place above window {n}", n=window + 1)
    key = "g" if column.first else ""
    laid[0].append(Slot(slot, _x(window), GLAZIER_Y, name, 0.9, 0.9, "circle", key=key))
    if column.glazier:
        laid[1].append(Piece("glazier", slot, msg("glazier")))


def _lay_strip(seat: int, window: int, column: Column, laid: Laid) -> None:
    """The strip as an area around its five spaces; the panes to keep have keys while one is chosen."""
    strip = f"seat{seat + 1}.strip{window + 1}"
    middle = STRIP_Y + (STRIP_SPACES - 1) * PITCH / 2
    name = msg("strip {n}", n=window + 1)
    laid[0].append(
        Slot(strip, _x(window), middle, name, 1.08, STRIP_SPACES * PITCH, "area", key=str(window + 1))
    )
    for place, (kind, pane) in enumerate(_spaces(column.front, column.panes)):
        slot = f"{strip}.{place + 1}"
        laid[0].append(Slot(
            slot, _x(window), STRIP_Y + place * PITCH, _space_name(kind, window), mark=SPACE_KINDS[kind],
            key=f"k{LETTERS[pane]}" if column.keeping else "",
        ))
        if pane >= 0:
            laid[1].append(_pane(slot, pane))


def _spaces(front: Sequence[int], panes: Sequence[int]) -> list[tuple[int, int]]:
    """The five spaces: kind, and the colour of the pane on it or -1. Panes beyond their colour's spaces
    lie on jokers."""
    found, jokers = [], []
    for colour, lying in enumerate(panes):
        own = front[colour]
        found += [(colour, colour)] * min(own, lying) + [(colour, -1)] * max(0, own - lying)
        jokers += [(JOKER, colour)] * max(0, lying - own)
    return found + jokers + [(JOKER, -1)] * (front[JOKER] - len(jokers))


def _space_name(kind: int, window: int) -> Message:
    if kind == JOKER:
        return msg("joker space of strip {n}", n=window + 1)
    return msg("{colour} space of strip {n}", colour=COLOUR_NAMES[kind], n=window + 1)


def _lay_back(seat: int, window: int, back: Sequence[int], laid: Laid) -> None:
    """What the strip shows when it is turned over. The kinds are their own: no pane flies from here."""
    slot = f"seat{seat + 1}.back{window + 1}"
    kinds = [kind for kind, spaces in enumerate(back) for _ in range(spaces)]
    name = msg("other side of strip {n}", n=window + 1)
    laid[0].append(
        Slot(slot, _x(window), BACK_Y, name, 1.08, 2 * BACK_SIZE, spots=BACK_SPOTS, size=BACK_SIZE)
    )
    laid[1].extend(
        Piece(f"{SPACE_KINDS[kind]}.back", slot, (*COLOUR_NAMES, JOKER_NAME)[kind], spot=i)
        for i, kind in enumerate(kinds)
    )


def _lay_window(seat: int, window: int, panes: Sequence[int], laid: Laid) -> None:
    names = (msg("upper pane of window {n}", n=window + 1), msg("lower pane of window {n}", n=window + 1))
    for space, place in ((UPPER, "upper"), (LOWER, "lower")):
        slot = f"seat{seat + 1}.window{window + 1}.{place}"
        laid[0].append(Slot(slot, _x(window), WINDOW_Y + space * PITCH, names[space]))
        if panes[space]:
            laid[1].append(_pane(slot, panes[space] - 1))


def _ornament(s: State, seat: int, ornament: int) -> Slot:
    """Side A: between two windows, with the points it is worth now."""
    left, right = ORNAMENTS[ornament]
    return Slot(
        f"seat{seat + 1}.ornament{ornament + 1}", (_x(left) + _x(right)) / 2, WINDOW_Y + PITCH / 2,
        msg("ornament {n}", n=ornament + 1), 0.62, 0.62, "badge",
        caption=str(ornament_points(s, seat, ornament)),
    )


def _lay_broken(s: State, seat: int, slots: list[Slot], pieces: list[Piece]) -> list[Label]:
    slot = f"seat{seat + 1}.broken"
    middle = (len(BROKEN_GLASS) - 1) / 2
    y = GLAZIER_Y + 0.15 + middle * BROKEN_STEP
    spots = tuple((0.0, (step - middle) * BROKEN_STEP) for step in range(len(BROKEN_GLASS)))
    slots.append(Slot(
        slot, BROKEN_X, y, msg("broken-glass track"), 0.8, len(BROKEN_GLASS) * BROKEN_STEP, "circle",
        spots=spots, size=0.76, key="x",
    ))
    pieces.append(Piece("broken", slot, msg("broken glass"), spot=int(s.broken[seat])))
    return [
        Label(raw(f"−{loss}" if loss else "0"), BROKEN_X + 0.55, y + dy, 0.36, "start", "quiet")
        for loss, (_, dy) in zip(BROKEN_GLASS, spots, strict=True)
    ]


def _lay_start_tile(s: State, seat: int, slots: list[Slot], pieces: list[Piece]) -> None:
    if s.start_tile == seat:
        slot = f"seat{seat + 1}.hand"
        slots.append(Slot(slot, BOARD_WIDTH - 3.2, 0.75, MARKER_NAME, 0.9, 0.9, "area"))
        pieces.append(Piece("marker", slot, MARKER_NAME))


# --- choices -----------------------------------------------------------------------------------------


def _choices(position: Position, s: State) -> tuple[Choice, ...]:
    if s.to_move < 0:
        return ()
    found = []
    for action in position.legal_actions():
        move = position.game.moves[action]
        assert isinstance(move, Take | Reset | Keep)
        found += [Choice(action, path) for path in _paths(s, move)]
    return tuple(found)


def _paths(s: State, move: Take | Reset | Keep) -> list[tuple[str, ...]]:
    """The clicks that mean a move; any pane of a colour may be the one to keep."""
    board = f"seat{s.to_move + 1}"
    if isinstance(move, Take):
        source = "C" if move.source == CENTRE else f"F{move.source}"
        target = "broken" if move.target == BREAK else f"strip{move.target + 1}"
        return [(f"{source}.{PANES.kinds[move.colour]}", f"{board}.{target}")]
    if isinstance(move, Reset):
        return [(f"{board}.glazier{leftmost_strip(s, s.to_move) + 1}",)]
    window = int(s.glazier[s.to_move])
    column = _columns(s, s.to_move)[window]
    return [
        (f"{board}.strip{window + 1}.{place + 1}",)
        for place, (_, pane) in enumerate(_spaces(column.front, column.panes)) if pane == move.colour
    ]


VIEW: Final = View(scene=scene, slot_of=slot_of, lights=lights, told=told)
