"""Several threads in one search, and stopping them from outside."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from azulejos.bots import Limit, warm
from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import weights_of
from azulejos.bots.search import SearchBot
from azulejos.core import jit, registry
from azulejos.engine import ahead, solver, tree
from bots.minimax import minimax
from bots.positions import late_in_round, played
from patience import PATIENCE

compiled = pytest.mark.skipif(not jit.enabled(), reason="threads share compiled code only")


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
@pytest.mark.parametrize(("box", "players"), [("azul", 3), ("garden", 2)])
def test_two_threads_grow_two_trees_and_add_them_up(box: str, players: int) -> None:
    position = played(box, players, seed=6, decisions=2)
    limit = Limit(nodes=100, stop=threading.Event(), cores=2)
    bot = SearchBot()
    choice, rated = bot.play(position, limit), bot.analyse(position, limit)
    assert choice.move in position.legal_moves
    assert {each.move for each in rated.moves} == set(position.legal_moves)
    (trees,) = bot._trees.values()
    helper = trees[1]
    assert choice.nodes > 100 < rated.nodes == 100 + helper.counters[tree.SIMULATIONS]
    root, theirs = (each.nodes[0] for each in trees)
    assert root["visits"] == 99 + _visits_of_shared_turns(trees)
    assert 0 < theirs["visits"] < helper.counters[tree.SIMULATIONS]


def _visits_of_shared_turns(trees: list[tree.Tree]) -> int:
    """How often the second tree tried turns at its root that the first one knows, too."""
    known, tried = ({
        tuple(edge["actions"][: edge["length"]]): int(edge["visits"])
        for edge in each.edges[each.nodes[0]["first"] :][: each.nodes[0]["count"]]
    } for each in trees)
    return sum(visits for turn, visits in tried.items() if turn in known)


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
def test_after_warming_up_nothing_is_compiled_while_a_clock_runs() -> None:
    game = replace(registry.find("azul")[0])  # with nothing bound yet
    warm(game)
    needed = (solver.deepen, solver.begin_ratings, solver.rate_to_depth, ahead.candidates, ahead.compare,
              ahead.kept, ahead.choose)
    for function in needed:
        assert getattr(game.compiled.bind(function), "signatures"), function.__name__  # noqa: B009


def test_cores_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Limit(cores=0)
