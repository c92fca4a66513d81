"""The style sheet of all pages, made from the themes: variables first, then the rules of drawings.

A page has the colours of ``ground.toml``, and inside the class "theme-NAME" those of that theme. Day or
evening follows the system, unless ``data-scheme`` of the root element or the class "light" or "dark" says
which.
"""

from __future__ import annotations

import functools
from typing import Final
from urllib.parse import quote

from azulejos.render.drawings import drawing
from azulejos.render.themes import Theme, ground, rules, themes

PICTURES: Final = ":where(svg, .symbol)"
"""Where the rules of drawings hold, before any other rule. In a symbol, selectors see only its content."""


BOARD: Final = "[data-seat]"
ALIASES: Final = (
    "--ground: var(--stone); --paper: var(--wall); --line: var(--hairline); --warn: var(--loss); "
    "--good: var(--gain); --lit: var(--ring)"
)
"""Other names of roles, used by the pages."""


@functools.cache
def page_css() -> str:
    """The style sheet of all pages."""
    house = ground()
    shared = {role: (value, house["dark"][role]) for role, value in house["light"].items()}
    shared |= {name: tuple(both) for name, both in house["pages"].items()}
    kinds = dict.fromkeys(kind for look in themes().values() for kind in look.pieces)
    return "\n".join([
        ":root { color-scheme: light dark }",
        ":root[data-scheme=light], .light { color-scheme: light }",
        ":root[data-scheme=dark], .dark { color-scheme: dark }",
        f":root {{ {_both(shared)}; {_declared(house['scale'])}; {_declared(_pigments())} }}",
        *map(_themed, themes().values()),
        f":root, [class*=theme-] {{ {ALIASES} }}",
        _scoped(rules(tuple(kinds))),
    ]) + "\n"


def _themed(look: Theme) -> str:
    return f".theme-{look.name} {{ {_both(_own(look))}; {_declared(_pictures(look))} }}"


def _own(look: Theme) -> dict[str, tuple[str, str]]:
    day, evening = (look.paints(dark=dark) for dark in (False, True))
    return {**look.own, **{name: (value, evening[name]) for name, value in day.items()}}


def _pigments() -> dict[str, str]:
    """The colour of each bot, by the number of its level."""
    return {f"pigment-{level}": stops[1] for level, stops in enumerate(ground()["pigments"].values(), 1)}


def _both(colours: dict[str, tuple[str, str]]) -> str:
    return "; ".join(
        f"--{name}: {day if day == evening else f'light-dark({day}, {evening})'}"
        for name, (day, evening) in colours.items()
    )


def _declared(values: dict[str, str]) -> str:
    return "; ".join(f"--{name}: {value}" for name, value in values.items())


def _pictures(look: Theme) -> dict[str, str]:
    """The frieze and the table of a theme, if its game draws them."""
    drawn = {f"{what}-art": _image(look.name, what) for what in ("frieze", "table")}
    return {name: image for name, image in drawn.items() if image}


def _image(theme: str, what: str) -> str:
    try:
        picture = drawing(f"{theme}-{what}")
    except KeyError:
        return ""
    return f"url(\"data:image/svg+xml,{quote(picture.replace(chr(34), chr(39)), safe=SAFE)}\")"


SAFE: Final = " '=:/,;()!*&.-_~@$"
"""What needs no escape in the address of an image."""


def _scoped(rules: str) -> str:
    """Prefix each selector, so that the names of drawings mean nothing outside pictures."""
    scoped = []
    for line in filter(None, rules.splitlines()):
        selectors, brace, body = line.partition(" {")
        scoped.append(", ".join(map(_prefixed, selectors.split(","))) + brace + body)
    return "\n".join(scoped)


def _prefixed(selector: str) -> str:
    """A picture itself can be the board of a seat."""
    inside = selector.strip()
    if inside.startswith(BOARD):
        return f":where(svg{BOARD}, svg {BOARD}){inside.removeprefix(BOARD)}"
    return f"{PICTURES} {inside}"
