"""Every game explains itself: complete, translatable, with pictures that can be drawn."""

from __future__ import annotations

import random
import string
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import pytest

import azulejos
from azulejos.core import registry
from azulejos.core.game import MAX_SEATS, Game
from azulejos.core.guide import Picture, guide_of, section_about
from azulejos.core.message import Message
from azulejos.i18n import extract
from azulejos.render import panel_svg

NAMES = [f"Player {seat + 1}" for seat in range(MAX_SEATS)]
every_game = pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)


def messages(game: Game) -> Iterator[Message]:
    guide = guide_of(game)
    yield from (guide.title, guide.summary)
    for section in guide.sections:
        yield section.title
        yield from section.paragraphs
        if section.picture is not None:
            yield section.picture.caption


def pictures() -> list[Picture]:
    found = [section.picture for game in registry.games() for section in guide_of(game).sections]
    return [picture for picture in found if picture is not None]


@every_game
def test_a_guide_tells_what_a_player_needs(game: Game) -> None:
    guide = guide_of(game)
    ids = [section.id for section in guide.sections]
    assert len(ids) == len(set(ids))
    assert {"goal", "set-up", "end", "rulings"} <= set(ids)
    assert all(section.paragraphs for section in guide.sections)
    assert any(section.picture for section in guide.sections)


@every_game
def test_every_sentence_of_a_guide_can_be_translated(game: Game) -> None:
    known = extract.sentences()
    for message in messages(game):
        assert isinstance(message, Message)
        assert message.text in known
        assert all(field is None for _, field, _, _ in string.Formatter().parse(message.text))


@pytest.mark.parametrize("picture", pictures(), ids=lambda picture: picture.position.partition("/")[0])
def test_every_picture_loads_and_draws(picture: Picture) -> None:
    assert picture.table().text() == picture.position
    scene = picture.scene(NAMES)
    assert [panel.id for panel in scene.panels] == list(picture.panels)
    for panel in scene.panels:
        drawn = ElementTree.fromstring(panel_svg(panel, theme=scene.theme, say=str))
        assert len(list(drawn.iter())) > 10


@every_game
def test_every_refusal_has_a_section_to_read(game: Game) -> None:
    """In some positions of a random game, every decision that is not legal leads to a part of the guide."""
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
