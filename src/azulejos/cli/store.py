"""Copy all games of a server out of its database, or into one."""

from __future__ import annotations

import asyncio
from typing import TextIO

import click


@click.group()
def store() -> None:
    """Copy all games of a server out of its database, or into one."""


_database = click.option("--database", help="sqlite:///FILE or postgresql://… (default: your data folder).")


@store.command("export")
@_database
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def export_games(database: str | None, file: TextIO) -> None:
    """Write every table to FILE, one line of JSON each (default: standard output)."""
    count = asyncio.run(_export(database, file))
    click.echo(f"{count} tables written", err=True)


async def _export(database: str | None, file: TextIO) -> int:
    from azulejos.web.saved import to_line
    from azulejos.web.store import Store, default_url

    games = await Store.open(database or default_url())
    count = 0
    try:
        async for table in games.every_table():
            file.write(to_line(table, with_secrets=True) + "\n")
            count += 1
    finally:
        await games.close()
    return count


@store.command("import")
@_database
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_games(database: str | None, file: TextIO) -> None:
    """Read tables that `export` wrote. Each is replayed first; tables that are there already are kept."""
    added, kept = asyncio.run(_import(database, file))
    click.echo(f"{added} tables added, {kept} were there already")


async def _import(database: str | None, file: TextIO) -> tuple[int, int]:
    from azulejos.web.saved import from_line
    from azulejos.web.store import Store, default_url

    games = await Store.open(database or default_url())
    added = kept = 0
    try:
        for number, line in enumerate(file, 1):
            try:
                table = from_line(line)
            except ValueError as error:
                raise click.ClickException(f"line {number}: {error}") from error
            if await games.load(table.id) is None:
                await games.create(table)
                added += 1
            else:
                kept += 1
    finally:
        await games.close()
    return added, kept
