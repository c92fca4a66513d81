"""Training: its data, that it learns, and that the search uses the result."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.bots.evaluation import weights_of
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.layout import Cells, view
from azulejos.core.verbs import network_for, viewpoint
from azulejos.engine.network import Network, network_value, quantised, shapes
from azulejos.engine.selfplay import Played, self_play
from azulejos.games.azul import features
from azulejos.games.azul.factors import FACTORS
from azulejos.learning.game_files import read_folders, write_games
from azulejos.learning.train import (
    Batches,
    Examples,
    check,
    error,
    examples,
    for_inputs,
    in_hundredths,
    largest_amounts,
    learn,
    new_weights,
    predicted,
    with_straight,
)
from bots.positions import played

AZUL, _ = registry.find("azul")
ALL = range(features.NETWORKS)
needs_torch = pytest.mark.skipif("not __import__('importlib').util.find_spec('torch')", reason="no PyTorch")


@pytest.fixture(scope="module")
def games() -> Played:
    return self_play(AZUL, {}, weights_of(AZUL, "hand"), nodes=2, seed=3, count=4)


def of_one(weights: dict[str, Cells]) -> Network:
    """The same weights for all networks."""
    sizes = shapes(features.NETWORKS, features.SIDE_INPUTS, features.TABLE_INPUTS)
    ready = {"ready": np.ones(features.NETWORKS)}
    return quantised(ready | {name: np.broadcast_to(value, sizes[name]) for name, value in weights.items()})


def test_games_are_kept_in_files(games: Played, tmp_path: Path) -> None:
    write_games(tmp_path / "games-00000.npz", games)
    (read,) = read_folders([tmp_path])
    assert (read.rows == games.rows).all()
    assert (read.searched == games.searched).all()
    with pytest.raises(ValueError, match="no games"):
        read_folders([tmp_path / "elsewhere"])


def test_targets_belong_to_the_side_that_moves_first(games: Played) -> None:
    data = examples(AZUL, games, ALL)
    judged = [row for row in games.rows if AZUL.interpreted.bind(network_for)(view(AZUL.state, row)) >= 0]
    assert len(judged) == len(data.which) > 20
    twice = Played(games.rows, -games.values, -games.searched, games.within)
    assert (examples(AZUL, twice, ALL).targets == -data.targets).all()


def test_every_input_has_factors() -> None:
    assert FACTORS.side.shape[0] == features.SIDE_INPUTS
    assert FACTORS.table.shape[0] == features.TABLE_INPUTS
    sets = (features.ROW, features.COLUMN, features.FITTING)
    empty = {first + i * features.SETS for first in sets for i in range(5)}
    empty |= {features.COMPLETE, features.FINISHABLE, features.EXACTLY, features.FILLABLE, features.ONE_WAY}
    without = set(np.flatnonzero(FACTORS.side.sum(axis=1) == 0).tolist())
    assert without == empty


@needs_torch
def test_the_search_sees_the_network_that_was_trained(games: Played) -> None:
    """Integers in the search, floating point in the trainer: less than half a point apart."""
    data = examples(AZUL, games, ALL)
    amounts = largest_amounts(data)
    w = with_straight(new_weights(data.first.shape[1], data.table.shape[1], 1), data, amounts)
    w["last"] = new_weights(1, 1, 2)["last"]
    network = of_one(for_inputs(in_hundredths(w, amounts), FACTORS.side, FACTORS.table))
    values = np.concatenate([
        predicted(w, *inputs).detach().numpy() for *inputs, _ in Batches(data, amounts).each()
    ])
    bind, i = AZUL.interpreted.bind, 0
    for row in games.rows:
        s = view(AZUL.state, row)
        which = bind(network_for)(s)
        if which >= 0:
            if i % 9 == 0:
                value = bind(network_value)(s, network, which, bind(viewpoint)(s))
                assert abs(value - 2000 * values[i]) < 50
            i += 1


@needs_torch
def test_learning_finds_what_was_planted() -> None:
    rng = np.random.default_rng(1)
    first, second = (rng.integers(0, 3, (4000, 6)).astype(np.uint8) for _ in range(2))
    table = rng.integers(0, 2, (4000, 2)).astype(np.uint8)
    planted = 500.0 * first[:, 0] - 500.0 * second[:, 0] + 900.0 * (first[:, 1] > 1) * table[:, 0]
    held_out = np.arange(4000) % 10 == 0
    data = Examples(first, second, table, np.zeros(4000, np.int64), planted.astype(np.float32), held_out)
    learned, checked = (Batches(data.of(part), largest_amounts(data)) for part in (~held_out, held_out))
    begun = with_straight(new_weights(6, 2, 0), data, largest_amounts(data))
    found = learn(begun, learned, checked, epochs=25, rate=5e-3, seed=0, report=lambda epoch, now: None)
    assert error(found, checked) < error(with_straight(begun, data, largest_amounts(data)), checked) / 3


@needs_torch
def test_train_from_the_first_game_to_a_search(tmp_path: Path) -> None:
    line = ["train", "azul", "--games", "3", "--nodes", "2", "--opening-nodes", "4", "--epochs", "1"]
    line += ["--data", str(tmp_path), "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    assert "within, epoch 1: error" in result.output
    again = CliRunner().invoke(main, line)
    assert again.output.splitlines()[-1] == result.output.splitlines()[-1]


def test_nothing_to_train() -> None:
    with pytest.raises(ValueError, match=r"no features\.py"):
        check(registry.find("garden")[0])


def test_a_game_without_networks_has_none_to_name() -> None:
    position = played("sintra-a", 2, seed=1, decisions=3)
    with pytest.raises(ValueError, match="no weights 'net'"):
        open_bot("search:net").play(position, Limit(nodes=1))
