"""Load on the web table: `python -m bench.web_load --tables 50 --rate 1`. Prints times to acknowledgement.

Each table has two seats in one client that plays random moves at a steady rate; spectators only listen.
A time runs from sending a move to the server's word that it is saved for good.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Origin


def open_table(url: str) -> tuple[str, str]:
    """A table's path, and the cookie of its two players."""
    jar = CookieJar()
    web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    form = urllib.parse.urlencode({"box": "azul", "seat0": "you", "seat1": "you"}).encode()
    with web.open(urllib.request.Request(f"{url}/tables", form, {"origin": url})) as answer:
        path = urllib.parse.urlsplit(answer.url).path
    return str(path), "; ".join(f"{cookie.name}={cookie.value}" for cookie in jar)


async def play(url: str, path: str, cookie: str, rate: float, until: float, times: list[float]) -> None:
    """Play at a steady rate; note how long each move took to be acknowledged."""
    rng = random.Random(path)
    address = f"{url.replace('http', 'ws')}{path}/live"
    headers = {"cookie": cookie}
    async with connect(address, origin=Origin(url), additional_headers=headers, compression=None) as line:
        sent = 0.0
        due = time.perf_counter() + rng.random() / rate
        async for text in line:
            message: dict[str, Any] = json.loads(text)
            if message["type"] == "done":
                times.append(time.perf_counter() - sent)
            if message["type"] != "frame" or not message["choices"]:
                continue
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due = max(due + 1 / rate, time.perf_counter())
            if time.perf_counter() > until:
                return
            sent = time.perf_counter()
            move = rng.choice(message["choices"])["text"]
            told = {"do": "play", "move": move, "ply": message["ply"], "at_once": True}
            await line.send(json.dumps(told))


async def watch(url: str, path: str, until: float) -> None:
    address = f"{url.replace('http', 'ws')}{path}/live"
    async with connect(address, origin=Origin(url), compression=None) as line:
        while (left := until - time.perf_counter()) > 0:
            try:
                await asyncio.wait_for(line.recv(), left)
            except TimeoutError:
                return


async def load(url: str, tables: int, rate: float, spectators: int, seconds: float) -> list[float]:
    places = [open_table(url) for _ in range(tables)]
    idle, _ = open_table(url)
    times: list[float] = []
    until = time.perf_counter() + seconds
    await asyncio.gather(
        *(play(url, path, cookie, rate, until, times) for path, cookie in places),
        *(watch(url, idle, until) for _ in range(spectators)),
    )
    return times


def memory_of(pid: int) -> float:
    """Megabytes in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu_of(pid: int) -> float:
    """Seconds that the server has computed, its start included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rate", type=float, default=1.0, help="moves a second at each table")
    parser.add_argument("--spectators", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=15)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "azulejos", "serve", "--no-open", "--port", "0", "--unlimited"]
        environment = os.environ | {"AZULEJOS_DATA": folder, "PYTHONUNBUFFERED": "1"}
        server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1].rstrip("/")
        before = memory_of(server.pid)
        try:
            times = asyncio.run(load(url, wish.tables, wish.rate, wish.spectators, wish.seconds))
            grown = memory_of(server.pid) - before
            cpu = cpu_of(server.pid)
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    cuts = statistics.quantiles(times, n=100)
    wished = wish.tables * wish.rate
    print(f"{wish.tables} tables, {len(times) / wish.seconds:.0f} moves/s of {wished:.0f} wished,"
          f" {wish.spectators} spectators: median {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms;"
          f" {cpu / len(times) * 1e3:.1f} ms of CPU a move;"
          f" memory +{grown:.0f} MB, {grown / wish.tables * 1e3:.0f} kB a table")


if __name__ == "__main__":
    main()
