"""A file of components: parts of a box that only its owner knows for certain (docs/components.md).

    strips = [["BBBOP", "BBOOP"], …]
    broken_glass = [0, 1, 2, 4, 6, 8, 11, 14, 18]

One file may hold those of all games. They become options of a game, so records and tables hold them.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from azulejos.core import registry
from azulejos.core.game import Component, Game, Option
from azulejos.core.message import Problem, msg

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
