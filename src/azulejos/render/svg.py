"""Scene -> SVG. One tile is 100 units wide.

Every slot is ``<g class="slot" data-slot=ID>`` and every piece ``<g class="piece" data-kind=KIND
data-slot=ID>``; the label of a slot describes its pieces. Keys to type are ``<g class="key"
data-for=ID>``, visible inside an element of class "show-keys"; the class "can" on a slot marks it as a
choice. Colours are classes, so that one style sheet switches between light and dark. There are no inline
styles or handlers, so that a strict content security policy can be used.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Final

from azulejos.core.message import Message
from azulejos.core.scene import GROUP, Label, Panel, Piece, Scene, Slot
from azulejos.parts.paths import number, polygon, seven
from azulejos.render.themes import picture_css, themes

UNIT: Final = 100
Say = Callable[[Message], str]

WELL_SCALE: Final = 0.94
MARK_SCALE: Final = 0.78
SIGN_SCALE: Final = 0.7
BADGE: Final = "badge"
AREA: Final = "area"


LAYERS: Final = ("ground", "slots", "labels", "pieces", "raised", "keys")
"""From bottom to top."""


def panel_svg(panel: Panel, *, theme: str, say: Say, dark: bool | None = None, above: str = "") -> str:
    """One panel, styled by `theme_css`. `dark` overrides the setting of the page; `above` is drawn last."""
    scheme = {None: "", True: " dark", False: " light"}[dark]
    seat = "" if panel.seat is None else f' data-seat="{panel.seat}"'
    drawn = _layers(panel, theme, say).items()
    layers = (f'<g data-layer="{layer}">{"".join(parts)}</g>' for layer, parts in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="panel theme-{theme}{scheme}" role="group"'
        f' data-panel="{escape(panel.id)}"{seat} viewBox="0 0 {_px(panel.width)} {_px(panel.height)}"'
        f' aria-label="{escape(say(panel.title))}">{"".join(layers)}{above}</svg>'
    )


def _px(units: float) -> str:
    return number(units * UNIT)


def _layers(panel: Panel, theme: str, say: Say) -> dict[str, list[str]]:
    layers: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    lying: dict[str, list[Piece]] = {slot.id: [] for slot in panel.slots}
    for piece in panel.pieces:
        lying[piece.slot].append(piece)
    layers["ground"] += _ground(panel)
    layers["labels"] += [_label(label, say(label.text)) for label in panel.labels]
    for slot in panel.slots:
        pieces = lying[slot.id]
        spots = tuple(piece.spot for piece in pieces) if slot.shape == GROUP else ()
        layer = "raised" if is_raised(slot) else "slots"
        layers[layer].append(_slot(slot, _spoken(slot, pieces, say), spots, theme))
        layers["pieces"] += [_piece(piece, slot, theme) for piece in pieces]
        if slot.key:
            layers["keys"].append(_key(slot, spots[0] if spots else 0))
    return layers


def _panel(panel: Panel, theme: str, say: Say) -> str:
    return "\n".join(drawn for layer in _layers(panel, theme, say).values() for drawn in layer)


def _ground(panel: Panel) -> list[str]:
    """The background of a player's board; it shows whose turn it is."""
    if panel.seat is None:
        return []
    width, height = _px(panel.width - 0.06), _px(panel.height - 0.06)
    active = " active" if panel.active else ""
    return [f'<rect class="board{active}" x="3" y="3" width="{width}" height="{height}" rx="28"/>']


def is_raised(slot: Slot) -> bool:
    """Whether a slot is drawn above all pieces."""
    return slot.shape == BADGE and slot.caption is not None


# --- slots -------------------------------------------------------------------------------------------


def _spoken(slot: Slot, pieces: list[Piece], say: Say) -> str:
    """The name of a slot and its pieces."""
    name = say(slot.name)
    if slot.shape in (AREA, GROUP) or not pieces:
        return name
    there = [say(one.name) if one.count == 1 else f"{one.count} × {say(one.name)}" for one in pieces]
    return name if there == [name] else f"{name}: {', '.join(there)}"


@functools.lru_cache(maxsize=8192)
def _slot(slot: Slot, spoken: str, lying: tuple[int, ...], theme: str) -> str:
    """A slot with its wells; in a group, only the wells of the pieces in `lying`.

    Cached: a move changes only one or two slots of a board."""
    turn = f" rotate({slot.turn})" if slot.turn else ""
    parts = [wells(slot, lying, theme=theme)]
    if slot.caption is not None:
        parts.append(_caption(slot, slot.caption))
    return (
        f'<g class="slot {slot.shape}-slot" data-slot="{escape(slot.id)}" role="img"'
        f' aria-label="{escape(spoken)}"'
        f' transform="translate({_px(slot.x)} {_px(slot.y)}){turn}">{"".join(parts)}</g>'
    )


