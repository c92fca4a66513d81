"""Drawings of both themes: glazed tiles on painted plates, and chocolates on doilies."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art, Shapes
from azulejos.core.scene import Panel, Slot
from azulejos.parts.offer_scene import SPECIAL
from azulejos.parts.shapes import (
    COVER, FOUR_ARROWS, MARKS as SHARED, TABLE, basin, branch, circle, closed, coloured, frieze_art, inked,
    number, painted, petals, polar, polygon, rounded, scalloped, shaded, soft_shadow, states, sunken, token,
    tumbled, veil,
)

# --- tiles -----------------------------------------------------------------------------------------------


TILE: Final = rounded(48, -48, 48, 10)
TILE_FACE: Final = rounded(48, -48, 44.5, 10)
TILE_SHADOW: Final = soft_shadow(rounded(47, -47, 47, 11))
MIDDLE: Final = "translate(0 -1.7)"
"""The face is higher than the tile, by half of the edge that shows below it."""

CORNER_ROUNDS: Final = (
    "M-48-24A24 24 0 0 0-24-48M24-48A24 24 0 0 0 48-24M48 20.5A24 24 0 0 0 24 44.5"
    "M-24 44.5A24 24 0 0 0-48 20.5M-48-33A15 15 0 0 0-33-48M33-48A15 15 0 0 0 48-33"
    "M48 29.5A15 15 0 0 0 33 44.5M-33 44.5A15 15 0 0 0-48 29.5"
)


def _hollow_diamond(radius: float, waist: float) -> str:
    """A four-pointed star whose sides curve inwards."""
    tips = [polar(radius, 90 * i) for i in range(5)]
    sides = [polar(waist, 90 * i + 45) for i in range(4)]
    path = f"M{tips[0][0]:.1f} {tips[0][1]:.1f}"
    for (sx, sy), (x, y) in zip(sides, tips[1:], strict=True):
        path += f"Q{sx:.1f} {sy:.1f} {x:.1f} {y:.1f}"
    return path + "Z"


def _kites(inner: float, outer: float, width: float) -> str:
    return "".join(
        closed([polar(inner, t), polar((inner + outer) * 0.55, t - width), polar(outer, t),
                polar((inner + outer) * 0.55, t + width)])
        for t in (45, 135, 225, 315)
    )


def _flames(count: int, outer: float, inner: float, lean: float) -> str:
    """Rays that bend a little to one side."""
    step = 360 / count
    path = ""
    for i in range(count):
        turn = step * i
        points = [polar(inner, turn - step * 0.36), polar((outer + inner) / 2, turn - step * 0.3 + lean),
                  polar(outer, turn + lean), polar((outer + inner) / 2, turn + step * 0.22 + lean),
                  polar(inner, turn + step * 0.36)]
        (a, b), (c, d), (e, f), (g, h), (x, y) = points
        path += f"M{a:.1f} {b:.1f}Q{c:.1f} {d:.1f} {e:.1f} {f:.1f}Q{g:.1f} {h:.1f} {x:.1f} {y:.1f}Z"
    return path


def _needles(count: int, inner: float, outer: float) -> str:
    step = 360 / count
    turns = [step * (i + 0.5) for i in range(count)]
    return "".join(closed([polar(inner, t - 5), polar(outer, t), polar(inner, t + 5)]) for t in turns)


def _beads(count: int, radius: float, size: float) -> str:
    return "".join(circle(size, *polar(radius, 360 / count * i)) for i in range(count))


CORNER_BEADS: Final = "".join(circle(3.4, x, y) for x in (-38, 38) for y in (-36.5, 34))

MOTIFS: Final = {
    "blue": inked(petals(4, 41, 20, 0, 4)) + painted("second", petals(4, 35, 3.2, 0, 13))
    + inked(petals(4, 33, 5.5, 45, 12)) + inked(circle(5)) + painted("second", circle(2.2)),
    "yellow": inked(_flames(8, 41, 20, 4)) + inked(_needles(8, 19, 34)) + inked(circle(22) + circle(19.5))
    + painted("second", circle(18.6), "") + inked(petals(8, 17, 6.5, 0, 4) + circle(3.2)),
    "red": inked(_hollow_diamond(43, 21) + polygon(4, 27.5)) + inked(polygon(4, 21) + polygon(4, 14))
    + painted("second", petals(4, 41, 3, 45, 31)) + inked(polygon(4, 7)),
    "black": inked(circle(39) + circle(29.5)) + painted("edge", _beads(16, 34.2, 2))
    + painted("second", circle(22.5) + circle(20)) + inked(circle(15) + circle(8.5)) + inked(circle(4))
    + painted("second", CORNER_BEADS),
    "white": inked(FOUR_ARROWS) + painted("second", _kites(12, 40, 7.5)) + inked(circle(4.5)),
}
CORNERS: Final = {"blue": "second", "red": "second", "white": "second", "yellow": "second"}
"""The paint of the rounds in the corners; they join with those of the neighbours."""

FLAWS: Final = (
    '<path class="flaw flaw-a" d="M-47-14L-31-9L-27 3L-12 9M-31-9L-24-16"/>'
    '<path class="flaw flaw-b" d="M12 43L17 30L29 25L33 12M17 30L9 23"/>'
    '<path class="flaw flaw-c" d="M46 6L36 1L33-12L40-22M-30 31h.1M22-29h.1"/>'
)
LIGHT: Final = (
    f'<path fill="url(#l-pool)" d="{TILE_FACE}"/><path fill="url(#l-glaze)" d="{TILE_FACE}"/>'
    '<path class="shine" d="M-45 20V-38Q-45-45-38-45H30"/>'
)

TILE_MARKS: Final = {
    "red": polygon(4, 40) + polygon(4, 27) + polygon(4, 14),
    "black": circle(34) + circle(22) + circle(8),
    "yellow": _flames(8, 40, 21, 3) + circle(22) + circle(11) + circle(4.5),
}
"""Silhouettes for the places that wait for a tile."""


BRASS_RIM: Final = (
    '<circle r="43" fill="none" stroke="var(--brass-deep)" stroke-width="8.5"/>'
    '<circle r="43" fill="none" stroke="url(#l-brass)" stroke-width="7"/>'
    '<path class="shine" stroke-width="1.6" d="M-33-31A45 45 0 0 1-12-43.4"/>'
)
"""On the plate of a special factory."""


def tile(kind: str, theme: str) -> str:
    corner = f'<path class="{CORNERS[kind]}-line" d="{CORNER_ROUNDS}"/>' if kind in CORNERS else ""
    return (
        f'{TILE_SHADOW}{states(TILE)}<path class="edge" d="{TILE}" transform="translate(0 1.5)"/>'
        f'<path fill="url(#{theme}-{kind})" d="{TILE_FACE}"/>{corner}'
        f'<g transform="{MIDDLE}">{MOTIFS[kind]}</g>{FLAWS}{LIGHT}{veil(TILE)}'
    )


# --- chocolates, their cups, doilies and discs -----------------------------------------------------------


CHOCOLATE: Final = rounded(47, -47, 48, 20)
CHOCOLATE_FACE: Final = rounded(47, -47, 43, 20)
BEVEL: Final = rounded(38, -38.5, 34, 14)
CHOCOLATE_SHADOW: Final = soft_shadow(rounded(46, -46, 47, 20))


def _stripes() -> str:
    return "".join(
        f"M{x - 15} {y + 21}L{x + 13} {y - 21}A5 5 0 0 1 {x + 21} {y - 15}L{x - 7} {y + 27}A5 5 0 0 1"
        f" {x - 15}"
        f" {y + 21}Z" for x, y in ((-22, -9), (-3, -3), (16, 3))
    )


def _waves() -> str:
    crest = "c6-10 11-10 17 0s11 10 17 0s11-10 17 0v8c-6-10-11-10-17 0s-11 10-17 0s-11-10-17 0Z"
    return "".join(f"M-25.5 {y}{crest}" for y in (-22, -4, 14))


SPIRAL: Final = (
    "M-2 3C-7 0-6-9 2-10C13-11 19-1 17 9C14 22-2 27-14 20C-29 11-30-11-17-23C-2-36 23-31 32-13C36-4"
    " 36 6 32 15"
    "L26 12C29 4 29-3 26-10C18-25-2-28-13-18C-23-8-22 9-11 15C-2 20 9 16 11 8C12 1 8-4 3-3C1-2 3 1 5 2Z"
)
HEART: Final = "M0 33C-46 2-36-31-14-30C-5-29.5 0-22 0-16C0-22 5-29.5 14-30C36-31 46 2 0 33Z"

CHOCOLATE_MARKS: Final = {
    "blue": _stripes(),
    "yellow": _waves(),
    "red": petals(6, 37, 11, 0, 7) + circle(4.5),
    "black": SPIRAL,
    "white": HEART,
}
"""Stripes, waves, an almond flower, a spiral, a heart."""


def chocolate(kind: str, theme: str) -> str:
    pressed = painted("edge", CHOCOLATE_MARKS[kind], "translate(-1.2 -3.4) scale(.92)")
    return (
        f'{CHOCOLATE_SHADOW}{states(CHOCOLATE)}'
        f'<path class="edge" transform="translate(0 1)" d="{CHOCOLATE}"/>'
        f'<path fill="url(#{theme}-{kind})" d="{CHOCOLATE_FACE}"/><path class="second-line" d="{BEVEL}"/>'
        f'<g opacity=".5">{pressed}</g>{inked(CHOCOLATE_MARKS[kind], "translate(0 -2) scale(.92)")}'
        f'<path fill="url(#l-pool)" opacity=".7" d="{CHOCOLATE_FACE}"/>'
        f'<path fill="url(#l-glaze)" opacity=".84" d="{CHOCOLATE_FACE}"/>'
        f'<path class="shine" d="M-43 6V-26Q-43-43-26-43H14"/>{veil(CHOCOLATE)}'
    )


# --- places ------------------------------------------------------------------------------------------


def _pleats(count: int, inner: float, outer: float) -> str:
    rays = []
    for i in range(count):
        (x, y), (dx, dy) = polar(inner, 360 / count * i), polar(1, 360 / count * i)
        reach = min(outer / max(abs(dx), abs(dy)), outer * 1.26)
        rays.append(f"M{number(x)} {number(y)}L{number(dx * reach)} {number(dy * reach)}")
    return "".join(rays)


CUP: Final = (
    f'<path fill="var(--recess)" stroke="url(#l-lip)" d="{rounded(46, -46, 46, 19)}"/>'
    f'<path class="pleat" d="{_pleats(40, 33, 44.5)}"/>'
    '<circle r="33.5" fill="var(--shade)" opacity=".16"/><circle r="33.5" fill="url(#l-inset)"/>'
)


def _lace(holes: int, radius: float, size: float) -> str:
    return "".join(circle(size, *polar(radius, 360 / holes * (i + 0.5))) for i in range(holes))


EDGE: Final = scalloped(28, 46.4, 2.1)
ALMOND: Final = petals(6, 17, 5, 0, 3) + circle(1.6)


def doily(theme: str) -> str:
    """A factory: a lace doily with a flower drawn on it."""
    return (
        f'<circle cx="1.5" cy="4" r="51" fill="url(#l-cast)" opacity=".55"/>'
        f'<path fill="url(#{theme}-plate)" fill-rule="evenodd" d="{EDGE}{_lace(28, 45.4, 1.25)}"/>'
        f'<path class="paint" opacity=".55" d="{_lace(56, 41.2, 0.55)}"/>'
        '<circle class="paint-line" r="43" opacity=".25"/><circle class="paint-line" r="33.5"'
        ' opacity=".35"/>'
        f'<circle r="38.5" fill="url(#{theme}-well)" opacity=".8"/>'
        f'<circle class="paint-line" r="35" opacity=".5"/><path class="paint-line" d="{ALMOND}"/>'
    )


DIAMONDS: Final = "".join(
    closed([polar(43.5, t - 2.2), polar(45.7, t), polar(43.5, t + 2.2), polar(41.3, t)])
    for t in (360 / 28 * i for i in range(28))
)
DISC: Final = (
    '<circle cx="1.5" cy="4" r="52" fill="url(#l-cast)" opacity=".8"/><circle r="49.5"'
    ' fill="url(#l-brass)"/>'
    '<circle r="48" fill="var(--board-side)"/><circle r="47" fill="var(--board-low)"/>'
    f'<path fill="url(#l-brass)" d="{DIAMONDS}"/><circle r="39.5" fill="none" stroke="url(#l-brass)"/>'
    '<circle r="38" fill="var(--board-side)"/><circle r="37" fill="var(--board-low)"/>'
    '<circle r="37" fill="url(#l-pool)"/><path class="shine" d="M-34-33A47.5 47.5 0 0 1-8-46.8"/>'
)
"""A disc of dark chocolate with a brass rim: a special factory, under its doily's place."""


