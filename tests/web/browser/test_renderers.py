"""Two renderers, one table: the browser draws from plan and frames what Python draws from scenes."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser

from azulejos.core.position import before_round_end
from azulejos.core.scene import WIDE, Panel, Scene
from azulejos.i18n import translator
from azulejos.render import panel_svg
from azulejos.web.store.saved import HUMAN, PLAYING, SavedAction, SavedSeat
from azulejos.web.tables.boxes import playable
from azulejos.web.tables.live_table import new_table
from azulejos.web.wire.account import account_of
from azulejos.web.wire.frame import Showing
from azulejos.web.wire.words import Viewer
from samples import sampled
from web.played import unstored
from web.server import Server

READ = (Path(__file__).parent / "read_table.js").read_text()
WELLS = {"well", "plate", "card", "badge", "flower", "bed", "hit"}
EVERY = 3
"""One moment in this many is compared, and each one before a round is scored; all are drawn."""
SOME = 40
"""Decisions in a game that ends when a round has been scored after them."""
QUICK = [("azul", 2, "pl", SOME), ("sintra-b", 3, "zh_Hant", SOME), ("garden", 2, "cs", SOME)]
WHOLE = [(box, *how, 1000) for box in playable() for how in ((2, "en"), (4, "pl"))]
CASES = sampled([*QUICK, *WHOLE], quick=QUICK)


class Moment(NamedTuple):
    frame: dict[str, Any]
    scene: Scene
    """What the frame should produce."""
    before_scoring: bool
    """The last pieces of the round lie where they were placed, and nothing is scored yet."""


class Game:
    """A random game at a table, shown to a viewer who holds every seat."""

    def __init__(self, box: str, players: int, language: str) -> None:
        names = ("Ana", "Bruno & Co", "Cé <3", "Dora")
        seats = tuple(SavedSeat(seat=i, kind=HUMAN, name=names[i]) for i in range(players))
        self.rng = random.Random(f"{box} {players}")
        self.table = unstored(replace(new_table(box, seats, {}), state=PLAYING))
        self.showing = Showing(self.table, Viewer(seats=frozenset(range(players)), language=language))
        self.seen = -1

    def moments(self, decisions: int) -> Iterator[Moment]:
        """What the viewer is shown one after the other; sometimes they look back."""
        played, scored = self.table.log.decisions, False
        while not self.table.position.is_over and not (scored and len(played) > decisions):
            for moment in self._shown(None):
                scored |= moment.before_scoring
                yield moment
            self._play()
            if self.rng.random() < 0.1:
                yield from self._shown(self.rng.randrange(self.table.ply))
        yield from self._shown(None)

    def _shown(self, looking: int | None) -> Iterator[Moment]:
        last = False
        while not last:
            made, last = self.showing.next(self.table, looking)
            frame = json.loads(made)
            stays = not last and frame["seen"] == self.seen
            position = self.table.log.at(frame["seen"] + stays)
            scene = account_of(self.table).scene(before_round_end(position) if stays else position)
            yield Moment(frame, scene, before_scoring=stays)
            self.seen = frame["seen"]

    def _play(self) -> None:
        """A decision, and the draws that follow; or only the first draws."""
        position = self.table.position
        entries: list[SavedAction] = []
        while not entries or position.is_chance:
            entry = SavedAction(
                action=self.rng.choice(position.legal_actions()), seat=position.to_move, at=0
            )
            position.play(entry.action)
            entries.append(entry)
        self.table.log.extend(entries)
        self.table.drop_draft()


@pytest.mark.parametrize(("box", "players", "language", "decisions"), CASES)
def test_the_browser_draws_what_python_draws(
    browser: Browser, server: Server, box: str, players: int, language: str, decisions: int
) -> None:
    game = Game(box, players, language)
    found = list(game.moments(decisions))
    compared = [i for i, moment in enumerate(found) if i % EVERY == 0 or moment.before_scoring]
    plan = game.showing.plan
    page = browser.new_page()
    page.goto(f"{server.url}/healthz")
    seen = page.evaluate(READ, {
        "plan": json.loads(plan.forms[WIDE].body), "sprite": plan.sprite.decode(),
        "frames": [moment.frame for moment in found], "compared": compared,
    })
    page.close()
    assert len(found) > 40
    assert any(moment.before_scoring for moment in found)
    for i, panels in zip(compared, seen, strict=True):
        for panel, drawn in zip(found[i].scene.panels, panels, strict=True):
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
