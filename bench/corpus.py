"""Games of `search` against itself: ``python -m bench.corpus BOX PLAYERS NODES GAMES FILE.txt.gz [SEED]``

Every seat searches NODES positions (simulations with three and four seats, and where rounds have chance).
The file holds records in text form, with the value of the search at each action that has an alternative.
The seed and the nodes determine a game; a later run with more games continues where this one stopped.
"""

from __future__ import annotations

import gzip
import random
import sys
import time
from pathlib import Path

import azulejos
from azulejos import Player, Record, __version__, bots, new
from azulejos.core.position import Position
from azulejos.protocol.bot import Limit

FIRST_SEED = 100_000
AT_ONCE = 20
"""Games after which the file is written."""


def played(start: Position, nodes: int, seed: int) -> Record:
    """One game of the search against itself."""
    position, rng, bot = start.copy(), random.Random(seed), bots.open("search")
    values: dict[int, float | None] = {}
    position.deal(rng)
    while not position.is_over:
        found = bot.play(position, Limit(nodes=nodes), rng=rng)
        values[position.ply] = found.value
        position.play(found.move)
        position.deal(rng)
    seat = Player("search", bot=f"search {__version__}")
    tags = {"Event": "corpus", "DealSeed": str(seed), "Nodes": str(nodes)}
    record = Record.from_position(position, seats=[seat] * position.players, tags=tags)
    line = record.line
    for ply, value in values.items():
        line[ply].eval = value
    return record


def read(path: Path) -> list[Record]:
    return Record.read_all(gzip.decompress(path.read_bytes()).decode())


def write(path: Path, texts: list[str]) -> None:
    part = path.with_suffix(".part")
    part.write_bytes(gzip.compress("\n".join(texts).encode(), mtime=0))
    part.replace(path)


def main() -> None:
    box, players, nodes, games, name, *rest = sys.argv[1:]
    path, first = Path(name), int(rest[0]) if rest else FIRST_SEED
    start = new(box, players=int(players))
    azulejos.compile(box)
    texts = [record.write() for record in read(path)] if path.exists() else []
    began = time.process_time()
    for seed in range(first + len(texts), first + int(games)):
        texts.append(played(start, int(nodes), seed).write())
        if len(texts) % AT_ONCE == 0:
            write(path, texts)
    write(path, texts)
    spent = time.process_time() - began
    print(f"{box}, {players} seats: {games} games, {spent:.0f} s, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