# --- the signs of special factories ------------------------------------------------------------------

SIGNS: Final = {
    "extra": '<path class="sign" d="M0-24V24M-24 0H24"/>',
    "stay": '<path class="sign" d="M0 4V30M-14-26H14L10-6Q18 0 18 6H-18Q-18 0-10-6Z"/>',
    "split": '<path class="sign" d="M0 28V8L-20-14M0 8L20-14M-22 0V-17H-6M22 0V-17H6"/>',
    "zero": '<ellipse class="sign" rx="16" ry="25"/>',
}
EMBLEM: Final = (
    '<circle cx="2" cy="5" r="68" fill="url(#l-cast)"/><circle r="63" fill="url(#l-brass)"/>'
    '<circle r="53" fill="var(--brass-deep)"/>'
    '<circle r="51.5" fill="var(--badge)"/><path class="shine" d="M-52-26A58 58 0 0 1-20-54"/>'
)
ARROWS: Final = '<path class="sign" d="M-46-9L-36 0L-46 9M46-9L36 0L46 9"/>'


def sign(kind: str) -> str:
    """A brass emblem; for "neighbour.blue" the mark of the colour between two arrows."""
    what, dot, colour = kind.partition(".")
    if not dot:
        return EMBLEM + SIGNS[what]
    disc = '<circle class="face" r="30"/>' + inked(CHOCOLATE_MARKS[colour], "scale(.6)")
    return EMBLEM + ARROWS + coloured(colour, disc)


