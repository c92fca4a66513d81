"""Pictures in pages: small boards, faces of bots, covers of boxes, and judged turns with arrows."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup, escape

from azulejos.bots.levels import NAMES
from azulejos.core.position import Position, new
from azulejos.core.scene import Panel, Piece, Point, Scene, Slot, scene_of
from azulejos.i18n.catalogue import Say
from azulejos.parts.shapes import number
from azulejos.render import themes
from azulejos.render.drawings import drawing
from azulejos.render.svg import UNIT, Arrangement, arranged, scene_svg, side_by_side
from azulejos.render.themes import Theme
from azulejos.web.pages.files import art
from azulejos.web.tables.boxes import shelf
from azulejos.web.work.bots import DUST

SMALL_UNIT = 10
GAP = 6.0
WELLS = ("square", "hex", "circle", "pill")
"""Shapes of places that look like places even when they are empty."""


def boards_picture(position: Position) -> str:
    """The boards of all players, side by side."""
    scene = scene_of(position, [""] * position.players)
    boards = [panel for panel in scene.panels if panel.seat is not None]
    return _picture(scene, boards)


def board_picture(position: Position, seat: int) -> str:
    """The board of one player."""
    scene = scene_of(position, [""] * position.players)
    return _picture(scene, [next(panel for panel in scene.panels if panel.seat == seat)])


@functools.cache
def variant_picture(preset: str) -> str:
    """The empty board of a variant."""
    scene = scene_of(new(preset), ["", ""])
    return _picture(scene, [next(panel for panel in scene.panels if panel.seat == 0)], tint=0.75)


def _picture(scene: Scene, panels: list[Panel], *, tint: float = 0.28) -> str:
    """`tint`: how strong the colour of an empty place is."""
    theme, parts, left = themes()[scene.theme], [], 0.0
    for panel in panels:
        drawn = "".join(_slot(slot, theme, tint) for slot in panel.slots)
        drawn += "".join(_piece(piece, panel, theme) for piece in panel.pieces)
        parts.append(f'<g transform="translate({number(left)} 0)">{drawn}</g>')
        left += panel.width * SMALL_UNIT + GAP
    height = max(panel.height for panel in panels) * SMALL_UNIT
    return (
        f'<svg class="small" viewBox="0 0 {number(left - GAP)} {number(height)}" '
        f'aria-hidden="true">{"".join(parts)}</svg>'
    )


def _slot(slot: Slot, theme: Theme, tint: float) -> str:
    if slot.shape not in WELLS or slot.optional:
        return ""
    marked = theme.pieces.get(slot.mark or "")
    fill = "" if marked is None else f' fill="{marked.face}" fill-opacity="{tint}"'
    return "".join(_shape(*slot.at(spot), slot.shape, f' class="w"{fill}')
                   for spot in range(max(1, len(slot.spots))))


def _piece(piece: Piece, panel: Panel, theme: Theme) -> str:
    slot = next(slot for slot in panel.slots if slot.id == piece.slot)
    paint = theme.pieces.get(piece.kind) or theme.pieces.get(piece.kind.partition(".")[0])
    if paint is None:
        return ""
    return _shape(*slot.at(piece.spot), slot.shape, f' fill="{paint.face}" stroke="{paint.edge}"')


def _shape(x: float, y: float, size: float, shape: str, look: str) -> str:
    half = size * SMALL_UNIT / 2 * 0.92
    if shape in ("hex", "circle"):
        middle = f'cx="{number(x * SMALL_UNIT)}" cy="{number(y * SMALL_UNIT)}"'
        return f'<circle {middle} r="{number(half)}"{look}/>'
    left, top, edge = (number(value) for value in (x * SMALL_UNIT - half, y * SMALL_UNIT - half, 2 * half))
    return f'<rect x="{left}" y="{top}" width="{edge}" height="{edge}" rx="1"{look}/>'


# --- a result to share -------------------------------------------------------------------------------


CARD_WIDTH, CARD_HEIGHT, CARD_EDGE = 1200, 630, 40


@dataclass(frozen=True, kw_only=True)
class ResultCard:
    """What a picture says about somebody's game, besides their board."""

    title: str
    margin: str
    against: str
    place: str
    bot: str
    """The word of the opponent, whose face is shown."""


