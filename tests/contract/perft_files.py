"""Reads ``*.perft``: positions that a player could read, with counts per depth.

    id     opening-mixed
    game   azul players=2 start=1
    moves  +b +y +r ...          any number of such lines: chance and moves, in our notation
    perft  1 120
    perft  2 9480
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import azulejos
from azulejos import Position

CORPUS = Path(__file__).parent.parent / "games"


@dataclass
class Entry:
    file: str
    id: str
    game: str = ""
    moves: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    def position(self) -> Position:
        name, *options = self.game.split()
        settings = dict(option.split("=") for option in options)
        position = azulejos.new(name, players=int(settings.pop("players")), **settings)
        for text in self.moves:
            position.play(text)
        return position


def read(path: Path) -> list[Entry]:
    entries: list[Entry] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if word == "id":
            entries.append(Entry(path.name, rest))
        elif word == "game":
            entries[-1].game = rest
        elif word == "moves":
            entries[-1].moves += rest.split()
        elif word == "perft":
            depth, count = rest.split()
            entries[-1].counts[int(depth)] = int(count)
        elif line and not line.startswith("#"):
            raise ValueError(f"{path.name}: cannot read {line!r}")
    return entries


def corpus() -> list[Entry]:
    return [entry for path in sorted(CORPUS.rglob("*.perft")) for entry in read(path)]
