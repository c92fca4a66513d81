"""Count the sequences of actions from a position, to verify a move generator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from azulejos.cli.common import GameCommand, json_option
from azulejos.cli.inputs import takes_position
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.option("--depth", default=3, show_default=True, type=click.IntRange(1, 12),
              help="Number of actions to look ahead; a draw or the end of the game ends a sequence early.")
@click.option("--divide", is_flag=True, help="Show the count for each move separately.")
@json_option
@takes_position
def perft(position: Position, depth: int, divide: bool, as_json: bool) -> None:
    """Count the sequences of actions from POSITION."""
    from azulejos.engine.perft import perft as leaves

    told: dict[str, Any] = {"position": position.text()}
    if divide:
        told["moves"] = dict(_counts_below(position, depth))
        told["perft"] = {depth: sum(told["moves"].values())}
    else:
        levels = range(1, depth + 1)
        told["perft"] = {level: leaves(position.game, position.row, level) for level in levels}
    if as_json:
        click.echo(json.dumps(told))
        return
    if not divide:
        click.echo(f"position {told['position']}")
    for move, count in told.get("moves", {}).items():
        click.echo(f"{move} {count}")
    for level, count in told["perft"].items():
        click.echo(f"perft {level} {count}")


def _counts_below(start: Position, depth: int) -> Iterator[tuple[str, int]]:
    from azulejos.engine.perft import perft as leaves

    for action in start.legal_actions():
        start.play(action)
        ends = start.is_chance or start.is_over
        below = 1 if ends else leaves(start.game, start.row, depth - 1)
        yield start.undo().text, below
