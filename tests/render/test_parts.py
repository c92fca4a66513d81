"""A page that is told of changed parts shows what a page drawn as a whole would show."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos.core.scene import scene_of
from azulejos.render import Drawn, draw_panel


def drawn(position: azulejos.Position, before: dict[str, Drawn]) -> dict[str, Drawn]:
    scene = scene_of(position, ("Ana", "Bruno"))
    return {
        panel.id: draw_panel(panel, theme=scene.theme, say=str, before=before.get(panel.id))
        for panel in scene.panels
    }


def told(page: Drawn, new: Drawn) -> Drawn:
    """What static/table.js does: replace, remove, put on top; or all of it anew."""
    changes = new.changes(page)
    if changes is None:
        return new
    layers = {layer: dict(parts) for layer, parts in page.layers.items()}
    for layer, parts in changes.items():
        for part, markup in parts.items():
            if markup is None:
                del layers[layer][part]
            else:
                layers[layer][part] = markup
    return Drawn(page.head, layers, {})


@pytest.mark.parametrize("box", ["azul", "chocolatier", "sintra-a", "garden"])
def test_changed_parts_make_the_whole_picture(box: str) -> None:
    rng, position = random.Random(box), azulejos.new(box)
    position.deal(rng)
    before = drawn(position, {})
    pages, in_parts = before, 0
    for _ in range(40):
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
        if position.is_over:
            break
        new = drawn(position, before)
        in_parts += sum(new[panel].changes(pages[panel]) is not None for panel in pages)
        pages = {panel: told(page, new[panel]) for panel, page in pages.items()}
        fresh = drawn(position, {})
        assert [page.svg() for page in pages.values()] == [page.svg() for page in fresh.values()]
        before = new
    assert in_parts > 100
