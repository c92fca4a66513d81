"""The games of a server's database: exported, imported, and their draws checked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from azulejos.cli.common import complaints, record_argument, records_of
from azulejos.core.record import Record

if TYPE_CHECKING:
    from azulejos.web.store.salvage import Salvaged
    from azulejos.web.store.store import Store


@click.group(short_help="Export all games from a server's database, or import them.")
def store() -> None:
    """Export all games from a server's database, or import them."""


database_option = click.option(
    "--database", help="sqlite:///FILE or postgresql://… (default: a file in your data folder)."
)
expire_option = click.option(
    "--expire", "policies", multiple=True, metavar="STATE=DAYS",
    help="Remove tables without a change for so many days: waiting=30 and begun=7 (the "
         "defaults), playing=…, finished=…; never keeps them. Can be repeated.",
)


@store.command("export")
@database_option
@click.argument("file", type=click.File("w", encoding="utf-8"), default="-")
def export_games(database: str | None, file: TextIO) -> None:
    """Write the record of every table to FILE, as JSON Lines (default: standard output)."""
    with complaints():
        written, failed = asyncio.run(_export(database, file))
    click.echo(f"{written} tables written", err=True)
    for reason in failed:
        click.echo(f"not written: {reason}", err=True)
    if failed:
        raise click.exceptions.Exit(1)


async def _export(database: str | None, file: TextIO) -> tuple[int, list[str]]:
    """The number of tables written, and why the others were not."""
    from azulejos.web.store.saved import Unreplayable
    from azulejos.web.tables.table_record import record_of

    games = await open_store(database)
    written, failed = 0, []
    try:
        async for table in games.every_table():
            try:
                file.write(record_of(table, with_secrets=True).write_json())
                written += 1
            except Unreplayable as error:
                failed.append(str(error))
    finally:
        await games.close()
    return written, failed


@store.command("import")
@database_option
@record_argument
def import_games(database: str | None, record: TextIO) -> None:
    """Import tables written by `export` or saved at a table, or finished games of `azulejos play`.

    Each is replayed first; tables that are already in the database are left unchanged.
    """
    with complaints():
        added, kept = asyncio.run(_import(database, record))
    click.echo(f"{added} tables added, {kept} were there already")


async def _import(database: str | None, file: TextIO) -> tuple[int, int]:
    from azulejos.web.tables.table_record import table_of

    games = await open_store(database)
    added = kept = 0
    try:
        for record in records_of(file):
            table = table_of(record)
            if await games.load(table.id) is None:
                await games.create(table)
                added += 1
            else:
                kept += 1
    finally:
        await games.close()
    return added, kept


@store.command("check")
@database_option
def check_games(database: str | None) -> None:
    """Check the file of SQLite, then replay every table; the exit code is 1 if anything is wrong."""
    with complaints():
        found = asyncio.run(_check(database))
    for fault in found.damage:
        click.echo(f"damaged: {fault}")
    for problem in found.problems:
        click.echo(problem)
    for table, count in found.renumbered.items():
        click.echo(f"table {table}: {count} actions have other numbers now; their texts decide")
    click.echo(f"{found.tables} tables checked, {len(found.problems)} do not replay")
    if found.damage:
        click.echo("The file of the database is damaged: stop the server and restore a backup, or copy "
                   "what can still be read with `azulejos store salvage NEW-FILE`.")
    if found.damage or found.problems:
        raise click.exceptions.Exit(1)


@dataclass
class _Checked:
    damage: list[str]
    """What SQLite's own checks say about its file."""
    tables: int = 0
    problems: list[str] = field(default_factory=list)
    renumbered: dict[str, int] = field(default_factory=dict)
    """How many actions of which tables have other numbers now."""


async def _check(database: str | None) -> _Checked:
    """The file first: opening the games writes to it, and may fail because of the damage."""
    from azulejos.web.store.faults import DatabaseFault

    found = _Checked(damage=await _damage(database))
    try:
        games = await open_store(database)
    except ValueError as error:
        if not found.damage:
            raise
        found.problems.append(str(error))
        return found
    try:
        for name in await games.every_id():
            found.tables += 1
            await _check_table(games, name, found)
    except DatabaseFault as error:
        found.problems.append(f"the tables cannot be listed: {error}")
    finally:
        await games.close()
    return found


