"""A file of components: parts of a box that only its owner knows for certain (docs/components.md).

    strips = [["BBBOP", "BBOOP"], …]
    broken_glass = [0, 1, 2, 4, 6, 8, 11, 14, 18]

One file may hold those of all games. They become options of a game, so records and tables hold them.
"""

from __future__ import annotations

import tomllib

from azulejos.core import registry
from azulejos.core.game import Component, Game, Option
from azulejos.core.message import Problem, msg


def uncertain(game: Game) -> list[tuple[Option, Component]]:
    """The options that hold components, with their descriptions."""
    return [(option, option.component) for option in game.options if option.component is not None]


def read_components(text: str, game: Game) -> dict[str, str]:
    """The options that a file sets for a game. The whole file is checked; a Problem says what is wrong."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Problem(msg("This is not TOML: {reason}", reason=str(error))) from None
    except RecursionError:
        raise Problem(msg("This is not TOML: {reason}", reason="nested too deeply")) from None
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


def write_components(game: Game, options: dict[str, str]) -> str:
    """The file that describes the components in these options; empty if the whole box is certain."""
    lines = [f"{part.key} = {part.write(options[option.name])}\n" for option, part in uncertain(game)]
    return "".join(lines)
