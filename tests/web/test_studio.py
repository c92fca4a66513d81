"""A process of its own draws what the server would draw, and whenever it is lost nobody misses a move."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from azulejos.core import registry
from azulejos.web import studio as studios
from azulejos.web.drawer import HEAD, Drawer, Forget, Leave, Show, Shown, Task, packed
from azulejos.web.easel import Page
from azulejos.web.picture import Viewer
from azulejos.web.sheet import Sheet
from azulejos.web.studio import Studio
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.saved import HUMAN, SavedSeat, new_table
from azulejos.web.tables.store import Store
from azulejos.web.tables.table_state import Thinking

PEOPLE = tuple(SavedSeat(seat=i, kind=HUMAN, name=f"P{i}") for i in range(2))
BOTH = frozenset({0, 1})
WAIT = 20.0
"""Seconds after which a test fails that waits for a process."""

Frame = dict[str, Any]


class Gallery:
    """One room, and a page that remembers all that it is sent."""

    def __init__(self, room: LiveTable, *, seats: frozenset[int] = BOTH) -> None:
        self.room = room
        self.page = Page(room=room, viewer=Viewer(seats=seats, language="en"))
        self.frames: list[Frame] = []

    async def send(self, made: bytes) -> None:
        self.frames.append(msgspec.json.decode(made))

    async def move(self, rng: random.Random) -> None:
        texts = [move.text for move in self.room.seen_by(BOTH).legal_moves]
        await self.room.play(BOTH, rng.choice(texts), self.room.ply + len(self.room.draft), at_once=True)


async def opened(store: Store, box: str = "azul") -> LiveTable:
    saved = new_table(box, PEOPLE, {})
    await store.create(saved)
    room = LiveTable(store, saved)
    await room.start()
    return room


def with_store(folder: Path, check: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = await Store.open(f"sqlite:///{folder}/games.sqlite")
        try:
            await asyncio.wait_for(check(store), 3 * WAIT)
        finally:
            await store.close()

    asyncio.run(run())


# --- the drawer without its process ------------------------------------------------------------------


class Twins:
    """A drawer, and own sheets that show the same room: they must agree about every moment."""

    def __init__(self, room: LiveTable, *seats: frozenset[int]) -> None:
        self.room = room
        self.drawer = Drawer()
        self.told = 0
        viewers = (Viewer(seats=held, language="pl") for held in seats)
        self.sheets = [Sheet(room, viewer, ply=None, logged=None) for viewer in viewers]

    def agree(self, page: int, looking: int | None = None) -> None:
        sheet, own, last = self.sheets[page], [], False
        while not last:
            made, last = sheet.next(self.room, looking)
            own.append(timeless(made))
        news = self.room.news(self.told)
        shown = self.drawer.do(carried(
            Show(page=page, viewer=sheet.viewer, looking=looking, ply=None, logged=None, news=news)
        ))
        assert shown is not None
        assert [timeless(made) for made in shown.frames] == own
        assert (shown.ply, shown.logged) == (sheet.ply, sheet.logged)
        self.told = self.room.ply


def carried(task: Task) -> Task:
    """As it comes out at the other end of a pipe."""
    heard: Task = msgspec.msgpack.Decoder(Task).decode(packed(task)[HEAD:])
    return heard


def timeless(made: bytes) -> Frame:
    frame: Frame = msgspec.json.decode(made)
    frame["clocks"] = len(frame["clocks"])
    if frame["thinking"] is not None:
        frame["thinking"]["elapsed"] = 0
    return frame


@pytest.mark.parametrize("box", [game.presets[0].name for game in registry.games()])
def test_a_drawer_shows_what_the_server_would_show(tmp_path: Path, box: str) -> None:
    rng = random.Random(5)

    async def check(store: Store) -> None:
        room = await opened(store, box)
        gallery = Gallery(room)
        twins, players, watcher = Twins(room, BOTH, frozenset()), 0, 1
        for turn in range(16):
            await gallery.move(rng)
            twins.agree(players)
            if turn % 3:  # now and then somebody misses a moment
                twins.agree(watcher)
        twins.agree(watcher, room.ply // 2)
        twins.agree(watcher)
        room.table = replace(room.table, rematch="next", minutes=5)
        room.thinking = Thinking(seat=1, since=0, seconds=2.0)
        room.last_search = (room.timeline.decisions[-1], 17)
        twins.agree(players)

    with_store(tmp_path, check)


def test_a_drawer_forgets_pages_and_tables(tmp_path: Path) -> None:
    async def check(store: Store) -> None:
        room, drawer = await opened(store), Drawer()
        viewer = Viewer(seats=BOTH, language="en")

        def shown(known: int) -> Shown:
            task = Show(page=1, viewer=viewer, looking=None, ply=None, logged=None, news=room.news(known))
            answer = drawer.do(task)
            assert answer is not None
            return answer

        def panels(shown: Shown) -> int:
            return sum(name.startswith("panel") for name in timeless(shown.frames[-1])["fragments"])

        whole = panels(shown(0))
        assert whole
        assert not panels(shown(room.ply))
        drawer.do(Leave(page=1, table=room.id))
        assert panels(shown(room.ply)) == whole
        drawer.do(Forget(table=room.id))
        assert panels(shown(0)) == whole

    with_store(tmp_path, check)


def test_a_picture_that_fails_harms_no_other(tmp_path: Path) -> None:
    async def check(store: Store) -> None:
        room, drawer = await opened(store), Drawer()
        task = Show(
            page=1, viewer=Viewer(seats=BOTH, language="en"), looking=None, ply=None, logged=None,
            news=room.news(0),
        )
        failed = drawer.do(msgspec.structs.replace(task, looking=-1))
        assert failed is not None
        assert not failed.frames
        shown = drawer.do(msgspec.structs.replace(task, news=room.news(room.ply)))
        assert shown is not None
        assert shown.ply == room.ply

    with_store(tmp_path, check)


# --- a real process ----------------------------------------------------------------------------------


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(WAIT):
        while not true():
            await asyncio.sleep(0.01)


async def at_work(studio: Studio, *, instead_of: int | None = None) -> int:
    """The process that draws, when it does."""
    if instead_of is None:
        studio.start()
    await until(lambda: studio.pid not in (None, instead_of))
    assert studio.pid is not None
    return studio.pid


def with_studio(folder: Path, check: Callable[[Store, Studio], Awaitable[None]]) -> None:
    async def run(store: Store) -> None:
        studio = Studio(store)
        try:
            await check(store, studio)
        finally:
            await studio.close()

    with_store(folder, run)


def plies(gallery: Gallery) -> list[int]:
    return [frame["ply"] for frame in gallery.frames]


def test_before_and_while_a_process_draws_every_moment_is_shown(tmp_path: Path) -> None:
    async def check(store: Store, studio: Studio) -> None:
        gallery, rng = Gallery(await opened(store)), random.Random(1)
        await studio.show(gallery.page, None, gallery.send)
        assert gallery.page.sheet is not None, "drawn here"
        await at_work(studio)
        for _ in range(12):
            await gallery.move(rng)
            await studio.show(gallery.page, None, gallery.send)
        assert gallery.page.sheet is None
        assert plies(gallery) == gallery.room.timeline.stops[1:]
        studio.leave(gallery.page)

    with_studio(tmp_path, check)


def test_a_killed_process_is_replaced_and_no_moment_is_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studios, "PAUSE", 0.0)

    async def check(store: Store, studio: Studio) -> None:
        gallery, rng = Gallery(await opened(store)), random.Random(2)
        pid = await at_work(studio)
        await studio.show(gallery.page, None, gallery.send)
        os.kill(pid, signal.SIGSTOP)
        for _ in range(3):
            await gallery.move(rng)
        showing = asyncio.ensure_future(studio.show(gallery.page, None, gallery.send))
        await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        await showing
        first = gallery.frames[1]
        assert first["lines"], "only the new lines of the log"
        assert any(name.startswith("panel") for name in first["fragments"]), "but whole panels"
        await at_work(studio, instead_of=pid)
        await gallery.move(rng)
        await studio.show(gallery.page, None, gallery.send)
        assert gallery.page.sheet is None
        assert plies(gallery) == gallery.room.timeline.stops[1:]

    with_studio(tmp_path, check)


def test_a_process_that_does_not_answer_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studios, "PATIENCE", 0.1)
    monkeypatch.setattr(studios, "PAUSE", 60.0)  # no other one before the test has looked

    async def check(store: Store, studio: Studio) -> None:
        gallery = Gallery(await opened(store))
        os.kill(await at_work(studio), signal.SIGSTOP)
        await studio.show(gallery.page, None, gallery.send)
        assert plies(gallery) == [gallery.room.ply]
        assert studio.pid is None

    with_studio(tmp_path, check)


def test_more_tables_than_are_kept_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studios, "KEPT_TABLES", 1)

    async def check(store: Store, studio: Studio) -> None:
        rng = random.Random(3)
        await at_work(studio)
        galleries = [Gallery(await opened(store)) for _ in range(2)]
        for _ in range(4):
            for gallery in galleries:
                await studio.show(gallery.page, None, gallery.send)
                await gallery.move(rng)
        for gallery in galleries:
            await studio.show(gallery.page, None, gallery.send)
            assert plies(gallery) == gallery.room.timeline.stops[1:]
            studio.leave(gallery.page)

    with_studio(tmp_path, check)