# --- grounds ---------------------------------------------------------------------------------------------


ARROW: Final = "M-9-13L9 0L-9 13Z"


def ground(panel: Panel, theme: str) -> str:
    if panel.seat is None:
        return basin(panel, theme)
    wall = [slot for slot in panel.ever if ".wall" in slot.id]
    lines = [slot for slot in panel.ever if ".line" in slot.id]
    return sunken(wall) + "".join(_arrow(line, wall) for line in lines)


def _arrow(line: Slot, wall: list[Slot]) -> str:
    """Between a line and the wall; none where they lie otherwise."""
    left, right = line.x + line.width / 2, min(slot.x - slot.width / 2 for slot in wall)
    if right <= left:
        return ""
    at = f"translate({(left + right) * 50:.0f} {line.y * 100:.0f})"
    return f'<path class="hint-arrow" transform="{at}" d="{ARROW}"/>'


# --- covers, friezes and tables --------------------------------------------------------------------------


STEP: Final = 76
FAIENCE: Final = (
    f'<pattern id="faience" width="{STEP}" height="{STEP}" patternUnits="userSpaceOnUse">'
    f'<rect width="{STEP}" height="{STEP}" fill="var(--faience)"/>'
    '<g fill="none" stroke="var(--cobalt)"><g stroke-width="8">'
    '<circle r="29"/><circle cx="76" r="29"/><circle cy="76" r="29"/><circle cx="76" cy="76" r="29"/></g>'
    '<g stroke="var(--cobalt-pale)" stroke-width="2.5">'
    '<circle r="36"/><circle cx="76" r="36"/><circle cy="76" r="36"/><circle cx="76" cy="76"'
    ' r="36"/></g></g>'
    '<g fill="var(--cobalt)"><circle r="15"/><circle cx="76" r="15"/><circle cy="76" r="15"/>'
    '<circle cx="76" cy="76" r="15"/></g>'
    '<g fill="var(--ochre)"><circle r="7"/><circle cx="76" r="7"/><circle cy="76" r="7"/>'
    '<circle cx="76" cy="76" r="7"/></g><g transform="translate(38 38)"><path fill="var(--cobalt)"'
    f' d="{petals(4, 27, 12)}"/>'
    f'<path fill="var(--cobalt-pale)" d="{petals(4, 21, 2.4, 0, 6)}"/><path fill="var(--ochre)"'
    f' d="{circle(4)}"/></g>'
    '<path d="M0 0H76M0 0V76" stroke="var(--joint)" stroke-width="1.6"/></pattern>'
)
TILES: Final = (("yellow", 425, 168, -11, 0.98), ("white", 540, 88, 9, 0.86), ("black", 322, 250, -7, 0.94),
                ("blue", 440, 272, 19, 0.98), ("red", 548, 206, -17, 1.0))


