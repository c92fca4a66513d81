"""Runs what concerns one game; see the package's docstring. Other arguments go to pytest."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from azulejos.core.extras import explained

try:
    import pytest
except ModuleNotFoundError as error:
    raise explained(error) from error

HERE = Path(__file__).parent


class About:
    """Selects the tests of one game."""

    def __init__(self, name: str) -> None:
        self.name = name

    def pytest_configure(self, config: pytest.Config) -> None:
        config.addinivalue_line("markers", "slow: every box with every number of players")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        kept = [item for item in items if self.name in _games_of(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def _games_of(item: pytest.Item) -> set[str]:
    """Names of the games that a test is about, from its parameters: games, boxes, variants, pictures."""
    from azulejos.core.game import Game
    from azulejos.core.guide import Picture
    from azulejos.core.registry import presets

    def named(argument: Any) -> str:
        if isinstance(argument, tuple):
            argument = argument[0]
        if isinstance(argument, Picture):
            argument = argument.position.partition("/")[0].partition(",")[0]
        return str(argument.name if isinstance(argument, Game) else argument)

    arguments = item.callspec.params.values() if hasattr(item, "callspec") else ()
    found = {named(argument) for argument in arguments}
    return {presets()[name][0].name if name in presets() else name for name in found}


def main(words: list[str]) -> int:
    if not words or words[0].startswith("-"):
        print("usage: python -m azulejos.conformance GAME [argument of pytest ...]", file=sys.stderr)
        return 2
    name, *others = words
    folder = Path(name)
    if folder.is_dir():
        name = folder.resolve().name
        os.environ["AZULEJOS_GAMES"] = str(folder.resolve().parent)

    from azulejos.core.registry import games  # reads the variable

    known = [game.name for game in games()]
    if name not in known:
        print(f"no game is called {name}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    quick = [] if "-m" in others else ["-m", "not slow"]
    fixed = [str(HERE), "--rootdir", str(HERE), "-c", os.devnull, "--import-mode=importlib"]
    return int(pytest.main([*fixed, "-p", "no:cacheprovider", *quick, *others], plugins=[About(name)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
