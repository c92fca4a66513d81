"""Imports all games and draws a first table, so that a process forked from this one need not."""

from azulejos.core.position import Position
from azulejos.core.registry import find, presets
from azulejos.web.wire.plan import plan_of

for box in presets():
    game, preset = find(box)
    plan_of(Position(game, preset, 2, {}), "en")
