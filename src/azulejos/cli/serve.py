"""Play in the browser, alone, with friends and with bots."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

import click

from azulejos.cli.common import Number, complaints
from azulejos.cli.store import database_option, expire_option, open_store


@click.command(short_help="Play in the browser, alone, with friends and with bots.")
@click.option("--host", default="127.0.0.1", show_default=True,
              help="Address to listen on; 0.0.0.0 accepts connections from the whole network.")
@click.option("--port", default=8137, show_default=True, type=click.IntRange(0, 65535))
@database_option
@click.option("--seconds", "-s", default=2.0, show_default=True, type=Number(0.01, 60),
              help="Time limit of a bot for one move, in seconds, unless its own time was chosen.")
@click.option("--away-after", default=30.0, show_default=True, type=Number(0, 3600),
              help="Seconds without a connection after which a player counts as away.")
@click.option("--bot", "programs", multiple=True, metavar="NAME=COMMAND",
              help="Offer a program as a bot with this name (docs/protocol.md); can be repeated.")
@expire_option
@click.option("--secret-file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Sign cookies with the secret on the first line of this file; accept those on the other "
                   "lines too (default: the database keeps secrets).")
@click.option("--unlimited", is_flag=True, help="Do not limit the rate of requests (for measurements).")
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME",
              help="A name in the addresses that browsers use for this server; can be repeated. The "
              "addresses of this machine, its name and localhost are always allowed, '*' allows any name.")
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS",
              help="Address of a reverse proxy, whose X-Forwarded-For and -Proto are believed; can be "
              "repeated.")
@click.option("--base-path", default="/", metavar="PATH",
              help="The path under which browsers find the site, such as /azulejos.")
@click.option("--smtp", metavar="URL", envvar="AZULEJOS_SMTP",
              help="The mail server for notices to people who want them: smtp://HOST:PORT, "
              "smtp+starttls://USER:PASSWORD@HOST:PORT or smtps://… (also AZULEJOS_SMTP).")
@click.option("--mail-from", metavar="ADDRESS", help="The address from which such mail comes.")
@click.option("--private-webhooks", is_flag=True,
              help="Let webhooks and push services be in private networks, and use http.")
@click.option("--metrics", is_flag=True, help="Measure, and let this machine read /metrics (Prometheus).")
@click.option("--log", "log_format", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="How to write the log to standard error.")
@click.option("--open/--no-open", "open_browser", default=True, help="Open the page in your browser.")
def serve(
    host: str, port: int, database: str | None, seconds: float, away_after: float,
    programs: tuple[str, ...], policies: tuple[str, ...], secret_file: Path | None, unlimited: bool,
    hosts: tuple[str, ...], proxies: tuple[str, ...], base_path: str, smtp: str | None,
    mail_from: str | None, private_webhooks: bool, metrics: bool, log_format: str, open_browser: bool,
) -> None:
    """Play in the browser, alone, with friends and with bots."""
    _invite(programs)
    with complaints():
        settings = {
            **_keeping(policies, secret_file), "base_path": _base(base_path),
            "outside": _outside(smtp, mail_from, private=private_webhooks),
        }
    with listen(host, port) as listener:
        with complaints():
            asyncio.run(_look_into(database))
        name = "localhost" if host in ("0.0.0.0", "127.0.0.1") else host
        address = f"http://{name}:{listener.getsockname()[1]}{settings['base_path']}/"
        _greet(host, address)
        if open_browser:
            threading.Timer(0.5, webbrowser.open, (address,)).start()
        _run(
            listener, database, seconds, {**settings, "away_after": away_after}, unlimited=unlimited,
            hosts={host, *hosts}, proxies=proxies, metrics=metrics, as_json=log_format == "json",
        )


def _base(text: str) -> str:
    from azulejos.web.base_path import read_base_path

    return read_base_path(text)


def _outside(smtp: str | None, sender: str | None, *, private: bool) -> Any:
    from azulejos.web.circle.notices import Outside
    from azulejos.web.circle.senders import read_mail

    return Outside(mail=read_mail(smtp, sender or "") if smtp else None, private=private)


def _keeping(policies: tuple[str, ...], secret_file: Path | None) -> dict[str, Any]:
    """Settings about what is kept: which tables, and which secrets."""
    from azulejos.web.store.expiry import read_policy
    from azulejos.web.store.store import data_folder
    from azulejos.web.visitor import former_secrets, read_secrets

    expiry = read_policy(policies)
    if secret_file is None:
        return {"expiry": expiry, "former_secrets": tuple(former_secrets(data_folder()))}
    *former, secret = read_secrets(secret_file)
    return {"expiry": expiry, "former_secrets": tuple(former), "secret": secret}


def _invite(programs: tuple[str, ...]) -> None:
    """Register the operator's programs, after a handshake with each."""
    if not programs:
        return
    from azulejos.bots.words import add_program
    from azulejos.protocol.external import ExternalBot, greeted

    for pair in programs:
        try:
            add_program(pair)
            greeted(ExternalBot(pair.partition("=")[2]))
        except ValueError as error:
            raise click.ClickException(f"--bot: {error}; see azulejos bot check.") from error


async def _look_into(database: str | None) -> None:
    games = await open_store(database, serving=True)
    await games.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. It names its protocol, because asyncio switches off Nagle's algorithm only where
    that is TCP by name; otherwise every answer on a kept connection waits 40 ms for an acknowledgement."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise click.ClickException(
                f"Port {port} is in use; perhaps azulejos runs already: look at http://localhost:{port}/. "
                f"Another port: azulejos serve --port {port + 1}"
            ) from error
        raise click.ClickException(f"Cannot listen on {host}:{port}: {error.strerror}.") from error
    return listener


def _greet(host: str, address: str) -> None:
    click.echo(f"Your table: {address}")
    own = _own_address()
    for_phones = address.replace("localhost", own or "", 1)
    if host == "0.0.0.0":
        click.echo("Everybody who can reach this machine can play, watch and open tables.")
        if own:
            click.echo(f"Phones in the same network: {for_phones}")
    elif host == "127.0.0.1" and own:
        click.echo(f"For phones: azulejos serve --host 0.0.0.0, then {for_phones}")
    click.echo("Stop with Ctrl-C; every table goes on at the next start.")


def _own_address() -> str | None:
    """This machine's address in its network: the source address of a packet to the outside."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _run(
    listener: socket.socket, database: str | None, seconds: float, others: dict[str, Any], *,
    unlimited: bool, hosts: set[str], proxies: tuple[str, ...], metrics: bool, as_json: bool,
) -> None:
    import uvicorn

    from azulejos.core import readiness
    from azulejos.web.app import Settings, create_app
    from azulejos.web.guard import UNLIMITED, Limits, log
    from azulejos.web.guard.connections import most_connections, server_config
    from azulejos.web.guard.hosts import own_names
    from azulejos.web.store.store import default_url

    readiness.hold()
    sys.setswitchinterval(0.001)  # the saving thread waits at most 1 ms for the serving one, not 5
    log.set_up(as_json=as_json)
    limits = UNLIMITED if unlimited else Limits()
    app = create_app(Settings(
        database=database or default_url(), seconds=seconds, **others,
        limits=limits, hosts=frozenset(own_names() | {name.lower() for name in hosts}), metrics=metrics,
        thinks_ahead=True, spares_garbage=True, proxies=frozenset(proxies),
    ))
    app.state.doorkeeper.most = most_connections()
    uvicorn.Server(server_config(app, app.state.doorkeeper)).run(sockets=[listener])
