"""Every table fits into the width of a terminal, in every language."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos.core.contract import needed
from azulejos.core.terminal import COLUMNS, width
from azulejos.i18n import LANGUAGES, translator

NAMES = ("Ana", "Bruno the Elder of Sintra", "Cécile", "Dmitri")


@pytest.mark.parametrize("box", azulejos.presets())
def test_four_players_fit_in_every_language(box: str) -> None:
    rng = random.Random(4)
    position = azulejos.new(box, players=4)
    terminal = needed(position.game, position.game.terminal, "terminal.py")
    for _ in range(30):
        position.deal(rng)
        for language in LANGUAGES:
            for columns in (40, 80, COLUMNS):
                lines = terminal.draw(position.state, NAMES, translator(language), columns)
                assert max(map(width, lines)) <= columns
        if position.is_over:
            break
        position.play(rng.choice(position.legal_actions()))