async def _check_table(games: Store, name: str, found: _Checked) -> None:
    from azulejos.web.store.faults import DatabaseFault
    from azulejos.web.store.saved import Unreplayable, replayed

    try:
        table = await games.load(name)
        if table is None:  # a server has removed it meanwhile
            return
        replay = replayed(table)
        if replay.renumbered:
            found.renumbered[name] = replay.renumbered
    except Unreplayable as error:
        found.problems.append(str(error))
    except DatabaseFault as error:
        found.problems.append(f"table {name} cannot be read: {error}")


@store.command("salvage")
@database_option
@click.argument("new", type=click.Path(dir_okay=False, path_type=Path))
def salvage_games(database: str | None, new: Path) -> None:
    """Copy what can still be read of a damaged file of SQLite to NEW, with the server stopped.

    The damaged file is not changed. Tables that have lost a part are set aside by the server, which goes on
    with the others.
    """
    with complaints():
        if new.exists():
            raise ValueError(f"{new} exists already")
        found = asyncio.run(_salvage(database, new))
    for name, count in found.saved.items():
        lost = f", {found.left_out[name]} left out" if found.left_out[name] else ""
        gap = ", some cannot be read" if name in found.unreadable else ""
        if count or lost or gap:
            click.echo(f"{name}: {count} rows saved{lost}{gap}")
    checked = asyncio.run(_check(f"sqlite:///{new.absolute()}"))
    for problem in checked.problems:
        click.echo(problem)
    click.echo(f"{checked.tables} tables are in {new}, {len(checked.problems)} do not replay")


async def _salvage(database: str | None, new: Path) -> Salvaged:
    from sqlalchemy.engine import make_url

    from azulejos.web.store.salvage import salvage
    from azulejos.web.store.store import default_url

    file = make_url(database or default_url())
    if not file.drivername.startswith("sqlite") or not file.database or not Path(file.database).is_file():
        raise ValueError("only a file of SQLite can be salvaged")
    await (await open_store(f"sqlite:///{new.absolute()}")).close()
    try:
        return salvage(Path(file.database), new)
    except ValueError:
        new.unlink()
        raise


async def _damage(database: str | None) -> list[str]:
    from azulejos.web.store.database import open_database
    from azulejos.web.store.store import default_url

    checked = open_database(database or default_url())
    try:
        return await checked.damage(quick=False)
    finally:
        await checked.close()


@store.command("expire")
@database_option
@expire_option
@click.option("--dry-run", is_flag=True, help="Only count the tables that would be removed.")
def expire_games(database: str | None, policies: tuple[str, ...], dry_run: bool) -> None:
    """Remove abandoned tables now, as a server does every hour."""
    with complaints():
        counts = asyncio.run(_expire(database, policies, dry_run=dry_run))
    for state, count in counts.items():
        click.echo(f"{count} {state} tables {'would be ' if dry_run else ''}removed")


async def _expire(database: str | None, policies: tuple[str, ...], *, dry_run: bool) -> dict[str, int]:
    from azulejos.web.store.expiry import count_expired, expire, read_policy

    policy = read_policy(policies)
    games = await open_store(database)
    try:
        return await (count_expired if dry_run else expire)(games, policy)
    finally:
        await games.close()


@store.command("new-secret")
@database_option
@click.option("--forget", is_flag=True,
              help="Accept no older secret, for example after one became known: all lose their seats.")
def new_secret(database: str | None, forget: bool) -> None:
    """Let servers sign cookies and links with a new secret. Older ones are still accepted.

    Servers on PostgreSQL notice it at once; a server on SQLite has to be restarted.
    """
    with complaints():
        asyncio.run(_new_secret(database, forget=forget))
    click.echo("added; it signs from now on" if forget else "added; it signs in a minute")


async def _new_secret(database: str | None, *, forget: bool) -> None:
    from azulejos.web.shared_signer import add_secret

    games = await open_store(database)
    try:
        await add_secret(games, forget=forget)
    finally:
        await games.close()


async def open_store(database: str | None, *, serving: bool = False) -> Store:
    """The games of a server; raises ValueError if the database cannot be used."""
    from sqlalchemy.exc import SQLAlchemyError

    from azulejos.web.store.faults import DatabaseFault, InUse
    from azulejos.web.store.schema import TooNew
    from azulejos.web.store.store import Store, default_url

    try:
        return await Store.open(database or default_url(), serving=serving)
    except (SQLAlchemyError, DatabaseFault, OSError, TooNew, InUse) as error:
        raise ValueError(f"cannot use this database: {error}") from error


# --- verify -------------------------------------------------------------------------------------------


@click.command(short_help="Check that the draws of a game match the seed that was promised at its start.")
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
