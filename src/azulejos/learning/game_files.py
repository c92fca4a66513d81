"""Training data of networks: a folder with states of self-play games and their values.

It is written file by file, so that interrupted training continues where it stopped.
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
"""Games in a file."""


@dataclass(frozen=True, kw_only=True)
class SelfPlay:
    """Settings of self-play: the game, the evaluation, and the effort for a move."""

    game: Game
    options: Mapping[str, str]
    weights: Cells
    network: Network | None
    nodes: int
    opening_nodes: int
    deals: int
    """Sampled deals that value a state between rounds, in addition to the one that is played."""
    strays: int
    """For 100 moves: states added that are a few random moves away from the game."""
    seed: int

    def play(self, folder: Path, games: int, progress: Callable[[int], None]) -> None:
        """Fill a folder with `games` games; `progress` receives the number that it holds."""
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
    """Write the file atomically: an interrupted write leaves no file behind."""
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
    """Read all games in these folders."""
    games = [read_games(path) for folder in folders for path in sorted(folder.glob("games-*.npz"))]
    if not games:
        raise ValueError("there are no games to learn from")
    return games
