"""Measures the engine: `make bench`, or `python -m bench`. Writes the table kept in docs/performance.md.

Each figure is the best of several rounds, measured in CPU time and interleaved with a fixed calibration
loop that reveals a noisy machine. To compare figures of different machines or days, use the last column.
"""

from __future__ import annotations

import os
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import azulejos
from azulejos.core import readiness, registry
from azulejos.core.chance import below, seeded
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE
from azulejos.engine.batch import Batch
from azulejos.engine.playout import random_games

ROUNDS = 5
CALIBRATION = 20_000_000
"""Steps of the calibration loop; an idle core at 2.8 GHz takes 40 ms."""


@rule
def calibrate(rng: Cells, steps: int) -> int:
    total = 0
    for _ in range(steps):
        total += below(rng, 100)
    return total


@loop
def copies(rows: Cells, times: int) -> None:
    """Copy one state back and forth, as a search does."""
    states = rows.reshape(-1).view(STATE)
    for i in range(times):
        states[(i + 1) & 1] = states[i & 1]


def cpu_seconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return time.process_time() - begin


def rate(count: int, work: Callable[[], object]) -> tuple[float, float]:
    """`count` items per CPU second, and the same per million steps of the calibration loop."""
    calibration = AZUL.compiled.bind(calibrate)
    rng = seeded(1)
    work()
    spent, reference = 9e9, 9e9
    for _ in range(ROUNDS):
        reference = min(reference, cpu_seconds(lambda: calibration(rng, CALIBRATION)))
        spent = min(spent, cpu_seconds(work))
    return count / spent, count / spent * reference / CALIBRATION * 1e6


AZUL, _ = registry.find("azul")


def engine_figures() -> list[tuple[str, float, float]]:
    lines = []
    for name, (game, preset) in registry.presets().items():
        for players in (2, 3, 4):
            options = game.read_options(preset.options)
            games = random_games(game, players, options, seed=1, count=300)
            count = 2000
            per_second, relative = rate(
                count, lambda: random_games(game, players, options, seed=1, count=count)  # noqa: B023
            )
            lines.append((f"{name}, {players} players: random games/s", per_second, relative))
            moves = float(games.lengths.mean())
            lines.append((f"{name}, {players} players: moves/s", per_second * moves, relative * moves))
    return lines


def small_figures() -> list[tuple[str, float, float]]:
    rows = AZUL.start(2, {})[None].repeat(2, axis=0)
    copy = AZUL.compiled.bind(copies)
    readiness.use_compiled(AZUL)
    return [
        ("copies of an Azul state/s, compiled", *rate(10**7, lambda: copy(rows, 10**7))),
        ("position.legal_actions + play/s, from Python", *rate(20_000, lambda: plays(20_000))),
        ("position.legal_actions/s, from Python", *rate(5_000, lambda: looks(5_000))),
        ("position.copy/s, from Python", *rate(20_000, lambda: copied(20_000))),
    ]


def plays(count: int) -> None:
    """Plays actions, each after listing the legal ones."""
    position = azulejos.new("azul")
    for _ in range(count):
        if position.is_over:
            position = azulejos.new("azul")
        position.play(position.legal_actions()[0])


def looks(count: int) -> None:
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    for _ in range(count):
        position.legal_actions()


def copied(count: int) -> None:
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    for _ in range(count):
        position.copy()


def batch_figures(games: int = 4096, steps: int = 100) -> list[tuple[str, float, float]]:
    lines = []
    for threads in (1, 2):
        batch = Batch("azul", players=2, threads=threads)
        key = seeded(3, games)
        now = batch.init(seed=1, n=games)

        def run() -> None:
            for _ in range(steps):
                actions = batch.random_actions(now.mask, key)  # noqa: B023
                batch.step(now.states, actions, now.key, out=now)  # noqa: B023

        run()
        begin = time.perf_counter()
        run()
        wall = games * steps / (time.perf_counter() - begin)
        lines.append((f"batch of {games}: steps/s of wall clock, {threads} threads", wall, 0.0))
    return lines


def start_figures() -> list[tuple[str, float, float]]:
    """Seconds for whole processes: import, and the first and second start with compiled code."""
    run_games = "from azulejos.core import registry; from azulejos.engine.playout import random_games; " \
                "random_games(registry.find('azul')[0], 2, {}, seed=1, count=1)"
    with TemporaryDirectory() as cache:
        cold = process_seconds(["-c", run_games], AZULEJOS_CACHE=cache)
        warm = process_seconds(["-c", run_games], AZULEJOS_CACHE=cache)
    return [
        ("import azulejos, s", best_process(["-c", "import azulejos"]), 0.0),
        ("azulejos --help, s", best_process(["-m", "azulejos", "--help"]), 0.0),
        ("first random game, nothing compiled, s", cold, 0.0),
        ("first random game, everything cached, s", warm, 0.0),
    ]


def best_process(arguments: list[str]) -> float:
    return min(process_seconds(arguments) for _ in range(ROUNDS))


def process_seconds(arguments: list[str], **variables: str) -> float:
    source = str(Path(azulejos.__file__).parent.parent)
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": source, **variables},
    )
    return time.perf_counter() - begin


def main() -> None:
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python "
          f"{platform.python_version()}, NumPy {np.__version__}; load {os.getloadavg()[0]:.1f}\n")
    print("| what | figure | per million calibration steps |\n|---|---:|---:|")
    for figures in (engine_figures, small_figures, batch_figures, start_figures):
        for name, value, relative in figures():
            shown = f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
            print(f"| {name} | {shown} | {f'{relative:,.1f}' if relative else ''} |", flush=True)


if __name__ == "__main__":
    main()