def panel(theme: str) -> Art:
    body = (
        f"<defs>{FAIENCE}</defs>"
        '<rect x="-24" y="-30" width="660" height="340"'
        f' fill="url(#faience)"/>{shaded(0.34)}{tumbled(TILES)}'
    )
    return Art(**COVER, body=body, kinds=[tile[0] for tile in TILES])


BAR: Final = (
    '<pattern id="bar" width="96" height="88" patternUnits="userSpaceOnUse"><rect width="96" height="88"'
    ' fill="var(--cocoa)"/><path d="M4 4H92L78 18H18Z" fill="var(--cocoa-lit)"/><path d="M4 4L18'
    ' 18V70L4 84Z"'
    ' fill="var(--cocoa-warm)"/><path d="M92 4V84L78 70V18Z" fill="var(--cocoa-dim)"/>'
    '<path d="M4 84L18 70H78L92 84Z" fill="var(--cocoa-deep)"/><path d="M18 18H78V70H18Z"'
    ' fill="var(--cocoa)"/>'
    '<path d="M22 62V22H66" fill="none" stroke="var(--cocoa-lit)" stroke-width="1.5"'
    ' opacity=".7"/></pattern>'
)
TORN: Final = (
    "M210 290C232 262 250 266 270 244C292 220 286 208 318 196C348 186 352 162 384 152C414 144 416 118"
    " 446 108"
    "C474 98 486 84 512 66C536 50 552 54 610 8V290Z"
)
PAPER: Final = (("cocoa-deep", 0.35, -9, -2), ("cocoa-deep", 0.3, -4, 0), ("paper-rim", 1, 0, 0),
                ("waxed", 1, 9, 7))
