"""Generations of networks: each learns from games of the best one so far, and must win a match against it.

A folder holds a folder for each generation, with its games (`learning.game_files`), its networks and the
log of its match. Whatever is already there is not done again, so an interrupted training continues.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from azulejos.engine.network import Network, write_network
from azulejos.learning.game_files import Machines, SelfPlaySettings, read_folders
from azulejos.learning.train import train

GAMES: Final = "games"
NETWORK: Final = "network.npz"
VERDICT: Final = "verdict.json"
MEMORY: Final = 2
"""A generation learns from the games of this many: its own and the ones before."""


@dataclass(frozen=True)
class MatchVerdict:
    """The result of a match against the best networks so far, with 95 % confidence."""

    share: float
    low: float
    high: float
    fair: float

    @property
    def better(self) -> bool:
        """Whether the new networks play the next generation. They need not be better beyond doubt: the
        generation after them is tried against whichever was kept."""
        return self.share > self.fair


Gate = Callable[[Path, str], MatchVerdict]
"""A match of a file of networks against the evaluation with a name."""


@dataclass(frozen=True, kw_only=True)
class Tutor:
    """How a generation is made."""

    table: SelfPlaySettings
    games: int
    epochs: int
    rate: float
    workers: Machines
    gate: Gate
    progress: Callable[[int], None]
    report: Callable[[str, int, float], None]

    def teach(self, folder: Path, number: int, best: str, also: Sequence[Path]) -> tuple[str, MatchVerdict]:
        """Make a generation; returns the name of the best evaluation then, and how its match ended."""
        place = folder / f"{number:02}"
        table = replace(self.table, weights=best, seed=self.table.seed + number)
        table.play(place / GAMES, self.games, self.workers, self.progress)
        path = place / NETWORK
        if not path.exists():
            before = [folder / f"{earlier:02}" / GAMES for earlier in range(1, number)]
            _write(path, self._trained([place / GAMES, *before[-(MEMORY - 1) :], *also], table.seed))
        verdict = _known(place / VERDICT) or self.gate(path, best)
        (place / VERDICT).write_text(json.dumps(vars(verdict)), encoding="utf-8")
        return (str(path) if verdict.better else best), verdict

    def _trained(self, folders: Sequence[Path], seed: int) -> Network:
        start = self.table.start
        games = read_folders(folders)
        return train(start.game, games, epochs=self.epochs, rate=self.rate, seed=seed, report=self.report)


def _write(path: Path, network: Network) -> None:
    """An interrupted write leaves no file behind."""
    part = path.with_suffix(".part.npz")
    write_network(part, network)
    part.replace(path)


def _known(path: Path) -> MatchVerdict | None:
    return MatchVerdict(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None
