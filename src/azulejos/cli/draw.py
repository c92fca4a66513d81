"""Draw a position as SVG or PNG."""

from __future__ import annotations

from pathlib import Path

import click

from azulejos.cli.common import GameCommand, Number, out_option
from azulejos.cli.inputs import takes_position
from azulejos.core.position import Position


@click.command(cls=GameCommand)
@out_option(".svg", ".png", what="File to write, .svg or .png. Default: SVG on standard output.")
@click.option("--names", default="", metavar="A,B,…", help="Names of the players, in seat order.")
@click.option("--dark", is_flag=True, help="Use the dark theme.")
@click.option("--scale", default=2.0, show_default=True, type=Number(0.1, 10),
              help="Size of a PNG; at 1 a tile is 40 pixels wide.")
@takes_position
def draw(position: Position, out: Path | None, names: str, dark: bool, scale: float) -> None:
    """Draw POSITION as SVG or PNG."""
    import azulejos.svg

    called = [name.strip() for name in names.split(",")] if names else []
    if len(called) > position.players:
        raise click.UsageError(f"{len(called)} names for {position.players} players")
    svg = azulejos.svg.position(position, names=called, dark=dark)
    if out is None:
        click.echo(svg)
    elif out.suffix == ".svg":
        out.write_text(svg, "utf-8")
    else:
        from azulejos.render.png import svg_to_png

        out.write_bytes(svg_to_png(svg, scale=scale, others=True))
