"""Names of `Position` that moved: they still work, and a DeprecationWarning names the replacement."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from azulejos.core.writing import header

if TYPE_CHECKING:
    from azulejos.core.position import Position


def _rewind(position: Position) -> None:
    while position.ply:
        position.undo()


MOVED: Final[dict[str, tuple[str, Callable[[Position], Any]]]] = {
    "actions": ("position.history.actions", lambda position: position.history.actions),
    "actions_since": (
        "position.history.actions[ply:]", lambda position: lambda ply: [*position.history.actions[ply:]]
    ),
    "header": ("core.writing.header(position)", lambda position: lambda: header(position)),
    "rewind": ("position = position.at(0)", lambda position: lambda: _rewind(position)),
}


def attribute(position: Position, name: str) -> Any:
    """The value of a moved name, with a warning; an AttributeError for any other name."""
    if name not in MOVED:
        raise AttributeError(f"a Position has no attribute {name!r}")
    instead, old = MOVED[name]
    warnings.warn(
        f"Position.{name} is deprecated; write {instead}", DeprecationWarning, stacklevel=3
    )
    return old(position)
