"""Run a built-in bot for other programs, over the engine protocol."""

from __future__ import annotations

import sys

import click

from azulejos import __version__
from azulejos.cli.common import complaints


@click.command()
@click.argument("word", default="search")
def engine(word: str) -> None:
    """Answer the engine protocol on standard input and output with the bot WORD (docs/protocol.md)."""
    from azulejos.bots.words import open as open_bot
    from azulejos.protocol.speaker import serve

    with complaints():
        open_bot(word)
    name = f"azulejos {word} {__version__}"
    serve(lambda: open_bot(word), sys.stdin, sys.stdout, name=name)
