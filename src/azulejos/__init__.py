"""azulejos: play, study and simulate the Azul family of board games.

`azulejos.bots`, `azulejos.insight`, `azulejos.arena`, `azulejos.plot`, `azulejos.render`, `azulejos.replay`
and `azulejos.svg` are imported when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

from azulejos.core.game import CHANCE, OVER, Game, Outcome, Seat
from azulejos.core.history import History
from azulejos.core.message import Message
from azulejos.core.notation import IllegalMove, InvalidMove, Move
from azulejos.core.position import LegalMoves, Position, Scored, new
from azulejos.core.record import Player, Record, RecordError
from azulejos.core.registry import presets

if TYPE_CHECKING:
    from azulejos import arena, bots, insight, plot, render, replay, svg

__version__ = "0.1.0"

__all__ = [
    "CHANCE", "OVER", "Game", "History", "IllegalMove", "InvalidMove", "LegalMoves", "Message", "Move",
    "Outcome", "Player", "Position", "Record", "RecordError", "Scored", "Seat", "arena", "bots", "compile",
    "insight", "new", "plot", "presets", "render", "replay", "svg",
]

_LAZY = frozenset({"arena", "bots", "insight", "plot", "render", "replay", "svg"})


def compile(name: str, /) -> None:  # noqa: A001  # as `re.compile`
    """Compile the rules and searches of a box for this machine (with ``azulejos[fast]``): half a minute,
    once; later calls load the compiled code.

    Nothing needs it: bots play at once. Compiled, they search half as many positions again.
    """
    from azulejos.core.registry import find
    from azulejos.insight.compiled import compile_all

    compile_all(find(name)[0])


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return importlib.import_module(f"azulejos.{name}")
    raise AttributeError(f"module 'azulejos' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


for _name in set(__all__) - _LAZY:
    _public = globals()[_name]
    if hasattr(_public, "__module__"):
        _public.__module__ = "azulejos"  # shown in tracebacks, help and pickles
del _name, _public
