"""Many people who each play alone with a bot: `python -m bench.alone`. Starts its own server here.

First their pages think: the bench answers `Think` after the bot's time, as a page would, with any legal
action. Then no page can, and the server thinks itself (`--server-tables` of them). Printed for both: the
server's processor time for each move of a bot, how fast moves are acknowledged, and how much later than its
own time a bot has moved.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import os
import random
import shutil
import statistics
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from bench.web_load import ANSWER_SECONDS, CONNECTING_AT_ONCE, Host, Server, Table, hear, serving, sit_down
from playwright.async_api import async_playwright

import azulejos
from azulejos.core.position import Position, at_state
from azulejos.web.wire import messages

HEAD = ("| who thinks | tables | bots' moves | server's CPU ms a move | its helpers' | acknowledged,"
        " median ms | p99 | a bot later than its time, median ms | p99 |\n"
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|")


@dataclass
class Alone(Table):
    """Somebody who plays with one bot."""

    start: Position = field(default_factory=lambda: azulejos.new("azul"))
    seconds: float = 1.0
    in_page: bool = True
    prepared: bool = False
    bots: list[float] = field(default_factory=list)
    """Seconds from a turn of the person to that of the bot after it."""

    async def get_ready(self) -> None:
        """Until the page can think, and it is the person's turn."""
        while (self.in_page and not self.prepared) or not (self.now.over or self.now.offer):
            await self._hear()

    async def live(self, pause: float, until: float) -> None:
        """Turn after turn, with a pause before each."""
        await asyncio.sleep(pause * self.rng.random())
        while not self.now.over and time.perf_counter() < until:
            if self.now.mine and self.now.offer:
                await self._turn()
                await asyncio.sleep(pause)
            else:
                await self._hear()

    async def _turn(self) -> None:
        """Play until the turn is over, and the bot has answered."""
        assert self.now.offer is not None
        move = self.page.any_move(self.now.offer, self.rng)
        sent = time.perf_counter()
        await self._say(messages.Play(id=1, move=move, ply=self.now.ply, at_once=True))
        done, before = False, self.now.ply
        while not done or self.now.ply == before or not (self.now.over or self.now.offer):
            heard = await self._hear()
            if isinstance(heard, messages.Done):
                self.times.append(time.perf_counter() - sent)
                done = True
        self.bots.append(time.perf_counter() - sent - self.seconds)

    async def _hear(self) -> messages.ToTable:
        heard: messages.ToTable = hear(await asyncio.wait_for(self.line.recv(), ANSWER_SECONDS))
        if isinstance(heard, messages.Frame):
            self.now = heard
            self.page.see(heard.news)
        elif isinstance(heard, messages.Refusal):
            raise RuntimeError(heard.text)
        elif isinstance(heard, messages.Prepare) and self.in_page:
            await self._say(messages.CanThink(on=True))
            self.prepared = True
        elif isinstance(heard, messages.Think):
            row = np.frombuffer(base64.b64decode(heard.row), np.uint8)
            action = self.rng.choice(at_state(self.start, row.copy()).legal_actions())
            await asyncio.sleep(heard.seconds)
            await self._say(messages.FoundMove(task=heard.task, action=action, nodes=1))
        return heard

    async def _say(self, command: messages.Command) -> None:
        await self.line.send(msgspec.json.encode(command).decode())


class RealPage:
    """A page of Chromium beside the others, whose visitor plays by itself."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self.bots = 0

    @classmethod
    async def open(cls, browser: Any, server: Server, wish: argparse.Namespace) -> RealPage:
        host = Host(server)
        await asyncio.to_thread(host.visit)
        bot = f"bot:{wish.bot}@{wish.time}"
        path = await asyncio.to_thread(host.open_table, wish.box, seat1=bot)
        context = await browser.new_context()
        kept = {**host.cookies, "azulejos_wishes": "motion=off&confirm=off"}
        await context.add_cookies([{"name": name, "value": value, "url": server.url}
                                   for name, value in kept.items()])
        page = await context.new_page()
        await page.goto(f"{server.url}{path}")
        await page.locator("html[data-thinks]").wait_for(state="attached", timeout=120_000)
        return cls(page)

    async def live(self, pause: float, until: float) -> None:
        while time.perf_counter() < until:
            if await self._page.evaluate(CLICK):
                self.bots += 1
                await asyncio.sleep(pause)
            await asyncio.sleep(0.2)


CLICK = """() => {
  const lit = [...document.querySelectorAll("#confirm:not([disabled]), .mat .can")], [one] = lit;
  if (document.documentElement.dataset.turn !== "mine" || !one) return false;
  one.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return one.id === "confirm" || document.documentElement.dataset.pending !== undefined;
}"""
"""Clicks on what can be clicked first; true if that ended a turn."""


async def measured(server: Server, wish: argparse.Namespace, *, tables: int, in_page: bool) -> str:
    host, gate = Host(server), asyncio.Semaphore(CONNECTING_AT_ONCE)
    host.visit()
    async with AsyncExitStack() as stack:

        async def sit(seed: int) -> Alone:
            async with gate:
                bot = f"bot:{wish.bot}@{wish.time}"
                path = await asyncio.to_thread(host.open_table, wish.box, seat1=bot)
                plain = await sit_down(server, stack, path, host.cookie, seed)
            return Alone(plain.line, plain.page, random.Random(seed), plain.now, in_page=in_page,
                         start=azulejos.new(wish.box), seconds=wish.time)

        people = await asyncio.gather(*map(sit, range(tables)))
        await asyncio.gather(*(person.get_ready() for person in people))
        pages = list[RealPage]()
        if in_page and wish.pages:
            playwright = await stack.enter_async_context(async_playwright())
            browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"),
                                                       args=["--no-sandbox"])
            for _ in range(wish.pages):
                pages.append(await RealPage.open(browser, server, wish))
        cpu, until = server.cpu_seconds(), time.perf_counter() + wish.seconds
        lives: list[Any] = [*people, *pages]
        await asyncio.gather(*(each.live(wish.pause, until) for each in lives))
        spent = server.cpu_seconds().since(cpu)
        if pages:
            print(f"{len(pages)} real pages: {sum(page.bots for page in pages)} turns")
    moves = sum(len(person.bots) for person in people)
    known = statistics.quantiles((one for person in people for one in person.times), n=100)
    late = statistics.quantiles((one for person in people for one in person.bots), n=100)
    own, helpers = (1e3 * seconds / moves for seconds in spent)
    figures = " | ".join(f"{1e3 * one[at]:.0f}" for one in (known, late) for at in (49, 98))
    who = "the pages" if in_page else "the server"
    return f"| {who} | {tables} | {moves} | {own:.1f} | {helpers:.0f} | {figures} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--box", default="azul")
    parser.add_argument("--bot", default="level:7")
    parser.add_argument("--time", type=int, default=1, help="seconds of the bot for a move")
    parser.add_argument("--pause", type=float, default=9.0, help="seconds before each turn of a person")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--server-tables", type=int, default=40)
    parser.add_argument("--pages", type=int, default=0, help="of Chromium beside those that think")
    parser.add_argument("--seconds", type=float, default=40)
    wish = parser.parse_args()
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} before\n\n{HEAD}")
    for tables, in_page in ((wish.tables, True), (wish.server_tables, False)):
        with serving("--unlimited") as server:
            print(asyncio.run(measured(server, wish, tables=tables, in_page=in_page)), flush=True)


if __name__ == "__main__":
    main()
