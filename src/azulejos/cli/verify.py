"""Check that the draws of a game followed from the seed that was promised."""

from __future__ import annotations

import json
from typing import TextIO

import click

from azulejos.cli.store import lines_of, read_table


@click.command()
@click.argument("record", type=click.File("r", encoding="utf-8"))
def verify(record: TextIO) -> None:
    """Check every game in RECORD (one per line, as a table saves them; - reads standard input)."""
    lines = list(lines_of(record))
    if not lines:
        raise click.ClickException("the record is empty")
    honest = [_verify(number, line) for number, line in lines]
    if not all(honest):
        raise click.exceptions.Exit(1)


def _verify(number: int, line: str) -> bool:
    from azulejos.web import deal

    table = read_table(number, line)
    if json.loads(line)["seed"] is None:
        click.echo(f"{table.id}: not over yet; its seed is shown after the last move")
        return True
    verdict = deal.verify(
        table.start(), [entry.action for entry in table.actions],
        seed=table.seed, promised=table.promise, dealt_from=table.dealt_from,
    )
    click.echo(f"{table.id}: {verdict.reason} ({verdict.draws} draws)")
    return verdict.honest
