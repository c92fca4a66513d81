"""Themes: the colours of each game's ``theme.toml`` as style sheets, for a page or a single picture."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Final

from azulejos.core import registry
from azulejos.core.contract import Shapes
from azulejos.core.game import Game
from azulejos.core.part import needed

RULES: Final = """
.board { fill: var(--board); stroke: var(--rim); stroke-width: 3 }
.board.active { stroke: var(--focus); stroke-width: 6 }
.plate, .card { fill: var(--board); stroke: var(--rim); stroke-width: 3 }
.plate-inner { fill: none; stroke: var(--rim); stroke-width: 2; opacity: 0.6 }
.shadow { fill: #000; opacity: 0.13 }
.well { fill: var(--well); stroke: var(--shade); stroke-width: 3 }
.flower { fill: var(--board) }
.bed { fill: var(--well) }
.flower-rim { fill: none; stroke: var(--rim); stroke-width: 6 }
.bed-rim { fill: none; stroke: var(--shade); stroke-width: 5 }
.badge { fill: var(--badge); stroke: var(--rim); stroke-width: 3 }
.hit { fill: #000; fill-opacity: 0 }
.thin { fill: none; stroke: var(--thin); stroke-width: 2.5; stroke-linejoin: round; opacity: 0.8 }
.sign { fill: none; stroke: var(--text); stroke-width: 7; stroke-linecap: round; stroke-linejoin: round }
.glaze { fill: var(--glaze); opacity: 0.2 }
.shine { fill: none; stroke: var(--glaze); stroke-width: 3.5; stroke-linecap: round; opacity: 0.55 }
.fine { fill: none; stroke-width: 3; opacity: 0.45 }
.deep { fill: #000; opacity: 0.16 }
.lead { fill: none; stroke: var(--lead); stroke-width: 5; stroke-linejoin: round }
.count { fill: var(--text) }
.count-text { fill: var(--board); font-weight: 700 }
text { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; fill: var(--text) }
.quiet, .caption { fill: var(--quiet) }
.strong { font-weight: 600 }
.score { font-weight: 700; font-variant-numeric: tabular-nums }
.key { visibility: hidden; pointer-events: none }
.key rect { fill: var(--board); stroke: var(--focus); stroke-width: 3 }
.key text { font-family: ui-monospace, monospace; font-weight: 700 }
.can .well, .can .plate, .can .card, .can .badge { stroke: var(--focus); stroke-width: 6 }
.can .flower-rim, .can .bed-rim { stroke: var(--focus) }
.can .hit { stroke: var(--focus); stroke-width: 6; rx: 9 }
"""

PIECE_RULES: Final = """
.k-{kind} .face {{ fill: var(--{kind}-face) }}
.k-{kind} .edge {{ fill: var(--{kind}-edge) }}
.k-{kind} .ink {{ fill: var(--{kind}-ink) }}
.k-{kind} .fine {{ stroke: var(--{kind}-ink) }}
.k-{kind} .stroke {{ fill: none; stroke: var(--{kind}-ink) }}
.k-{kind} .side {{ fill: none; stroke: var(--{kind}-edge) }}
"""


@dataclass(frozen=True)
class Paint:
    """The colours of one piece, as #rrggbb."""

    face: str
    edge: str
    ink: str


@dataclass(frozen=True)
class Theme:
    """The look of pieces and slots. `light` and `dark` are the colours below and around the pieces."""

    name: str
    game: Game
    pieces: dict[str, Paint]
    light: dict[str, str]
    dark: dict[str, str]

    @property
    def shapes(self) -> Shapes:
        return needed(self.game, self.game.shapes, "shapes.py")

    def variables(self, *, dark: bool) -> dict[str, str]:
        inks = {
            f"{kind}-{part}": getattr(paint, part)
            for kind, paint in self.pieces.items() for part in ("face", "edge", "ink")
        }
        return {**(self.dark if dark else self.light), **inks}


@functools.cache
def themes() -> dict[str, Theme]:
    """The themes of all games, by name."""
    ground = tomllib.loads(resources.files(__package__).joinpath("ground.toml").read_text("utf-8"))
    found: dict[str, Theme] = {}
    for game in registry.games():
        file = game.folder / "theme.toml"
        own = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
        for name, data in own.items():
            if name in found:
                raise ValueError(f"{game.name} and {found[name].game.name} both have a theme {name!r}")
            paints = {kind: Paint(**paint) for kind, paint in data["pieces"].items()}
            light, dark = ({**ground[scheme], **data.get(scheme, {})} for scheme in ("light", "dark"))
            found[name] = Theme(name, game, paints, light, dark)
    return found


def theme_css(theme: str) -> str:
    """A style sheet for a page: one set of rules whose variables follow the page's light or dark mode.

    The system setting applies unless the class of the root element (or of a picture) says light or dark. A
    symbol of a sprite ("sprite-THEME") has the rules, and inherits the variables from where it is used.
    """
    look = themes()[theme]
    light, dark = (_declarations(look.variables(dark=d)) for d in (False, True))
    scope = f".theme-{theme}"
    return "\n".join([
        f"{scope} {{ {light} }}",
        "@media (prefers-color-scheme: dark) {",
        f":root:not([data-scheme=light]) {scope}:not(.light) {{ {dark} }}",
        "}",
        f":root[data-scheme=dark] {scope}, {scope}.dark {{ {dark} }}",
        _scoped(_rules(look), f":is({scope}, .sprite-{theme})"),
        f".show-keys {scope} .key {{ visibility: visible }}",
    ])


def picture_css(theme: str, *, dark: bool) -> str:
    """The same for a standalone picture: colours instead of variables, so that any program can show it."""
    look = themes()[theme]
    colours = look.variables(dark=dark)
    return re.sub(r"var\(--([a-z-]+)\)", lambda match: colours[match[1]], _rules(look)).strip()


def _rules(look: Theme) -> str:
    return RULES + "".join(PIECE_RULES.format(kind=kind) for kind in look.pieces)


def _scoped(rules: str, scope: str) -> str:
    """Prefix each selector with the theme's class, so that one page can use two themes."""
    lines = [line for line in rules.splitlines() if line]
    scoped = []
    for line in lines:
        selectors, brace, body = line.partition(" {")
        scoped.append(", ".join(f"{scope} {part.strip()}" for part in selectors.split(",")) + brace + body)
    return "\n".join(scoped)


def _declarations(variables: dict[str, str]) -> str:
    return "; ".join(f"--{name}: {value}" for name, value in variables.items())
