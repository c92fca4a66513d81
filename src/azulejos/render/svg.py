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
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from importlib import resources
from typing import Final

from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import GROUP, Flight, Label, Panel, Piece, Point, Scene, Slot, flights, scene_of
from azulejos.parts.shapes import number, polygon, seven
from azulejos.render.symbols import BADGE, DIAL, PLATE, of_panels, surface, symbol_of
from azulejos.render.themes import paints, picture_css, themes, with_colours

# --- slabs of boards ----------------------------------------------------------------------------------


UNIT: Final = 100
SHADOWS: Final = ((4, 10, 0.16), (10, 20, 0.07), (18, 30, 0.05), (28, 42, 0.03))
"""How far each layer of a board's shadow reaches, how far down it lies, and how dark it is."""
INSET, CORNER, LINE_INSET, SIDE = 3, 30, 14, 8
NARROW: Final = 9.5
"""Tiles; on a narrower board places reach to its edge, and the line lies there too."""


def ground(panel: Panel, theme: str) -> str:
    """The slab of a board, and what the game draws on the panel."""
    drawn = themes()[theme].shapes.ground(panel, theme)
    if panel.seat is None:
        return drawn
    width, height = panel.width * UNIT, panel.height * UNIT
    inset = LINE_INSET if panel.width > NARROW else INSET + 3
    line = f'<rect class="board-line" {_box(width, height, inset, INSET - inset)}/>'
    return f"{_slab(width, height, theme, panel.active)}{drawn}{line}"


def _slab(width: float, height: float, theme: str, active: bool) -> str:
    shadows = "".join(
        f'<rect fill="var(--shade)" opacity="{dark}"'
        f' {_box(width, height, INSET - reach * 0.6, reach, down)}/>'
        for reach, down, dark in SHADOWS
    )
    state = " active" if active else ""
    return (
        f'<g class="slab">{shadows}<rect class="board-side" {_box(width, height, INSET, 0, SIDE)}/></g>'
        f'<rect class="board{state}" fill="url(#{theme}-board)" {_box(width, height, INSET)}/>'
        f'<rect class="board-lit" {_box(width, height, INSET + 1.2, -1)}/>'
    )


def _box(width: float, height: float, inset: float, round_more: float = 0, down: float = 0) -> str:
    w, h = number(width - 2 * inset), number(height - 2 * inset)
    x, y, corner = number(inset), number(inset + down), number(CORNER + round_more)
    return f'x="{x}" y="{y}" width="{w}" height="{h}" rx="{corner}"'


# --- panels -------------------------------------------------------------------------------------------


Say = Callable[[Message], str]

WELL_SCALE: Final = 0.94
AREA: Final = "area"
SPOT: Final = "spot"
HEXAGONS: Final = ("hex", "cell")


LAYERS: Final = ("ground", "slots", "labels", "pieces", "raised", "keys")
"""From bottom to top."""


def panel_svg(panel: Panel, *, theme: str, say: Say, dark: bool | None = None, above: str = "") -> str:
    """One panel, styled by `page_css`. `dark` overrides the setting of the page; `above` is drawn last."""
    scheme = {None: "", True: " dark", False: " light"}[dark]
    seat = "" if panel.seat is None else f' data-seat="{panel.seat}"'
    drawn = _layers(panel, theme, say).items()
    layers = (f'<g data-layer="{layer}">{"".join(parts)}</g>' for layer, parts in drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="panel theme-{theme}{scheme}" role="group"'
        f' data-panel="{escape(panel.id)}"{seat} viewBox="0 0 {_px(panel.width)} {_px(panel.height)}"'
        f' aria-label="{escape(say(panel.title))}"><defs>{of_panels((panel,), theme)}</defs>'
        f'{"".join(layers)}{above}</svg>'
    )


def _px(units: float) -> str:
    return number(units * UNIT)


