"""The table of Stained Glass of Sintra for the page: box -> Plan, state -> Scene.

    offer, supply   as in parts/offer_scene.py, with bag and tower
    track           track1 .. track6: the bonus panes of the rounds
    seat1           seat1.glazier3, seat1.strip3 with its spaces seat1.strip3.1 .. 5,
                    seat1.back3, seat1.window3.upper, seat1.window3.lower, seat1.ornament2, seat1.broken,
                    seat1.hand

Above each strip is a small picture of its other side, until the strip is turned over.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from azulejos.core import plain
from azulejos.core.contract import View
from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.position import Position, Scored
from azulejos.core.scene import WIDE, Choice, Label, Lying, Panel, Piece, Plan, Scene, Slot, by_slot
from azulejos.core.verbs import CHANCE, OVER
from azulejos.games.stained_glass.board_plan import board, ornament, score
from azulejos.games.stained_glass.components import LETTERS, ORNAMENTS, ROUNDS, STRIP_SPACES, WINDOWS
from azulejos.games.stained_glass.layout import EMPTY, JOKER, KEEPING, LOWER, OFFER, UPPER, State
from azulejos.games.stained_glass.moves import BREAK, COLOUR_NAMES, Keep, Reset, Take
from azulejos.games.stained_glass.reasons import (
    BEST_COLOUR, BONUS_COLOUR, BROKEN, ORNAMENT, PANES_LEFT, TRACK_END, WINDOW,
)
from azulejos.games.stained_glass.rules import ornament_points
from azulejos.games.stained_glass.strips import has_strip, leftmost_strip
from azulejos.parts.offer import CENTRE, FACTORIES
from azulejos.parts.offer_scene import MARKER_NAME, Offer, Tiles, lay_offer, offer_plan, stored, supply_plan

# --- the log ---------------------------------------------------------------------------------------------


PANE_KINDS: Final = ("blue", "pink", "orange", "yellow", "white")


def log_entry(position: Position, action: int) -> tuple[list[Piece], Message] | None:
    """The glazier that goes back, or the pane that is kept; None for a take, which names its places."""
    s, move = position.state, position.game.moves[action]
    if isinstance(move, Reset):
        window = leftmost_strip(s, s.to_move) + 1
        return [Piece("glazier", "", msg("glazier"))], msg("back above window {n}", n=window)
    if isinstance(move, Keep):
        pane = Piece(PANE_KINDS[move.colour], "", COLOUR_NAMES[move.colour])
        return [pane], msg("kept for window {n}", n=int(s.glazier[s.to_move]) + 1)
    return None


# --- where points are scored -----------------------------------------------------------------------------


PLACES = {UPPER: "upper", LOWER: "lower"}


def scored_slots(before: State, after: State, scored: Scored) -> list[str]:
    """Slots of the board, given the states before and after the action that scored."""
    board, seat = f"seat{scored.seat + 1}", scored.seat
    if scored.code in (TRACK_END, BROKEN):
        return [f"{board}.broken"]
    if scored.code == BONUS_COLOUR:
        return _strip(board, scored.place)
    if scored.code == PANES_LEFT:
        return [slot for w in range(WINDOWS) if has_strip(after, seat, w) for slot in _strip(board, w)]
    panes = after.windows[seat]
    if scored.code == WINDOW:
        return _places(board, [(w, s) for w in range(scored.place, WINDOWS) for s in PLACES if panes[w, s]])
    if scored.code == ORNAMENT:
        near = ORNAMENTS[scored.place - WINDOWS]
        ornament = f"{board}.ornament{scored.place - WINDOWS + 1}"
        return [ornament, *_places(board, [(w, s) for w in near for s in PLACES if panes[w, s]])]
    assert scored.code == BEST_COLOUR
    lying = [pane for window in panes for pane in window if pane != EMPTY]
    best = max(sorted(set(lying)), key=lying.count)
    return _places(board, [(w, s) for w in range(WINDOWS) for s in PLACES if panes[w, s] == best])


def _strip(board: str, window: int) -> list[str]:
    return [f"{board}.strip{window + 1}.{place + 1}" for place in range(STRIP_SPACES)]


def _places(board: str, spaces: list[tuple[int, int]]) -> list[str]:
    return [f"{board}.window{window + 1}.{PLACES[space]}" for window, space in spaces]


# --- the table -------------------------------------------------------------------------------------------


def _panes(colour: Message, n: int) -> Message:
    return nmsg("{n} {colour} pane", "{n} {colour} panes", n=n, colour=colour)


PANES: Final = Tiles(PANE_KINDS, LETTERS, COLOUR_NAMES, _panes)
SPACE_KINDS: Final = (*PANES.kinds, "joker")
JOKER_NAME: Final = msg("joker")
BACK: Final = ".back"
NUMERALS: Final = ("I", "II", "III", "IV", "V", "VI")


def plan(position: Position, form: str = WIDE) -> Plan:
    """The empty table."""
    s = position.state
    losses = tuple(s.losses[: 1 + s.last_step].tolist())
    return _plan(position.preset.theme, position.players, bool(s.side_b), losses, form)


@functools.lru_cache(maxsize=64)
def _plan(theme: str, players: int, side_b: bool, losses: tuple[int, ...], form: str) -> Plan:
    """Cached. Each owner-supplied broken-glass track needs its own plan; the boxes need only a few."""
    offer = offer_plan(PANES, FACTORIES[players], form)
    supply = supply_plan(PANES, msg("Bag and tower"), (("bag", msg("Bag")), ("tower", msg("Tower"))))
    boards = (board(seat, side_b=side_b, losses=losses, form=form) for seat in range(players))
    spaces = dict(zip(SPACE_KINDS, (*COLOUR_NAMES, JOKER_NAME), strict=True))
    others = {"marker": MARKER_NAME, "glazier": msg("glazier"), "broken": msg("broken glass")}
    backs = {f"{kind}{BACK}": name for kind, name in spaces.items()}
    kinds = {**spaces, **backs, **others}
    marks = tuple(("square", kind) for kind in SPACE_KINDS)
    return Plan((offer, _track(), *boards, supply), theme, kinds, marks=marks)


def scene(position: Position, names: Sequence[str]) -> Scene:
    """The table as a person sees it, with the clicks for every legal move."""
    s, table = position.state, plan(position)
    laid = Laid({}, {}, {})
    factories = [s.factories[place] for place in range(FACTORIES[s.players])]
    waiting = s.start_tile < 0 and s.round > 0
    lay_offer(Offer(PANES, factories, s.centre, marker=waiting, badges={}), laid.lies, laid.places, table)
    _lay_track(s, laid)
    for seat in range(s.players):
        _lay_board(s, seat, laid, table)
    for slot, held in (("bag", s.bag), ("tower", s.tower)):
        laid.lies[slot] = stored(PANES, slot, tuple(held.tolist()))
    return Scene(
        plan=table, lies=laid.lies, places=laid.places, labels=laid.labels, names=tuple(map(raw, names)),
        to_move=s.to_move, choices=_choices(position, s),
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
        return msg("The table is being set up.")
    if s.to_move == CHANCE:
        return msg("Round {round}: panes are being drawn.", round=s.round)
    name = names[s.to_move]
    if s.stage == KEEPING:
        window = int(s.glazier[s.to_move]) + 1
        return msg("{name} chooses a pane to keep for window {window}.", name=name, window=window)
    return msg("{name} takes panes.", name=name)


PROMPTS: Final = {
    OFFER: msg("Pick panes, or move the glazier back."),
    KEEPING: msg("Choose a pane to keep for the window."),
}


# --- the middle of the table -------------------------------------------------------------------------


class Laid(NamedTuple):
    """What a scene adds to the plan."""

    lies: dict[str, Lying]
    places: dict[str, Slot | None]
    labels: dict[str, Label]


def _track() -> Panel:
    slots, labels = [], []
    for slot in range(ROUNDS):
        x = 0.8 + slot * 1.2
        slots.append(Slot(f"track{slot + 1}", x, 1.35, msg("bonus pane of round {n}", n=slot + 1)))
        labels.append(_numeral(slot, "quiet"))
    return Panel("track", msg("Round track"), 7.6, 2.1, tuple(slots), (), tuple(labels))


@functools.cache
def _numeral(slot: int, style: str) -> Label:
    return Label(raw(NUMERALS[slot]), 0.8 + slot * 1.2, 0.45, 0.42, style=style, id=f"round{slot + 1}")


def _lay_track(s: State, laid: Laid) -> None:
    for slot, pane in enumerate(s.track.tolist()):
        if pane:
            laid.lies[f"track{slot + 1}"] = (_pane(f"track{slot + 1}", pane - 1),)
    if s.round > 0:
        laid.labels[f"round{s.round}"] = _numeral(s.round - 1, "strong")


@functools.cache
def _pane(slot: str, colour: int) -> Piece:
    return Piece(PANES.kinds[colour], slot)


# --- a player's board --------------------------------------------------------------------------------


def _lay_board(s: State, seat: int, laid: Laid, table: Plan) -> None:
    for window, column in enumerate(_columns(s, seat)):
        there = _column(table, seat, window, column)
        laid.lies.update(there.lies)
        laid.places.update(there.places)
    if not s.side_b:
        laid.places.update(_ornaments(seat, s.windows[seat].tobytes()))
    laid.labels[f"score{seat + 1}"] = score(int(s.score[seat]), seat)
    laid.lies.update(_on_track(seat, int(s.broken[seat])))
    if s.start_tile == seat:
        laid.lies[f"seat{seat + 1}.hand"] = (Piece("marker", f"seat{seat + 1}.hand"),)


@functools.lru_cache(maxsize=4096)
def _ornaments(seat: int, windows: bytes) -> dict[str, Slot]:
    """The badges of a board. The rules are asked, about a table that has nothing but these windows; kept,
    because a move changes few windows: asking every time took 40 % of the time of a scene."""
    s = plain.empty(State)
    s.windows[seat].cells.cast("B")[:] = windows
    badges = (ornament(seat, i, ornament_points(s, seat, i)) for i in range(len(ORNAMENTS)))
    return {badge.id: badge for badge in badges}


@functools.cache
def _on_track(seat: int, broken: int) -> dict[str, Lying]:
    return by_slot(Piece("broken", f"seat{seat + 1}.broken", spot=broken))


class Column(NamedTuple):
    """Everything visible of a window and the strip above it."""

    glazier: bool
    first: bool
    """Whether this is the leftmost window with a strip: where the glazier goes back to."""
    keeping: bool
    """Whether the player is choosing which pane of the strip to keep."""
    front: tuple[int, ...]
    """Spaces of each kind on the strip; empty without a strip."""
    back: tuple[int, ...]
    """The same on its other side, until it is turned over."""
    panes: tuple[int, ...]
    """Panes of each colour on the strip."""
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


@functools.lru_cache(maxsize=8192)
def _column(table: Plan, seat: int, window: int, column: Column) -> Laid:
    """Cached for all tables: a move changes one or two columns. They took half the drawing time."""
    laid = Laid({}, {}, {})
    _lay_glazier(seat, window, column, laid, table)
    if column.front:
        _lay_strip(seat, window, column, laid, table)
    if column.back:
        _lay_back(seat, window, column.back, laid)
    for space, place in ((UPPER, "upper"), (LOWER, "lower")):
        if column.window[space]:
            slot = f"seat{seat + 1}.window{window + 1}.{place}"
            laid.lies[slot] = (_pane(slot, column.window[space] - 1),)
    return laid


def _lay_glazier(seat: int, window: int, column: Column, laid: Laid, table: Plan) -> None:
    slot = f"seat{seat + 1}.glazier{window + 1}"
    if column.first:
        laid.places[slot] = replace(table.slots[slot], key="g")
    if column.glazier:
        laid.lies[slot] = (Piece("glazier", slot),)


def _lay_strip(seat: int, window: int, column: Column, laid: Laid, table: Plan) -> None:
    """The strip as an area around its five spaces; while a pane is being chosen, its panes have keys."""
    strip = f"seat{seat + 1}.strip{window + 1}"
    laid.places[strip] = table.slots[strip]
    for place, (kind, pane) in enumerate(_spaces(column.front, column.panes)):
        slot = f"{strip}.{place + 1}"
        laid.places[slot] = replace(
            table.slots[slot], name=_space_name(kind, window), mark=SPACE_KINDS[kind],
            key=f"k{LETTERS[pane]}" if column.keeping else "",
        )
        if pane >= 0:
            laid.lies[slot] = (_pane(slot, pane),)


def _spaces(front: Sequence[int], panes: Sequence[int]) -> list[tuple[int, int]]:
    """The five spaces: kind, and the colour of the pane on it or -1. Panes that exceed the spaces of their
    colour are on jokers."""
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
    """The other side of a strip. Separate kinds of pieces keep panes from being animated from here."""
    slot = f"seat{seat + 1}.back{window + 1}"
    kinds = [SPACE_KINDS[kind] for kind, spaces in enumerate(back) for _ in range(spaces)]
    laid.lies[slot] = tuple(Piece(f"{kind}{BACK}", slot, spot=i) for i, kind in enumerate(kinds))


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
    """The click sequences for a move; any pane of a colour may be clicked to keep that colour."""
    board = f"seat{s.to_move + 1}"
    if isinstance(move, Take):
        source = "C" if move.source == CENTRE else f"F{move.source}"
        target = "broken" if move.target == BREAK else f"strip{move.target + 1}"
        return [(f"{source}.{PANES.kinds[move.colour]}", f"{board}.{target}")]
    if isinstance(move, Reset):
        place = f"{board}.glazier{leftmost_strip(s, s.to_move) + 1}"
        return [(place,), (f"{board}.glazier{int(s.glazier[s.to_move]) + 1}", place)]
    window = int(s.glazier[s.to_move])
    column = _columns(s, s.to_move)[window]
    return [
        (f"{board}.strip{window + 1}.{place + 1}",)
        for place, (_, pane) in enumerate(_spaces(column.front, column.panes)) if pane == move.colour
    ]


VIEW: Final = View(plan=plan, scene=scene, slot_of=slot_of, scored_slots=scored_slots, log_entry=log_entry)
