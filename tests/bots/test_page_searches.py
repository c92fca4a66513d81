"""A page chooses as our bots do: same level, position, nodes and seed, same turn to the last bit."""

from __future__ import annotations

import random

import pytest
from bench.page_searches import NODE, asked_in_node, looked_up_in_node, told

import azulejos
from azulejos.bots import Limit
from azulejos.bots.levels import NAMES, make_level
from azulejos.bots.search import make_search
from azulejos.core import readiness
from azulejos.insight.judge import Effort, FoundBest, WantedSearches, judge_for
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
@pytest.mark.parametrize(("box", "players"), sampled(TABLES, quick=[("azul", 2), ("garden", 2)]))
def test_a_page_tells_a_judge_what_it_would_find_itself(
    box: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, position = azulejos.new(box).game, played(box, players, seed=3, decisions=5)
    monkeypatch.setattr(readiness, "_engines", {game: readiness.module_of(game)})
    here, there, asked = judge_for(position), judge_for(position), list[WantedSearches]()
    nodes = 2000 if not here.whole_turns else 100

    def page(wanted: WantedSearches) -> list[FoundBest]:
        asked.append(wanted)
        return looked_up_in_node(position, wanted)

    for judge in (here, there):
        judge.begin(Effort(nodes=nodes, deals=2, deal_nodes=nodes // 2), seed=7)
    there.elsewhere = page
    own, told = (judge.search(position, nodes) for judge in (here, there))
    assert (told.line, told.values.tolist(), told.proved) == (own.line, own.values.tolist(), own.proved)
    for judge in (here, there):
        judge.begin(judge.effort, seed=7)
    ends = [judge.play_out(position, nodes // 10) for judge in (here, there)]
    assert ends[0].history.actions == ends[1].history.actions
    count = len(asked)
    deals = [judge.samples(ends[0]).tolist() for judge in (here, there)]
    assert deals[0] == deals[1]
    assert len(asked) - count == ends[0].is_chance, "all deals in one question"
    assert there.elsewhere is not None


def test_a_judge_searches_itself_if_nobody_else_does_or_the_answers_are_wrong() -> None:
    position = late_in_round("azul", 1, at_most=5)
    for answers in (
        [], [FoundBest(line=())], [FoundBest(line=(10**6,))],
        [FoundBest(line=(position.legal_actions()[0],), means=(0.5, 0.5))],
    ):
        judge = judge_for(position)
        judge.elsewhere = lambda _, answers=answers: answers
        assert judge.search(position, 50).line[0] in position.legal_actions()
        assert judge.elsewhere is None


@pytest.mark.skipif(NODE is None, reason="needs Node.js")
@pytest.mark.parametrize(("box", "players", "level"), [("azul", 2, 7), ("azul", 4, 7)])
def test_a_page_keeps_to_its_time(box: str, players: int, level: int) -> None:
    positions = [played(box, players, seed=seed, decisions=3) for seed in range(3)]
    limit = {"seconds": 0.3, "nodes": None}
    found = asked_in_node(positions, level=f"level:{level}", limit=limit)
    for position, there in zip(positions, found, strict=True):
        assert there["line"][0] in position.legal_actions()
        assert there["nodes"] > 100