def wells(slot: Slot, lying: tuple[int, ...], *, theme: str) -> str:
    """The wells of a slot, with their marks."""
    if not slot.spots:
        return _place(slot, theme)
    spots = lying if slot.shape == GROUP else range(len(slot.spots))
    drawn = "".join(_well(slot, spot, theme) for spot in spots)
    if slot.shape in (AREA, GROUP):
        return drawn
    return _outline(AREA, slot.width * UNIT, slot.height * UNIT) + drawn  # clicks between two wells count


def empty_wells(slot: Slot) -> str:
    """The wells without marks; for a group, the well of one piece."""
    if slot.shape == GROUP:
        return _outline(GROUP, UNIT * slot.reach, UNIT * slot.reach)
    return wells(replace(slot, mark=None), (), theme="")


@functools.lru_cache(maxsize=4096)
def _key(slot: Slot, first: int) -> str:
    """The key to type for a slot, above all pieces, at its first spot."""
    x, y, _ = slot.at(first)
    text = f'<text y="11" font-size="32" text-anchor="middle">{escape(slot.key)}</text>'
    return (
        f'<g class="key" data-for="{escape(slot.id)}" aria-hidden="true"'
        f' transform="translate({_px(x - 0.24)} {_px(y - 0.27)})"><rect x="-26" y="-22" width="52"'
        f' height="44" rx="8"/>{text}</g>'
    )


def _place(slot: Slot, theme: str) -> str:
    """The shape of a slot with a single place."""
    scale = min(slot.width, slot.height)
    drawn = _outline(slot.shape, slot.width * UNIT, slot.height * UNIT)
    if slot.reach > 1:
        drawn = _outline(AREA, slot.width * UNIT * slot.reach, slot.height * UNIT * slot.reach) + drawn
    if slot.mark is None:
        return drawn
    return drawn + _scaled(empty_sign(slot.mark, slot.shape, theme=theme), scale)


def _well(slot: Slot, spot: int, theme: str) -> str:
    """One of several places in a slot."""
    x, y, size = slot.at(spot)
    reach = size * UNIT * (slot.reach if slot.shape == GROUP else 1.0)
    drawn = _outline(slot.shape, reach, reach)
    if slot.mark is not None:
        drawn += _scaled(empty_sign(slot.mark, slot.shape, theme=theme), size)
    return f'<g transform="translate({_px(x - slot.x)} {_px(y - slot.y)})">{drawn}</g>'


def _outline(shape: str, width: float, height: float) -> str:
    w, h = width * WELL_SCALE, height * WELL_SCALE
    box = f'x="{number(-w / 2)}" y="{number(-h / 2)}" width="{number(w)}" height="{number(h)}"'
    if shape in (AREA, GROUP):
        return f'<rect class="hit" {box}/>'
    if shape == "plate":
        return (
            f'<circle class="shadow" cx="3" cy="7" r="{number(width / 2)}"/>'
            f'<circle class="plate" r="{number(width / 2)}"/>'
            f'<circle class="plate-inner" r="{number(width * 0.46)}"/>'
        )
    if shape in {"flower", "bed"}:
        form = seven(width, 1.02)
        return f'<path class="{shape}-rim" d="{form}"/><path class="{shape}" d="{form}"/>'
    if shape == "card":
        shadow = f'<rect class="shadow" {box} rx="14" transform="translate(3 6)"/>'
        return f'{shadow}<rect class="card" {box} rx="14"/>'
    if shape == BADGE:
        r = number(w / 2)
        return f'<circle class="shadow" cx="2" cy="4" r="{r}"/><circle class="badge" r="{r}"/>'
    if shape == "circle":
        return f'<circle class="well" r="{number(w / 2)}"/>'
    if shape == "hex":
        return f'<path class="well" d="{polygon(6, w / 3**0.5)}"/>'
    return f'<rect class="well" {box} rx="{number(h / 2 if shape == "pill" else 9)}"/>'


def _scaled(drawn: str, scale: float) -> str:
    return drawn if scale == 1 else f'<g transform="scale({scale:.3g})">{drawn}</g>'


def empty_sign(kind: str, shape: str, *, theme: str) -> str:
    """What an empty place shows: the thin mark of the tile that belongs there, or the sign of a badge."""
    shapes = themes()[theme].shapes
    if shape == BADGE:
        return f'<g transform="scale({SIGN_SCALE})">{shapes.sign(kind)}</g>'
    return f'<path class="thin" transform="scale({MARK_SCALE})" d="{shapes.mark(kind)}"/>'


def _caption(slot: Slot, text: str) -> str:
    """A number in the middle of a well or at the bottom of a plate."""
    y = number(caption_y(slot))
    return f'<text class="caption" y="{y}" font-size="34" text-anchor="middle">{escape(text)}</text>'


