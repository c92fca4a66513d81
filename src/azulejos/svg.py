"""Positions as SVG pictures: ``azulejos.svg.position(position, names=["Ana", "Bo"], dark=True)``."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.scene import scene_of
from azulejos.render.svg import Say, scene_svg


def position(
    position: Position, *, names: Sequence[str] = (), say: Say = str, dark: bool = False
) -> str:
    """One standalone picture of a position, its notation as the description.

    `names` are those of the players in the order of seats; `say` translates messages.
    """
    called = [*names, *(say(msg("Player {n}", n=seat + 1)) for seat in range(len(names), position.players))]
    scene = scene_of(position, called)
    return scene_svg(scene, say=say, dark=dark, text=position.text())
