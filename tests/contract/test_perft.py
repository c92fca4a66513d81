"""Counts of move sequences from fixed deals: they show that the move generators have not changed."""

from __future__ import annotations

import pytest

import azulejos
from azulejos.engine.perft import perft
from contract.perft_files import Entry, corpus

CORPUS = corpus()


@pytest.mark.parametrize("entry", CORPUS, ids=lambda entry: f"{entry.file}:{entry.id}")
def test_counts(entry: Entry) -> None:
    position = entry.position()
    counted = {depth: perft(position.game, position.row, depth) for depth in entry.counts}
    assert counted == entry.counts


def test_every_box_has_perft_positions() -> None:
    assert {entry.game.split()[0] for entry in CORPUS} == set(azulejos.presets())


def test_perft_equals_a_plain_count() -> None:
    position = next(entry for entry in CORPUS if 2 in entry.counts).position()
    total = 0
    for action in position.legal_actions():
        after = position.copy()
        after.play(action)
        total += len(after.legal_actions()) if after.to_move >= 0 else 1
    assert perft(position.game, position.row, 2) == total
    assert perft(position.game, position.row, 0) == 1
