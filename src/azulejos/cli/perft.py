"""Count the sequences of actions from a position, to verify a move generator."""

from __future__ import annotations

import click

from azulejos.cli.common import GameCommand, console
from azulejos.cli.inputs import takes_position
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.option("--depth", "-d", default=3, show_default=True, type=click.IntRange(1, 12),
              help="Number of actions to look ahead; a draw or the end of the game ends a sequence early.")
@click.option("--divide", is_flag=True, help="Show the count for each move separately.")
@takes_position
def perft(position: Position, depth: int, divide: bool) -> None:
    """Count the sequences of actions from POSITION."""
    if divide:
        _count_below(position, depth)
    else:
        _count(position, depth)


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
