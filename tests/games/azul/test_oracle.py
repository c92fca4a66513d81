"""The rules against an independent plain-Python implementation, action by action."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import azulejos
from azulejos import Position
from azulejos.core import readiness
from azulejos.core.state import points_of
from azulejos.games.azul.layout import CAUGHT, NO_DISC
from azulejos.games.azul.moves import EFFECT_LETTERS, LETTERS
from azulejos.games.azul.reasons import NAMES
from azulejos.parts.offer import FACTORIES
from games.azul.oracle import Oracle

PIECES = ("", *LETTERS, "m")
CASES = [
    (players, wall, factories, split)
    for players, wall, (factories, split) in itertools.product(
        (2, 3, 4), ("coloured", "grey"), (("plain", "even"), ("special", "even"), ("special", "free"))
    )
]


def snapshot(position: Position) -> dict[str, Any]:
    """The state in the oracle's form."""
    s = position.state
    places = FACTORIES[position.players]
    effects = ["" if e == 0 else EFFECT_LETTERS[e - 1] for e in s.effects[:places]]
    return {
        "bag": s.bag.tolist(),
        "lid": s.lid.tolist(),
        "factories": s.factories[:places].tolist(),
        "effects": effects,
        "gone": [place == s.gone for place in range(places)],
        "centre": s.centre.tolist(),
        "marker_in_centre": s.marker < 0,
        "marker_holder": s.marker if s.marker >= 0 else None,
        "seats": [board(s, seat) for seat in range(position.players)],
    }


def board(s: Any, seat: int) -> dict[str, Any]:
    lines = zip(s.line_colour[seat].tolist(), s.line_tiles[seat].tolist(), strict=True)
    disc = int(s.disc[seat])
    return {
        "score": int(s.score[seat]),
        "lines": [[LETTERS[colour] if tiles else "", tiles] for colour, tiles in lines],
        "wall": [[PIECES[piece] for piece in row] for row in s.wall[seat].tolist()],
        "floor": [PIECES[piece] for piece in s.floor[seat].tolist() if piece],
        "zero_disc": None if disc == NO_DISC else PIECES[disc - CAUGHT],
    }


def play_both(position: Position, oracle: Oracle, seed: int) -> None:
    """Play one random game in both, comparing them before and after every action."""
    rng = random.Random(seed)
    while not position.is_over:
        assert position.to_move == oracle.to_move
        texts = [move.text for move in position.legal_moves]
        assert sorted(texts) == sorted(oracle.legal()), position.text()
        if position.is_chance:
            odds = {move.text: weight for move, weight in position.odds().items()}
            assert odds == oracle.odds()
            text = rng.choices(texts, list(odds.values()))[0]
        else:
            text = rng.choice(texts)
        before = position.row.tobytes()
        position.play(text)
        scored = [
            (p.seat, p.points, NAMES[p.reason])
            for p in points_of(position.game, before, position.history.actions[-1])
        ]
        assert scored == [entry for entry in oracle.play(text) if entry[1]]
        expected = oracle.snapshot()
        assert {key: expected[key] for key in snapshot(position)} == snapshot(position), text
        assert position.state.round == oracle.round
        assert position.state.starter == oracle.starter
    outcome = position.outcome()
    assert oracle.to_move == azulejos.OVER
    assert outcome is not None
    assert list(outcome.ranks) == oracle.ranks()


@pytest.mark.parametrize(("players", "wall", "factories", "split"), CASES)
def test_random_games_are_identical(players: int, wall: str, factories: str, split: str) -> None:
    readiness.use_compiled(azulejos.new("azul").game)
    for seed in range(6):
        position = azulejos.new("azul", players=players, wall=wall, factories=factories, split=split)
        oracle = Oracle(players, wall=wall, factories=factories, split=split)
        play_both(position, oracle, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "wall", "factories", "split"), CASES)
def test_thousands_of_random_games_are_identical(
    players: int, wall: str, factories: str, split: str
) -> None:
    readiness.use_compiled(azulejos.new("azul").game)
    for seed in range(1000, 1200):
        position = azulejos.new("azul", players=players, wall=wall, factories=factories, split=split)
        oracle = Oracle(players, wall=wall, factories=factories, split=split)
        play_both(position, oracle, seed)


