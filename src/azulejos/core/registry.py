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
import re
import sys
import tomllib
from typing import TYPE_CHECKING, Any

from azulejos.core import registry
from azulejos.core.contract import INTERFACE
from azulejos.core.game import Component, Game, Option, Preset
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


# --- components of a box ------------------------------------------------------------------------------
#     strips = [["BBBOP", "BBOOP"], …]
#     broken_glass = [0, 1, 2, 4, 6, 8, 11, 14, 18]
#
# One file may hold those of all games. They become options of a game, so records and tables hold them.


MAX_CHARACTERS = 8000
"""Of a file: several times what all components with comments need."""
MAX_LINES = 200
MAX_DIGITS = 18

_QUOTED = re.compile(r'"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*')
_LONG_NUMBER = re.compile(rf"\d\w{{{MAX_DIGITS},}}")


def uncertain(game: Game) -> list[tuple[Option, Component]]:
    """The options that hold components, with their descriptions."""
    return [(option, option.component) for option in game.options if option.component is not None]


def read_components(text: str, game: Game) -> dict[str, str]:
    """The options that a file sets for a game. The whole file is checked; a Problem says what is wrong."""
    values = _read(text)
    every = [component for other in registry.games() for _, component in uncertain(other)]
    known = {component.key: component for component in every}
    for key in values:
        if key not in known:
            raise Problem(msg("{key} is not a component; the components are {keys}",
                              key=key, keys=", ".join(known)))
    read = {key: known[key].read(value) for key, value in values.items()}
    own = uncertain(game)
    if not own:
        raise Problem(msg("{game} has no components to replace: everything in its box is certain.",
                          game=game.title))
    found = {option.name: read[component.key] for option, component in own if component.key in read}
    if not found:
        raise Problem(msg("There is nothing for {game} in these components; it has {keys}",
                          game=game.title, keys=", ".join(component.key for _, component in own)))
    return found


def _read(text: str) -> dict[str, Any]:
    _check_size(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Problem(msg("This is not TOML: {reason}", reason="nested too deeply")) from None
    except ValueError as error:
        raise Problem(msg("This is not TOML: {reason}", reason=str(error))) from None


def _check_size(text: str) -> None:
    """Refuse what takes long to parse before it is parsed.

    `tomllib` walks a key from its first part for every part and every line below it: 16 kB of `a.a.a…`
    took 0.6 s, and as a heading over short lines 1.1 s. No component needs a heading or a dotted key.
    """
    if len(text) > MAX_CHARACTERS:
        raise Problem(msg("Components may have {n} characters at most.", n=MAX_CHARACTERS))
    if text.count("\n") > MAX_LINES:
        raise Problem(msg("Components may have {n} lines at most.", n=MAX_LINES))
    if '"""' in text or "'''" in text:  # in these, the plain look at quotes below would go astray
        raise Problem(msg("Components need no texts of several lines."))
    plain = _QUOTED.sub("_", text)
    if any(piece.count(".") > 1 for piece in re.split(r"[\n=,{}\[\]]", plain)):
        raise Problem(msg("Components need no keys of more than two parts."))
    if _LONG_NUMBER.search(plain):
        raise Problem(msg("Components need no numbers of more than {n} digits.", n=MAX_DIGITS))


def write_components(game: Game, options: dict[str, str]) -> str:
    """The file that describes the components in these options; empty if the whole box is certain."""
    lines = [f"{part.key} = {part.write(options[option.name])}\n" for option, part in uncertain(game)]
    return "".join(lines)
