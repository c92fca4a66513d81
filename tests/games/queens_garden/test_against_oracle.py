"""The engine's steps form exactly the turns that the oracle lists."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from azulejos.core import doors, layout
from azulejos.core.layout import Row
from azulejos.core.position import Position, new
from azulejos.games.queens_garden.moves import CELL, PASS, PIECE
from games.queens_garden import oracle
from games.queens_garden.oracle import World

TOO_MANY = 1500
"""Positions with more turns than this are skipped: listing them is slow and proves nothing new."""


def world_of(position: Position) -> World:
    return World.read(layout.as_dict(position.game.state, position.row), position.options["side"])


def complete_turns(position: Position) -> Iterator[Row]:
    """The states after each complete turn, found by trying every sequence of steps."""
    game = position.game
    bind = game.compiled.bind
    legal_at, apply_at, in_turn_at = bind(doors.legal_at), bind(doors.apply_at), bind(doors.in_turn_at)
    buffer = np.empty(game.max_legal, np.int32)
    waiting = [position.row]
    while waiting:
        row = waiting.pop()
        for action in buffer[: legal_at(row[None], 0, buffer)].tolist():
            after = row.copy()
            apply_at(after[None], 0, action)
            if in_turn_at(after[None], 0):
                waiting.append(after)
            else:
                yield after


def keys(rows: list[Row], position: Position) -> Counter[Any]:
    state, side = position.game.state, position.options["side"]
    return Counter(World.read(layout.as_dict(state, row), side).key() for row in rows)


def play_turn(position: Position, rng: random.Random) -> None:
    """Mostly place, otherwise acquire: in random play the rounds end early and the gardens stay empty."""
    first = True
    while first or position.in_turn:
        actions = position.legal_actions()
        lively = [action for action in actions if action != PASS]
        placing = [action for action in actions if PIECE <= action < CELL]
        wish = rng.choices([placing, lively, actions], [6, 3, 1])[0]
        position.play(rng.choice(wish or lively or actions))
        first = False


def compare_game(players: int, side: str, seed: int, share: float, **options: str) -> int:
    """Play a game and compare all draws, and all turns in a share of the positions; return how many."""
    rng = random.Random(seed)
    position = new("garden", players=players, side=side, **options)
    compared = 0
    while not position.is_over:
        world = world_of(position)
        if position.is_chance:
            assert {move.text: n for move, n in position.odds().items()} == world.odds()
            actions, weights = position.legal_actions(), list(position.odds().values())
            action = rng.choices(actions, weights)[0]
            position.play(action)
            world.draw(position.game.moves.text(action))
            assert world.key() == world_of(position).key()
        else:
            compared += compare_turns(position, world) if rng.random() < share else 0
            play_turn(position, rng)
    outcome = position.outcome()
    assert outcome is not None
    assert list(outcome.winners) == world_of(position).winners()
    return compared


def compare_turns(position: Position, world: World) -> bool:
    rows = list(itertools.islice(complete_turns(position), TOO_MANY + 1))
    if len(rows) > TOO_MANY:
        return False
    assert keys(rows, position) == Counter(after.key() for after in world.turns())
    return True


@pytest.mark.parametrize("side", ["standard", "variant"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_steps_make_the_turns_of_the_rulebook(players: int, side: str) -> None:
    assert compare_game(players, side, seed=players, share=0.25) > 5


def test_a_wheel_of_ones_own_scores_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    own = [
        {"6": 2, "b": 7, "l": 1}, {"d": 3, "2": 9, "1": 1}, {"5": 4, "y": 2, "g": 5},
        {"p": 8, "3": 6, "4": 1},
    ]
    monkeypatch.setitem(oracle.WHEEL, "variant", own)
    wheel = ".".join("-".join(f"{field}:{points}" for field, points in fields.items()) for fields in own)
    assert compare_game(2, "variant", seed=5, share=0.25, wheel=wheel) > 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_steps_make_the_turns_of_the_rulebook_in_many_games(seed: int) -> None:
    assert compare_game(2 + seed % 3, ("standard", "variant")[seed % 2], seed=100 + seed, share=0.5) > 10
