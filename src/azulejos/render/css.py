"""The rules by which drawings are painted. Colours are variables of a theme.

A picture of its own has colours instead of variables, so that any program can show it.
"""

from __future__ import annotations

import functools
import hashlib
import re
from importlib import resources

from azulejos.render.themes import Theme, themes


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


def picture_css(theme: str, *, dark: bool) -> str:
    """The rules of one theme for a picture of its own."""
    look = themes()[theme]
    return with_colours(rules(tuple(look.pieces)), look, dark=dark).strip()


def with_colours(text: str, look: Theme, *, dark: bool) -> str:
    """Colours in the place of variables."""
    colours = {**look.variables(dark=dark), **look.art}
    return re.sub(r"var\(--([a-z0-9-]+)\)", lambda match: colours[match[1]], text)
