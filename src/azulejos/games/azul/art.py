"""Covers and friezes: a faience panel with tumbled tiles, a chocolate bar under torn waxed paper."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art
from azulejos.parts.art import COVER, TABLE, branch, frieze_art, shaded, tumbled
from azulejos.parts.paths import circle, petals

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
    lit, dim = 'fill="white" opacity=".08"', 'fill="var(--shade)" opacity=".035"'
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
