"""Drawings of bots and boxes, as pictures in a page."""

from __future__ import annotations

import functools
import re

from markupsafe import Markup

from azulejos.bots.levels import NAMES
from azulejos.web.pages.art import art
from azulejos.web.pages.small_picture import variant_picture
from azulejos.web.tables.boxes import shelf


@functools.cache
def face(root: str, word: str) -> Markup:
    """The face of a bot, by its word; the time that it takes does not change it."""
    found = re.fullmatch(r"level:(\d)(@.*)?", word)
    if found is None or not 1 <= int(found[1]) <= len(NAMES):
        return Markup('<span class="face blank">{}</span>').format(word[:1].upper())
    return Markup('<img class="face" src="{}" alt="" width="64" height="64">').format(
        root + art(f"face-{found[1]}.svg")
    )


@functools.cache
def level_faces(root: str) -> str:
    """The addresses of the faces of all levels, for a script."""
    return " ".join(root + art(f"face-{level}.svg") for level in range(1, len(NAMES) + 1))


@functools.cache
def cover_art(root: str, theme: str) -> Markup:
    """The cover of a box; its empty board, if none was drawn."""
    try:
        address = root + art(f"{theme}-cover.svg")
    except KeyError:
        return Markup(variant_picture(next(box.name for box in shelf() if box.theme == theme)))
    return Markup('<img class="cover-picture" src="{}" alt="">').format(address)
