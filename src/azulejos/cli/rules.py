"""Read the rules of a game."""

from __future__ import annotations

import click

from azulejos.cli.common import complaints, console, say
from azulejos.cli.show import show_board, tell
from azulejos.core import registry
from azulejos.core.guide import Guide, Picture, Section, guide_of
from azulejos.core.message import Message, msg
from azulejos.core.terminal import columns
from azulejos.i18n import LANGUAGES
from azulejos.i18n.catalogue import NAMES
from azulejos.i18n.terms import terms


@click.command()
@click.argument("game")
@click.option("--pictures", is_flag=True, help="Also draw the positions of the examples.")
def rules(game: str, pictures: bool) -> None:
    """Print the rules of GAME (a box, as listed by azulejos games)."""
    with complaints():
        guide = guide_of(registry.find(game)[0])
    show_guide(guide, drawn=pictures)


def show_guide(guide: Guide, *, drawn: bool) -> None:
    out = console()
    tell(out, guide.title, "bold")
    if guide.facts is not None:
        tell(out, guide.facts, "italic")
    out.print(say(guide.summary), markup=False)
    for section in guide.sections:
        _show_section(section, drawn=drawn)
    if guide.card:
        _show_card(guide)
    if guide.terms:
        _show_glossary(guide)


def _show_section(section: Section, *, drawn: bool) -> None:
    out = console()
    _heading(section.title)
    for paragraph in section.paragraphs:
        out.print(say(paragraph), markup=False)
    if section.table is not None:
        _show_rows([[say(word) for word in row] for row in (section.table.head, *section.table.rows)])
    for some in section.pieces:
        names = ", ".join(map(say, some.names))
        out.print(f"{'✓' if some.allowed else '✗'} {names}: {say(some.caption)}", markup=False)
    if section.picture is not None:
        _show(section.picture, say(msg("For example: {example}", example=section.picture.caption)), drawn)
    for n, picture in enumerate(section.steps, 1):
        _show(picture, f"{n}. {say(picture.caption)}", drawn)


def _show(picture: Picture, said: str, drawn: bool) -> None:
    out = console()
    if drawn:
        table = picture.table()
        show_board(out, table, tuple(say(msg("Player {n}", n=seat + 1)) for seat in range(table.players)))
    out.print(said, style="italic", markup=False, soft_wrap=True)
    for part in picture.parts:
        out.print(f"- {say(part.name)}", markup=False)


def _show_card(guide: Guide) -> None:
    _heading(msg("Quick reference"))
    for title, lines in guide.card:
        tell(console(), title, "italic")
        for line in lines:
            console().print(f"- {say(line)}", markup=False)


def _show_glossary(guide: Guide) -> None:
    _heading(msg("Glossary"))
    found = [terms()[name].words for name in guide.terms]
    _show_rows([[words[language] for language in LANGUAGES] for words in (NAMES, *found)])


def _heading(title: Message) -> None:
    console().print()
    tell(console(), title, "bold")


def _show_rows(rows: list[list[str]]) -> None:
    """Print columns, each as wide as its longest text."""
    wide = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text + " " * (width - columns(text)) for text, width in zip(row, wide, strict=True))
        console().print("  ".join(cells).rstrip(), markup=False, soft_wrap=True)