def _layers(panel: Panel, theme: str, say: Say) -> dict[str, list[str]]:
    layers: dict[str, list[str]] = {layer: [] for layer in LAYERS}
    lying: dict[str, list[Piece]] = {slot.id: [] for slot in panel.slots}
    for piece in panel.pieces:
        lying[piece.slot].append(piece)
    layers["ground"].append(ground(panel, theme))
    layers["labels"] += [_label(label, say(label.text)) for label in panel.labels]
    names = {slot.id: slot.name for slot in panel.slots}
    for slot in panel.slots:
        pieces = lying[slot.id]
        spots = tuple(piece.spot for piece in pieces) if slot.shape == GROUP else ()
        layer = "raised" if is_raised(slot) else "slots"
        layers[layer].append(_slot(slot, _spoken(slot, pieces, names, say), spots, theme))
        layers["pieces"] += [_piece(piece, slot, theme) for piece in pieces]
        if slot.key:
            layers["keys"].append(_key(slot, spots[0] if spots else 0))
    return layers


def _panel(panel: Panel, theme: str, say: Say) -> str:
    return "\n".join(drawn for layer in _layers(panel, theme, say).values() for drawn in layer)


def is_raised(slot: Slot) -> bool:
    """Whether a slot is drawn above all pieces."""
    return slot.shape == BADGE and slot.caption is not None


# --- slots -------------------------------------------------------------------------------------------


def _spoken(slot: Slot, pieces: list[Piece], names: Mapping[str, Message], say: Say) -> str:
    """The name of a slot and its pieces; a group says what it lies on."""
    name = say(slot.name)
    around = names.get(slot.id.rpartition(".")[0])
    if slot.shape == GROUP and around is not None:
        return f"{say(around)}: {name}"
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
    spots = lying if slot.shape == GROUP else range(len(slot.spots) - 1, -1, -1)  # the first one on top
    drawn = "".join(_well(slot, spot, theme) for spot in spots)
    if slot.shape in (AREA, GROUP):
        return drawn
    around = _outline(AREA, slot.width * UNIT, slot.height * UNIT, theme)  # clicks between two wells count
    return around + drawn


def empty_wells(slot: Slot, theme: str) -> str:
    """The wells without marks; for a group, the well of one piece."""
    if slot.shape == GROUP:
        return _outline(GROUP, UNIT * slot.reach, UNIT * slot.reach, theme)
    return wells(replace(slot, mark=None), (), theme=theme)


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
    drawn = _outline(slot.shape, slot.width * UNIT, slot.height * UNIT, theme)
    if slot.reach > 1:
        reach = slot.reach * UNIT
        drawn = _outline(AREA, slot.width * reach, slot.height * reach, theme) + drawn
    return drawn + _mark(slot, min(slot.width, slot.height))


def _well(slot: Slot, spot: int, theme: str) -> str:
    """One of several places in a slot."""
    x, y, size = slot.at(spot)
    reach = size * UNIT * (slot.reach if slot.shape == GROUP else 1.0)
    drawn = _outline(slot.shape, reach, reach, theme) + _mark(slot, size)
    return f'<g transform="translate({_px(x - slot.x)} {_px(y - slot.y)})">{drawn}</g>'


def _mark(slot: Slot, scale: float) -> str:
    return "" if slot.mark is None else _used(symbol_of(slot.shape, slot.mark), scale)


def _outline(shape: str, width: float, height: float, theme: str) -> str:
    """The form of a place, which shows its states, and its material."""
    w, h = width * WELL_SCALE, height * WELL_SCALE
    box = f'x="{number(-w / 2)}" y="{number(-h / 2)}" width="{number(w)}" height="{number(h)}"'
    if shape == AREA:  # around its places, so that a ring does not lie on them
        around = f'x="{number(-width / 2)}" y="{number(-height / 2 - 2)}" width="{number(width)}"'
        return f'<rect class="hit" {around} height="{number(height + 4)}" rx="16"/>'
    if shape in (GROUP, SPOT):
        return f'<rect class="hit" {box} rx="12"/>'
    material = _used(f"place-{shape}", min(width, height) / UNIT) if surface(shape, theme) else ""
    if shape in (PLATE, DIAL, BADGE):
        return f'{material}<circle class="{shape}" r="{number(width / 2)}"/>'
    if shape in {"flower", "bed"}:
        return f'{material}<path class="{shape}" d="{seven(width, 1.02)}"/>'
    if shape == "card":
        return f'{material}<rect class="card" {box} rx="14"/>'
    paint = f'class="well" fill="url(#{theme}-recess)" stroke="url(#l-lip)"'
    if shape == "circle":
        return f'<circle {paint} r="{number(w / 2)}"/>{material}'
    if shape in HEXAGONS:
        return f'<path {paint} d="{polygon(6, w / 3**0.5)}"/>{material}'
    return f'<rect {paint} {box} rx="{number(h / 2 if shape == "pill" else min(w, h) * 0.1)}"/>{material}'


