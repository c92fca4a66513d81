"""Pebbles, a toy game."""

from __future__ import annotations

from azulejos.core.game import Game, Preset
from azulejos.core.message import msg
from azulejos.games.pebbles import rules
from azulejos.games.pebbles.layout import COLOURS, State
from azulejos.games.pebbles.moves import DRAW, MOVES

GAME = Game(
    name="pebbles", title=msg("Pebbles"), version=1, rules=rules, state=State, moves=MOVES,
    decisions=DRAW, max_legal=COLOURS, options=(),
    presets=(
        Preset(name="pebbles", title=msg("Pebbles"), about=msg("A toy game of taking piles."), options={}),
    ),
)
