"""Say what the moves of a position are worth.

    azulejos analyse "azul,players=2/..." --seconds 3
"""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from azulejos.bots.analysis import Analysis, Rated
from azulejos.bots.analysis import analyse as rate
from azulejos.cli.common import complaints, console, make_ready, results_table
from azulejos.core.position import Position
from azulejos.protocol.bot import Budget


@click.command()
@click.argument("position")
@click.option("--seconds", "-s", type=click.FloatRange(min=0), help="Time to think. Default: 1.")
@click.option("--nodes", type=click.IntRange(min=1), help="Positions to search.")
@click.option("--cores", default=1, show_default=True, type=click.IntRange(min=1), help="How many search.")
@click.option("--top", default=5, show_default=True, type=click.IntRange(min=1), help="How many moves.")
@click.option("--json", "as_json", is_flag=True, help="All moves, as JSON.")
def analyse(
    position: str, seconds: float | None, nodes: int | None, cores: int, top: int, as_json: bool
) -> None:
    """Value the moves of POSITION (a text as `Position.text` writes it), best first."""
    with complaints():
        start = Position.from_text(position)
        make_ready(start.game, ["search"])
        found = rate(start, Budget(seconds=seconds, nodes=nodes, cores=cores))
    if as_json:
        click.echo(json.dumps(_plain(start, found), indent=1))
    else:
        _print(start, found, top)


def _plain(start: Position, found: Analysis) -> dict[str, object]:
    moves = [
        {**asdict(move), "action": start.game.moves.text(move.action), "line": _line(start, move).split()}
        for move in found.moves
    ]
    return {**asdict(found), "moves": moves}


def _line(start: Position, move: Rated) -> str:
    return " ".join(start.game.moves.text(action) for action in move.line)


def _print(start: Position, found: Analysis, top: int) -> None:
    out = console()
    shown = results_table("move", "points", "win", "depth", "", "expected play",
                          words=("move", "", "expected play"), long=("expected play",))
    for move in found.moves[:top]:
        shown.add_row(
            start.game.moves.text(move.action), f"{move.value:+.1f}", f"{move.win:.0%}", str(move.depth),
            "proved" if move.proved else "", _line(start, move),
        )
    out.print(shown)
    out.print(f"{found.nodes} positions in {found.seconds:.2f} s")
