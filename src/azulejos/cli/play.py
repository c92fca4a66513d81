"""Play at this terminal: people on one keyboard, and bots."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import click

from azulejos.cli.common import (
    GameCommand,
    OutFile,
    beginning,
    chosen_seed,
    complaints,
    console,
    is_cold,
    seed_option,
    takes_game,
)
from azulejos.core.position import Position

USUAL = "level:2"
"""Who sits where nobody was named: a bot that a beginner can beat, but not by chance."""


@click.command(cls=GameCommand)
@takes_game
@click.argument("seats", nargs=-1, metavar="[SEAT]...")
@click.option("--seconds", "-t", default=1.0, show_default=True, type=click.FloatRange(0, 3600),
              help="How long a bot may think about one action.")
@click.option("--record", type=OutFile(), help="Write the game down here when it ends or is left.")
@seed_option
def play(
    start: Position, seats: tuple[str, ...], seconds: float, record: Path | None, seed: int | None
) -> None:
    """Play GAME. Each SEAT is `me`, a person's name with a capital letter, or a bot's word
    (random, greedy, search, level:3; level:7@10 takes ten seconds an action).

    Seats that are not named are bots of level 2: `azulejos play azul` is you against one. In the game, type
    moves; `help` shows what else can be typed.
    """
    from azulejos.bots import Limit
    from azulejos.bots.compiled import fill_cache
    from azulejos.cli.seats import ME, read_seats
    from azulejos.cli.terminal_game import TerminalGame

    with contextlib.suppress(ImportError):  # not on every system; it lets people edit what they type
        import readline  # noqa: F401
    with complaints():
        seated = read_seats(seats or [ME], start.players, rest=USUAL)
        limit = Limit(seconds=seconds)
    seed = chosen_seed(seed)
    table = TerminalGame(start, seated, rng=random.Random(seed), limit=limit, out=console())
    if is_cold(start.game, [who.bot.word for who in seated if who.bot is not None]):
        fill_cache(start.game)
        table.tell(beginning(start.game), "bright_black")
    try:
        with complaints():  # a bot's weights are read when it first thinks
            table.run()
    finally:
        if record:
            record.write_text(table.record().write(), encoding="utf-8")
