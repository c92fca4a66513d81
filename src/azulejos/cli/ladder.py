"""Let the levels of a game play against each other, each against the next, and print the steps.

    azulejos ladder azul --deals 100
"""

from __future__ import annotations

import math

import click

from azulejos.arena.match import Match, Result
from azulejos.arena.run import run
from azulejos.arena.statistics import first_shares, mean, wilson
from azulejos.arena.workers import Workers
from azulejos.bots.registry import levels
from azulejos.cli.common import GameCommand, console, progress, takes_game, takes_workers
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@click.option("--deals", "-d", default=50, show_default=True, type=click.IntRange(min=1),
              help="Deals of each pair of levels; each is played in both seat orders.")
@click.option("--nodes", default=30_000, show_default=True, type=click.IntRange(min=1),
              help="What the strongest level may search; the others bring their own limits.")
@click.option("--seed", default=0, show_default=True)
@takes_workers
@takes_game
def ladder(start: Position, deals: int, nodes: int, seed: int, workers: Workers) -> None:
    """Play each level of GAME against the one below it (two seats)."""
    from rich.table import Table

    offered = levels(start.game)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("level", "name", "wins against the one below", "95 %", "Elo step", "margin"):
        table.add_column(heading, justify="left" if heading == "name" else "right", no_wrap=True)
    table.add_row("1", str(offered[0].name), "", "", "", "")
    with progress() as bar:
        task = bar.add_task(f"climbing {start.preset.name}", total=2 * deals * (len(offered) - 1))
        for number in range(1, len(offered)):
            pair = (offered[number].word, offered[number - 1].word)
            match = Match(game=start.preset.name, bots=pair, options=start.header()["options"],
                          nodes=nodes, seed=seed)
            results = run(match, deals=deals, workers=workers,
                          after=lambda results: bar.update(task, advance=1))
            table.add_row(str(number + 1), str(offered[number].name), *_step(results))
    console().print(table)


def _step(results: list[Result]) -> tuple[str, str, str, str]:
    shares = first_shares(results)
    won = wilson(sum(shares), len(shares))
    bounded = min(max(won.middle, 0.005), 0.995)
    elo = 400 * math.log10(bounded / (1 - bounded))
    margins = mean([result.scores[result.order.index(0)] - result.scores[result.order.index(1)]
                    for result in results])
    interval = f"{won.low:.1%} to {won.high:.1%}"
    return f"{won.middle:.1%}", interval, f"{elo:+.0f}", f"{margins.middle:+.1f}"
