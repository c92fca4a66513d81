"""What can be expected of a position without any search: margin and chance to win of every seat.

    for seen in azulejos.bots.evaluate(position):
        print(seen.margin, seen.win)

The game's networks answer, or a file of your own; where there is none, the weighted terms of its
evaluation. A game that is over has its result. `Evaluator` does the same for thousands of states at once.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from azulejos.bots.evaluation import evaluation_of, network_of, weights_of
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.core.verbs import MAX_SEATS, MAX_TERMS, terms_of
from azulejos.engine.network import UNITS, Network, no_network, with_own_notes
from azulejos.engine.outlook import expect


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a seat can expect at the end of the game."""

    margin: float
    """Points ahead of the best other seat."""
    win: float
    """Chance to win; those of all seats add up to 1."""


@dataclass(frozen=True, kw_only=True)
class Outlooks:
    """The same of many states."""

    margin: Cells
    """float64 [state, seat]"""
    win: Cells
    """float64 [state, seat]"""

    def __len__(self) -> int:
        return len(self.margin)

    def __getitem__(self, state: int) -> tuple[Outlook, ...]:
        pairs = zip(self.margin[state].tolist(), self.win[state].tolist(), strict=True)
        return tuple(Outlook(margin=margin, win=win) for margin, win in pairs)

    def __iter__(self) -> Iterator[tuple[Outlook, ...]]:
        return (self[state] for state in range(len(self)))


class Evaluator:
    """Evaluates states of one box and number of seats: ``Evaluator("azul")(batch.states)``.

    `weights` is a file of networks or weights (.npz), the name of a set of the game's weights ("linear":
    the first), or weights of your own, int32 [phase, term] (`terms` says what they multiply).
    """

    def __init__(
        self, name: str, *, players: int = 2, weights: str | Cells = "", **options: str
    ) -> None:
        start = new(name, players=players, **options)
        self.game, self.players = start.game, start.players
        network, self._weights = _asked(start, weights)
        self._binding = self.game.engine
        self._network = self._binding.hold(network)
        self._swing = evaluation_of(self.game).swing
        self._terms = np.zeros((MAX_SEATS, MAX_TERMS), np.int64)
        self._values = np.zeros(MAX_SEATS, np.int64)
        self._units = np.zeros(UNITS)
        self._lock = threading.Lock()

    def __call__(self, states: Cells | Sequence[Position]) -> Outlooks:
        """`states`: positions, or uint8 [state, byte] as in `engine.batch`."""
        rows = _rows(states, self.game)
        margins, wins = np.empty((len(rows), self.players)), np.empty((len(rows), self.players))
        with self._lock:
            self._binding.bind(expect)(
                rows, self._network, self._weights, self._swing, self._terms, self._values, self._units,
                margins, wins,
            )
        return Outlooks(margin=margins, win=wins)


def evaluate(position: Position, weights: str | Cells = "") -> tuple[Outlook, ...]:
    """What every seat can expect; `weights` as in `Evaluator`."""
    if isinstance(weights, str):
        evaluator = _evaluator(position.preset.name, position.players, tuple(position.options.items()),
                               weights, _age(weights))
    else:
        evaluator = Evaluator(position.preset.name, players=position.players, weights=weights,
                              **position.options)
    return evaluator([position])[0]


def terms(position: Position) -> Cells:
    """float64 [seat, term]: the terms of the game's linear evaluation, which weights multiply.

    The game's evaluate.py says what each term is. Before OVER only.
    """
    if position.is_over:
        raise ValueError("the game is over: there is nothing to expect")
    found = np.zeros((MAX_SEATS, MAX_TERMS), np.int64)
    position.game.interpreted.bind(terms_of)(position.state, found)
    return found[: position.players, : evaluation_of(position.game).terms].astype(float)


@functools.lru_cache(maxsize=32)
def _evaluator(
    name: str, players: int, options: tuple[tuple[str, str], ...], weights: str, age: float
) -> Evaluator:
    return Evaluator(name, players=players, weights=weights, **dict(options))


def _age(weights: str) -> float:
    """When a file was written: it may be trained further while we run."""
    path = Path(weights)
    return path.stat().st_mtime if weights.endswith(".npz") and path.exists() else 0.0


def _asked(start: Position, weights: str | Cells) -> tuple[Network, Cells]:
    if isinstance(weights, str):
        network = network_of(start, weights)
        own = no_network() if network is None else with_own_notes(network, start.game)
        return own, weights_of(start.game, weights)
    given, first = np.ascontiguousarray(weights, np.int32), weights_of(start.game, "")
    if given.shape != first.shape:
        raise ValueError(f"weights of {start.game.name} have the shape {first.shape}, not {given.shape}")
    return no_network(), given


def _rows(states: Cells | Sequence[Position], game: Game) -> Cells:
    if isinstance(states, np.ndarray):
        if states.dtype != np.uint8 or states.shape[1:] != (game.size,):
            shape = f"{states.dtype} {states.shape}"
            raise ValueError(f"states are uint8 rows of {game.size} bytes, not {shape}")
        return np.ascontiguousarray(states)
    if any(position.game is not game for position in states):
        raise ValueError(f"an evaluator of {game.name} evaluates its positions alone")
    return np.stack([position.row for position in states]) if states else np.empty((0, game.size), np.uint8)
