"""Finds the games: folders of ``azulejos.games``, and installed packages that declare one.

A distribution declares a game as an entry point in the group ``azulejos.games`` (docs/fifth-game.md)::

    [project.entry-points."azulejos.games"]
    pebbles = "pebbles:GAME"
"""

from __future__ import annotations

import difflib
import functools
import importlib
import logging
import pkgutil
import sys
from typing import TYPE_CHECKING

from azulejos.core.contract import INTERFACE
from azulejos.core.game import Game, Preset
from azulejos.core.message import Problem, msg

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "azulejos.games"


def games() -> tuple[Game, ...]:
    return tuple(_found()[0].values())


@functools.cache
def presets() -> dict[str, tuple[Game, Preset]]:
    """Every box by name."""
    return {preset.name: (game, preset) for game in games() for preset in game.presets}


def broken() -> dict[str, Exception]:
    """Declared games that cannot be used, by the names of their entry points, with the reason."""
    return _found()[1]


def find(name: str) -> tuple[Game, Preset]:
    """The game and box of a name, or a game and its first box; a ValueError suggests similar names."""
    known = presets()
    if name in known:
        return known[name]
    for game in games():
        if game.name == name:
            return game, game.presets[0]
    if name in broken():
        fault = msg("the game '{name}' cannot be loaded: {error}", name=name, error=str(broken()[name]))
        raise Problem(fault) from broken()[name]
    close = difflib.get_close_matches(str(name), known, 1)
    if close:
        raise Problem(msg("no game is called '{name}'; did you mean '{close}'?", name=name, close=close[0]))
    raise Problem(msg("no game is called '{name}'; there are {names}", name=name, names=", ".join(known)))


@functools.cache
def _found() -> tuple[dict[str, Game], dict[str, Exception]]:
    """Games by name, and errors of declared games: a broken game does not affect the others."""
    from importlib.metadata import entry_points  # late: a tenth of the time to import azulejos

    package = importlib.import_module(GROUP)
    folders = sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)
    own = [importlib.import_module(f"{GROUP}.{folder}").GAME for folder in folders]
    found, wrong = {game.name: game for game in own}, {}
    for announced in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            game = _loaded(announced, found)
        except Exception as error:
            logging.getLogger(__name__).warning("the game %r cannot be loaded: %s", announced.name, error)
            wrong[announced.name] = error
        else:
            found[game.name] = game
    return found, wrong


def _loaded(announced: EntryPoint, others: dict[str, Game]) -> Game:
    game = announced.load()
    if not isinstance(game, Game):
        raise TypeError(f"{announced.value} is no Game")
    if game.package not in sys.modules:
        raise ValueError(f"{announced.value} names a package {game.package!r} that does not exist")
    if game.interface is None:
        raise ValueError(f"it does not say for which interface it was written; add interface={INTERFACE}")
    if game.interface != INTERFACE:
        raise ValueError(f"it was written for interface {game.interface} of games, and this azulejos has "
                         f"{INTERFACE}: install versions of both that agree")
    if game.name in others:
        raise ValueError(f"there is another game called {game.name!r}")
    taken = {preset.name for other in others.values() for preset in other.presets}
    for preset in game.presets:
        if preset.name in taken:
            raise ValueError(f"there is another box called {preset.name!r}")
    return game
