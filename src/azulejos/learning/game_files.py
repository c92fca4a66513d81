"""Training data of networks: folders with states of self-play games and their values.

A folder is written file by file, so that interrupted training continues where it stopped.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Final, Protocol, TypeVar

import numpy as np

from azulejos.bots.evaluation import evaluation_of, network_of, weights_of
from azulejos.core.position import Position, new
from azulejos.engine.network import Network, write_network
from azulejos.engine.seatplay import seat_play
from azulejos.engine.selfplay import PlayedStates, self_play
from azulejos.engine.turn_searches import search_turns
from azulejos.learning.train import train

Job = TypeVar("Job")
Answer = TypeVar("Answer")

SHARD: Final = 250
"""Games in a file."""


class Machines(Protocol):
    """What plays: this process, several, or a cluster (`arena.workers`)."""

    def map(self, do: Callable[[Job], Answer], jobs: Iterable[Job]) -> Iterator[Answer]: ...


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings:
    """Settings of self-play: the game, the evaluation, and the effort for a move."""

    box: str
    players: int
    options: Mapping[str, str]
    weights: str
    """What evaluates: a name or a file (`bots.evaluation`)."""
    nodes: int
    """Positions for a move; with more than two seats, simulations for a turn."""
    opening_nodes: int
    deals: int
    """Sampled deals that value a state between rounds, in addition to the one that is played."""
    strays: int
    """For 100 moves: states added that are a few random moves away from the game."""
    seed: int

    @property
    def start(self) -> Position:
        return new(self.box, players=self.players, **self.options)

    def play(self, folder: Path, games: int, workers: Machines, progress: Callable[[int], None]) -> None:
        """Fill a folder with `games` games; `progress` receives how many there are now."""
        folder.mkdir(parents=True, exist_ok=True)
        shards = {begin: min(SHARD, games - begin) for begin in range(0, games, SHARD)}
        missing = {begin: count for begin, count in shards.items() if not _file(folder, begin).exists()}
        done = games - sum(missing.values())
        progress(done)
        for begin, played in workers.map(functools.partial(play_shard, self), missing.items()):
            write_games(_file(folder, begin), played)
            done += shards[begin]
            progress(done)


def _file(folder: Path, begin: int) -> Path:
    return folder / f"games-{begin // SHARD:05}.npz"


def play_shard(table: SelfPlaySettings, shard: tuple[int, int]) -> tuple[int, PlayedStates]:
    """Play the games of one file, given by the number of the first one and how many there are."""
    begin, count = shard
    start = table.start
    weights, network = weights_of(start.game, table.weights), network_of(start, table.weights)
    evaluation = evaluation_of(start.game)
    effort = {
        "nodes": table.nodes, "strays": table.strays, "seed": table.seed * 1_000_000 + begin,
        "count": count,
    }
    rounds = {"opening_nodes": table.opening_nodes, "deals": table.deals}
    seats = {"players": start.players, "swing": evaluation.swing}
    if not evaluation.chance_free_rounds:
        return begin, search_turns(start.game, start.options, weights, network=network, **seats, **effort)
    if start.players == 2:
        return begin, self_play(start.game, start.options, weights, network=network, **rounds, **effort)
    return begin, seat_play(
        start.game, start.options, weights, network=network, **rounds, **seats, **effort
    )


def write_games(path: Path, data: PlayedStates) -> None:
    """Write the file atomically: an interrupted write leaves no file behind."""
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez_compressed(
            file, rows=data.rows, values=data.values.astype(np.int32),
            searched=data.searched.astype(np.int32), results=data.results.astype(np.int32),
            within=data.within.astype(np.int8),
        )
    part.replace(path)


def read_games(path: Path) -> PlayedStates:
    with np.load(path) as file:
        return PlayedStates(*(file[field.name] for field in fields(PlayedStates)))


def read_folders(folders: Iterable[Path]) -> list[PlayedStates]:
    """Read all games in these folders."""
    games = [read_games(path) for folder in folders for path in sorted(folder.glob("games-*.npz"))]
    if not games:
        raise ValueError("there are no games to learn from")
    return games


# --- generations --------------------------------------------------------------------------------------
# A folder holds a folder for each generation, with its games (`learning.game_files`), its networks and the
# log of its match. Whatever is already there is not done again, so an interrupted training continues.


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
