"""Two renderers, one table: the browser draws from plan and frames what Python draws from scenes."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from azulejos.core.scene import WIDE, Panel, Scene
from azulejos.i18n import translator
from azulejos.render import panel_svg
from azulejos.web.frames.account import account_of
from azulejos.web.frames.frame import Showing
from azulejos.web.frames.viewer import Viewer
from azulejos.web.pages.boxes import playable
from azulejos.web.tables.saved import HUMAN, PLAYING, SavedAction, SavedSeat, new_table
from azulejos.web.tables.table_state import TableState
from web.server import Server

READ = (Path(__file__).parent / "read_table.js").read_text()
WELLS = {"well", "plate", "card", "badge", "flower", "bed", "hit"}
EVERY = 6
"""One moment in this many is compared; all are drawn."""
CASES = [
    (box, players, language)
    for i, box in enumerate(playable())
    for players, language in ((2, "en"), (3 + i % 2, ("pl", "cs", "et", "zh_Hant")[i % 4]))
]


class Game:
    """A random game at a table, shown to a viewer who holds every seat."""

    def __init__(self, box: str, players: int, language: str) -> None:
        names = ("Ana", "Bruno & Co", "Cé <3", "Dora")
        seats = tuple(SavedSeat(seat=i, kind=HUMAN, name=names[i]) for i in range(players))
        self.rng = random.Random(f"{box} {players}")
        self.table = TableState(replace(new_table(box, seats, {}), state=PLAYING))
        self.showing = Showing(self.table, Viewer(seats=frozenset(range(players)), language=language))

    def moments(self) -> Iterator[tuple[dict[str, Any], Scene]]:
        """Frames and the scenes that they should produce; sometimes the viewer looks back."""
        yield from self._shown(None)
        while not self.table.position.is_over:
            self._play()
            yield from self._shown(None)
            if self.rng.random() < 0.05:
                yield from self._shown(self.rng.randrange(self.table.ply))

    def _shown(self, looking: int | None) -> Iterator[tuple[dict[str, Any], Scene]]:
        last = False
        while not last:
            made, last = self.showing.next(self.table, looking)
            frame = json.loads(made)
            yield frame, account_of(self.table).scene(self.table.at(frame["seen"]))

    def _play(self) -> None:
        position = self.table.position
        entry = SavedAction(action=self.rng.choice(position.legal_actions()), seat=position.to_move, at=0)
        position.play(entry.action)
        self.table.timeline.extend([entry])
        self.table.drop_draft()


@pytest.mark.parametrize(("box", "players", "language"), CASES)
def test_the_browser_draws_what_python_draws(
    browser: Browser, server: Server, box: str, players: int, language: str
) -> None:
    game = Game(box, players, language)
    found = list(game.moments())
    plan = game.showing.plan
    page = browser.new_page()
    page.goto(f"{server.url}/healthz")
    given = {"plan": json.loads(plan.forms[WIDE].body), "sprite": plan.sprite.decode(), "every": EVERY}
    seen = page.evaluate(READ, {**given, "frames": [frame for frame, _ in found]})
    page.close()
    assert len(seen) > 40
    for moment in range(0, len(found), EVERY):
        for panel, drawn in zip(found[moment][1].panels, seen[moment], strict=True):
            wanted = drawn_by_python(panel, plan.plan.theme, language)
            assert alike({what: sorted(there) for what, there in drawn.items()}, wanted), (drawn, wanted)


def alike(one: Any, other: Any) -> bool:
    """Whether two drawings agree within a tenth of a unit: a tile is 100 wide, and both sides round."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) < 0.11
    return bool(one == other)


def drawn_by_python(panel: Panel, theme: str, language: str) -> dict[str, Any]:
    root = ElementTree.fromstring(panel_svg(panel, theme=theme, say=translator(language)))
    nodes = {name: [e for e in root.iter() if name in classes(e)] for name in ("slot", "piece", "key")}
    (labels,) = (e for e in root if e.get("data-layer") == "labels")
    return {
        "slots": sorted(slot(e) for e in nodes["slot"]),
        "pieces": sorted(piece(e) for e in nodes["piece"]),
        "labels": sorted(
            [text(e), e.get("class"), numbers(f"{e.get('x')} {e.get('y')}"), e.get("text-anchor")]
            for e in labels.iter() if e.get("x") is not None
        ),
        "keys": sorted([e.get("data-for"), text(e), at(e)] for e in nodes["key"]),
        "active": [e.get("class") for e in root.iter() if {"board", "active"} <= classes(e)],
    }


def piece(e: ElementTree.Element) -> list[Any]:
    counts = [text(one) for one in e.iter() if "count-text" in classes(one)]
    return [e.get("data-slot"), e.get("data-kind"), at(e), counts]


def slot(e: ElementTree.Element) -> list[Any]:
    drawn = [one for one in e.iter() if one is not e]
    captions = [text(one) for one in e if "caption" in classes(one)]
    used = sorted(str(one.get("href")) for one in drawn if one.get("href"))
    wells = sum(bool(classes(one) & WELLS) for one in drawn)
    kind = (e.get("class") or "").split()[1]
    return [e.get("data-slot"), kind, at(e), e.get("aria-label"), captions, used, wells]


def classes(e: ElementTree.Element) -> set[str]:
    return set((e.get("class") or "").split())


def text(e: ElementTree.Element) -> str:
    return "".join(e.itertext())


def at(e: ElementTree.Element) -> list[float]:
    return numbers(e.get("transform") or "")


def numbers(written: str) -> list[float]:
    return [round(float(one), 2) for one in re.findall(r"-?[\d.]+", written)]
