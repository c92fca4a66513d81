"""Check that the draws of a game followed from the seed that was promised."""

from __future__ import annotations

from typing import TextIO

import click


@click.command()
@click.argument("record", type=click.File("r", encoding="utf-8"))
def verify(record: TextIO) -> None:
    """Check every game in RECORD (one per line, as a table saves them; - reads standard input)."""
    lines = [line for line in record if line.strip()]
    if not lines:
        raise click.ClickException("the record is empty")
    honest = [_verify(number, line) for number, line in enumerate(lines, 1)]
    if not all(honest):
        raise click.exceptions.Exit(1)


def _verify(number: int, line: str) -> bool:
    import json

    from azulejos.web import deal
    from azulejos.web.saved import from_line

    try:
        table = from_line(line)
    except ValueError as error:
        raise click.ClickException(f"line {number}: {error}") from error
    if json.loads(line)["seed"] is None:
        click.echo(f"{table.id}: not over yet; its seed is shown after the last move")
        return True
    verdict = deal.verify(
        table.start(), [entry.action for entry in table.actions],
        seed=table.seed, promised=table.promise, dealt_from=table.dealt_from,
    )
    click.echo(f"{table.id}: {verdict.reason} ({verdict.draws} draws)")
    return verdict.honest
