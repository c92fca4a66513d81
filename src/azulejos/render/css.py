"""The style sheets of pages and pictures, made from the themes: variables first, then one set of rules.

A page has the colours of ``ground.toml``, and inside the class "theme-NAME" those of that theme. Day or
evening follows the system, unless ``data-scheme`` of the root element or the class "light" or "dark" says
which. A picture of its own has colours instead of variables, so that any program can show it.
"""

from __future__ import annotations

import functools
import hashlib
import re
from importlib import resources
from typing import Final

from azulejos.render.themes import Theme, ground, themes

PICTURES: Final = ":is(svg, .symbol)"
"""The rules of drawings hold inside pictures only. Where a symbol is used, selectors see only its content."""


ALIASES: Final = (
    "--ground: var(--stone); --paper: var(--wall); --line: var(--hairline); --warn: var(--loss); "
    "--good: var(--gain); --lit: var(--ring)"
)
"""Other names of roles, used by the pages."""


@functools.cache
def rules(kinds: tuple[str, ...]) -> str:
    """How drawings with these kinds of pieces are painted."""
    return _file("rules.css") + "".join(_file("piece_rules.css").replace("KIND", kind) for kind in kinds)


@functools.cache
def _file(name: str) -> str:
    """A style sheet without its first line, which is a comment."""
    return resources.files(__package__).joinpath(name).read_text("utf-8").partition("\n")[2]


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


@functools.cache
def page_css() -> str:
    """The style sheet of all pages."""
    house = ground()
    shared = {role: (value, house["dark"][role]) for role, value in house["light"].items()}
    kinds = dict.fromkeys(kind for look in themes().values() for kind in look.pieces)
    return "\n".join([
        ":root { color-scheme: light dark }",
        ":root[data-scheme=light], .light { color-scheme: light }",
        ":root[data-scheme=dark], .dark { color-scheme: dark }",
        f":root {{ {_both(shared)}; {_declared(house['scale'])}; {_declared(_pigments())} }}",
        *(f".theme-{look.name} {{ {_both(_own(look))} }}" for look in themes().values()),
        f":root, [class*=theme-] {{ {ALIASES} }}",
        _scoped(rules(tuple(kinds))),
    ]) + "\n"


def picture_css(theme: str, *, dark: bool) -> str:
    """The rules of one theme for a picture of its own."""
    look = themes()[theme]
    return with_colours(rules(tuple(look.pieces)), look, dark=dark).strip()


def with_colours(text: str, look: Theme, *, dark: bool) -> str:
    """Colours in the place of variables."""
    colours = {**look.variables(dark=dark), **look.art}
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda match: colours[match[1]], text)


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


def _scoped(rules: str) -> str:
    """Prefix each selector, so that the names of drawings mean nothing outside pictures."""
    scoped = []
    for line in filter(None, rules.splitlines()):
        selectors, brace, body = line.partition(" {")
        prefixed = (f"{PICTURES} {part.strip()}" for part in selectors.split(","))
        scoped.append(", ".join(prefixed) + brace + body)
    return "\n".join(scoped)
