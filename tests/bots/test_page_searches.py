"""A page chooses as our bots do: same level, position, nodes and seed, same turn to the last bit."""

from __future__ import annotations

import random

import pytest
from bench.page_searches import NODE, asked_in_node, told

import azulejos
from azulejos.bots import Limit
from azulejos.bots.levels import NAMES, make_level
from azulejos.bots.search import make_search
from azulejos.core import readiness
from bots.positions import late_in_round, played
from patience import PATIENCE
from samples import sampled

TABLES = [("azul", 2), ("azul-grey", 4), ("sintra-a", 2), ("sintra-b", 3), ("garden", 2), ("garden", 4)]
LEVELS = range(1, 1 + len(NAMES))


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize(("box", "players"), sampled(TABLES, quick=[("azul", 2), ("garden", 4)]))
@pytest.mark.parametrize("level", sampled(LEVELS, quick=[1, 3, 7]))
def test_a_page_chooses_as_our_bots_do(
    box: str, players: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, nodes = azulejos.new(box).game, 3000 if players == 2 and box != "garden" else 200
    monkeypatch.setattr(readiness, "_engines", {game: readiness.module_of(game)})
    positions = [played(box, players, seed=seed, decisions=9 * seed) for seed in range(1, 8)]
    positions = [position for position in positions if not position.is_over]
    limit = {"seconds": None, "nodes": nodes}
    found = asked_in_node(positions, level=f"level:{level}", limit=limit)
    with make_level(str(level)) as bot:
        for number, (position, there) in enumerate(zip(positions, found, strict=True)):
            here = told(bot.play(position, Limit(nodes=nodes), rng=random.Random(number)), position)
            assert {name: there[name] for name in here} == here


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
def test_a_page_rates_all_turns_as_our_search_does() -> None:
    positions = [late_in_round("azul", seed, at_most=6) for seed in range(3)]
    found = asked_in_node(positions, seconds=PATIENCE)
    for position, there in zip(positions, found, strict=True):
        here = make_search("").rate(position, Limit(nodes=10**9))
        best = sorted((move.value or 0.0 for move in here.moves), reverse=True)[: len(there["turns"])]
        assert [turn["value"] for turn in there["turns"]] == best
        assert all(turn["proved"] for turn in there["turns"])


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize(("box", "players", "level"), [("azul", 2, 7), ("azul", 4, 7)])
def test_a_page_keeps_to_its_time(box: str, players: int, level: int) -> None:
    positions = [played(box, players, seed=seed, decisions=3) for seed in range(3)]
    limit = {"seconds": 0.3, "nodes": None}
    found = asked_in_node(positions, level=f"level:{level}", limit=limit)
    for position, there in zip(positions, found, strict=True):
        assert there["line"][0] in position.legal_actions()
        assert there["nodes"] > 100
