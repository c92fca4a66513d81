"""One engine, everywhere: the same games and searches by every way to run them, and how fast each is.

    python -m bench.engines equality [GAMES] [POSITIONS]    of every box and number of seats
    python -m bench.engines speed [REPEATS]                 searches, the ways in turn

The ways: native code (`azulejos warm` first), wasmtime, Node, and Chromium, also with its processor slowed
down four times. Times are processor time, so other work on the machine hardly matters; that of Chromium is
the time of its page's thread, which spins when it is slowed down.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench.page_searches import asked_in_node, asked_in_page, told

import azulejos
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import network_of, weights_of
from azulejos.bots.workspaces import Workspaces, is_solvable
from azulejos.core import readiness
from azulejos.core.chance import seeded
from azulejos.core.jit import Binding
from azulejos.core.layout import Cells
from azulejos.core.module import MODULE, name_of
from azulejos.core.portable import Portable, memory_of
from azulejos.core.position import Position
from azulejos.engine import solver, tree, tree_memory
from azulejos.engine.playout import play_games
from azulejos.engine.tree_memory import EDGES, Tree
from azulejos.engine.workspace import NODES, make_workspace, put
from azulejos.protocol.bot import Limit

NODE = shutil.which("node")
RUNNER = Path(__file__).with_suffix(".mjs")
SEATS = (2, 3, 4)
STRONGEST = "level:7"
COMPARED = ("line", "nodes", "depth", "proved", "deals")
SPEEDS = (("azul", 2, 20_000), ("azul", 2, 200_000), ("azul", 4, 3000), ("sintra-a", 2, 20_000),
          ("sintra-a", 4, 3000), ("garden", 2, 2000), ("garden", 4, 2000))


# --- what is compared -----------------------------------------------------------------------------------


class Played(NamedTuple):
    """What `play_games` takes."""

    first: Cells
    row: Cells
    buffers: Cells
    seeds: Cells
    scores: Cells
    standings: Cells
    lengths: Cells
    rounds: Cells
    starters: Cells


def games_of(binding: Binding, first: Cells, *, seed: int, count: int) -> Played:
    """Memory for random games from a state."""
    both, each = np.zeros((count, 4), np.int64), np.zeros(count, np.int64)
    return binding.hold(Played(
        first, first.copy(), np.zeros((2, binding.game.max_legal), np.int32), seeded(seed, count),
        both, both.copy(), each, each.copy(), each.copy(),
    ))


def digest_of(games: Played) -> str:
    """A hash of all results, and of the last state."""
    return hashlib.sha256(b"".join(cells.tobytes() for cells in (games.row, *games[4:]))).hexdigest()[:16]


def games_digest(binding: Binding, first: Cells, *, seed: int, count: int) -> str:
    games = games_of(binding, first, seed=seed, count=count)
    binding.bind(play_games)(*games)
    return digest_of(games)


def search_of(binding: Binding, position: Position, nodes: int) -> tuple[Any, Any]:
    """The function that searches a position, and its memory."""
    if is_solvable(position):
        workspace = make_workspace(binding, weights_of(position.game, ""), transposition_bits=18,
                                   network=network_of(position, ""))
        put(workspace, position.row, limit=nodes)
        return solver.deepen, workspace
    return tree.grow, Workspaces().tree(position, Limit(nodes=nodes), binding)


def result_of(memory: Any) -> list[int]:
    """What a search found: all counters, and its line, or how often each turn was tried."""
    counters: list[int] = memory.counters.tolist()
    if isinstance(memory, Tree):
        tried = memory.edges["visits"][: counters[EDGES]].tobytes() + memory.worth.tobytes()
        return [*counters, int(hashlib.sha256(tried).hexdigest()[:16], 16)]
    line: list[int] = memory.lines[0].tolist()
    return [*counters, *line[: line.index(-1)]]


def searched(binding: Binding, position: Position, nodes: int) -> list[int]:
    function, memory = search_of(binding, position, nodes)
    binding.bind(function)(memory)
    return result_of(memory)


# --- in Node --------------------------------------------------------------------------------------------


def job_of(binding: Portable, function: Any, arguments: tuple[Any, ...]) -> tuple[dict[str, Any], Cells]:
    """What Node or a page needs to call a function, and the bytes of the memory."""
    name, inside = name_of(function), memory_of(arguments[0])
    assert inside is not None
    start = inside.prepare(name, binding.description.exports[name], arguments)
    return {"wasm": str(binding.game.folder / MODULE), "name": name, "call": start}, inside.cells()


def called_in_node(
    binding: Portable, function: Any, arguments: tuple[Any, ...], *, repeats: int = 1
) -> list[float]:
    """Call a function in Node, which leaves in the memory what it finds; returns milliseconds."""
    job, everything = job_of(binding, function, arguments)
    assert NODE is not None
    with tempfile.NamedTemporaryFile() as image:
        image.write(everything.data)
        image.flush()
        text = json.dumps({**job, "memory": image.name, "repeats": repeats})
        done = subprocess.run([NODE, str(RUNNER)], input=text, text=True, capture_output=True, check=False)
        assert not done.returncode, done.stderr
        everything[:] = np.fromfile(image.name, np.uint8)
    return list(json.loads(done.stdout))


def searched_in_node(binding: Portable, position: Position, nodes: int) -> list[int]:
    function, memory = search_of(binding, position, nodes)
    called_in_node(binding, function, (memory,))
    return result_of(memory)


def games_digest_in_node(binding: Portable, first: Cells, *, seed: int, count: int) -> str:
    games = games_of(binding, first, seed=seed, count=count)
    called_in_node(binding, play_games, games)
    return digest_of(games)


# --- in Chromium ----------------------------------------------------------------------------------------

OPEN = """async ([name, call]) => {
    const get = async (what) => new Uint8Array(await (await fetch(what)).arrayBuffer());
    const image = await get("/memory");
    const began = performance.now();
    const imports = { wasi_snapshot_preview1: { clock_time_get: () => 0 } };
    const { instance } = await WebAssembly.instantiateStreaming(fetch("/engine.wasm"), imports);
    const started = performance.now() - began, { memory } = instance.exports;
    memory.grow((image.length - memory.buffer.byteLength) / 65536);
    const bytes = new Uint8Array(memory.buffer);
    window.reset = () => bytes.set(image);
    window.run = () => {
        const began = performance.now();
        if (instance.exports[name](call)) throw new Error("failed");
        return performance.now() - began;
    };
    window.tell = () => fetch("/found", { method: "POST", body: bytes });
    return started;
}"""
CALL = "(repeats) => Array.from({ length: repeats }, () => { reset(); return run(); })"
RESET = "(repeats) => { for (let i = 0; i < repeats; i++) reset(); }"


class Chromium:
    """A page that calls functions of modules."""

    def __init__(self, playwright: Any) -> None:
        path = shutil.which("chromium")
        self.browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        self._page = self.browser.new_page()
        self._files: dict[str, tuple[bytes, str]] = {"/": (b"<html></html>", "text/html")}
        self._page.route("**/*", self._serve)
        self._page.goto("http://engines.test/")
        self._session = self._page.context.new_cdp_session(self._page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def _serve(self, route: Any) -> None:
        place = route.request.url.removeprefix("http://engines.test")
        if route.request.method == "POST":
            self._files["/found"] = route.request.post_data_buffer, ""
            route.fulfill(body=b"")
        else:
            body, kind = self._files[place]
            route.fulfill(body=body, content_type=kind)

    def call(
        self, binding: Portable, function: Any, arguments: tuple[Any, ...], *,
        repeats: int, slower: int = 1,
    ) -> tuple[float, list[float]]:
        """Milliseconds to start the module, and of every call by the clock."""
        job, everything = job_of(binding, function, arguments)
        self._files["/memory"] = everything.tobytes(), "application/octet-stream"
        self._files["/engine.wasm"] = Path(job["wasm"]).read_bytes(), "application/wasm"
        self._session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        started = self._page.evaluate(OPEN, [job["name"], job["call"]])
        times = self._page.evaluate(CALL, repeats)
        self._page.evaluate("() => tell()")
        everything[:] = np.frombuffer(self._files["/found"][0], np.uint8)
        return started, times

    def processor_time(self, repeats: int) -> float:
        """Milliseconds of the processor for the call of before, with what slows it down; they do not depend
        on other work."""
        with_calls, without = (self._spent(what, repeats) for what in (CALL, RESET))
        return (with_calls - without) / repeats

    def _spent(self, what: str, repeats: int) -> float:
        before = self._script()
        self._page.evaluate(what, repeats)
        return self._script() - before

    def _script(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return 1000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    def close(self) -> None:
        self.browser.close()


def games_digest_in_chromium(
    page: Chromium, binding: Portable, first: Cells, *, seed: int, count: int
) -> str:
    games = games_of(binding, first, seed=seed, count=count)
    page.call(binding, play_games, games, repeats=1)
    return digest_of(games)


def searched_in_chromium(page: Chromium, binding: Portable, position: Position, nodes: int) -> list[int]:
    function, memory = search_of(binding, position, nodes)
    page.call(binding, function, (memory,), repeats=1)
    return result_of(memory)


# --- equality -------------------------------------------------------------------------------------------


def tables() -> Iterator[Position]:
    """Every box with every number of seats."""
    for box in azulejos.presets():
        for players in SEATS:
            yield azulejos.new(box, players=players)


def equality(games: str = "10000", positions: str = "1000", only: str = "") -> None:
    """Print for each table (or that of one box) whether native code, wasmtime, Node and Chromium agree."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        page = Chromium(playwright)
        for start in tables():
            if only in ("", start.preset.name):
                print(compared(page, start, int(games), int(positions)), flush=True)
        page.close()


