"""Rate the moves of a position.

    azulejos analyse "azul,players=2/..." --seconds 3
"""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from azulejos.bots import Analysis, Limit, Outlook, evaluate
from azulejos.bots import open as open_bot
from azulejos.cli.common import (
    GameCommand,
    complaints,
    console,
    cores_option,
    json_option,
    nodes_option,
    results_table,
    seconds_option,
)
from azulejos.cli.inputs import takes_position
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@seconds_option("Time limit in seconds. Default: 1.")
@nodes_option("Number of positions to search.")
@cores_option(1)
@click.option("--top", default=5, show_default=True, type=click.IntRange(min=1),
              help="Number of moves to show.")
@json_option
@takes_position
def analyse(
    position: Position, seconds: float | None, nodes: int | None, cores: int, top: int, as_json: bool
) -> None:
    """Rate the moves of POSITION, best first.

    The first line shows what the game's networks expect without any search: margin and chance to win of
    every seat.
    """
    with complaints(), open_bot("search") as bot:
        found = bot.analyse(position, Limit(seconds=seconds, nodes=nodes, cores=cores))
    outlooks = evaluate(position)
    if as_json:
        click.echo(json.dumps(_plain(found, outlooks), indent=1))
    else:
        _print(found, outlooks, top)


def _plain(found: Analysis, outlooks: tuple[Outlook, ...]) -> dict[str, object]:
    moves = [
        {**asdict(rated), "move": rated.move.text, "line": [move.text for move in rated.line]}
        for rated in found.moves
    ]
    return {**asdict(found), "moves": moves, "glance": [asdict(outlook) for outlook in outlooks]}


def _print(found: Analysis, outlooks: tuple[Outlook, ...], top: int) -> None:
    out = console()
    numbered = enumerate(outlooks, 1)
    seats = (f"seat {seat} {seen.margin:+.1f} ({seen.win:.0%})" for seat, seen in numbered)
    out.print("at a glance: " + ", ".join(seats), highlight=False)
    shown = results_table("move", "points", "win", "depth", "", "expected play",
                          words=("move", "", "expected play"), long=("expected play",))
    for rated in found.moves[:top]:
        shown.add_row(
            rated.move.text, f"{rated.value:+.1f}", f"{rated.win:.0%}", str(rated.depth),
            "proved" if rated.proved else "", " ".join(move.text for move in rated.line),
        )
    out.print(shown)
    out.print(f"{found.nodes} positions in {found.seconds:.2f} s")
