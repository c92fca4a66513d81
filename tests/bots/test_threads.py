"""Several threads in one search, and stopping them from outside."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import azulejos
from azulejos.bots import Limit
from azulejos.bots.deadline import deadline, growing
from azulejos.bots.evaluation import weights_of
from azulejos.bots.search import SearchBot
from azulejos.core import jit, registry
from azulejos.engine import ahead, solver, tree, tree_memory
from azulejos.insight.compiled import compile_all
from bots.minimax import minimax
from bots.positions import late_in_round, played
from patience import PATIENCE

compiled = pytest.mark.skipif(not jit.enabled(), reason="threads share native code only")


@pytest.fixture(autouse=True, scope="module")
def _native() -> None:
    for box in ("azul", "sintra-a", "garden"):
        azulejos.compile(box)


@compiled
@pytest.mark.parametrize("seed", range(4))
def test_two_threads_prove_what_one_does(seed: int) -> None:
    position = late_in_round("azul", 200 + seed, at_most=6)
    choice = SearchBot(ahead=False).play(position, Limit(stop=threading.Event(), cores=2))
    assert choice.proved
    assert choice.value == minimax(position, position.to_move, weights_of(position.game, "")) / 100


@compiled
def test_two_threads_rate_as_one_does() -> None:
    position = late_in_round("azul", 300, at_most=6)
    alone = SearchBot().analyse(position, Limit(nodes=10**6))
    together = SearchBot().analyse(position, Limit(stop=threading.Event(), cores=2))
    assert alone.proved
    assert [(m.move, m.value) for m in together.moves] == [(m.move, m.value) for m in alone.moves]


@compiled
def test_two_threads_decide_by_deals() -> None:
    for seed in range(400, 500):
        position = late_in_round("azul", seed, at_most=6)
        choice = SearchBot().play(position, Limit(nodes=20_000))
        if choice.deals > 0:
            break
    limit = Limit(nodes=20_000, stop=threading.Event(), cores=2)
    together = SearchBot().play(position, limit)
    assert together.proved
    assert together.deals > 0
    assert together.move in position.legal_moves


@compiled
@pytest.mark.parametrize("cores", [2, 5])
@pytest.mark.parametrize(("box", "players"), [("azul", 3), ("sintra-a", 4), ("garden", 2)])
def test_several_threads_grow_one_tree(box: str, players: int, cores: int) -> None:
    """Whatever the order of their simulations: no visit is lost, and no result."""
    position = played(box, players, seed=6, decisions=2)
    bot, limit, binding = SearchBot(), Limit(stop=threading.Event(), cores=cores), position.game.compiled
    grow, t = binding.bind(tree.grow), bot.tree(position, limit, binding)
    helpers = bot.tree_helpers(position, limit, binding, t)
    assert len(helpers) == cores - 1
    with growing(grow, t, helpers):
        wait_for_results(helpers)
        t.counters[tree_memory.LIMIT] = t.counters[tree_memory.SIMULATIONS] + 2000
        grow(t)
    nodes = t.nodes[: t.counters[tree_memory.NODES]]
    assert nodes["visits"][0] == t.counters[tree_memory.SIMULATIONS] - 1
    assert len(set(nodes["key"])) == len(nodes) == np.count_nonzero(t.slots)
    assert t.counters[tree_memory.EDGES] >= nodes["count"].sum()
    for node in nodes:
        edges = t.edges[node["first"] :][: node["count"]]
        assert len(edges) > 0
        assert edges["visits"].sum() == node["visits"]
        assert edges["total"].sum() == pytest.approx(node["total"])
        assert edges["prior"].sum() == pytest.approx(1)


def wait_for_results(helpers: list[tree_memory.Tree]) -> None:
    """Wait until every helper has finished a simulation."""
    latest = time.monotonic() + PATIENCE
    while not all(helper.utilities.any() for helper in helpers):
        assert time.monotonic() < latest
        time.sleep(0.001)


@compiled
@pytest.mark.parametrize(("box", "players"), [("azul", 3), ("garden", 2)])
def test_a_limit_of_nodes_counts_those_of_all_threads(box: str, players: int) -> None:
    position = played(box, players, seed=6, decisions=2)
    limit = Limit(nodes=300, stop=threading.Event(), cores=2)
    with SearchBot() as bot:
        assert bot.play(position, limit).nodes == 300
        assert bot.play(position, limit).move in position.legal_moves
        rated = bot.analyse(position, limit)
        with bot.analysis(position, limit) as stream:
            *_, last = stream
    assert rated.nodes == last.nodes == 300
    assert {each.move for each in rated.moves} == set(position.legal_moves)


@pytest.mark.parametrize(("box", "players"), [("azul", 2), ("azul", 3)])
def test_nodes_alone_mean_one_thread(box: str, players: int) -> None:
    position = played(box, players, seed=6, decisions=2)
    one, two = (SearchBot().play(position, Limit(nodes=2000, cores=cores)) for cores in (1, 2))
    assert (one.move, one.nodes, one.value) == (two.move, two.nodes, two.value)


def test_a_watch_that_ended_stops_nobody() -> None:
    flag, stop = np.zeros(1, np.int64), threading.Event()
    with deadline(Limit(stop=stop), flag):
        pass
    before = threading.active_count()
    stop.set()
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and type(thread).__name__ == "_Watch":
            thread.join(PATIENCE)
    assert flag[0] == 0
    assert threading.active_count() <= before


@compiled
@pytest.mark.slow
def test_once_compiled_nothing_is_compiled_while_a_clock_runs() -> None:
    game = replace(registry.find("azul")[0])  # with nothing bound yet
    compile_all(game)
    needed = (solver.deepen, solver.begin_ratings, solver.rate_to_depth, ahead.candidates, ahead.compare,
              ahead.kept, ahead.choose)
    for function in needed:
        assert getattr(game.compiled.bind(function), "signatures"), function.__name__  # noqa: B009


def test_cores_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Limit(cores=0)