def compared(page: Chromium, start: Position, games: int, positions: int) -> str:
    """What the ways find in games from one start, and in positions of such games."""
    ways, row = (start.game.compiled, readiness.module_of(start.game)), start.row
    first = [games_digest(way, row, seed=1, count=games) for way in ways]
    first.append(games_digest_in_node(ways[1], row, seed=1, count=games))
    first.append(games_digest_in_chromium(page, ways[1], row, seed=1, count=games))
    asked = [position_of(start, seed) for seed in range(positions)]
    nodes = 1000 if is_solvable(start) else 100
    limit = {"seconds": None, "nodes": nodes}
    found = [
        *(searches_digest(way, asked, nodes) for way in ways),
        told_digest(asked_in_node(asked, level=STRONGEST, limit=limit)),
        told_digest(asked_in_page(page.browser.new_page(), asked, level=STRONGEST, limit=limit)),
    ]
    return (f"{start.preset.name}, {start.players} seats: {games} games {first[0]}, {same(first)}; "
            f"{positions} searches {found[0]}, {same(found)}")


def same(found: list[str]) -> str:
    return "the same" if len(set(found)) == 1 else f"DIFFERENT ({' '.join(found)})"


def searches_digest(binding: Binding, positions: list[Position], nodes: int) -> str:
    """A hash of the turns, values, nodes, depths and deals that the strongest level finds."""
    readiness._engines[positions[0].game] = binding
    with open_bot(STRONGEST) as bot:
        found = [bot.play(position, Limit(nodes=nodes), rng=random.Random(number))
                 for number, position in enumerate(positions)]
    return told_digest(
        {**told(result, position), "value": 100.0 * (result.value or 0.0)}
        for result, position in zip(found, positions, strict=True)
    )


