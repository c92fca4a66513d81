"""The transposition table of the search, and its clock."""

from __future__ import annotations

import time

import numpy as np
import pytest

from azulejos.core import registry
from azulejos.core.jit import Binding
from azulejos.engine import clock, transpositions


@pytest.fixture(params=["compiled", "interpreted"])
def binding(request: pytest.FixtureRequest) -> Binding:
    game = registry.find("azul")[0]
    return game.compiled if request.param == "compiled" else game.interpreted


@pytest.mark.parametrize("value", [0, -123, 45_678, -1_000_000])
def test_what_is_remembered_is_recalled(binding: Binding, value: int) -> None:
    known, key = transpositions.make_transpositions(4), np.uint64(2**63 + 12345)
    binding.bind(transpositions.remember)(known, key, value, 179, 9, transpositions.AT_LEAST, 1000)
    found = binding.bind(transpositions.recall)(known, key)
    assert binding.bind(transpositions.known_value)(found) == value
    assert binding.bind(transpositions.known_action)(found) == 179
    assert binding.bind(transpositions.known_depth)(found) == 9
    assert binding.bind(transpositions.decides)(found, value - 1, value)
    assert not binding.bind(transpositions.decides)(found, value - 1, value + 1)


def test_other_positions_are_not_recalled(binding: Binding) -> None:
    known = transpositions.make_transpositions(4)
    assert binding.bind(transpositions.recall)(known, np.uint64(99)) == 0
    binding.bind(transpositions.remember)(known, np.uint64(99), 5, 1, 3, transpositions.EXACT, 1)
    assert binding.bind(transpositions.recall)(known, np.uint64(99 + 32)) == 0


def test_what_took_many_nodes_outlives_what_took_few(binding: Binding) -> None:
    """But not for ever: an entry loses weight each time it is kept."""
    known = transpositions.make_transpositions(1)
    remember, recall = binding.bind(transpositions.remember), binding.bind(transpositions.recall)
    remember(known, np.uint64(1), 5, 1, 3, transpositions.EXACT, 8)
    for key in (3, 5, 7):
        remember(known, np.uint64(key), 5, 1, 3, transpositions.EXACT, 1)
        assert recall(known, np.uint64(1)) != 0
        assert recall(known, np.uint64(key)) != 0
    for key in (9, 11):
        remember(known, np.uint64(key), 5, 1, 3, transpositions.EXACT, 1)
    assert recall(known, np.uint64(1)) == 0
    assert recall(known, np.uint64(9)) != 0
    assert recall(known, np.uint64(11)) != 0


def test_an_entry_written_by_two_threads_at_once_fits_no_position(binding: Binding) -> None:
    """Two positions in one slot: the first word of one, the second word of the other."""
    keys = (np.uint64(99), np.uint64(99 + 32))
    first, second = transpositions.make_transpositions(4), transpositions.make_transpositions(4)
    binding.bind(transpositions.remember)(first, keys[0], 5, 1, 3, transpositions.EXACT, 1)
    binding.bind(transpositions.remember)(second, keys[1], -7, 2, 4, transpositions.EXACT, 1)
    torn = np.stack([first[:, 0], second[:, 1]], axis=1)
    assert [binding.bind(transpositions.recall)(torn, key) for key in keys] == [0, 0]


@pytest.mark.skipif(not clock.EXISTS, reason="the C library has no such clock")
@pytest.mark.parametrize("cpu", [False, True])
def test_a_budget_of_time_is_used_up(binding: Binding, cpu: bool) -> None:
    clocks = clock.make_clock(binding)
    is_late = binding.bind(clock.is_late)
    assert not is_late(clocks)
    assert clock.set_budget(clocks, 1000, cpu=cpu)
    assert not is_late(clocks)
    assert clock.set_budget(clocks, 0.001, cpu=cpu)
    assert not is_late(clocks)
    while time.clock_gettime_ns(int(clocks[clock.WHICH])) < clocks[clock.BEGAN] + clocks[clock.BUDGET]:
        pass
    assert is_late(clocks)