def result_card(position: Position, seat: int, card: ResultCard) -> str:
    """The board of one player at the end and how they did: nothing of what was dealt."""
    scene = scene_of(position, [""] * position.players)
    scene = replace(scene, shown=tuple(panel.id for panel in scene.panels if panel.seat == seat))
    arrangement = side_by_side(scene.panels)
    _, width, height = arrangement
    room = CARD_HEIGHT - 2 * CARD_EDGE
    scale = min(CARD_WIDTH * 0.52 / width, room / height)
    board = _placed(scene_svg(scene, arrangement=arrangement), CARD_EDGE,
                    (CARD_HEIGHT - height * scale) / 2, width * scale, height * scale)
    look = themes()[scene.theme].variables(dark=False)
    left = 2 * CARD_EDGE + width * scale
    wide = CARD_WIDTH - left - CARD_EDGE
    level = re.fullmatch(r"level:(\d)(@.*)?", card.bot)
    face = _placed(drawing(f"face-{level[1] if level else 0}"), left, 384, 92, 92)
    said = "".join((
        _line(card.title, left + 62, 98, wide - 62, look["soft"], most=34),
        _line(card.margin, left, 290, wide, look["accent"], most=190, family="Alegreya", weight=800),
        _line(card.against, left + 112, 442, wide - 112, look["ink"], most=38),
        _line(card.place, left, 560, wide, look["ink"], most=52, family="Alegreya", weight=800),
    ))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" '
        f'width="{CARD_WIDTH}" height="{CARD_HEIGHT}">'
        f'<rect width="100%" height="100%" fill="{look["stone"]}"/>{board}'
        f'{_placed(drawing("logo"), left, 64, 44, 44)}{face}{said}</svg>'
    )


def _placed(svg: str, x: float, y: float, width: float, height: float) -> str:
    """A picture as a part of another one."""
    head, rest = svg.split(">", 1)
    head = re.sub(r' (?:x|y|width|height)="[^"]*"', "", head)
    at = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"{head} {at}>{rest}"


def _line(
    text: str, x: float, y: float, width: float, paint: str, *, most: float, family: str = "Figtree",
    weight: int = 600,
) -> str:
    """One line, as large as there is room for; Chinese signs are twice as wide as letters."""
    signs = sum(1.0 if ord(sign) > 0x2E80 else 0.56 for sign in text)
    size = min(most, width / max(1.0, signs))
    style = f"font:{weight} {size:.1f}px {family};fill:{paint}"  # stronger than the style of the board
    return f'<text x="{x:.1f}" y="{y:.1f}" style="{style}">{escape(text)}</text>'


# --- bots and boxes ----------------------------------------------------------------------------------


@functools.cache
def face(root: str, word: str) -> Markup:
    """The face of a bot, by its word; the time that it takes does not change it."""
    found = re.fullmatch(r"level:(\d)(@.*)?", word)
    level = 0 if word == DUST.word else int(found[1]) if found else -1
    if not 0 <= level <= len(NAMES):
        return Markup('<span class="face blank">{}</span>').format(word[:1].upper())
    return Markup('<img class="face" src="{}" alt="" width="64" height="64">').format(
        root + art(f"face-{level}.svg")
    )


@functools.cache
def portrait(root: str, code: str, name: str) -> Markup:
    """The face of a person; without one, the first letter of their name."""
    if not code:
        return Markup('<span class="face blank">{}</span>').format(name[:1].upper())
    return Markup('<img class="face" src="{}" alt="" width="64" height="64">').format(
        f"{root}face/{code}.svg"
    )


def level_faces(root: str) -> str:
    """The addresses of the faces of all bots, that of the random one first, for a script."""
    return " ".join(root + art(f"face-{level}.svg") for level in range(len(NAMES) + 1))


@functools.cache
def cover_art(root: str, theme: str) -> Markup:
    """The cover of a box; its empty board, if none was drawn."""
    try:
        address = root + art(f"{theme}-cover.svg")
    except KeyError:
        return Markup(variant_picture(next(box.name for box in shelf() if box.theme == theme)))
    return Markup('<img class="cover-picture" src="{}" alt="">').format(address)


# --- judged turns ------------------------------------------------------------------------------------


BEND: Final = 0.14
"""How far an arrow leaves the straight line, as a part of its length."""


@dataclass(frozen=True, kw_only=True)
class Arrow:
    """A turn on the table; told apart by its form, not by its colour alone."""

    actions: tuple[int, ...]
    day: str
    evening: str
    dashes: str = ""
    bend: float = BEND


