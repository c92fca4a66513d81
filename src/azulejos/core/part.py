"""An optional part of a game, loaded when it is first used."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Generic, TypeVar, get_origin, overload

from azulejos.core.message import Problem, msg

if TYPE_CHECKING:
    from azulejos.core.game import Game

P = TypeVar("P")


class Part(Generic[P]):
    """``view = Part(View)`` in `Game`: the VIEW of the package's view.py, or None if it has no such file.

    All parts of a game together take 30 to 50 ms to load, and most programs use two or three of them.
    """

    def __init__(self, kind: type[P]) -> None:
        self.kind: type[P] = get_origin(kind) or kind

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, game: None, owner: type) -> Part[P]: ...
    @overload
    def __get__(self, game: Game, owner: type) -> P | None: ...
    def __get__(self, game: Game | None, owner: type) -> Part[P] | P | None:
        if game is None:
            return self
        part = self._load(game.package)
        game.__dict__[self.name] = part  # from now on it is found before this descriptor
        return part

    def _load(self, package: str) -> P | None:
        module, constant = f"{package}.{self.name}", self.name.upper()
        if importlib.util.find_spec(module) is None:
            return None
        part = vars(importlib.import_module(module)).get(constant)
        if not isinstance(part, self.kind):
            raise TypeError(f"{module} must define {constant}, a {self.kind.__name__} of the contract")
        return part


def needed(game: Game, part: P | None, file: str) -> P:
    """A part that the caller requires; a ValueError if the game does not have it."""
    if part is None:
        raise Problem(msg("{game} cannot do this: it has no {file}", game=game.name, file=file))
    return part