"""Shadow, torn rim and face of the paper: colour, how opaque it is, and how far it is moved."""
PRALINES: Final = (("blue", 470, 196, -8, 0.8), ("red", 556, 132, 10, 0.76), ("white", 566, 236, -14, 0.82),
                   ("black", 372, 250, 12, 0.8))


def bar(theme: str) -> Art:
    paper = "".join(
        f'<path d="{TORN}" fill="var(--{paint})" opacity="{alpha}" transform="translate({x} {y})"/>'
        for paint, alpha, x, y in PAPER
    )
    creases = (
        '<g fill="none" stroke="var(--paper-rim)" stroke-width="2" opacity=".7"><path d="M330 290L470'
        ' 150L610 96"/>'
        '<path d="M470 150L500 290"/></g><path d="M330 290L470 150L500 290Z" fill="var(--cocoa-deep)"'
        ' opacity=".04"/>'
    )
    body = (
        f'<defs>{BAR}</defs><rect x="-30" y="-26" width="680" height="340" fill="url(#bar)"/>{shaded(0.4)}'
        f"{paper}{creases}{tumbled(PRALINES)}"
    )
    return Art(**COVER, body=body, kinds=[piece[0] for piece in PRALINES])


TILE_FRIEZE: Final = (
    '<rect width="36" height="18" fill="var(--faience)"/><g fill="var(--cobalt)"><path d="M0 0H11A11'
    ' 11 0 0 1 0 11Z"/>'
    '<path d="M36 0H25A11 11 0 0 0 36 11Z"/><path d="M0 18H7A7 7 0 0 0 0 11Z" opacity=".5"/>'
    '<path d="M36 18H29A7 7 0 0 1 36 11Z" opacity=".5"/>'
    f'<g transform="translate(18 10) scale(.2)"><path d="{petals(4, 38, 18, 45)}"/></g></g>'
    '<g fill="var(--ochre)"><circle cx="18" cy="10" r="1.7"/><circle r="3.4"/><circle cx="36" r="3.4"/></g>'
    '<path d="M0 .7H36M0 17.3H36" stroke="var(--cobalt)" stroke-width="1.4"/>'
)
CHOCOLATE_FRIEZE: Final = (
    '<rect width="18" height="18" fill="var(--cocoa-deep)"/><path d="M1 1H17V17H1Z" fill="var(--cocoa)"/>'
    '<path d="M1 1H17L14 4H4V14L1 17Z" fill="var(--cocoa-lit)"/><path d="M17 1V17H1L4 14H14V4Z"'
    ' fill="var(--cocoa-dim)"/>'
    f'<g transform="translate(9 9) scale(.11)"><path fill="var(--ochre)" d="{petals(4, 40, 22, 45)}"/></g>'
)
BRANCHES: Final = branch("translate(180 64) rotate(24)") + branch("translate(-30 900) rotate(-38)")


