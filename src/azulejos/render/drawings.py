"""Drawings that are files of their own: the logo, faces, the cover and the frieze of each theme."""

from __future__ import annotations

from typing import Final, NamedTuple

from azulejos.parts.shapes import MARKS, circle, number, petals, polygon
from azulejos.render.symbols import symbols
from azulejos.render.themes import ground, rules, themes, with_colours

# --- faces --------------------------------------------------------------------------------------------


TILE: Final = 16
GAP: Final = 0.7
SHADES: Final = (
    "lit", "face", "face", "deep",
    "face", "lit", "face", "face",
    "face", "face", "lit", "face",
    "deep", "face", "face", "deep",
)
"""Of the sixteen tiles, row by row: handmade tiles differ a little."""


class FaceParts(NamedTuple):
    """Path data in a box of 64 x 64. Hair is filled; lines are strokes; dark parts are filled."""

    hair: str
    eyes: str
    lines: str
    dark: str = ""
    light: str = ""


def _waves(y: float, height: float) -> str:
    return f"M0 {y}" + "".join(f"q4-{height} 8 0t8 0" for _ in range(4)) + "V0H0Z"


def _spikes(base: float, top: float) -> str:
    return f"M0 {base}" + "".join(f"L{8 * i + 4} {top}L{8 * i + 8} {base}" for i in range(8)) + "V0H0Z"


NOSE: Final = "M32 31V40Q32 43 28 43"
ROUND: Final = circle(5.4, 22, 29) + circle(5.4, 42, 29)
PUPILS: Final = circle(2.4, 22.6, 29.6) + circle(2.4, 41.4, 29.6)
NARROW: Final = "M16 30Q22 25 28 30Q22 33 16 30ZM36 30Q42 25 48 30Q42 33 36 30Z"

FEATURES: Final = (
    FaceParts(hair="", eyes="", dark=circle(2.2, 22, 30) + circle(2.2, 42, 30) + circle(3.4, 32, 51),
              lines="M26 15Q24 4 35 4Q42 5 40 11Q37 14 34 10M17 24Q21 20 26 23M38 23Q43 20 47 24M32 33V40"),
    FaceParts(hair=_spikes(14, 3), eyes="", dark="M21 47H43Q41 58 32 58Q23 58 21 47Z",
              light="M24 48.5H40L39 51H25Z", lines="M17 31Q22 25 27 31M37 31Q42 25 47 31M32 34V41"),
    FaceParts(hair="M0 15Q18 18 32 6Q46 18 64 15V0H0Z", eyes=ROUND, dark=PUPILS,
              lines=f"M15 22Q22 18 28 22M36 22Q42 18 49 22{NOSE}M20 49Q32 59 44 49"),
    FaceParts(hair="M0 0H64V13L56 16L48 13L40 16L32 13L24 16L16 13L8 16L0 13Z", eyes=NARROW,
              dark="M32 44Q26 40 18 48Q27 50 32 47Q37 50 46 48Q38 40 32 44Z" + circle(2, 22, 29.6)
              + circle(2, 42, 29.6), lines="M15 25H28M36 25H49M32 31V40M27 55H37"),
    FaceParts(hair=_waves(14, 9),
              eyes=ROUND, dark=circle(3, 22, 29) + circle(3, 42, 29),
              lines=f"M14 23L28 20M36 20L50 23{NOSE}M22 52H38Q42 52 44 49"),
    FaceParts(hair="M0 0H64V8Q48 20 32 13Q16 20 0 8Z", eyes=NARROW,
              dark=circle(2.6, 22.6, 29.4) + circle(2.6, 41.4, 29.4),
              lines="M14 22L29 26M50 22L35 26M32 31V41M22 53Q32 48 42 53"),
    FaceParts(hair="M2 16L4 3L13 10L22 1L32 9L42 1L51 10L60 3L62 16Z", eyes=circle(6.6, 22, 30)
              + circle(6.6, 42, 30), dark=circle(2.6, 22, 30) + circle(2.6, 42, 30),
              lines=f"M15 22Q22 19 28 23M36 23Q42 19 49 22{NOSE}M20 50Q32 57 44 50"),
)
"""By level, the weakest first."""
DUST: Final = FaceParts(
    hair="M0 0H64V7Q56 13 50 8Q44 3 38 9Q32 15 25 9Q19 4 13 9Q7 13 0 7Z", eyes="",
    dark=circle(2.2, 13, 42) + circle(1.6, 52, 40) + circle(1.5, 47, 45),
    lines="M16 28Q22 34 28 28M36 28Q42 34 48 28M32 33V40M20 51q4-5 8 0t8 0t8 0",
)
"""Of the bot below all levels, which plays at random: its eyes are closed."""


def pigments() -> list[list[str]]:
    """The colours of each bot: lit, face, deep, hair, ink."""
    return list(ground()["pigments"].values())


def face_svg(level: int) -> str:
    """The face of the bot of a level (1 to 7), or of the one below all (0), as a picture of its own. Raises
    KeyError."""
    if not 0 <= level <= len(FEATURES):
        raise KeyError(level)
    lit, face, deep, hair, ink = [_GREY, *pigments()][level]
    colours = {"lit": lit, "face": face, "deep": deep}
    tiles = "".join(_tile(i, colours[shade]) for i, shade in enumerate(SHADES))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        '<clipPath id="head"><path d="M7 0H57Q64 0 64 7V38Q64 64 38 64H26Q0 64 0 38V7Q0 0 7'
        ' 0Z"/></clipPath>'
        f'<g clip-path="url(#head)"><rect width="64" height="64" fill="{deep}"/>{tiles}'
        f"{_features((DUST, *FEATURES)[level], hair, ink)}"
        f'<path d="M0 0H64L0 46Z" fill="white" opacity=".16"/></g></svg>'
    )


