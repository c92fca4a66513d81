"""What a game's evaluate.py offers to searches."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Final, TypeVar
from zipfile import BadZipFile

import numpy as np

from azulejos.core.game import Game
from azulejos.core.layout import Cells
from azulejos.engine.network import Network, is_network, read_network, shapes
from azulejos.engine.value import SWING
from azulejos.parts.weights import read_weights

T = TypeVar("T")

NETWORK: Final = "net"
"""The name of a game's own networks."""
LINEAR: Final = "linear"
"""The name of what judges without them: the first set of weights."""


def weights_of(game: Game, name: str) -> Cells:
    """A named set of weights of the game's evaluation, or a file of them (.npz); no name: its first.

    The first set also judges what networks do not.
    """
    module = _evaluation(game)
    if module is None:
        return np.full((1, 1), 100, np.int32)
    sets: dict[str, Cells] = module.WEIGHTS
    if name in ("", LINEAR) or network_of(game, name) is not None:
        return next(iter(sets.values()))
    if name.endswith(".npz"):
        return _read(Path(name), next(iter(sets.values())).shape)
    if name not in sets:
        raise ValueError(f"{game.name} has no weights {name!r}; it has {', '.join(sets)}")
    return sets[name]


def network_of(game: Game, name: str) -> Network | None:
    """The game's own networks, by their name or without any, or those of a file (.npz)."""
    features = _module(game, "features")
    if name in ("", NETWORK) and features is not None:
        return read_network(features.NETWORK)
    if name.endswith(".npz") and _open(is_network, Path(name)):
        return _fitting(game, _open(read_network, Path(name)), name)
    return None


def _fitting(game: Game, network: Network, name: str) -> Network:
    """The networks of a file, if they are for the inputs that the game has now."""
    features = _module(game, "features")
    if features is None:
        raise ValueError(f"{game.name} has no networks, but {name} holds some")
    sizes = shapes(features.NETWORKS, features.SIDE_INPUTS, features.TABLE_INPUTS)
    if any(getattr(network, weight).shape != shape for weight, shape in sizes.items()):
        raise ValueError(f"{name} holds networks for other inputs than {game.name} has")
    return network


def _read(path: Path, shape: tuple[int, ...]) -> Cells:
    weights = _open(read_weights, path)
    if weights.shape != shape:
        raise ValueError(f"{path} holds weights of shape {weights.shape}, not {shape}")
    return weights


def _open(read: Callable[[Path], T], path: Path) -> T:
    """What a person's file holds; a ValueError if it is no such file."""
    try:
        return read(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} holds no weights or networks") from error


def has_chance_free_rounds(game: Game) -> bool:
    """Whether nothing is drawn between the first and the last decision of a round."""
    return bool(getattr(_evaluation(game), "CHANCE_FREE_ROUNDS", False))


def swing_of(game: Game) -> int:
    """Hundredths of a point that make winning e times as likely."""
    return int(getattr(_evaluation(game), "SWING", SWING))


PLAIN = "plain"
"""The set of weights that a beginner judges by."""


def seen_weights(game: Game, share: float) -> Cells:
    """What somebody sees who has left so much of a beginner's blindness behind, from 0 to 1."""
    best = weights_of(game, "")
    plain = getattr(_evaluation(game), "WEIGHTS", {}).get(PLAIN, best)
    seen: Cells = np.rint(plain + share * (best - plain.astype(float))).astype(np.int32)
    return seen


def nonsense_of(game: Game) -> int | None:
    """Nobody plays what promises less while something promises more; None: the game has no such limit."""
    limit: int | None = getattr(_evaluation(game), "NONSENSE", None)
    return limit


def _evaluation(game: Game) -> ModuleType | None:
    return _module(game, "evaluate")


def _module(game: Game, name: str) -> ModuleType | None:
    try:
        return game.module(name)
    except ModuleNotFoundError:
        return None
