"""The corpus: complete, as its README says, and replayable."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from azulejos import Record, new
from azulejos.bots.workspaces import is_solvable
from azulejos.core import registry

CORPUS = Path(__file__).parents[2] / "corpus"
GAMES = {True: {2: 150, 3: 100, 4: 100}, False: {2: 40, 3: 10, 4: 10}}
"""Where rounds have no chance, and where they have: games by seats."""


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("box", sorted(registry.presets()))
def test_every_box_has_games_that_were_played_to_the_end(box: str, seats: int) -> None:
    with gzip.open(CORPUS / f"{box}-{seats}.txt.gz", "rt", encoding="utf-8") as file:
        texts = re.split(r'^(?=\[Game )', file.read(), flags=re.MULTILINE)[1:]
    assert len(texts) == GAMES[is_solvable(new(box, players=2))][seats]
    for text in (texts[0], texts[-1]):
        game = Record.read(text)
        assert (game.start.preset.name, game.start.players) == (box, seats)
        end = game.replay()
        assert end.is_over
        assert game.result() == end.scores
        values = [step.eval for step in game.line if step.eval is not None]
        assert len(values) > 10 * seats