def _tile(index: int, colour: str) -> str:
    x, y = index % 4 * TILE, index // 4 * TILE
    size = number(TILE - GAP)
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" rx="1.6" fill="{colour}"/>'


def _features(look: FaceParts, hair: str, ink: str) -> str:
    gold = ground()["light"]["brass"]
    crown = gold if look is FEATURES[-1] else hair
    return (
        f'<path d="{look.hair}" fill="{crown}"/>'
        f'<path d="{look.eyes}" fill="white" opacity=".94"/><path d="{look.dark}"'
        f' fill="{_dark(ink, hair)}"/>'
        f'<path d="{look.light}" fill="white" opacity=".9"/>'
        f'<path d="{look.lines}" fill="none" stroke="{ink}" stroke-width="2.4" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )


def _dark(ink: str, hair: str) -> str:
    """Pupils are dark even where lines are light."""
    return ink if sum(bytes.fromhex(ink[1:])) < 380 else hair


# --- faces of people ---------------------------------------------------------------------------------


GLAZES: Final = 8
"""Colours of a person's face; the last one is not a bot's."""
_ROSE: Final = ["#e79aa8", "#c96a7d", "#94404f", "#6d2837", "#3c0f19"]
_GREY: Final = ["#d3d2cf", "#b9b8b5", "#98979a", "#77767b", "#3b3a40"]


def is_face(code: str) -> bool:
    """Whether a code is the face of a person: colour, hair and expression, one digit each."""
    return (len(code) == 3 and code.isascii() and code.isdigit() and int(code[0]) < GLAZES
            and int(code[1]) < len(FEATURES) and int(code[2]) < len(FEATURES))


def person_svg(code: str) -> str:
    """The face of a person: round, where those of bots are shields. Raises KeyError."""
    if not is_face(code):
        raise KeyError(code)
    glaze, hair, look = map(int, code)
    lit, face, deep, dark, ink = [*pigments(), _ROSE][glaze]
    colours = {"lit": lit, "face": face, "deep": deep}
    tiles = "".join(_tile(i, colours[shade]) for i, shade in enumerate(SHADES))
    features = FEATURES[look]._replace(hair=FEATURES[hair].hair)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
        '<clipPath id="round"><circle cx="32" cy="32" r="32"/></clipPath>'
        f'<g clip-path="url(#round)"><rect width="64" height="64" fill="{deep}"/>{tiles}'
        f'<g transform="translate(5.500 5.500) scale(.83)">{_features(features, dark, ink)}</g>'
        f'<circle cx="32" cy="32" r="30.500" fill="none" stroke="{deep}" stroke-width="3"/></g></svg>'
    )


# --- drawings of the site -----------------------------------------------------------------------------


LOGO_MARKS: Final = {
    "flower": petals(4, 38, 17) + petals(4, 30, 4, 45, 10),
    "sun": MARKS["yellow"],
    "diamond": polygon(4, 38) + polygon(4, 25) + polygon(4, 13),
    "cross": MARKS["white"],
}
CORNERS: Final = ((-50, -50), (50, -50), (-50, 50), (50, 50))


def drawing(name: str) -> str:
    """A file by its name without ending. Raises KeyError."""
    if name == "logo":
        return logo_svg()
    first, _, what = name.rpartition("-")
    if first == "face":
        return face_svg(int(what) if what.isdecimal() else -1)
    return _of_theme(first, what)


def logo_svg(*, margin: float = 0) -> str:
    """Four tiles. An icon that a system may crop needs a margin."""
    half = 100 + margin
    box = f"{-half:g} {-half:g} {2 * half:g} {2 * half:g}"
    wall = ground()["light"]["wall"]
    under = f'<rect x="{-half:g}" y="{-half:g}" width="100%" height="100%" fill="{wall}"/>'
    tiles = "".join(map(_logo_tile, LOGO_MARKS, CORNERS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="64" height="64">'
        f'{under if margin else ""}{tiles}</svg>'
    )


def _logo_tile(name: str, at: tuple[int, int]) -> str:
    face, ink = ground()["logo"][name]
    return (
        f'<g transform="translate({at[0]} {at[1]})"><rect x="-46" y="-46" width="92" height="92" rx="10"'
        f' fill="{face}"/><path fill="{ink}" fill-rule="evenodd" d="{LOGO_MARKS[name]}"/>'
        '<path d="M-46-36Q-46-46-36-46H30L-46 30Z" fill="white" opacity=".18"/></g>'
    )


def _of_theme(theme: str, what: str) -> str:
    look = themes()[theme]
    art = look.shapes.art(theme, what)
    if art is None:
        raise KeyError(what)
    bases = tuple(dict.fromkeys(kind.partition(".")[0] for kind in art.kinds))
    style = f"<style>{rules(bases)}</style>" if art.kinds else ""
    shown = symbols(theme, tuple(art.kinds), (), ()) if art.kinds else ""
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {art.width} {art.height}"'
        f' width="{art.width}"'
        f' height="{art.height}" preserveAspectRatio="xMidYMid'
        f' slice">{style}<defs>{shown}</defs>{art.body}</svg>'
    )
    return with_colours(drawn, look, dark=False)
