"""Drawings that are files of their own: the logo, faces, the cover and the frieze of each theme."""

from __future__ import annotations

from typing import Final

from azulejos.parts.shapes import MARKS, petals, polygon
from azulejos.render.css import rules, with_colours
from azulejos.render.faces import face_svg
from azulejos.render.symbols import symbols
from azulejos.render.themes import ground, themes

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
        return face_svg(int(what) if what.isdecimal() else 0)
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
