"""Themes: the colours of each game's ``theme.toml``, and of what all games share (``ground.toml``)."""

from __future__ import annotations

import functools
import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final

from azulejos.core import registry
from azulejos.core.contract import Shapes, needed
from azulejos.core.game import Game
from azulejos.parts.shapes import LIGHTS

PARTS: Final = ("lit", "face", "deep", "edge", "ink", "second", "ground", "mark")
"""The colours of a piece, and of the empty place that waits for it."""
EVENING: Final = 0.93
"""How bright a face is in the evening."""


@dataclass(frozen=True)
class Paint:
    """The colours of one piece, as #rrggbb. `ground` and `mark` are those of its empty place."""

    lit: str
    face: str
    deep: str
    edge: str
    ink: str
    second: str
    ground: str
    mark: str


@dataclass(frozen=True)
class Theme:
    """The look of pieces and slots. `light` and `dark` are the colours below and around the pieces."""

    name: str
    game: Game
    pieces: dict[str, Paint]
    evening: dict[str, Paint]
    light: dict[str, str]
    dark: dict[str, str]
    own: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The colours that differ from those of all pages: by day and in the evening."""
    art: dict[str, str] = field(default_factory=dict)
    """The colours of its cover, frieze and table."""
    through: bool = False
    """Whether light shines through the pieces."""

    @property
    def shapes(self) -> Shapes:
        return needed(self.game, self.game.shapes, "shapes.py")

    def paints(self, *, dark: bool) -> dict[str, str]:
        """The colours of the pieces by variable: "blue-face"."""
        return {
            f"{kind}-{part}": getattr(paint, part)
            for kind, paint in (self.evening if dark else self.pieces).items() for part in PARTS
        }

    def variables(self, *, dark: bool) -> dict[str, str]:
        return {**(self.dark if dark else self.light), **self.paints(dark=dark)}


@functools.cache
def ground() -> dict[str, Any]:
    """What ground.toml says: light, dark, scale, pigments."""
    return tomllib.loads(resources.files(__package__).joinpath("ground.toml").read_text("utf-8"))


@functools.cache
def themes() -> dict[str, Theme]:
    """The themes of all games, by name."""
    found: dict[str, Theme] = {}
    for game in registry.games():
        file = game.folder / "theme.toml"
        own = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
        for name, data in own.items():
            if name in found:
                raise ValueError(f"{game.name} and {found[name].game.name} both have a theme {name!r}")
            found[name] = _theme(name, game, data)
    return found


def _theme(name: str, game: Game, data: dict[str, Any]) -> Theme:
    house = ground()
    day, evening = data.get("light", {}), data.get("dark", {})
    light, dark = {**house["light"], **day}, {**house["dark"], **evening}
    own = {role: (light[role], dark.get(role, light[role])) for role in {**day, **evening}}
    pieces = {kind: _paint(given, light, dark=False) for kind, given in data["pieces"].items()}
    dimmed = {kind: _paint(given, dark, dark=True) for kind, given in data["pieces"].items()}
    art, through = data.get("art", {}), data.get("translucent", False)
    return Theme(name, game, pieces, dimmed, light, dark, own, art, through)


def _paint(given: dict[str, Any], roles: dict[str, str], *, dark: bool) -> Paint:
    """A piece's colours; only `face`, `edge` and `ink` must be given, `face` as one colour or three."""
    edge, ink = given["edge"], given["ink"]
    faces = given["face"]
    if isinstance(faces, str):
        faces = [mixed(faces, "#ffffff", 0.2), faces, mixed(faces, edge, 0.4)]
    if dark:
        faces = given.get("evening") or [mixed(face, "#000000", 1 - EVENING) for face in faces]
    second = given.get("second") or mixed(ink, faces[1], 0.5)
    places = given.get("empty", [roles["recess"], roles["thin"]] * 2)
    lit, face, deep = faces
    empty, mark = places[2:] if dark else places[:2]
    return Paint(lit, face, deep, edge, ink, second, empty, mark)


def mixed(one: str, other: str, share: float) -> str:
    """Two colours mixed; `share` belongs to the other one."""
    parts = zip(bytes.fromhex(one[1:7]), bytes.fromhex(other[1:7]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


# --- paints -------------------------------------------------------------------------------------------


Stops = tuple[tuple[float, str], ...]


def paints(theme: str, *kinds: str) -> str:
    """Definitions for a picture that shows pieces and boards of the theme, or only some kinds of pieces."""
    look = themes()[theme]
    if kinds:
        bases = dict.fromkeys(kind.partition(".")[0] for kind in kinds)
        return LIGHTS + "".join(face_paint(theme, base) for base in bases)
    faces = "".join(face_paint(theme, kind) for kind in look.pieces)
    return (
        f"{LIGHTS}{faces}"
        + _linear(f"{theme}-board", "0 0 0 1", ((0, "board"), (1, "board-low")))
        + _linear(f"{theme}-recess", "0 0 0 1", ((0, "board-side"), (0.035, "recess"), (1, "recess")))
        + _linear(f"{theme}-plate", ".2 0 .8 1", ((0, "plate-lit"), (0.45, "plate-rim"), (1, "plate-dim")))
        + _linear(f"{theme}-well", ".2 .05 .75 1",
                  ((0, "plate-deep"), (0.22, "plate-well"), (0.7, "plate-well"), (1, "plate-lit")))
    )


def face_paint(theme: str, kind: str) -> str:
    """The light on the face of a piece: from the top left, or through its middle if it is glass."""
    stops = ((0.0, f"{kind}-lit"), (0.5, f"{kind}-face"), (1.0, f"{kind}-deep"))
    if themes()[theme].through:
        return _gradient("radial", f'id="{theme}-{kind}" cx=".42" cy=".36" r=".72"', stops)
    return _linear(f"{theme}-{kind}", ".2 0 .8 1", stops)


def _linear(name: str, axis: str, stops: Stops) -> str:
    x1, y1, x2, y2 = axis.split()
    return _gradient("linear", f'id="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"', stops)


def _gradient(form: str, attributes: str, stops: Stops) -> str:
    drawn = "".join(f'<stop offset="{at:g}" stop-color="var(--{role})"/>' for at, role in stops)
    return f"<{form}Gradient {attributes}>{drawn}</{form}Gradient>"


# --- colours as CSS -----------------------------------------------------------------------------------
# A picture of its own has colours instead of variables, so that any program can show it.


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
