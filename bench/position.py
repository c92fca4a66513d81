"""What a Python program gets from positions and environments, compiled and interpreted.

    python -m bench.position [--against OTHER/src] [--box azul] [--rounds 5]

Every round starts one process for each source tree and mode in turn, so that a noisy machine disturbs all
of them alike. A figure is the best of all rounds, in CPU time. `calibration` is a loop of plain Python:
figures of two machines compare by their ratio to it. The same games are played everywhere: the hash of the
results must not differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent / "src"
LEAST_SECONDS = 0.1
REPEATS = 5


def best(count: int, work: Callable[[], object]) -> float:
    """Of several repeats, each long enough to be measured: CPU seconds for one of `count` things."""
    work()
    times, spent = 1, 0.0
    found = 9e9
    for _ in range(REPEATS):
        begin = time.process_time()
        for _ in range(times):
            work()
        spent = time.process_time() - begin
        found = min(found, spent / times / count)
        times = max(1, min(100_000, int(times * LEAST_SECONDS / max(spent, 1e-5))))
    return found


def calibrate() -> int:
    total = 0
    for i in range(10_000):
        total += i & 7
    return total


def random_games(box: str, count: int) -> str:
    """Play random games; the hash of how they ended."""
    import azulejos

    rng, seen = random.Random(1), hashlib.sha256()
    for _ in range(count):
        position = azulejos.new(box)
        position.deal(rng)
        while not position.is_over:
            position.play(rng.choice(position.legal_actions()))
            position.deal(rng)
        seen.update(repr((position.scores, position.ply)).encode())
    return seen.hexdigest()[:12]


def measure(box: str) -> dict[str, Any]:
    """In a process of its own: µs by name, and the hash of the games."""
    import azulejos
    from azulejos.core import jit, readiness, registry

    game, _ = registry.find(box)
    compiled = jit.enabled()
    if compiled:
        readiness.use_compiled(game)
    games = 40 if compiled else 8
    rng, position = random.Random(5), azulejos.new(box)
    for _ in range(8):
        position.deal(rng)
        position.play(rng.choice(position.legal_actions()))
    action, text = position.legal_actions()[0], position.text()

    def play() -> None:
        position.play(action)
        position.undo()

    def play_and_look() -> None:
        play()
        position.legal_actions()

    looks: dict[str, Callable[[], object]] = {
        "new": lambda: azulejos.new(box), "play + undo": play,
        "play + undo + legal_actions": play_and_look, "copy": position.copy,
        "scores": lambda: position.scores, "in_turn": lambda: position.in_turn,
        "observation": lambda: position.observation(0), "text": position.text,
        "from_text": lambda: azulejos.Position.from_text(text),
    }
    return {
        "hash": random_games(box, 20),
        "calibration": best(10_000, calibrate) * 1e6,
        "random game": best(games, lambda: random_games(box, games)) * 1e6,
        **{name: best(1, look) * 1e6 for name, look in looks.items()},
    }


def run(tree: Path, mode: str, box: str) -> dict[str, Any]:
    environment = {**os.environ, "PYTHONPATH": str(tree), "AZULEJOS_JIT": mode}
    command = [sys.executable, str(Path(__file__).resolve()), "--measure", "--box", box]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def merged(rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """The least of each figure."""
    hashes = {figures.pop("hash") for figures in rounds}
    return {"hash": " ".join(sorted(hashes)),
            **{name: min(figures[name] for figures in rounds) for name in rounds[0]}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--against", type=Path, metavar="SRC", help="Another source tree, to compare with.")
    parser.add_argument("--box", default="azul")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measure(given.box)))
        return
    trees = {"here": HERE, **({"other": given.against} if given.against else {})}
    wanted = [(name, mode) for mode in ("1", "0") for name in trees]
    rounds: dict[tuple[str, str], list[dict[str, Any]]] = {key: [] for key in wanted}
    for _ in range(given.rounds):
        for name, mode in wanted:
            rounds[name, mode].append(run(trees[name], mode, given.box))
    found = {key: merged(figures) for key, figures in rounds.items()}
    for mode, title in (("1", "compiled"), ("0", "interpreted")):
        report(title, found["here", mode], found.get(("other", mode)))


def report(title: str, here: dict[str, Any], other: dict[str, Any] | None) -> None:
    beside = " other, µs | times as fast |" if other else ""
    print(f"\n| {title} | µs |{beside}\n|---|--:|{'--:|--:|' if other else ''}")
    for name, value in here.items():
        if name == "hash":
            print(f"| hash of the results | {value} |{f' {other[name]} | |' if other else ''}")
        else:
            more = f" {other[name]:,.2f} | {other[name] / value:.1f} |" if other else ""
            print(f"| {name} | {value:,.2f} |{more}")
    print(f"\n{1e6 / here['random game']:,.0f} random games/s", end="")
    print(f", {1e6 / other['random game']:,.0f} with the other tree" if other else "")


if __name__ == "__main__":
    main()
