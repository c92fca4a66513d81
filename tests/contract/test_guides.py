"""The guide of every game: complete, translatable, with pictures that can be drawn."""

from __future__ import annotations

import random
import string
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest

import azulejos
from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import PART, Picture, guide_of, section_about
from azulejos.core.message import Message
from azulejos.core.position import Position
from azulejos.core.scene import flights
from azulejos.i18n import extract
from azulejos.i18n.catalogue import terms
from azulejos.render import panel_svg
from azulejos.render.svg import arrows

NAMES = [f"Player {seat + 1}" for seat in range(MAX_SEATS)]
WITH_GUIDE = [game for game in registry.games() if game.guide is not None]
"""A guide is optional."""
every_game = pytest.mark.parametrize("game", WITH_GUIDE, ids=lambda game: game.name)


def messages(game: Game) -> Iterator[Message]:
    guide = guide_of(game)
    assert guide.facts is not None
    yield from (guide.title, guide.facts, guide.summary)
    for section in guide.sections:
        yield section.title
        yield from section.paragraphs
        yield from (some.caption for some in section.pieces)
    for picture in guide.pictures:
        yield picture.caption
        yield from (part.name for part in picture.parts)
    for title, lines in guide.card:
        yield from (title, *lines)


def pictures() -> list[Picture]:
    return [picture for game in WITH_GUIDE for picture in guide_of(game).pictures]


@every_game
def test_a_guide_tells_what_a_player_needs(game: Game) -> None:
    guide = guide_of(game)
    ids = [section.id for section in guide.sections]
    assert len(ids) == len(set(ids))
    assert {"goal", "set-up", "end", "rulings"} <= set(ids)
    assert all(section.paragraphs for section in guide.sections)
    set_up = next(section.picture for section in guide.sections if section.id == "set-up")
    assert set_up is not None
    assert set_up.parts
    assert len(guide.glance) == 3
    assert guide.card
    assert guide.terms
    assert any(4 <= len(section.steps) <= 7 for section in guide.sections)
    assert set(guide.terms) <= terms().keys()


@every_game
def test_every_sentence_of_a_guide_can_be_translated(game: Game) -> None:
    known = extract.sentences()
    for message in messages(game):
        assert isinstance(message, Message)
        assert message.text in known
        fields = [field for _, field, _, _ in string.Formatter().parse(message.text) if field is not None]
        assert fields == [name for name, _ in message.args]


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


def test_arrows_within_a_panel_and_rings_around_what_goes_to_another() -> None:
    picture = next(picture for picture in pictures() if picture.move == "1w3" and len(picture.panels) == 2)
    before, after = picture.scene_before(NAMES), picture.scene(NAMES)
    offer, board = (arrows(panel, before, after) for panel in after.panels)
    assert (offer.count("moved-head"), offer.count("moved left")) == (2, 2)  # to the centre, to the board
    assert (board.count("moved-head"), board.count("moved come")) == (0, 2)


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
    assert len(found) > 1
    assert found <= ids
