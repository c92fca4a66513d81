"""The evaluations of all games: symmetric between seats, bounded, and as long as their weights."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from azulejos.bots.evaluation import evaluation_of, weights_of
from azulejos.core import layout, registry
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, apply, evaluate, legal, terms_of, tidy
from bots.positions import every_box, played


def judged(position: Position, weights: Cells) -> list[int]:
    terms, values = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), np.zeros(MAX_SEATS, np.int64)
    position.game.interpreted.bind(evaluate)(position.state, weights, terms, values)
    return [int(value) for value in values[: position.players]]


@pytest.mark.parametrize(("name", "players"), list(every_box()))
@pytest.mark.parametrize("decisions", [0, 5, 17, 40])
def test_at_most_one_seat_is_ahead(name: str, players: int, decisions: int) -> None:
    position = played(name, players, seed=decisions, decisions=decisions)
    if position.is_over:
        return
    values = judged(position, weights_of(position.game, ""))
    assert sum(value > 0 for value in values) <= 1
    assert max(values) >= 0
    if players == 2:
        assert sum(values) == 0


def test_weights_have_a_number_for_every_term_of_every_phase() -> None:
    for game in registry.games():
        part = evaluation_of(game)
        shapes = {name: weights.shape for name, weights in part.weights.items()}
        assert set(shapes.values()) == {(len(next(iter(part.weights.values()))), part.terms)}
        assert part.terms < MAX_TERMS


@pytest.mark.parametrize(("name", "players"), list(every_box()))
def test_the_phase_has_weights(name: str, players: int) -> None:
    for decisions in (0, 3, 30, 60):
        position = played(name, players, seed=decisions + 1, decisions=decisions)
        if not position.is_over:
            terms = np.zeros((MAX_SEATS, MAX_TERMS), np.int64)
            phase = position.game.interpreted.bind(terms_of)(position.state, terms)
            assert 0 <= phase < len(weights_of(position.game, ""))


def records(position: Position) -> Cells:
    """Two writable copies of the state."""
    record: Any = layout.record_dtype_of(position.game.state)
    both: Cells = np.stack([position.row, position.row]).view(record)[:, 0]
    return both


@pytest.mark.parametrize("name", registry.presets())
def test_a_tidy_position_plays_and_ends_the_round_alike(name: str) -> None:
    rng, changed = random.Random(1), 0
    for decisions in range(4, 43, 6):
        position = played(name, 2, seed=decisions, decisions=decisions)
        rules, both = position.game.interpreted, records(position)
        actions = np.zeros((2, position.game.max_legal), np.int64)
        for seat in range(2):
            rules.bind(tidy)(both[1], seat)
        changed += both[0] != both[1]
        while both[0].to_move >= 0:
            counts = [rules.bind(legal)(both[i], actions[i]) for i in range(2)]
            assert counts[0] == counts[1]
            assert (actions[0, : counts[0]] == actions[1, : counts[0]]).all()
            action = int(rng.choice(actions[0, : counts[0]]))
            for state in both:
                rules.bind(apply)(state, action)
        assert both[0] == both[1]
    assert changed > 0 or evaluation_of(position.game).tidy is tidy


@pytest.mark.parametrize(("name", "players"), list(every_box()))
def test_terms_do_not_depend_on_what_was_looked_at_before(name: str, players: int) -> None:
    rng = random.Random(players)
    position = new(name, players=players)
    look = position.game.interpreted.bind(terms_of)
    used, count = np.zeros((MAX_SEATS, MAX_TERMS), np.int64), evaluation_of(position.game).terms
    for _ in range(25):
        position.deal(rng)
        if position.is_over:
            break
        position.play(rng.choice(position.legal_actions()))
        if not position.is_over:
            fresh = np.zeros_like(used)
            assert look(position.state, used) == look(position.state, fresh)
            assert (used[:players, :count] == fresh[:players, :count]).all()
