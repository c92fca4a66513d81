"""What only our own games can be asked; everything else is in `azulejos.conformance`."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos
from azulejos.conformance.test_guides import NAMES, every_game, pictures
from azulejos.conformance.test_prospects import MOVES, shown
from azulejos.core import registry
from azulejos.core.chance import seeded
from azulejos.core.game import Game
from azulejos.core.guide import guide_of
from azulejos.core.message import Message
from azulejos.core.scene import prospect
from azulejos.i18n import extract
from azulejos.i18n.catalogue import terms
from azulejos.render.svg import arrows


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



@every_game
def test_every_sentence_of_a_guide_can_be_translated(game: Game) -> None:
    known = extract.sentences()
    for message in messages(game):
        assert isinstance(message, Message)
        assert message.text in known
        fields = [field for _, field, _, _ in string.Formatter().parse(message.text) if field is not None]
        assert fields == [name for name, _ in message.args]



def test_arrows_within_a_panel_and_rings_around_what_goes_to_another() -> None:
    picture = next(picture for picture in pictures() if picture.move == "1w3" and len(picture.panels) == 2)
    before, after = picture.scene_before(NAMES), picture.scene(NAMES)
    offer, board = (arrows(panel, before, after) for panel in after.panels)
    assert (offer.count("moved-head"), offer.count("moved left")) == (2, 2)  # to the centre, to the board
    assert (board.count("moved-head"), board.count("moved come")) == (0, 2)



def test_every_game_that_ships_has_a_lesson() -> None:
    assert {game.name for game in registry.games() if game.lesson is None} == set()



def test_generators_start_where_they_always_did() -> None:
    """Seeds in records, prices and papers mean the same games for ever."""
    assert [int(state) for state in seeded(5, 3)] == [
        14072917602864530048, 6394052312532759219, 11736230232210755335
    ]



OURS = [name for name, (game, _) in azulejos.presets().items() if game.package.startswith("azulejos.")]



@pytest.mark.parametrize("name", OURS)
def test_every_plane_is_documented(name: str) -> None:
    game, preset = azulejos.presets()[name]
    text = (Path(__file__).parents[2] / "docs" / "observations.md").read_text("utf-8")
    for plane in game.planes(2, preset.options):
        shape = " × ".join(str(length) for length in plane.shape)
        assert f"| {shape} | {plane.doc} |" in text



@pytest.mark.parametrize("box", ["azul", "chocolatier"])
def test_the_tile_foreseen_on_the_wall_is_there_after_the_round(box: str) -> None:
    rng = random.Random(box)
    position = azulejos.new(box, players=2)
    position.deal(rng)
    promised: dict[str, str] = {}
    for _ in range(MOVES):
        scene, turns = shown(position), position.state.round
        choice = rng.choice(scene.choices)
        foreseen = prospect(position, choice.action, scene, choice.path)
        promised |= {piece.slot: piece.kind for piece in foreseen.pieces if "wall" in piece.slot}
        position.play(choice.action)
        if position.is_over or position.state.round > turns:
            break
    lies = shown(position).lies
    assert promised
    assert {slot: lies[slot][0].kind for slot in promised} == promised


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
