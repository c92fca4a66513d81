"""The cover, hedges and gravel around a fountain, and a frieze of clipped hedge."""

from __future__ import annotations

from typing import Final

from azulejos.core.contract import Art
from azulejos.parts.art import COVER, TABLE, branch, frieze_art, shaded, tumbled
from azulejos.parts.paths import circle, number, polar, polygon

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
