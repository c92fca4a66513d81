"""Millions of texts at every parser, and requests at a server:

    AZULEJOS_JIT=0 PYTHONPATH=src:tests python -m fuzz.long_run --inputs 10000000 --requests 50000

Half of them are damaged good texts; others are sewn together from words of good texts, or grow in one of
the ways of `growth`. What is looked for: an exception that a door may not raise, an input that takes more
than a second, and memory that grows.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz.doors import DOORS, Client, ask_all, corpus, forms, furnish, seeds
from fuzz.growth import GROWTH
from fuzz.test_doors import damage, serve

LONGEST = 1.0
"""Seconds of processor time for one input."""
GROWN = 0.01
"""How many of the inputs grow, and to how many signs at most."""
SIGNS = 16_000
COSTLY = {"command": 2_000, "move": 100_000, "document": 100_000}
"""At most so many where each one takes longest (milliseconds of click; the moves of all games)."""
WORDS = re.compile(r"\w+|[^\w\s]+|\s+")


@dataclass
class Door:
    """What was found at one door."""

    name: str
    inputs: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    faults: list[str] = field(default_factory=list)

    def row(self) -> str:
        return f"| {self.name} | {self.inputs:,} | {self.seconds:.0f} s | {self.longest * 1e3:.0f} ms " \
               f"| {len(self.faults)} |"


def inputs(door: str, rng: random.Random) -> Iterator[str]:
    """Without end."""
    good, spoil, ways = seeds()[door], damage(rng), list(GROWTH.values())
    if door != "command":
        good += [text for text in corpus().get(door, []) if len(text) < 10_000]
    words = [word for text in good for word in WORDS.findall(text)] or ["1"]
    while True:
        text, chance = rng.choice(good), rng.random()
        if chance < GROWN and door != "command":
            yield rng.choice(ways)(spoil(text) or "1", rng.randrange(1, SIGNS))
        elif chance < 0.5:
            parts = WORDS.findall(text)
            for _ in range(rng.randrange(1, 5)):
                at = rng.randrange(len(parts) + 1)
                parts[at : at + rng.randrange(3)] = rng.choices(words, k=rng.randrange(3))
            yield "".join(parts)
        else:
            yield spoil(text)


def besiege(name: str, count: int, seed: int, enter: Callable[[str], None] | None = None) -> Door:
    found, enter = Door(name), enter or DOORS[name]
    for text in inputs(name, random.Random(f"{name} {seed}")):
        if found.inputs == count:
            break
        found.inputs += 1
        began = time.thread_time()
        try:
            enter(text)
        except Exception as error:
            found.faults.append(f"{text[:500]!r} gave {error!r}")
        used = time.thread_time() - began
        found.seconds += used
        found.longest = max(found.longest, used)
        if used > LONGEST:
            found.faults.append(f"{len(text)} signs {text[:200]!r} took {used:.1f} s")
    return found


def request(folder: Path, count: int, seed: int) -> Door:
    found, rng = Door("requests"), random.Random(f"requests {seed}")
    began = time.thread_time()

    async def answered(asked: str, status: int, text: str) -> None:
        nonlocal began
        used, began = time.thread_time() - began, time.thread_time()
        found.inputs += 1
        found.seconds += used
        found.longest = max(found.longest, used)
        if status >= 500 or (status >= 400 and "." not in text) or used > LONGEST:
            found.faults.append(f"{asked[:500]} gave {status} after {used:.1f} s")

    async def act(client: Client) -> None:
        nonlocal began
        rooms = await furnish(client)
        began = time.thread_time()
        await ask_all(client, forms(damage(rng), rng, rooms), count, answered)

    serve(folder, act)
    return found


def memory() -> float:
    """MB that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000_000)
    parser.add_argument("--requests", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    few = {name: min(most, wish.inputs // len(DOORS)) for name, most in COSTLY.items()}
    each = (wish.inputs - wish.requests - sum(few.values())) // (len(DOORS) - len(few)) + 1
    begun, total = time.perf_counter(), 0
    print("| door | inputs | processor time | longest | faults | memory |\n|---|--:|--:|--:|--:|--:|")
    for name in DOORS:
        besiege(name, 2 if name == "command" else 2000, 0)  # caches are filled
        before = memory()
        found = besiege(name, few.get(name, each), wish.seed)
        total += found.inputs
        print(f"{found.row()} {before:.0f} → {memory():.0f} MB |", *found.faults[:5], sep="\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        found = request(Path(folder), wish.requests, wish.seed)
    total += found.inputs
    print(found.row(), *found.faults[:5], sep="\n")
    print(f"{total:,} inputs in {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