def stone(theme: str) -> Art:
    """A stone table: the shadow of a branch falls on it in two corners."""
    return Art(**TABLE, body=BRANCHES)


CREASES: Final = (
    "M0 140L330 60L560 300L250 520ZM330 60L720 0L560 300ZM250 520L560 300L700 640L380 900H120Z",
    "M560 300L720 0L1000 180L700 640ZM1000 180L1440 40V420L1180 520ZM700 640L1180 520L1300 900H760Z",
)


def waxed_paper(theme: str) -> Art:
    """Waxed paper with flat creases."""
    white, brown = CREASES
    lit, dim = 'fill="white" opacity=".03"', 'fill="var(--shade)" opacity=".05"'
    return Art(**TABLE, body=f'<path d="{white}" {lit}/><path d="{brown}" {dim}/>')


ART: Final = {
    ("tiles", "table"): stone, ("chocolates", "table"): waxed_paper,
    ("tiles", "cover"): panel, ("chocolates", "cover"): bar,
    ("tiles", "frieze"): frieze_art(36, TILE_FRIEZE),
    ("chocolates", "frieze"): frieze_art(18, CHOCOLATE_FRIEZE),
}


def art(theme: str, what: str) -> Art | None:
    make = ART.get((theme, what))
    return None if make is None else make(theme)


# --- both themes -----------------------------------------------------------------------------------------


CHOCOLATES: Final = "chocolates"
"""The theme with chocolates instead of tiles."""
MARKS: Final = {**SHARED, **TILE_MARKS}


def mark(kind: str, theme: str) -> str:
    return {**MARKS, **CHOCOLATE_MARKS}[kind] if theme == CHOCOLATES else MARKS[kind]


def piece(kind: str, theme: str) -> str:
    if kind == "marker":
        return coloured(kind, token(SHARED[kind]))
    return coloured(kind, chocolate(kind, theme) if theme == CHOCOLATES else tile(kind, theme))


def surface(shape: str, theme: str) -> str:
    if theme != CHOCOLATES:
        return BRASS_RIM if shape == SPECIAL else ""
    return {"plate": doily(theme), "square": CUP, SPECIAL: DISC}.get(shape, "")


SHAPES: Final = Shapes(piece=piece, mark=mark, sign=sign, surface=surface, ground=ground, art=art)
