"""The boxes on the shelf: presets that share a cover are variants of one box."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, MIN_SEATS, Cover, Game, Option, Preset
from azulejos.core.message import Message, raw


@functools.cache
def playable() -> dict[str, tuple[Game, Preset]]:
    """Presets whose table can be drawn."""
    return {
        name: (game, preset) for name, (game, preset) in registry.presets().items()
        if game.view is not None
    }


@dataclass(frozen=True, kw_only=True)
class Box:
    """A cover and its presets."""

    game: Game
    cover: Cover
    presets: tuple[Preset, ...]
    players: tuple[int, int] = (MIN_SEATS, MAX_SEATS)

    @property
    def name(self) -> str:
        """The name of its first preset: what is played if no variant is chosen."""
        return self.presets[0].name

    @property
    def theme(self) -> str:
        return self.presets[0].theme

    @property
    def has_variants(self) -> bool:
        return len(self.presets) > 1 and all(preset.variant for preset in self.presets)

    @functools.cached_property
    def rarer_options(self) -> tuple[Option, ...]:
        """Options that neither the variants nor the seats decide."""
        return tuple(
            option for option in self.game.options
            if option.name != START_OPTION and not option.component and not self._varies(option)
        )

    def _varies(self, option: Option) -> bool:
        values = {self.game.read_options(preset.options)[option.name] for preset in self.presets}
        return self.has_variants and len(values) > 1


START_OPTION = "start"
"""Who begins: asked beside the clock, not among the rarer options."""


@functools.cache
def shelf() -> tuple[Box, ...]:
    """All boxes, the quickest first; those whose time is unknown come last."""
    groups: dict[object, list[tuple[Game, Preset]]] = {}
    for name, (game, preset) in playable().items():
        groups.setdefault(name if preset.cover is None else preset.cover, []).append((game, preset))
    boxes = (
        Box(game=group[0][0], cover=group[0][1].cover or _own_cover(group[0][1]),
            presets=tuple(preset for _, preset in group))
        for group in groups.values()
    )
    return tuple(sorted(boxes, key=lambda box: box.cover.minutes or math.inf))


def _own_cover(preset: Preset) -> Cover:
    return Cover(title=preset.title, short=preset.title, sentence=preset.about, minutes=0)


def box_of(preset: str) -> Box:
    """The box that holds a preset."""
    return next(box for box in shelf() if any(one.name == preset for one in box.presets))


def title_of(preset: str) -> Message:
    """The title of the box of a preset; for one that is no longer installed, its name."""
    return box_of(preset).cover.title if preset in playable() else raw(preset)
