"""Every box with every number of players, and the options that a box leaves open."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

import azulejos
from azulejos import Position


def variants() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Each box for 2-4 players, and each game with every combination of its listed options."""
    for name, (game, preset) in azulejos.presets().items():
        for players in (2, 3, 4):
            yield name, players, {}
        if preset is game.presets[0]:
            listed = [option for option in game.options if option.values and option.name != "start"]
            for values in itertools.product(*(option.values for option in listed)):
                yield name, 3, {option.name: v for option, v in zip(listed, values, strict=True)}


def label(variant: tuple[str, int, dict[str, str]]) -> str:
    name, players, options = variant
    return "-".join([name, str(players), *options.values()])


def new(variant: tuple[str, int, dict[str, str]]) -> Position:
    name, players, options = variant
    return azulejos.new(name, players=players, **options)


def _marks(variant: tuple[str, int, dict[str, str]]) -> list[pytest.MarkDecorator]:
    """Quick tests use every box with one number of players in turn, and the combinations of options."""
    name, players, options = variant
    turn = 2 + list(azulejos.presets()).index(name) % 3
    return [] if options or players == turn else [pytest.mark.slow]


VARIANTS = [
    pytest.param(variant, id=label(variant), marks=_marks(variant)) for variant in variants()
]
