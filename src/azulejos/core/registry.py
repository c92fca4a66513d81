"""Finds the games: every folder of ``azulejos.games`` that defines ``GAME``."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil

from azulejos.core.game import Game, Preset
from azulejos.core.message import Problem, msg


@functools.cache
def games() -> tuple[Game, ...]:
    package = importlib.import_module("azulejos.games")
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    found = [importlib.import_module(f"azulejos.games.{name}").GAME for name in names]
    return tuple(game for game in found if isinstance(game, Game))


@functools.cache
def presets() -> dict[str, tuple[Game, Preset]]:
    """Every box by name."""
    return {preset.name: (game, preset) for game in games() for preset in game.presets}


def find(name: str) -> tuple[Game, Preset]:
    """The game and box of a name; a ValueError suggests what was meant."""
    known = presets()
    if name in known:
        return known[name]
    close = difflib.get_close_matches(str(name), known, 1)
    if close:
        raise Problem(msg("no game is called '{name}'; did you mean '{close}'?", name=name, close=close[0]))
    raise Problem(msg("no game is called '{name}'; there are {names}", name=name, names=", ".join(known)))
