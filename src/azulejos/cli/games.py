"""List the boxes with their presets, options and numbers of players."""

from __future__ import annotations

import json
from typing import Any

import click

from azulejos.cli.common import complaints, console, json_option, results_table, say
from azulejos.core import registry
from azulejos.core.components import uncertain, write_components
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game, Option, Preset
from azulejos.core.message import msg


@click.command()
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
