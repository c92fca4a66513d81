"""Copy all games of a server out of its database, or into one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

import click

from azulejos.cli.common import complaints

if TYPE_CHECKING:
    from azulejos.web.saved import SavedTable
    from azulejos.web.store import Store


@click.group()
def store() -> None:
    """Copy all games of a server out of its database, or into one."""


database_option = click.option(
    "--database", help="sqlite:///FILE or postgresql://… (default: a file in your data folder)."
)


@store.command("export")
@database_option
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def export_games(database: str | None, file: TextIO) -> None:
    """Write every table to FILE, one line of JSON each (default: standard output)."""
    with complaints():
        count = asyncio.run(_export(database, file))
    click.echo(f"{count} tables written", err=True)


async def _export(database: str | None, file: TextIO) -> int:
    from azulejos.web.saved import to_line

    games = await open_store(database)
    count = 0
    try:
        async for table in games.every_table():
            file.write(to_line(table, with_secrets=True) + "\n")
            count += 1
    finally:
        await games.close()
    return count


@store.command("import")
@database_option
@click.argument("file", type=click.File("r", encoding="utf-8"))
def import_games(database: str | None, file: TextIO) -> None:
    """Read tables that `export` wrote. Each is replayed first; tables that are there already are kept."""
    with complaints():
        added, kept = asyncio.run(_import(database, file))
    click.echo(f"{added} tables added, {kept} were there already")


async def _import(database: str | None, file: TextIO) -> tuple[int, int]:
    games = await open_store(database)
    added = kept = 0
    try:
        for number, line in lines_of(file):
            table = read_table(number, line)
            if await games.load(table.id) is None:
                await games.create(table)
                added += 1
            else:
                kept += 1
    finally:
        await games.close()
    return added, kept


async def open_store(database: str | None) -> Store:
    """The games of a server; a ValueError if there is no such database."""
    from sqlalchemy.exc import SQLAlchemyError

    from azulejos.web.store import Store, Unsaved, default_url

    try:
        return await Store.open(database or default_url())
    except (SQLAlchemyError, Unsaved) as error:
        raise ValueError(f"cannot use this database: {error}") from error


def lines_of(file: TextIO) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers."""
    try:
        yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{file.name} is no text: {error}") from error


def read_table(number: int, line: str) -> SavedTable:
    from azulejos.web.saved import from_line

    try:
        return from_line(line)
    except json.JSONDecodeError as error:
        raise click.ClickException(f"line {number} is no JSON: {error.msg}") from error
    except ValueError as error:
        raise click.ClickException(f"line {number}: {error}") from error
