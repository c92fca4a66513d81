"""Weak levels play like people: they never leave points that cost nothing."""

from __future__ import annotations

import pytest

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.core.position import Position
from azulejos.games.queens_garden.components import HEXAGONS, PATTERNS, ROUNDS, WHEEL
from azulejos.games.queens_garden.layout import ACTING, DISCARDING, PAYING
from azulejos.games.queens_garden.moves import CELL, JOKERS, PASS, PIECE
from bots.positions import played

WEAK = ("level:1", "level:2", "level:3")
ROOMY = 7


def hexagons_of(position: Position) -> list[int]:
    """The hexagons stored by the seat to move, on tiles and on expansions."""
    s = position.state
    tiles = [h for h in range(HEXAGONS) for _ in range(int(s.stored[s.seat, h]))]
    return tiles + [int(slot) - 1 for slot in s.slots[s.seat] if slot]


def is_payable(hexagon: int, stored: list[int]) -> bool:
    """Whether enough different hexagons of its colour or pattern are stored to pay without jokers."""
    others = set(stored) - {hexagon}
    colour = sum(other // PATTERNS == hexagon // PATTERNS for other in others)
    pattern = sum(other % PATTERNS == hexagon % PATTERNS for other in others)
    return max(colour, pattern) >= hexagon % PATTERNS


def scores_now(position: Position, action: int) -> bool:
    """Whether placing a piece scores in this round and can be paid for without jokers."""
    s, stored = position.state, hexagons_of(position)
    piece = action - PIECE
    hexagon = piece if piece < HEXAGONS else int(s.slots[s.seat, piece - HEXAGONS]) - 1
    fields = WHEEL[s.round - 1]
    on_wheel = hexagon // PATTERNS in fields or PATTERNS + hexagon % PATTERNS in fields
    return (on_wheel or s.round == ROUNDS) and is_payable(hexagon, stored)


def is_foolish(position: Position, action: int) -> bool:
    s, legal = position.state, position.legal_actions()
    if s.stage == ACTING:
        return action == PASS and any(scores_now(position, a) for a in legal if PIECE <= a < CELL)
    if s.stage == PAYING:
        twins = (a for a in legal if PIECE <= a < PIECE + HEXAGONS and s.stored[s.seat, a - PIECE] > 1)
        return action == JOKERS and any(twins)
    tiles = int(s.stored[s.seat].sum()) + int(s.jokers[s.seat])
    return s.stage == DISCARDING and action != PASS and tiles <= ROOMY


def check(word: str, positions: int) -> int:
    """Check that a level never makes a foolish move; return how many positions offered one."""
    bot, offered = open_bot(word), 0
    for seed in range(positions):
        name = ("garden", "garden-variant")[seed % 2]
        position = played(name, 2 + seed % 3, seed, 3 + seed * 7 % 150)
        if not position.is_over:
            offered += any(is_foolish(position, action) for action in position.legal_actions())
            choice = bot.play(position, Limit(nodes=60))
            assert not is_foolish(position, position.game.moves.number(choice.move)), position.text()
    return offered


@pytest.mark.parametrize("word", WEAK)
def test_nobody_leaves_points_that_cost_nothing(word: str) -> None:
    assert check(word, 120) > 5


@pytest.mark.slow
@pytest.mark.parametrize("word", WEAK)
def test_nobody_leaves_points_in_thousands_of_positions(word: str) -> None:
    assert check(word, 2000) > 100