def caption_y(slot: Slot) -> float:
    return slot.height * UNIT * 0.44 if slot.shape == "plate" else 12


# --- pieces and words --------------------------------------------------------------------------------


def piece_svg(kind: str, *, theme: str) -> str:
    """One piece as a small picture, for a log or a line of text."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="icon theme-{theme}" viewBox="-58 -58 116 116"'
        f' data-kind="{escape(kind)}" aria-hidden="true">{piece_drawing(kind, theme=theme)}</svg>'
    )


def piece_drawing(kind: str, *, theme: str) -> str:
    """One piece as a fragment of a picture, one tile wide and centred."""
    return themes()[theme].shapes.piece(kind, theme)


@functools.lru_cache(maxsize=8192)
def _piece(piece: Piece, slot: Slot, theme: str) -> str:
    x, y, size = slot.at(piece.spot)
    turn = f" rotate({piece.turn + slot.turn})" if piece.turn + slot.turn else ""
    scale = f" scale({size:.3g})" if size != 1 else ""
    return (
        f'<g class="piece" data-kind="{escape(piece.kind)}" data-slot="{escape(slot.id)}"'
        f' transform="translate({_px(x)} {_px(y)}){turn}{scale}" aria-hidden="true">'
        f"{piece_drawing(piece.kind, theme=theme)}{_count(piece.count)}</g>"
    )


def _count(count: int) -> str:
    if count == 1:
        return ""
    return (
        '<circle class="count" cx="32" cy="29" r="26"/>'
        f'<text class="count-text" x="32" y="42" font-size="38" text-anchor="middle">{count}</text>'
    )


@functools.lru_cache(maxsize=4096)
def _label(label: Label, said: str) -> str:
    return (
        f'<text class="{label.style}" x="{_px(label.x)}" y="{number(baseline(label))}"'
        f' font-size="{number(label.size * UNIT)}" text-anchor="{label.anchor}">{escape(said)}</text>'
    )


def baseline(label: Label) -> float:
    return (label.y + label.size * 0.35) * UNIT


# --- a whole scene -----------------------------------------------------------------------------------

MARGIN: Final = 0.35
PIXELS: Final = 40
"""Pixels per tile in a picture at its own size."""


def scene_svg(scene: Scene, *, say: Say = str, dark: bool = False, text: str = "") -> str:
    """One standalone picture of the table. `text` (the position in its notation) is its description."""
    placed, width, height = arranged(scene.panels)
    ground = themes()[scene.theme].variables(dark=dark)["table"]
    body = "".join(
        f'<g data-panel="{escape(panel.id)}" transform="translate({_px(x)} {_px(y)}) scale({scale:.4g})">'
        f"{_panel(panel, scene.theme, say)}</g>"
        for panel, x, y, scale in placed
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="theme-{scene.theme}"'
        f' viewBox="0 0 {_px(width)} {_px(height)}" width="{width * PIXELS:.0f}"'
        f' height="{height * PIXELS:.0f}">'
        f"<title>{escape(say(scene.status))}</title><desc>{escape(text)}</desc>"
        f"<style>{picture_css(scene.theme, dark=dark)}</style>"
        f'<rect width="100%" height="100%" fill="{ground}"/>{body}</svg>'
    )


Placed = tuple[Panel, float, float, float]


def arranged(panels: tuple[Panel, ...]) -> tuple[list[Placed], float, float]:
    """Shared panels in a column on the left, boards in one or two columns beside them."""
    shared = [panel for panel in panels if panel.seat is None]
    boards = [panel for panel in panels if panel.seat is not None]
    wide = max((panel.width for panel in shared), default=-MARGIN)
    left = _stacked(shared, MARGIN, wide)
    columns = 1 if len(boards) <= 2 else 2
    board_width = max(panel.width for panel in boards)
    placed = left
    for column in range(columns):
        x = MARGIN + wide + MARGIN + column * (board_width + MARGIN)
        placed = placed + _stacked(boards[column::columns], x, board_width)
    width = wide + MARGIN + columns * (board_width + MARGIN) + MARGIN
    height = max(y + panel.height * scale for panel, _, y, scale in placed) + MARGIN
    return placed, _whole(width), _whole(height)


def _whole(units: float) -> float:
    """Round up so that a picture at its own size has a whole number of pixels."""
    return math.ceil(units * PIXELS) / PIXELS


def _stacked(panels: list[Panel], x: float, width: float) -> list[Placed]:
    placed, y = [], MARGIN
    for panel in panels:
        scale = width / panel.width
        placed.append((panel, x, y, scale))
        y += panel.height * scale + MARGIN
    return placed