def played(actions: tuple[int, ...]) -> Arrow:
    return Arrow(actions=actions, day="#b3321f", evening="#ff9c86", dashes="30 26")


def better(actions: tuple[int, ...]) -> Arrow:
    return Arrow(actions=actions, day="#1d4c9b", evening="#8fb5f5", bend=-BEND)


def turn_picture(
    before: Position, names: Sequence[str], arrows: Sequence[Arrow], *, seat: int | None, say: Say,
    dark: bool,
) -> str:
    """The table before a turn, with arrows; with a seat, only its board and what it can choose from."""
    scene = scene_of(before, names) if seat is None else _concerned(before, names, seat)
    arrangement = arranged(scene.panels) if seat is None else side_by_side(scene.panels)
    drawn = "".join(_arrow(before, scene, names, arrow, arrangement, dark=dark) for arrow in arrows)
    return scene_svg(scene, say=say, dark=dark, text=before.text(), above=drawn, arrangement=arrangement)


def turn_picture_size(before: Position, names: Sequence[str], seat: int) -> tuple[int, int]:
    """Width and height of the picture of a turn of a seat, so that a page can keep its place free."""
    _, width, height = side_by_side(_concerned(before, names, seat).panels)
    return round(UNIT * width), round(UNIT * height)


def _concerned(before: Position, names: Sequence[str], seat: int) -> Scene:
    """Only the board of a seat, and the shared panels with a place that can be chosen."""
    scene = scene_of(before, names)
    chosen = {scene.plan.panel_of.get(place) for choice in scene.choices for place in choice.path}
    return replace(scene, shown=tuple(panel.id for panel in scene.panels
                                      if panel.seat == seat or (panel.seat is None and panel.id in chosen)))


def _arrow(
    before: Position, scene: Scene, names: Sequence[str], arrow: Arrow, arrangement: Arrangement, *,
    dark: bool,
) -> str:
    points = [point for place in _places(before, scene, names, arrow.actions)
              if (point := _point(scene, place, arrangement)) is not None]
    if not points:
        return ""
    paint, halo = (arrow.evening, "#14161f") if dark else (arrow.day, "#fffaf0")
    line = _curve(points[0], points[-1], arrow.bend)
    x, y = map(number, points[-1])
    stroke = f'fill="none" stroke-linecap="round" d="{line}"'
    return (
        f'<g class="turn-arrow"><path {stroke} stroke="{halo}" stroke-width="27" opacity=".9"/>'
        f'<path {stroke} stroke="{paint}" stroke-width="16" stroke-dasharray="{arrow.dashes}"/>'
        f'<circle cx="{x}" cy="{y}" r="25" fill="{paint}" stroke="{halo}" stroke-width="7"/></g>'
    )


def _places(
    before: Position, scene: Scene, names: Sequence[str], actions: tuple[int, ...]
) -> tuple[str, ...]:
    """The places to click for the first action, and for the next one if that is a single place."""
    path = scene.path(actions[0])
    if len(path) < 2 and len(actions) > 1:
        after = before.after(actions[:1])
        path += scene_of(after, names).path(actions[1])
    return path


def _point(scene: Scene, place: str, arrangement: Arrangement) -> Point | None:
    """The middle of a place, or of what lies in it, in the picture; None if its panel is not shown."""
    slot = scene.slot(place) or scene.plan.slots.get(place)
    at = next(((x, y, scale) for panel, x, y, scale in arrangement[0]
               if panel.id == scene.plan.panel_of.get(place)), None)
    if slot is None or at is None:
        return None
    lying = [slot.at(piece.spot) for piece in scene.lies.get(place, ())] or [(slot.x, slot.y, 1.0)]
    across, down = (sum(spot[axis] for spot in lying) / len(lying) for axis in (0, 1))
    left, top, scale = at
    return UNIT * (left + across * scale), UNIT * (top + down * scale)


def _curve(start: Point, end: Point, bend: float) -> str:
    (x, y), (to_x, to_y) = start, end
    middle_x, middle_y = (x + to_x) / 2 + bend * (to_y - y), (y + to_y) / 2 - bend * (to_x - x)
    return (f"M{number(x)} {number(y)}Q{number(middle_x)} {number(middle_y)}"
            f" {number(to_x)} {number(to_y)}")
