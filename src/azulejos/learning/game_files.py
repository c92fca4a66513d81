"""What networks learn from: a folder with states of played games and what they were worth.

It is written file by file, so that a training that was stopped goes on where it stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

import numpy as np

from azulejos.core.game import Game
from azulejos.core.layout import Cells
from azulejos.engine.network import Network
from azulejos.engine.selfplay import Played, self_play

SHARD: Final = 250
"""Games of a file."""


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """Who plays: the game, the value, and how much is thought about a move."""

    game: Game
    options: Mapping[str, str]
    weights: Cells
    network: Network | None
    nodes: int
    opening_nodes: int
    deals: int
    """That value a state between rounds, beside the one that is played."""
    strays: int
    """States away from the game, for 100 moves."""
    seed: int

    def play(self, folder: Path, games: int, progress: Callable[[int], None]) -> None:
        """Fill a folder with so many games; `progress` gets how many it holds."""
        folder.mkdir(parents=True, exist_ok=True)
        for begin in range(0, games, SHARD):
            path = folder / f"games-{begin // SHARD:05}.npz"
            if not path.exists():
                write_games(path, self_play(
                    self.game, self.options, self.weights, network=self.network, nodes=self.nodes,
                    opening_nodes=self.opening_nodes, deals=self.deals, strays=self.strays,
                    seed=self.seed * 1_000_000 + begin, count=min(SHARD, games - begin),
                ))
            progress(min(begin + SHARD, games))


def write_games(path: Path, data: Played) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(
            file, rows=data.rows, values=data.values.astype(np.int32),
            searched=data.searched.astype(np.int32), within=data.within.astype(np.int8),
        )
    part.replace(path)


def read_games(path: Path) -> Played:
    with np.load(path) as file:
        return Played(*(file[field.name] for field in fields(Played)))


def read_folders(folders: Iterable[Path]) -> list[Played]:
    """All games of some folders."""
    games = [read_games(path) for folder in folders for path in sorted(folder.glob("games-*.npz"))]
    if not games:
        raise ValueError("there are no games to learn from")
    return games
