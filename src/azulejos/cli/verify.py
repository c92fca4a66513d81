"""Check that the draws of a game match the seed that was promised at its start."""

from __future__ import annotations

from typing import TextIO

import click

from azulejos.cli.common import record_argument, records_of
from azulejos.core.record import Record


@click.command()
@record_argument
def verify(record: TextIO) -> None:
    """Check every game in RECORD, saved at a table or by `azulejos store export` ("-": standard input)."""
    fair = [_verify(game, number) for number, game in enumerate(records_of(record), 1)]
    if not fair:
        raise click.ClickException("the record is empty")
    if not all(fair):
        raise click.exceptions.Exit(1)


def _verify(record: Record, number: int) -> bool:
    from azulejos.web.tables import fair_deal
    from azulejos.web.tables.table_record import Tag, played_lines, table_of

    name = record.tags.get(Tag.TABLE, f"game {number}")
    if Tag.PROMISE not in record.tags:
        click.echo(f"{name}: no seed was promised, so nothing can be checked")
        return False
    if Tag.SEED not in record.tags:
        click.echo(f"{name}: not over yet; its seed is shown after the last move")
        return True
    try:
        table = table_of(record)
    except ValueError as error:
        raise click.ClickException(f"{name}: {error}") from error
    for line in played_lines(table.actions):  # what was taken back first, the game as it stands last
        verdict = fair_deal.verify(
            table.start(), line, seed=table.seed, promised=table.promise, numbers=table.numbers,
            dealt_from=table.dealt_from,
        )
        if not verdict.honest:
            break
    click.echo(f"{name}: {verdict.reason} ({verdict.draws} draws)")
    return verdict.honest
