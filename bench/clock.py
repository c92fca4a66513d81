"""How well the search keeps to its time: ``python -m bench.clock [CALLS [BOX [SEATS [WAY]]]]``.

WAY is native, portable or page (Chromium; there a search is stopped by ending its worker).

Measures how late it answers (limits of 20 to 200 ms of wall-clock and of CPU time), and how long after a
`stop`. Positions are from any point of a game. CPU time shows the cost of the search itself; on a busy
machine, wall-clock time includes waiting for the processor.
"""

from __future__ import annotations

import random
import shutil
import sys
import threading
import time
from collections.abc import Iterator

from bench.page_searches import asked_in_page

import azulejos
from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.core import readiness
from azulejos.core.position import Position

BUDGETS = (0.02, 0.05, 0.1, 0.2)
QUICK = 50
"""Nodes for a move of the games."""


def positions(start: Position, seed: int) -> Iterator[Position]:
    """Positions with a choice, at random decisions of games played by a quick search."""
    rng, bot = random.Random(seed), open_bot("search:round")
    while True:
        position = start.copy()
        position.deal(rng)
        while not position.is_over:
            if len(position.legal_actions()) > 1 and rng.random() < 0.2:
                yield position
            position.play(bot.play(position, Limit(nodes=QUICK)).move)
            position.deal(rng)


def late_answers(start: Position, calls: int, *, cpu: bool) -> list[float]:
    bot, table = open_bot("search"), positions(start, 1)
    now = time.thread_time if cpu else time.perf_counter
    late = []
    for i in range(calls):
        position, seconds = next(table), BUDGETS[i % len(BUDGETS)]
        began = now()
        bot.play(position, Limit(seconds=seconds, cpu=cpu))
        late.append(now() - began - seconds)
    return [over for over in late if over > 0]


def delays_after_stop(start: Position, calls: int) -> list[float]:
    bot, table, rng = open_bot("search"), positions(start, 2), random.Random(3)
    delays: list[float] = []
    while len(delays) < calls:
        position, stop, told = next(table), threading.Event(), [0.0]

        def tell(stop: threading.Event = stop, told: list[float] = told) -> None:
            told[0] = time.perf_counter()
            stop.set()

        timer = threading.Timer(rng.uniform(0.005, 0.05), tell)
        timer.start()
        bot.play(position, Limit(stop=stop))
        if told[0]:
            delays.append(time.perf_counter() - told[0])
        timer.cancel()
    return delays


def report(what: str, seconds: list[float]) -> None:
    ms = sorted(1000 * x for x in seconds)
    p50, p99 = ms[len(ms) // 2], ms[min(len(ms) - 1, len(ms) * 99 // 100)]
    print(f"{what}: {len(ms)} times, p50 {p50:.1f} ms, p99 {p99:.1f} ms, max {ms[-1]:.1f} ms")


def late_pages(start: Position, calls: int) -> list[float]:
    """The same in a page."""
    from playwright.sync_api import sync_playwright

    table, late, path = positions(start, 1), list[float](), shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for seconds in BUDGETS:
            asked = [next(table).copy() for _ in range(calls // len(BUDGETS))]
            limit = {"seconds": seconds, "nodes": None}
            found = asked_in_page(browser.new_page(), asked, level="level:7", limit=limit)
            late += [one["spent"] / 1000 - seconds for one in found[1:]]  # the first one warms up
        browser.close()
    return [over for over in late if over > 0]


def main(calls: str = "400", box: str = "azul", seats: str = "2", way: str = "native") -> None:
    start = azulejos.new(box, players=int(seats))
    if way == "native":
        azulejos.compile(box)
    native = way == "native"
    readiness._engines[start.game] = start.game.compiled if native else readiness.module_of(start.game)
    if way == "page":
        report("later than the limit, by the clock", late_pages(start, int(calls)))
        return
    report("later than the limit, by the clock", late_answers(start, int(calls), cpu=False))
    report("later than the limit, processor time", late_answers(start, int(calls), cpu=True))
    report("after stop", delays_after_stop(start, int(calls) // 2))


if __name__ == "__main__":
    main(*sys.argv[1:])
