"""Read the rules of a game, in our own words."""

from __future__ import annotations

import click

from azulejos.cli.common import complaints, console, say
from azulejos.cli.show import show_board, tell
from azulejos.core import registry
from azulejos.core.guide import Picture, guide_of
from azulejos.core.message import msg


@click.command()
@click.argument("game")
@click.option("--pictures", is_flag=True, help="Draw the positions of the examples, too.")
def rules(game: str, pictures: bool) -> None:
    """Print the rules of GAME (a box, as azulejos games lists them)."""
    with complaints():
        guide = guide_of(registry.find(game)[0])
    out = console()
    tell(out, guide.title, "bold")
    out.print(say(guide.summary), markup=False)
    for section in guide.sections:
        out.print()
        tell(out, section.title, "bold")
        for paragraph in section.paragraphs:
            out.print(say(paragraph), markup=False)
        if section.picture is not None:
            _show(section.picture, drawn=pictures)


def _show(picture: Picture, *, drawn: bool) -> None:
    out = console()
    if drawn:
        table = picture.table()
        show_board(out, table, tuple(say(msg("Player {n}", n=seat + 1)) for seat in range(table.players)))
    tell(out, msg("For example: {example}", example=picture.caption), "italic")
