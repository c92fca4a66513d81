"""Every box at many moments of a random game: the scene is consistent and its picture well formed."""

from __future__ import annotations

import functools
import random
import re
import xml.etree.ElementTree as ElementTree

import pytest

import azulejos
from azulejos import svg
from azulejos.core.contract import needed
from azulejos.core.message import raw
from azulejos.core.scene import Panel, Piece, Scene, Slot, scene_of
from azulejos.render import page_css, panel_svg, themes
from azulejos.render.symbols import of_panels
from azulejos.render.themes import rules

NAMES = ("Ana", "Bruno & Co", "Cé <3", "Dora")
CASES = [(name, players) for name in azulejos.presets() for players in (2, 4)]
MOMENTS = 16
every_box = pytest.mark.parametrize(("name", "players"), CASES)


@functools.cache
def moments(name: str, players: int) -> tuple[tuple[azulejos.Position, Scene], ...]:
    """Positions of one random game with their scenes: before the first draw, along the game, at its end."""
    rng = random.Random(f"{name} {players}")
    position = azulejos.new(name, players=players)
    texts = [position.text()]
    while not position.is_over:
        position.play(rng.choice(position.legal_actions()))
        texts.append(position.text())
    chosen = [*texts[:: len(texts) // MOMENTS], texts[-1]]
    positions = [azulejos.Position.from_text(text) for text in chosen]
    return tuple((position, named_scene(position)) for position in positions)


@every_box
def test_a_plan_has_every_slot_label_and_kind_of_its_scenes(name: str, players: int) -> None:
    for _, scene in moments(name, players):
        ids = [slot.id for panel in scene.plan.panels for slot in panel.slots]
        labels = [label.id for panel in scene.plan.panels for label in panel.labels if label.id]
        assert len(ids) == len(set(ids))
        assert len(labels) == len(set(labels))
        assert set(scene.lies) | set(scene.places) <= set(ids)
        assert set(scene.labels) <= set(labels)
        assert {piece.kind for lying in scene.lies.values() for piece in lying} <= set(scene.plan.kinds)
        assert scene.plan is moments(name, players)[0][1].plan


def named_scene(position: azulejos.Position) -> Scene:
    scene = scene_of(position, NAMES[: position.players])
    assert isinstance(scene, Scene)
    return scene


@every_box
def test_scenes_hold_together(name: str, players: int) -> None:
    for _, scene in moments(name, players):
        ids = [slot.id for panel in scene.panels for slot in panel.slots]
        assert len(ids) == len(set(ids))
        assert [panel.seat for panel in scene.panels if panel.seat is not None] == list(range(players))
        for panel in scene.panels:
            slots = {slot.id: slot for slot in panel.slots}
            for piece in panel.pieces:
                assert piece.count >= 1
                assert 0 <= piece.spot < max(1, len(slots[piece.slot].spots))
        assert str(scene.status)


@every_box
def test_every_legal_move_has_clicks_of_its_own(name: str, players: int) -> None:
    for position, scene in moments(name, players):
        slots = scene.slots()
        legal = [] if position.is_chance else position.legal_actions()
        assert sorted({choice.action for choice in scene.choices}) == legal
        paths = [choice.path for choice in scene.choices]
        assert len(paths) == len(set(paths))
        assert scene.path(len(position.game.moves)) == ()
        for choice in scene.choices:
            assert choice.path
            assert all(click in slots for click in choice.path)
            assert str(position.preview(choice.action))
            assert scene.path(choice.action) in paths
            assert not any(path != choice.path and path == choice.path[: len(path)] for path in paths)


@every_box
def test_pieces_lie_within_their_panels(name: str, players: int) -> None:
    for _, scene in moments(name, players):
        for panel in scene.panels:
            for slot in panel.slots:
                for x, y, _ in map(slot.at, range(max(1, len(slot.spots)))):
                    assert 0 <= x <= panel.width
                    assert 0 <= y <= panel.height


@every_box
def test_panels_are_well_formed_and_name_every_slot_and_piece(name: str, players: int) -> None:
    for _, scene in moments(name, players):
        for panel in scene.panels:
            root = ElementTree.fromstring(panel_svg(panel, theme=scene.theme, say=str))
            drawn = [e.get("data-slot") for e in root.iter() if "slot" in (e.get("class") or "").split()]
            pieces = [e.get("data-kind") for e in root.iter() if "piece" in (e.get("class") or "").split()]
            assert sorted(map(str, drawn)) == sorted(slot.id for slot in panel.slots)
            assert pieces == [piece.kind for piece in panel.pieces]
            for element in root.iter():
                assert "style" not in element.attrib
                assert not any(attribute.startswith("on") for attribute in element.attrib)


@every_box
def test_a_picture_stands_alone(name: str, players: int) -> None:
    position, _ = moments(name, players)[5]
    for dark in (False, True):
        picture = svg.position(position, names=NAMES[:players], dark=dark)
        root = ElementTree.fromstring(picture)
        description = root.find("{http://www.w3.org/2000/svg}desc")
        assert description is not None
        assert azulejos.Position.from_text(description.text or "") == position
        assert "var(" not in picture


@every_box
def test_every_colour_of_the_box_is_in_its_theme(name: str, players: int) -> None:
    for _, scene in moments(name, players):
        paints = themes()[scene.theme].pieces
        for panel in scene.panels:
            assert {piece.kind.partition(".")[0] for piece in panel.pieces} <= set(paints)


@pytest.mark.parametrize("name", azulejos.presets())
def test_points_rise_from_slots_of_the_table(name: str) -> None:
    rng = random.Random(name)
    position = azulejos.new(name)
    while not position.is_over:
        position.play(rng.choice(position.legal_actions()))
    slot_of = needed(position.game, position.game.view, "view.py").slot_of
    earning = {slot_of(scored.seat, scored.place) for scored in position.explain()}
    assert len(earning - {None}) > 3
    assert earning - {None} <= set(named_scene(position).slots())


def test_notebooks_show_a_position() -> None:
    position = azulejos.new("azul")
    assert position._repr_svg_() == svg.position(position)
    assert "Player 2" in position._repr_svg_()


@pytest.mark.parametrize("theme", themes())
def test_drawings_use_only_colours_that_their_theme_defines(theme: str) -> None:
    drawn = rules(tuple(themes()[theme].pieces)) + of_panels((), theme)
    used = {part.partition(")")[0] for part in drawn.split("var(--")[1:]}
    for dark in (False, True):
        assert used <= set(themes()[theme].variables(dark=dark))


def test_the_style_sheet_of_pages_defines_what_it_uses() -> None:
    css = page_css()
    used = {re.split("[),]", part)[0] for part in css.split("var(--")[1:]}
    defined = set(re.findall(r"--([a-z0-9-]+):", css))
    assert used <= defined


def test_a_badge_with_a_number_lies_above_the_pieces() -> None:
    slot = Slot("o", 1, 1, raw("ornament"), shape="badge", caption="6")
    pane = Slot("p", 1, 1, raw("pane"))
    panel = Panel("x", raw("x"), 2, 2, (slot, pane), (Piece("blue", "p", raw("blue")),))
    drawn = panel_svg(panel, theme="glass", say=str)
    assert drawn.index('class="piece') < drawn.index("badge-slot")
