"""What there is to play: the boxes with their options, and the rules of their games."""

from __future__ import annotations

import json
from typing import Any

import click

from azulejos.cli.common import complaints, console, json_option, results_table, say
from azulejos.cli.positions import show_board, tell
from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game, Option, Preset
from azulejos.core.guide import Guide, Picture, Section, guide_of
from azulejos.core.message import Message, msg
from azulejos.core.registry import uncertain, write_components
from azulejos.core.terminal import columns
from azulejos.i18n import LANGUAGES
from azulejos.i18n.catalogue import NAMES, terms


@click.command(short_help="List the boxes with their presets, options and numbers of players.")
@json_option
@click.argument("name", required=False)
def games(name: str | None, as_json: bool) -> None:
    """List the boxes, or show one of them with its options."""
    with complaints():
        found = [registry.find(name)] if name else list(registry.presets().values())
    if as_json:
        boxes = [_as_data(*box) for box in found]
        click.echo(json.dumps(boxes[0] if name else boxes))
    elif name:
        _show_box(*found[0])
    else:
        _list_boxes(found)


def _as_data(game: Game, preset: Preset) -> dict[str, Any]:
    usual = game.read_options(preset.options)
    options = {
        option.name: {"values": list(option.values), "here": usual[option.name], "about": say(option.label)}
        for option in _choices(game)
    }
    return {
        "box": preset.name, "game": game.name, "title": say(preset.title), "about": say(preset.about),
        "players": [MIN_SEATS, MAX_SEATS], "rules_version": game.version, "options": options,
    }


def _list_boxes(boxes: list[tuple[Game, Preset]]) -> None:
    headings = ("box", "what is in it", "players", "options")
    shown = results_table(*headings, words=headings, long=headings[1:])
    for game, preset in boxes:
        components = ["--components"] if uncertain(game) else []
        options = ", ".join([*(f"--{option.name}" for option in _choices(game)), *components])
        shown.add_row(preset.name, say(preset.about), f"{MIN_SEATS}-{MAX_SEATS}", options)
    console().print(shown)


def _show_box(game: Game, preset: Preset) -> None:
    out = console()
    out.print(say(preset.title), style="bold")
    out.print(say(preset.about))
    out.print(f"{MIN_SEATS}-{MAX_SEATS} players, rules version {game.version}", style="bright_black")
    usual = game.read_options(preset.options)
    for option in _choices(game):
        out.print(f"  --{option.name} {_values(option, usual[option.name])}", markup=False)
    if uncertain(game):
        _show_components(game, usual)


def _choices(game: Game) -> list[Option]:
    return [option for option in game.options if option.component is None]


def _values(option: Option, usual: str) -> str:
    values = "|".join(option.values) or "VALUE"
    return f"{values}   {say(option.label)}; here: {usual}"


def _show_components(game: Game, options: dict[str, str]) -> None:
    """Show which components are stand-ins, and a components file with the current values."""
    out = console()
    out.print()
    for _, component in uncertain(game):
        out.print(say(component.about))
    out.print(say(msg("If you own the game, correct these lines in a file of your own and give it with "
                      "--components FILE:")), markup=False)
    out.print()
    out.print(write_components(game, options), markup=False, end="")


# --- rules --------------------------------------------------------------------------------------------


@click.command(short_help="Read the rules of a game.")
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