def _used(symbol: str, scale: float) -> str:
    moved = "" if scale == 1 else f' transform="scale({scale:.3g})"'
    return f'<use href="#{escape(symbol)}"{moved}/>'


def _caption(slot: Slot, text: str) -> str:
    """A number in the middle of a well or at the bottom of a plate."""
    y = number(caption_y(slot))
    return f'<text class="caption" y="{y}" font-size="34" text-anchor="middle">{escape(text)}</text>'


def caption_y(slot: Slot) -> float:
    return slot.height * UNIT * 0.44 if slot.shape == "plate" else 12


# --- pieces and words --------------------------------------------------------------------------------


def piece_svg(kind: str, *, theme: str) -> str:
    """One piece as a small picture of its own, for a log or a line of text."""
    drawn = themes()[theme].shapes.piece(kind, theme)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="icon theme-{theme}" viewBox="-58 -58 116 116"'
        f' data-kind="{escape(kind)}" aria-hidden="true"><defs>{paints(theme, kind)}</defs>{drawn}</svg>'
    )


@functools.lru_cache(maxsize=8192)
def _piece(piece: Piece, slot: Slot, theme: str) -> str:
    x, y, size = slot.at(piece.spot)
    turn = f" rotate({piece.turn + slot.turn})" if piece.turn + slot.turn else ""
    scale = f" scale({size:.3g})" if size != 1 else ""
    return (
        f'<g class="piece" data-kind="{escape(piece.kind)}" data-slot="{escape(slot.id)}"'
        f' transform="translate({_px(x)} {_px(y)}){turn}{scale}" aria-hidden="true">'
        f"{_stack(piece)}{_used(f'piece-{piece.kind}', 1)}{_count(piece.count)}</g>"
    )


UNDER: Final = (("translate(-17 -9) rotate(-9)", 3), ("translate(-9 -5) rotate(6)", 2))
"""The pieces below the top of a stack, lowest first: where they lie, and from which count on."""


def _stack(piece: Piece) -> str:
    lying = (at for at, least in UNDER if piece.count >= least)
    symbol = f'class="under" href="#piece-{escape(piece.kind)}"'
    return "".join(f'<use {symbol} transform="{at}"/>' for at in lying)


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

Placed = tuple[Panel, float, float, float]
"""A panel, its left and upper edge, and its scale."""
Arrangement = tuple[list[Placed], float, float]
"""Panels, and the width and the height of the picture."""
MARGIN: Final = 0.35
PIXELS: Final = 40
"""Pixels per tile in a picture at its own size."""


def scene_svg(
    scene: Scene, *, say: Say = str, dark: bool = False, text: str = "", above: str = "",
    arrangement: Arrangement | None = None,
) -> str:
    """One standalone picture of the table. `text` (the position in its notation) is its description,
    `above` is drawn last."""
    placed, width, height = arrangement or arranged(scene.panels)
    look = themes()[scene.theme]
    body = "".join(_framed(*one, theme=scene.theme, say=say) for one in placed)
    drawn = (
        f"<style>{picture_css(scene.theme, dark=dark)}</style>"
        f"<defs>{of_panels(scene.panels, scene.theme)}</defs>"
        f'<rect width="100%" height="100%" fill="var(--stone)"/>{body}{above}'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="theme-{scene.theme}"'
        f' viewBox="0 0 {_px(width)} {_px(height)}" width="{width * PIXELS:.0f}"'
        f' height="{height * PIXELS:.0f}">'
        f"<title>{escape(say(scene.status))}</title><desc>{escape(text)}</desc>"
        f"{own_names(with_colours(drawn, look, dark=dark), f'{look.name}-{int(dark)}-')}</svg>"
    )


def _framed(panel: Panel, x: float, y: float, scale: float, *, theme: str, say: Say) -> str:
    seat = "" if panel.seat is None else f' data-seat="{panel.seat}"'
    at = f'transform="translate({_px(x)} {_px(y)}) scale({scale:.4g})"'
    return f'<g data-panel="{escape(panel.id)}"{seat} {at}>{_panel(panel, theme, say)}</g>'


