"""Drawings of enamel hexagons: six colours, each with its own corner ornament, and six patterns."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art, Shapes
from azulejos.core.scene import Panel
from azulejos.parts.shapes import (
    COVER, MARKS as SHARED, TABLE, UNIT, branch, circle, closed, coloured, frieze_art, inked, number,
    painted, petal, petals, polar, polygon, rectangle, seven, shaded, soft_shadow, states, token, tumbled,
    veil,
)

# --- grounds ---------------------------------------------------------------------------------------------


BED: Final = seven(100, 1.0)
CELL: Final = polygon(6, 47 / 0.75**0.5)


def bed(theme: str) -> str:
    """Seven cells of lawn inside a clipped hedge."""
    return (
        '<g class="turns" stroke-linejoin="round"><path fill="none" stroke="var(--shade)"'
        ' stroke-opacity=".22"'
        f' stroke-width="7" transform="translate(1 3.2)" d="{BED}"/>'
        '<path fill="none" stroke="var(--hedge-dim)" stroke-width="6" transform="translate(0 1)"'
        f' d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge)" stroke-width="5.6" d="{BED}"/>'
        f'<path fill="none" stroke="var(--hedge-lit)" stroke-width="1.2" stroke-dasharray="1.6 1.1"'
        f' transform="translate(-.3 -.5) scale(1.015)" d="{BED}"/>'
        f'<path fill="var(--lawn)" stroke="var(--lawn-line)" stroke-width=".9" d="{BED}"/></g>'
    )


def empty_bed(width: float, at: str) -> str:
    """Where an expansion lay: its outline pressed into the gravel."""
    return (
        f'<path fill="var(--shade)" fill-opacity=".06" stroke="var(--shade)" stroke-opacity=".2"'
        f' stroke-width="3" stroke-linejoin="round" transform="translate({at})" d="{seven(width, 0.97)}"/>'
    )


def cell(theme: str) -> str:
    """A free cell."""
    grass, shade = (f'<path fill="{paint}" d="{CELL}"/>' for paint in ("var(--cell)", "url(#l-inset)"))
    return f'<g class="turns">{grass}{shade}</g>'


def _spokes(inner: float, outer: float) -> str:
    ends = [(polar(inner, 45 + 90 * i), polar(outer, 45 + 90 * i)) for i in range(4)]
    return "".join(f"M{number(a)} {number(b)}L{number(c)} {number(d)}" for (a, b), (c, d) in ends)


def dial(theme: str) -> str:
    """A stone dial with a quarter for each round."""
    return (
        '<circle cx="1" cy="3" r="52" fill="url(#l-cast)" opacity=".6"/><circle cy="1.4" r="49"'
        ' fill="var(--board-side)"/>'
        '<circle r="49" fill="var(--dial)"/><circle r="47.6" fill="var(--dial-low)"/>'
        '<g fill="none" stroke="var(--dial-line)" stroke-width=".8"><circle r="47.6"/><path'
        f' d="{_spokes(16, 47.6)}"/></g>'
        '<circle cy=".8" r="14" fill="var(--board-side)"/><circle r="14" fill="var(--dial)"/>'
    )


def quarter(number_of_round: int) -> str:
    """The light on the quarter of a round."""
    turn = 90 * number_of_round
    return (
        f'<g transform="rotate({turn})"><path d="M-33.6-33.6A47.5 47.5 0 0 1 33.6-33.6L11.3-11.3A16 16 0'
        ' 0 0-11.3-11.3Z"'
        ' fill="var(--glow)" fill-opacity=".34" stroke="var(--ring)" stroke-width="1.2"/></g>'
    )


# --- covers, friezes and tables --------------------------------------------------------------------------


SIZE: Final = 0.84
ACROSS: Final = 100 * SIZE
CENTRE: Final = (300.0, 140.0)
NEAR: Final = ("light-purple.flower", "yellow.bird", "light-green.tree", "light-blue.butterflies",
               "dark-green.bells", "dark-purple.plant")
"""Around the fountain, clockwise."""
BEYOND: Final = {
    0: "yellow.tree", 2: "light-blue.flower", 4: "light-purple.bird", 5: "hedge", 7: "dark-purple.flower",
    8: "light-green.bells", 10: "hedge", 11: "dark-green.flower",
}
"""The second ring: pieces, hedges, and gravel where nothing is named."""


def _at(ring: int, number_in_ring: int) -> tuple[float, float]:
    """The middle of a hexagon of a ring around the fountain."""
    side, along = divmod(number_in_ring, ring)
    corner, following = (polar(ring * ACROSS, 60 * turn + 30) for turn in (side, side + 1))
    share = along / ring
    return (CENTRE[0] + corner[0] + (following[0] - corner[0]) * share,
            CENTRE[1] + corner[1] + (following[1] - corner[1]) * share)


def _leaves() -> str:
    return "".join(circle(4.4, *polar(9 + 27 * (i * 7 % 11) / 10, i * 137.5)) for i in range(22))


HEXAGON: Final = polygon(6, ACROSS * 0.965 / 3**0.5)


def _cell(at: tuple[float, float], what: str) -> str:
    moved = f'transform="translate({number(at[0])} {number(at[1])})"'
    if what == "hedge":
        return (
            f'<g {moved}><path d="{HEXAGON}" fill="var(--hedge-dim)" transform="translate(0'
            f' 5)"/><path d="{HEXAGON}"'
            f' fill="var(--hedge)"/><path d="{_leaves()}" fill="var(--hedge-lit)" opacity=".55"/></g>'
        )
    under, shade = (f'<path d="{HEXAGON}" fill="{paint}"/>' for paint in ("var(--gravel)", "url(#l-inset)"))
    return f"<g {moved}>{under}{shade}</g>"


def garden(theme: str) -> Art:
    second = [(_at(2, i), BEYOND.get(i, "gravel")) for i in range(12)]
    far = [(ring, i) for ring in (3, 4) for i in range(6 * ring)]
    outer = [(_at(ring, i), "hedge" if (i + ring) % 3 else "gravel") for ring, i in far]
    pieces = [("fountain", *CENTRE, 0, SIZE)]
    pieces += [(kind, *_at(1, i), 0, SIZE) for i, kind in enumerate(NEAR)]
    pieces += [(what, *at, 0, SIZE) for at, what in second if "." in what]
    cells = "".join(_cell(at, what) for at, what in outer + second if "." not in what)
    body = f'<rect width="600" height="280" fill="var(--path)"/>{cells}{tumbled(pieces)}{shaded(0.38)}'
    return Art(**COVER, body=body, kinds=list(dict.fromkeys(piece[0] for piece in pieces)))


HEDGE: Final = (
    '<rect width="24" height="18" fill="var(--hedge-dim)"/><path d="M0 6Q6 -2 12 6Q18 -2 24 6V18H0Z"'
    ' fill="var(--hedge)"/>'
    '<path d="M0 14Q6 7 12 14Q18 7 24 14V18H0Z" fill="var(--hedge-dim)" opacity=".5"/>'
    '<g fill="var(--hedge-lit)"><circle cx="4" cy="5" r="1.5"/><circle cx="9" cy="9" r="1.4"/><circle'
    ' cx="16" cy="5" r="1.5"/>'
    '<circle cx="21" cy="10" r="1.4"/></g><g fill="var(--blossom)"><circle cx="6" cy="11" r="1.7"/>'
    '<circle cx="18" cy="8" r="1.7"/></g><path d="M0 17.3H24" stroke="var(--gravel)" stroke-width="1.4"/>'
)


def gravel(theme: str) -> Art:
    """Fine gravel, and the shadow of a branch."""
    grains = "".join(
        circle(1.1 + i % 3 * 0.5, (i * 37) % 120 + 2, (i * 53) % 120 + 2) for i in range(46)
    )
    lights = "".join(circle(0.9, (i * 41) % 120 + 1, (i * 67) % 120 + 1) for i in range(40))
    body = (
        '<defs><pattern id="grains" width="124" height="124" patternUnits="userSpaceOnUse">'
        f'<path d="{grains}" fill="var(--shade)" opacity=".07"/><path d="{lights}" fill="white"'
        ' opacity=".28"/>'
        f'</pattern></defs><rect width="1440" height="900" fill="url(#grains)"/>'
        f'{branch("translate(60 20) rotate(30)")}'
    )
    return Art(**TABLE, body=body)


ART: Final = {"table": gravel, "cover": garden, "frieze": frieze_art(24, HEDGE)}


def art(theme: str, what: str) -> Art | None:
    make = ART.get(what)
    return None if make is None else make(theme)


# --- hexagons --------------------------------------------------------------------------------------------


MARKS: Final = {
    **SHARED,
    "light-blue": circle(26) + circle(15),
    "light-purple": rectangle(44, 44) + rectangle(24, 24),
    "light-green": polygon(3, 34) + polygon(3, 15),
    "dark-green": polygon(3, 34, 180) + polygon(3, 15, 180),
    "dark-purple": polygon(4, 36) + polygon(4, 20),
    "expansion": polygon(6, 34) + polygon(6, 22) + polygon(6, 10),
    "any": polygon(6, 34) + circle(12),
    "tree": "M0-38C17-38 25-26 21-15C32-8 28 11 13 11H5V35H-5V11H-13C-28 11-32-8-21-15C-25-26-17-38 0-38Z",
    "bird": "M-38-4C-24-9-15-4-8 2C-7-17 6-31 28-34C24-23 19-13 17-6C23-9 30-8 38-2L27 4C23 21 9 30-6 28"
    "L-24 36L-17 21C-28 15-32 6-38-4Z",
    "butterflies": "".join(
        f"M{x} {y}c-19-21-28 4-12 8c-11 7-2 19 10 7c2 0 2 0 4 0c12 12 21 0 10-7c16-4 7-29-12-8z"
        for x, y in ((0, -28), (-21, 12), (21, 12))
    ),
    "flower": petals(5, 37, 24, 0, 5) + circle(6.5),
    "plant": petal(38, 8, 0, -2) + petal(30, 8, 62, 2) + petal(30, 8, -62, 2) + petal(28, 7, 112, -2)
    + petal(28, 7, -112, -2) + "M-2.5 0H2.5V36H-2.5Z",
    "bells": "M-3-39H3V-29C16-29 22-22 22-12H16C16-20 11-23 0-23C-11-23-16-20-16-12H-22C-22-22-16-29-3-29Z"
    + "".join(
        f"M{x} -14c-13 0-13 20-20 31c6 4 11 5 15 5a5.5 5.5 0 0 0 10 0c4 0 9-1 15-5c-7-11-7-31-20-31z"
        for x in (-19, 19)
    ),
    "pavilion": "M0-37L34-11H-34ZM-27-8h9v32h-9ZM-4.5-8h9v32h-9ZM18-8h9v32h-9ZM-34 26h68v9h-68Z",
    "fountain": circle(37) + circle(30) + circle(22) + circle(14) + circle(6),
    "statue": circle(11, 0, -26)
    + "M-7-16H7C15-8 11 8 9 18H-9C-11 8-15-8-7-16ZM-18 20H18V27H-18ZM-23 28H23V36H-23Z",
    "bench": "M-37-14H37V-5H-37ZM-37 3H37V13H-37ZM-29 13h9v20h-9ZM20 13h9v20h-9Z",
}

RADIUS: Final = 100 / 3**0.5
"""Pointed at the top, 100 from side to side."""
BODY: Final = polygon(6, RADIUS * 0.965)
FACE: Final = polygon(6, RADIUS * 0.93)
INNER: Final = polygon(6, RADIUS * 0.78)
UPPER: Final = closed([polar(RADIUS * 0.9, turn) for turn in (-60, 0, 60)]
                      + [polar(RADIUS * 0.82, turn) for turn in (60, 0, -60)])


def _bars(inner: float, outer: float) -> str:
    """A band across each corner."""
    return "".join(
        closed([polar(outer, t), polar(inner, t - 12), polar(inner - 4, t), polar(inner, t + 12)])
        for t in range(0, 360, 60)
    )


ORNAMENTS: Final = {
    "light-blue": "".join(circle(3.4, *polar(47, 60 * i)) for i in range(6)),
    "light-purple": "".join(petal(52, 5, 60 * i, 39) for i in range(6)),
    "yellow": "".join(petal(45, 5, 60 * i + 30, 38) for i in range(6)),
    "light-green": _bars(45, 52),
    "dark-green": "".join(circle(2.8, *polar(45, 60 * i + turn)) for i in range(6) for turn in (-7, 7)),
    "dark-purple": polygon(6, 48.5) + polygon(6, 45),
}
COSTS: Final = ("tree", "bird", "butterflies", "flower", "plant", "bells")
"""The patterns by what they cost, from 1."""
STONE: Final = frozenset({"pavilion", "fountain", "statue", "bench", "any"})
EXPANSION: Final = "expansion"
QUARTER: Final = "quarter"
"""The mark of the dial in round 1: "quarter1"."""
FLOWER: Final = seven(104, 1.0)


def mark(kind: str, theme: str = "") -> str:
    """The mark of a kind: for "yellow.bird" the bird."""
    return MARKS[kind.rpartition(".")[2]]


def piece(kind: str, theme: str) -> str:
    """A hexagon, an element, or an expansion that shows a hexagon: "expansion.yellow.bird"."""
    colour, _, rest = kind.partition(".")
    if colour == EXPANSION:
        shown = f'<g transform="scale(.62)">{piece(rest, theme)}</g>' if rest else ""
        return coloured(EXPANSION, _expansion(theme)) + shown
    return coloured(colour, token(mark(kind)) if kind == "marker" else _hexagon(kind, theme))


def _expansion(theme: str) -> str:
    return (
        f'{soft_shadow(FLOWER)}<path class="side" stroke-width="7" stroke-linejoin="round" d="{FLOWER}"/>'
        f'<path fill="url(#{theme}-expansion)" d="{FLOWER}"/>'
        f'<path class="stroke" stroke-width="1.4" opacity=".35" d="{FLOWER}"/>'
    )


RAISED: Final = 'transform="translate(0 -1)"'
TAG: Final = circle(15.5, 0, 30)
"""The disc with what a hexagon costs, inside the face however the garden is turned."""


def _hexagon(kind: str, theme: str) -> str:
    """What has class "turns" lies on a side where the garden does; the mark stays upright."""
    colour, _, pattern = kind.partition(".")
    trim = "" if colour in STONE else f'<path class="second-line" d="{INNER}"/>'
    body = (
        f'{soft_shadow(BODY, reach=0.8)}{states(BODY)}<path class="edge" transform="translate(0 2.5)"'
        f' d="{BODY}"/>'
        f'<path fill="url(#{theme}-{colour})" {RAISED} d="{FACE}"/>{trim}{inked(ORNAMENTS.get(colour, ""))}'
    )
    light = (
        f'<path fill="url(#l-glaze)" opacity=".8" {RAISED} d="{FACE}"/>'
        f'<path fill="var(--sheen)" opacity=".5" {RAISED} d="{UPPER}"/>{veil(BODY)}'
    )
    if not pattern:
        return f'<g class="turns">{body}</g>{_motif(kind, PLAIN)}<g class="turns">{light}</g>'
    cost = COSTS.index(pattern) + 1
    digit = f'<text class="face sans" y="39" font-size="25" text-anchor="middle">{cost}</text>'
    tagged = _motif(kind, OVER_TAG), f'<g class="turns">{light}</g>', painted("ink", TAG), digit
    return f'<g class="turns">{body}</g>' + "".join(tagged)


PLAIN: Final = "translate(0 -1) scale(.84)"
OVER_TAG: Final = "translate(0 -11) scale(.66)"


def _motif(kind: str, size: str) -> str:
    """The mark; a fountain has water between its rings."""
    water = painted("second", circle(34), size) if kind == "fountain" else ""
    return water + inked(mark(kind), size)


def surface(shape: str, theme: str) -> str:
    if shape.startswith(QUARTER):
        return quarter(int(shape.removeprefix(QUARTER)) - 1)
    return {"bed": bed, "flower": bed, "cell": cell, "dial": dial}.get(shape, _nothing)(theme)


def _nothing(theme: str) -> str:
    return ""


def ground(panel: Panel, theme: str) -> str:
    """Expansions leave an outline on the display, so that nobody takes the gap for a mistake."""
    return "".join(
        empty_bed(slot.width * UNIT, f"{number(slot.x * UNIT)} {number(slot.y * UNIT)}")
        for slot in panel.slots if slot.shape == "bed" and panel.seat is None
    )


SHAPES: Final = Shapes(piece=piece, mark=mark, surface=surface, ground=ground, art=art)
