"""Access to a game's evaluation (evaluate.py) and networks."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar
from zipfile import BadZipFile

from azulejos.core import verbs
from azulejos.core.contract import Evaluate
from azulejos.core.game import Game
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine.choice import SEARCHES, blend_weights
from azulejos.engine.network import Network, is_network, padded, read_network, shapes
from azulejos.parts.evaluation import read_weights

T = TypeVar("T")

NETWORK: Final = "net"
"""The name of a game's own networks."""
LINEAR: Final = "linear"
"""The name of the evaluation without networks: the first set of weights."""


def weights_of(game: Game, name: str) -> Cells:
    """A named set of weights of the game's evaluation, or a file of them (.npz); without a name the first.

    The first set also evaluates positions for which there is no network.
    """
    sets = evaluation_of(game).weights
    if name in ("", LINEAR) or _names_networks(game, name):
        return next(iter(sets.values()))
    if name.endswith(".npz"):
        return _read(Path(name), next(iter(sets.values())).shape)
    if name not in sets:
        raise ValueError(f"{game.name} has no weights {name!r}; it has {', '.join(sets)}")
    return sets[name]


def _names_networks(game: Game, name: str) -> bool:
    if name == NETWORK:
        return game.features is not None
    return name.endswith(".npz") and _open(is_network, Path(name))


def network_of(position: Position, name: str) -> Network | None:
    """The networks for the box and seats of a position: the game's own, by their name or without any, or
    those of a file (.npz). None if the game has none for them, or other weights are named."""
    if name in ("", NETWORK):
        path = shipped(position)
        return None if path is None else _fitting(position, read_network(path), path.name)
    if name.endswith(".npz") and _open(is_network, Path(name)):
        return _fitting(position, _open(read_network, Path(name)), name)
    return None


def family_of(position: Position) -> str:
    """Positions of a family have the same networks."""
    features = position.game.features
    return "" if features is None else features.family(position.players, position.options)


def shipped(position: Position) -> Path | None:
    """The file of the game's own networks for the box and seats of a position, if there is one."""
    features = position.game.features
    path = None if features is None else features.folder / f"{family_of(position)}.npz"
    return path if path is not None and path.exists() else None


def _fitting(position: Position, network: Network, name: str) -> Network:
    """The networks of a file, with zeros for inputs that are newer; a ValueError unless the rest fits."""
    game, features = position.game, position.game.features
    if features is None:
        raise ValueError(f"{game.name} has no networks, but {name} holds some")
    if min(position.players, 3) != min(int(network.seats[0]), 3):
        raise ValueError(f"{name} holds networks for {int(network.seats[0])} seats, not {position.players}")
    sizes = shapes(features.networks, features.side_size, features.table_size)
    try:
        return padded(network, sizes)
    except ValueError as error:
        raise ValueError(f"{name} holds networks for other inputs than {game.name} has") from error


def _read(path: Path, shape: tuple[int, ...]) -> Cells:
    weights = _open(read_weights, path)
    if weights.shape != shape:
        raise ValueError(f"{path} holds weights of shape {weights.shape}, not {shape}")
    return weights


def _open(read: Callable[[Path], T], path: Path) -> T:
    """The content of a file that a user named; a ValueError if it is not such a file."""
    try:
        return read(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} holds no weights or networks") from error


def evaluation_of(game: Game) -> Evaluate[Any]:
    return game.evaluate or _points_alone()


@functools.cache
def _points_alone() -> Evaluate[Any]:
    """What searches use if a game has no evaluate.py."""
    weights = {"points": np.full((1, 1), 100, np.int32)}
    return Evaluate(terms=1, weights=weights, terms_of=verbs.terms_of)


PLAIN = "plain"
"""The set of weights of a beginner."""


def seen_weights(game: Game, skill: int) -> Cells:
    """Weights between those of a beginner (skill 0) and the full evaluation (from 1000 on)."""
    best = weights_of(game, "")
    seen: Cells = np.zeros_like(best)
    blend_weights(evaluation_of(game).weights.get(PLAIN, best), best, min(skill, SEARCHES), seen)
    return seen
