"""Check a bot that speaks the engine protocol."""

from __future__ import annotations

import sys

import click

from azulejos.cli.common import complaints, console, say, seconds_option

SIGNS = {True: "ok  ", False: "bad ", None: "note"}


@click.group(short_help="Check a bot that speaks the engine protocol.")
def bot() -> None:
    """Tools for authors of bots (docs/protocol.md)."""


@bot.command()
@click.argument("command")
@click.option("--positions", default=1000, show_default=True, type=click.IntRange(min=1),
              help="Number of positions to ask about.")
@seconds_option("Time limit for each answer, in seconds.", 0.1)
def check(command: str, positions: int, seconds: float) -> None:
    """Start COMMAND and report its faults: handshake, answers, time, stop, determinism."""
    from azulejos.protocol.check import check as findings

    out, bad = console(), 0
    with complaints():
        for finding in findings(command, positions=positions, movetime=seconds):
            bad += finding.good is False
            out.print(f"{SIGNS[finding.good]} {say(finding.text)}", markup=False)
    if bad:
        sys.exit(1)
