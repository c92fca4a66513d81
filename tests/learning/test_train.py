"""Training: its data, that it learns, and that the search uses the result."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from azulejos.bots.evaluation import network_of, weights_of
from azulejos.cli import main
from azulejos.core import registry
from azulejos.core.layout import Cells, view
from azulejos.core.position import new
from azulejos.core.verbs import network_for, viewpoint
from azulejos.engine.network import SCALES, Network, network_value, quantised, shapes
from azulejos.engine.seatplay import LATER, seat_play
from azulejos.engine.selfplay import NO_RESULT, PlayedStates, self_play
from azulejos.engine.turn_searches import search_turns
from azulejos.games.azul import features
from azulejos.games.azul.factors import FACTORS
from azulejos.games.queens_garden import features as garden
from azulejos.games.stained_glass import features as glass
from azulejos.learning.game_files import MatchVerdict, read_folders, write_games
from azulejos.learning.train import (
    BLOCK,
    END,
    HELD_OUT,
    TURNS,
    Batches,
    Examples,
    _units,
    error,
    examples,
    for_inputs,
    in_hundredths,
    largest_amounts,
    learn,
    margins,
    new_weights,
    predicted,
    with_heads,
    with_straight,
)

AZUL, _ = registry.find("azul")
ALL = range(features.NETWORKS)
needs_torch = pytest.mark.skipif("not __import__('importlib').util.find_spec('torch')", reason="no PyTorch")


@pytest.fixture(scope="module")
def games() -> PlayedStates:
    return self_play(AZUL, {}, weights_of(AZUL, "hand"), nodes=2, seed=3, count=4)


def of_one(weights: dict[str, Cells]) -> Network:
    """The same weights for all networks."""
    sizes = shapes(features.NETWORKS, features.SIDE_INPUTS, features.TABLE_INPUTS)
    ready = {"ready": np.ones(features.NETWORKS)}
    return quantised(ready | {name: np.broadcast_to(value, sizes[name]) for name, value in weights.items()})


def test_games_are_kept_in_files(games: PlayedStates, tmp_path: Path) -> None:
    write_games(tmp_path / "games-00000.npz", games)
    (read,) = read_folders([tmp_path])
    assert (read.rows == games.rows).all()
    assert (read.searched == games.searched).all()
    with pytest.raises(ValueError, match="no games"):
        read_folders([tmp_path / "elsewhere"])


def test_targets_belong_to_the_side_that_moves_first(games: PlayedStates) -> None:
    data = examples(AZUL, games, ALL)
    judged = [row for row in games.rows if AZUL.interpreted.bind(network_for)(view(AZUL.state, row)) >= 0]
    assert len(judged) == len(data.which) > 20
    twice = replace(games, values=-games.values, searched=-games.searched)
    assert (examples(AZUL, twice, ALL).targets == -data.targets).all()


def test_short_files_hold_out_their_share_too(games: PlayedStates) -> None:
    data = examples(AZUL, games, ALL)
    assert len(data.held_out) < BLOCK * HELD_OUT
    assert 0.02 < data.held_out.mean() < 0.08


def test_every_input_has_factors() -> None:
    assert FACTORS.side.shape[0] == features.SIDE_INPUTS
    assert FACTORS.table.shape[0] == features.TABLE_INPUTS
    sets = (features.ROW, features.COLUMN, features.FITTING, features.ROW_COLOURS, features.COLUMN_COLOURS)
    empty = {first + i * features.SETS for first in sets for i in range(5)}
    empty |= {features.COMPLETE, features.FINISHABLE, features.EXACTLY, features.FILLABLE, features.ONE_WAY}
    without = set(np.flatnonzero(FACTORS.side.sum(axis=1) == 0).tolist())
    assert without == empty


@pytest.mark.parametrize(("box", "never"), [
    ("sintra-a", {glass.UPPERS, glass.LOWERS, glass.FINISHABLE, glass.EXACTLY}), ("garden", set()),
])
def test_every_input_of_other_games_has_factors(box: str, never: set[int]) -> None:
    game, _ = registry.find(box)
    assert game.features is not None
    assert game.factors is not None
    assert game.factors.side.shape[0] == game.features.side_size
    assert game.factors.table.shape[0] == game.features.table_size
    without = set(np.flatnonzero(game.factors.side.sum(axis=1) == 0).tolist())
    assert without == never


@needs_torch
def test_the_search_sees_the_network_that_was_trained(games: PlayedStates) -> None:
    """Integers in the search, floating point in the trainer: less than a point apart."""
    data = examples(AZUL, games, ALL)
    amounts = largest_amounts(data)
    w = with_straight(new_weights(data.first.shape[1], data.table.shape[1], 1), data, amounts)
    w["last"] = new_weights(1, 1, 2)["last"]
    network = of_one(for_inputs(in_hundredths(w, amounts), FACTORS.side, FACTORS.table))
    values = np.concatenate([
        predicted(w, *inputs).detach().numpy() for *inputs, _ in Batches(data, amounts).each()
    ])
    bind, states = AZUL.interpreted.bind, [view(AZUL.state, row) for row in games.rows]
    judged = [s for s in states if bind(network_for)(s) >= 0]
    judged.sort(key=bind(viewpoint))  # in the order of `examples`
    assert len(judged) == len(values)
    for s, expected in list(zip(judged, values, strict=True))[::9]:
        value = bind(network_value)(s, network, bind(network_for)(s), bind(viewpoint)(s))
        assert abs(value - 2000 * expected) < 100


@needs_torch
@pytest.mark.parametrize("seats", [2, 4])
def test_learning_finds_what_was_planted(seats: int) -> None:
    rng = np.random.default_rng(1)
    first = rng.integers(0, 3, (4000, 6)).astype(np.uint8)
    others = rng.integers(0, 3, (4000, seats - 1, 6)).astype(np.uint8)
    table = rng.integers(0, 2, (4000, 2)).astype(np.uint8)
    ahead = first[:, 0] - others[:, :, 0].mean(axis=1)
    planted = 500.0 * ahead + 900.0 * (first[:, 1] > 1) * table[:, 0]
    held_out = np.arange(4000) % 10 == 0
    data = Examples(
        first=first, others=others, present=np.ones((4000, seats - 1), np.uint8), table=table,
        which=np.zeros(4000, np.int64), targets=planted.astype(np.float32), held_out=held_out,
    )
    learned, checked = (Batches(data.of(part), largest_amounts(data)) for part in (~held_out, held_out))
    begun = with_straight(new_weights(6, 2, 0), data, largest_amounts(data))
    found = learn(begun, learned, checked, epochs=25, rate=5e-3, seed=0, report=lambda epoch, now: None)
    assert error(found, checked) < error(with_straight(begun, data, largest_amounts(data)), checked) / 3


@needs_torch
@pytest.mark.parametrize(("box", "players"), [
    ("azul", 2), ("sintra-b", 2), ("garden", 2), pytest.param("azul-grey", 3, marks=pytest.mark.slow),
])
def test_train_from_the_first_game_to_a_search(tmp_path: Path, box: str, players: int) -> None:
    line = ["train", box, "--players", str(players), "--games", "3", "--nodes", "2", "--opening-nodes", "4"]
    line += ["--epochs", "1", "--generations", "2", "--gate-deals", "1", "--weights", "hand"]
    line += ["--folder", str(tmp_path / "Lessons"), "--out", str(tmp_path / "n.npz")]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    assert ", epoch 1: error" in result.output
    assert result.output.count("against ") == 2
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    assert len([path for path in kept if path.name == "network.npz"]) == 2
    again = CliRunner().invoke(main, line)
    assert "epoch" not in again.output  # nothing was trained or played again
    assert {path: path.stat().st_mtime_ns for path in kept if path.name != "n.npz"} == {
        path: time for path, time in kept.items() if path.name != "n.npz"
    }


@needs_torch
def test_tables_of_three_and_four_are_learned_together_as_the_search_sees_them() -> None:
    """Each state of three seats has an other side that is not there; it must add nothing."""
    tables = {
        seats: seat_play(AZUL, new("azul", players=seats).options, weights_of(AZUL, "hand"), players=seats,
                         nodes=4, seed=1, count=1, swing=1000)
        for seats in (3, 4)
    }
    apart = [examples(AZUL, data, ALL) for data in tables.values()]
    both = Examples.together(apart)
    assert both.others.shape[1] == 3
    amounts = largest_amounts(both)
    w = with_straight(new_weights(both.first.shape[1], both.table.shape[1], 1), both, amounts)
    w["last"] = new_weights(1, 1, 2)["last"]
    network = of_one(for_inputs(in_hundredths(w, amounts), FACTORS.side, FACTORS.table))
    values = np.concatenate([
        predicted(w, *inputs).detach().numpy() for *inputs, _ in Batches(both, amounts).each()
    ])
    bind, at = AZUL.interpreted.bind, 0
    for seats, data in tables.items():
        judged = [s for s in (view(AZUL.state, row) for row in data.rows) if bind(network_for)(s) >= 0]
        for seat in range(seats):
            for s, expected in list(zip(judged, values[at:], strict=False))[::9]:
                value = bind(network_value)(s, network, bind(network_for)(s), seat)
                assert abs(value - 2000 * expected) < 100
            at += len(judged)
    assert at == len(values)


def test_every_seat_has_a_value_in_games_of_three() -> None:
    data = seat_play(AZUL, new("azul", players=3).options, weights_of(AZUL, "hand"), players=3, nodes=4,
                     seed=1, count=2, swing=1000, deals=1, strays=30)
    assert data.values.shape == data.searched.shape == data.results.shape == (len(data.rows), 3)
    assert set(data.within.tolist()) == {0, 1}
    ends = data.results[data.results[:, 0] != NO_RESULT]
    assert 0 < len(ends) < len(data.rows)
    assert (np.sort(ends, axis=1)[:, -2] <= 0).all()  # at most one seat is ahead of all others
    found = examples(AZUL, data, ALL)
    assert found.others.shape[1] == 2
    assert len(found.targets) % 3 == 0


def test_values_between_rounds_pass_on_what_came_later() -> None:
    data = seat_play(AZUL, new("azul", players=3).options, weights_of(AZUL, "hand"), players=3, nodes=4,
                     seed=3, count=1, swing=1000, deals=1)
    (between,) = np.nonzero(data.within == 0)
    assert len(between) > 2
    assert (data.values[between[-1]] == data.results[0]).all()
    for at, then in pairwise(between):
        expected = LATER * data.values[then] + (1 - LATER) * data.searched[then]
        assert abs(data.values[at] - expected).max() <= 2
    for first, then in pairwise([-1, *between]):
        later = LATER * data.values[then] + (1 - LATER) * data.searched[then]
        searched = data.searched[first + 1 : then]
        for value in data.values[first + 1 : then]:
            assert abs(value - later).max() <= 2 or (value == searched).all(axis=1).any()


def test_the_verdict_needs_more_than_the_fair_share() -> None:
    assert MatchVerdict(0.4, 0.3, 0.5, 1 / 3).better
    assert not MatchVerdict(0.5, 0.4, 0.6, 0.5).better


def test_every_turn_of_queens_garden_has_a_value() -> None:
    """Searched, with later searches and the result mixed in; the last states are close to the result."""
    game, _ = registry.find("garden")
    data = search_turns(game, new("garden").options, weights_of(game, ""), players=2, nodes=2, seed=1,
                        count=2, swing=2000, strays=30)
    assert data.values.shape == data.searched.shape == data.results.shape == (len(data.rows), 2)
    own = data.results[:, 0] != NO_RESULT
    assert 0 < np.count_nonzero(~own) < np.count_nonzero(own)
    assert (data.values[~own] == data.searched[~own]).all()
    assert (data.results[own].sum(axis=1) == 0).all()
    bind = game.interpreted.bind
    assert all(bind(network_for)(view(game.state, row)) >= 0 for row in data.rows)
    last = np.flatnonzero(own)[-1]
    assert abs(data.values[last] - data.results[last]).max() <= abs(
        data.searched[last] - data.results[last]
    ).max()


@pytest.mark.parametrize(("players", "share"), [(2, END), (3, TURNS)])
def test_targets_of_turns_mix_the_search_with_what_came_later(players: int, share: float) -> None:
    game, _ = registry.find("garden")
    data = search_turns(game, new("garden").options, weights_of(game, ""), players=players, nodes=2, seed=1,
                        count=1, swing=2000)
    found = examples(game, data, range(garden.NETWORKS)).targets
    wanted = (share * data.values + (1 - share) * data.searched).astype(np.float32)
    assert len(found) == len(data.rows) * (1 if players == 2 else players)
    assert np.isin(found, wanted).all()


def test_margin_and_win_are_told_apart() -> None:
    """Fitted to results, they agree with them; a search does not notice."""
    network = network_of(new("azul"), "")
    assert network is not None
    games = self_play(
        AZUL, new("azul").options, weights_of(AZUL, ""), network=network, nodes=2, seed=5, count=60
    )
    found = with_heads(AZUL, network, [games])
    for name in (*SCALES, "ready"):
        assert (getattr(found, name) == getattr(network, name)).all()
    units, which, results = _units(AZUL, found, games)
    said = np.einsum("shu,su->sh", found.heads[which], units)
    assert np.corrcoef(said[:, 0], margins(results))[0, 1] > 0.5
    assert np.mean((said[:, 1] > 0) == (results > 0)) > 0.65


def test_margins_beyond_the_bend_are_restored() -> None:
    assert margins(np.array([0, 1200, -1700, 4000 + 1200 + 50])).tolist() == [0, 0, -5, 45]
