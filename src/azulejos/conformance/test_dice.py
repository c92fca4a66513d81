"""A game's own dice draw the same numbers and reach the same states as lists of all that is possible."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos.conformance.variants import VARIANTS, new
from azulejos.core.chance import seeded
from azulejos.core.jit import enabled, loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import (
    CHANCE, MARKED, MAX_LEGAL, NUM_ACTIONS, OVER, STATE, apply, deal, listed_action, mark_legal,
    mark_listed, random_action,
)

GAMES = 50 if enabled() else 1


@rule
def are_equal(these: Cells, those: Cells) -> bool:
    for i in range(len(these)):
        if these[i] != those[i]:
            return False
    return True


@loop
def differing_mask(rows: Cells, rng: Cells, plies: int) -> int:
    """Play rows[0] at random; the ply at which the game's mask is not that of its list, or -1."""
    actions = np.empty(MAX_LEGAL, np.int32)
    weights = np.empty(MAX_LEGAL, np.int32)
    quick = np.full(NUM_ACTIONS // MARKED + 2, -1, np.int64)
    slow = np.full(NUM_ACTIONS // MARKED + 2, -1, np.int64)
    s = rows[0].view(STATE)[0]
    for ply in range(plies):
        deal(s, actions, weights, rng)
        if s.to_move == OVER:
            return -1
        mark_legal(s, actions, quick)
        mark_listed(s, actions, slow)
        if not are_equal(quick, slow):
            return ply
        apply(s, random_action(s, actions, weights, rng))
    return -1


@pytest.mark.parametrize("variant", VARIANTS)
def test_masks_are_those_of_the_lists(variant: tuple[str, int, dict[str, str]]) -> None:
    start = new(variant)
    play = start.game.compiled.bind(differing_mask)
    for seed in seeded(8, GAMES):
        rows = start.row[None].copy()
        assert play(rows, np.array([seed]), 10_000) == -1
        assert not (rows[0] == start.row).all()


@loop
def differing_ply(rows: Cells, rng: Cells, plies: int) -> int:
    """Play rows[0] with the game's dice and rows[1] by lists; the ply after which they differ, or -1."""
    actions = np.empty(MAX_LEGAL, np.int32)
    weights = np.empty(MAX_LEGAL, np.int32)
    quick, slow = rows[0].view(STATE)[0], rows[1].view(STATE)[0]
    for ply in range(plies):
        if slow.to_move == OVER:
            return -1
        if slow.to_move == CHANCE:
            deal(quick, actions, weights, rng[:1])
            while slow.to_move == CHANCE:
                apply(slow, listed_action(slow, actions, weights, rng[1:]))
        else:
            apply(quick, random_action(quick, actions, weights, rng[:1]))
            apply(slow, listed_action(slow, actions, weights, rng[1:]))
        if rng[0] != rng[1] or not are_equal(rows[0], rows[1]):
            return ply
    return -1


@pytest.mark.parametrize("variant", VARIANTS)
def test_dice_reach_the_same_states(variant: tuple[str, int, dict[str, str]]) -> None:
    position = new(variant)
    play = position.game.compiled.bind(differing_ply)
    for seed in seeded(7, GAMES):
        rows = np.stack([position.row, position.row])
        assert play(rows, np.array([seed, seed]), 10_000) == -1
        assert not (rows[0] == position.row).all()