def own_names(drawn: str, prefix: str) -> str:
    """Give the definitions of a picture names of their own: several pictures can be on one page."""
    return re.sub(r'( id="|href="#|url\(#)', lambda match: match[1] + prefix, drawn)


def arranged(panels: tuple[Panel, ...]) -> Arrangement:
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


def side_by_side(panels: tuple[Panel, ...]) -> Arrangement:
    """Panels in one row, all of the same height."""
    height, x = max(panel.height for panel in panels), MARGIN
    placed: list[Placed] = []
    for panel in panels:
        scale = height / panel.height
        placed.append((panel, x, MARGIN, scale))
        x += panel.width * scale + MARGIN
    return placed, _whole(x), _whole(height + 2 * MARGIN)


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


# --- arrows -------------------------------------------------------------------------------------------


RING: Final = 54
HEAD: Final = 34


def arrows(panel: Panel, before: Scene, after: Scene) -> str:
    """An arrow for pieces that moved within the panel, a ring for those that left or entered it."""
    return "".join(_drawn(panel, before, after, flight) for flight in flights(before, after))


def _drawn(panel: Panel, before: Scene, after: Scene, flight: Flight) -> str:
    where = after.plan.panel_of
    left = _places(before, after, flight.kind, flight.source)
    come = _places(after, before, flight.kind, flight.target)
    leaves, arrives = where[flight.source] == panel.id, where[flight.target] == panel.id
    if leaves and arrives:
        return _arrow(_middle(left), _middle(come))
    rings = [_ring(at, "left") for at in left if leaves] + [_ring(at, "come") for at in come if arrives]
    return "".join(rings)


def _places(scene: Scene, other: Scene, kind: str, slot: str) -> list[Point]:
    """Positions of the pieces of a kind in a slot, except those that are there in the other scene too."""
    lying, others = (
        {piece.spot for piece in each.lies.get(slot, ()) if piece.kind == kind} for each in (scene, other)
    )
    place = scene.slot(slot) or scene.plan.slots[slot]
    return [(x * UNIT, y * UNIT) for x, y, _ in map(place.at, sorted(lying - others or lying))]


def _middle(places: list[Point]) -> Point:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _ring(at: Point, style: str) -> str:
    return f'<circle class="moved {style}" cx="{number(at[0])}" cy="{number(at[1])}" r="{RING}"/>'


def _arrow(source: Point, target: Point) -> str:
    (x, y), (to_x, to_y) = source, target
    length = math.hypot(to_x - x, to_y - y) or 1.0
    dx, dy = (to_x - x) / length * HEAD, (to_y - y) / length * HEAD
    foot_x, foot_y = to_x - dx, to_y - dy
    head = (
        f"M{number(to_x)} {number(to_y)}L{number(foot_x - dy * 0.6)} {number(foot_y + dx * 0.6)}"
        f"L{number(foot_x + dy * 0.6)} {number(foot_y - dx * 0.6)}Z"
    )
    shaft = f"M{number(x)} {number(y)}L{number(foot_x)} {number(foot_y)}"
    return f'<path class="moved" d="{shaft}"/><path class="moved-head" d="{head}"/>'


# --- as PNG: painted by resvg with our own fonts ----------------------------------------------------------

WIDTH: Final = 1200
HEIGHT: Final = 630
"""Pixels of a preview: the size for which programs ask that show a link with a picture."""


def preview_png(position: Position) -> bytes:
    """The whole table without names, as large as the picture allows."""
    scene = scene_of(position, [""] * position.players)
    drawn = re.sub(' width="[0-9]+" height="[0-9]+">', f' width="{WIDTH}" height="{HEIGHT}">',
                   scene_svg(scene), count=1)
    return svg_to_png(drawn, background=themes()[scene.theme].variables(dark=False)["stone"])


def svg_to_png(svg: str, *, scale: float = 1, background: str | None = None, others: bool = False) -> bytes:
    """Paint a picture at its own size times `scale`. `others`: letters that our fonts lack are looked for
    in those of the system, which takes longer."""
    import resvg_py  # an extra: whoever draws no PNG needs none

    return bytes(resvg_py.svg_to_bytes(
        svg_string=svg, zoom=scale, background=background, font_files=_fonts(),
        skip_system_fonts=not others,
    ))


@functools.cache
def _fonts() -> list[str]:
    folder = resources.files(__package__).joinpath("fonts")
    return sorted(str(file) for file in folder.iterdir())
