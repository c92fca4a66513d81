"""Pebbles, a toy game."""

from __future__ import annotations

from azulejos.core.game import Game, Preset
from azulejos.core.message import msg

from .layout import COLOURS, State
from .moves import DRAW, MOVES
from .reasons import REASONS
from .rules import RULES

GAME = Game(
    package=__name__, name="pebbles", title=msg("Pebbles"), version=1, interface=1,
    state=State, rules=RULES, moves=MOVES, reasons=REASONS, decisions=DRAW, max_legal=COLOURS, options=(),
    presets=(
        Preset(name="pebbles", title=msg("Pebbles"), about=msg("A toy game of taking piles."), options={},
               theme="pebbles"),
    ),
)
