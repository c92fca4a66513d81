"""The compiled code of puzzles: about 15 s of compiling, once on a machine, then loaded in a moment."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from azulejos.bots.compiled import BOTS
from azulejos.core import warmth
from azulejos.core.game import Game
from azulejos.engine import endings


def _calls(game: Game) -> Iterator[warmth.Group]:
    memory = endings.make_ending(game.compiled, transposition_bits=4)
    line = np.zeros(endings.MAX_PLIES + 1, np.int64)
    yield "endings", [
        (endings.solve, (memory, 0, 0, 0)), (endings.best_line, (memory, line)),
        (endings.plain_reaches, (memory, 0, 0)),
    ]


PUZZLES = warmth.Purpose(name="puzzles", folders=("core", "parts", "engine"), groups=_calls)


def make_ready(game: Game) -> None:
    """Compile and load everything that answering puzzles needs."""
    for purpose in (warmth.RULES, PUZZLES):
        warmth.make_ready(game, purpose)


def make_ready_to_mine(game: Game) -> None:
    """The same for mining, where bots play and try."""
    make_ready(game)
    warmth.make_ready(game, BOTS)
