"""Count the sequences of actions from a position, to verify a move generator."""

from __future__ import annotations

import random

import click

from azulejos.cli.common import GameCommand, complaints, console, seed_option, start_position
from azulejos.core.game import MAX_SEATS, MIN_SEATS
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.argument("position")
@click.option("--depth", "-d", default=3, show_default=True, type=click.IntRange(1, 12),
              help="Number of actions to look ahead; a draw or the end of the game ends a sequence early.")
@click.option("--divide", is_flag=True, help="Show the count for each move separately.")
@click.option("--players", "-n", default=MIN_SEATS, show_default=True,
              type=click.IntRange(MIN_SEATS, MAX_SEATS), help="Number of seats in a new game.")
@seed_option
def perft(position: str, depth: int, divide: bool, players: int, seed: int | None) -> None:
    """Count the sequences of actions from POSITION: the text of a position, or the name of a game.

    A new game is dealt first, using --seed (default: 0).
    """
    start = _start(position, players, seed or 0)
    if divide:
        _count_below(start, depth)
    else:
        _count(start, depth)


def _start(text: str, players: int, seed: int) -> Position:
    if "/" in text:
        with complaints():
            return Position.from_text(text)
    start = start_position(text, players)
    start.deal(random.Random(seed))
    return start


def _count(start: Position, depth: int) -> None:
    from azulejos.engine.perft import perft as leaves

    out = console()
    out.print(f"position {start.text()}", markup=False)
    for level in range(1, depth + 1):
        out.print(f"perft {level} {leaves(start.game, start.row, level)}")


def _count_below(start: Position, depth: int) -> None:
    from azulejos.engine.perft import perft as leaves

    out = console()
    total = 0
    for action in start.legal_actions():
        start.play(action)
        ends = start.is_chance or start.is_over
        below = 1 if ends else leaves(start.game, start.row, depth - 1)
        move = start.undo()
        out.print(f"{move.text} {below}", markup=False)
        total += below
    out.print(f"perft {depth} {total}")
