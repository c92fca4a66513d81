"""Play in this terminal: people at one keyboard, and bots."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import click

from azulejos.cli.common import (
    GameCommand,
    OutFile,
    chosen_seed,
    complaints,
    console,
    fresh_seed_option,
    seconds_option,
    takes_game,
)
from azulejos.core.position import Position

USUAL = "level:2"
"""The bot for seats that are not named: a beginner can beat it, but not by luck alone."""


@click.command(cls=GameCommand)
@takes_game
@click.argument("seats", nargs=-1, metavar="[SEAT]...")
@seconds_option("Time limit of a bot for one action, in seconds.", 1.0)
@click.option("--record", type=OutFile(), help="Save the game to this file when it ends or is left.")
@fresh_seed_option
def play(
    start: Position, seats: tuple[str, ...], seconds: float, record: Path | None, seed: int | None
) -> None:
    """Play GAME. Each SEAT is `me`, a person's name with a capital letter, or the word of a bot (random,
    greedy, search, level:3; level:7@10 takes ten seconds per action).

    Seats that are not named are bots of level 2: `azulejos play azul` is you against one of them. During
    the game, type moves, or `help` for other commands.
    """
    from azulejos.bots import Limit
    from azulejos.cli.seats import ME, read_seats
    from azulejos.cli.terminal_game import TerminalGame

    with contextlib.suppress(ImportError):  # missing on some systems; enables line editing
        import readline  # noqa: F401
    with complaints():
        seated = read_seats(seats or [ME], start.players, rest=USUAL)
        limit = Limit(seconds=seconds)
    seed = chosen_seed(seed)
    table = TerminalGame(start, seated, rng=random.Random(seed), limit=limit, out=console())
    try:
        with complaints():  # a bot reads its weights before its first move
            table.run()
    finally:
        if record:
            record.write_text(table.record().write(), encoding="utf-8")