def told_digest(found: Iterable[dict[str, Any]]) -> str:
    """Values are compared as they are shown, in hundredths of a point; there is one zero."""
    listed = [[each[name] for name in COMPARED] + [round(each["value"] / 100, 2) + 0.0] for each in found]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:16]


def position_of(start: Position, seed: int) -> Position:
    """A position of a random game, with a choice."""
    rng = random.Random(f"{seed}")
    position, left = start.copy(), rng.randrange(30)
    position.deal(rng)
    while left > 0 or len(position.legal_actions()) < 2:
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
        left -= 1
        if position.is_over:
            position, left = start.copy(), rng.randrange(10)
            position.deal(rng)
    return position


# --- speed ----------------------------------------------------------------------------------------------


def speed(repeats: str = "7") -> None:
    """Print nodes (simulations) a second of each way, and their share of native code."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        page = Chromium(playwright)
        for box, players, nodes in SPEEDS:
            position = long_search(azulejos.new(box, players=players), nodes)
            for line in measured(page, position, nodes, int(repeats)):
                print(line, flush=True)
        page.close()


def long_search(start: Position, nodes: int) -> Position:
    """A position whose search does not end before."""
    for seed in itertools.count():
        position = position_of(start, seed)
        function, memory = search_of(readiness.module_of(start.game), position, nodes)
        readiness.module_of(start.game).bind(function)(memory)
        grown = tree_memory.NODES, nodes // 2  # most simulations reach a position that is new
        which, least = grown if isinstance(memory, Tree) else (NODES, nodes)
        if memory.counters[which] >= least:
            return position
    raise AssertionError


def measured(page: Chromium, position: Position, nodes: int, repeats: int) -> Iterator[str]:
    """One search by each way: a thousand nodes a second, the median of `repeats` that take turns."""
    module, native = readiness.module_of(position.game), position.game.compiled
    spent: dict[str, list[float]] = {}
    for binding in (native, module):  # the first call loads code
        function, memory = search_of(binding, position, nodes)
        binding.bind(function)(memory)
    for _ in range(repeats):
        for name, binding in (("native", native), ("wasmtime", module)):
            function, memory = search_of(binding, position, nodes)
            began = time.process_time()
            binding.bind(function)(memory)
            spent.setdefault(name, []).append(1000 * (time.process_time() - began))
        function, memory = search_of(module, position, nodes)
        spent.setdefault("Node", []).append(min(called_in_node(module, function, (memory,), repeats=4)))
        for name, slower in (("Chromium", 1), ("Chromium, four times slower", 4)):
            function, memory = search_of(module, position, nodes)
            started, _ = page.call(module, function, (memory,), repeats=4, slower=slower)
            spent.setdefault(name, []).append(page.processor_time(4))
            spent.setdefault(f"{name}: start", []).append(started)
    least = {name: statistics.median(times) for name, times in spent.items()}
    yield f"{position.preset.name}, {position.players} seats, {nodes} nodes:"
    for name, milliseconds in least.items():
        yield f"    {name:32} {milliseconds:9.1f} ms" + ("" if "start" in name else (
            f" {nodes / milliseconds:9.1f} thousand a second {least['native'] / milliseconds:6.2f}"
        ))


def main(what: str, *arguments: str) -> None:
    functions: dict[str, Callable[..., None]] = {"equality": equality, "speed": speed}
    functions[what](*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
