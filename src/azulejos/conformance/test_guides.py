"""The guide of every game: complete, translatable, with pictures that can be drawn."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ElementTree

import pytest

import azulejos
from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import PART, Picture, guide_of, section_about
from azulejos.core.position import Position
from azulejos.core.scene import flights
from azulejos.render import panel_svg
from azulejos.render.svg import arrows

NAMES = [f"Player {seat + 1}" for seat in range(MAX_SEATS)]
WITH_GUIDE = [game for game in registry.games() if game.guide is not None]
"""A guide is optional."""
every_game = pytest.mark.parametrize("game", WITH_GUIDE, ids=lambda game: game.name)


def pictures() -> list[Picture]:
    return [picture for game in WITH_GUIDE for picture in guide_of(game).pictures]


@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.position.partition("/")[0])
def test_every_picture_loads_and_draws(picture: Picture) -> None:
    assert Position.from_text(picture.position).text() == picture.position
    scene = picture.scene(NAMES)
    assert [panel.id for panel in scene.panels] == list(picture.panels)
    for panel in scene.panels:
        drawn = ElementTree.fromstring(panel_svg(panel, theme=scene.theme, say=str))
        assert len(list(drawn.iter())) > 10
    slots = [slot for panel in scene.panels for slot in panel.slots]
    numbers = {slot.caption for slot in slots if slot.id.startswith(PART)}
    assert numbers == {str(n + 1) for n in range(len(picture.parts))}


@pytest.mark.parametrize(
    "picture", [picture for picture in pictures() if picture.move], ids=lambda picture: picture.move
)
def test_a_picture_of_a_move_shows_what_moved(picture: Picture) -> None:
    before, after = picture.scene_before(NAMES), picture.scene(NAMES)
    assert before.lying != after.lying
    drawn = "".join(arrows(panel, before, after) for panel in after.panels)
    ElementTree.fromstring(f"<svg>{drawn}</svg>")
    moved = flights(before, after)
    shown = {panel.id for panel in after.panels}
    seen = [flight for flight in moved
            if {after.plan.panel_of[flight.source], after.plan.panel_of[flight.target]} & shown]
    assert drawn.count('class="moved') >= len(seen)


@every_game
def test_every_refusal_has_a_section_to_read(game: Game) -> None:
    """In some positions of a random game, every illegal decision leads to a section of the guide."""
    ids = {section.id for section in guide_of(game).sections}
    position, rng = azulejos.new(game.presets[-1].name, players=2), random.Random(1)
    found = set()
    for _ in range(150):
        position.deal(rng)
        if position.is_over:
            break
        found |= {section_about(position, action) for action in range(0, game.decisions, 7)}
        position.play(rng.choice(position.legal_actions()))
    assert found
    assert found <= ids
