"""Every box with every number of players; quick tests use one of each game, slow tests all."""

from __future__ import annotations

import pytest

from azulejos.core.registry import games, presets

QUICK = {(game.presets[0].name, 2) for game in games()} | {("chocolatier-grey", 3)}
BOXES = [
    pytest.param(name, players, marks=[] if (name, players) in QUICK else pytest.mark.slow)
    for name in presets() for players in (2, 3, 4)
]
