"""Own mistakes as cards: asked when due, answered with what a turn costs, dropped with their judge."""

from __future__ import annotations

import json
import random
import threading

import pytest
from starlette.testclient import TestClient

from azulejos.core.position import new
from azulejos.insight.judge import VERSION
from azulejos.insight.progress import JudgedGame, read
from azulejos.insight.review import weights_version
from azulejos.web.learn.questions import card_script
from azulejos.web.pages import mistakes
from patience import PATIENCE
from web.cards import bring_cards, card, late_position
from web.people import person
from web.watched import threads_of


def test_a_card_that_is_due_is_asked_and_then_not_for_some_days(client: TestClient) -> None:
    assert "There is no card yet" in client.get("/you/mistakes").text
    bring_cards(client, card(late_position()))
    page = client.get("/you/mistakes").text
    assert 'data-name="a1"' in page
    assert "1 due" in page
    assert "1 card is due" in client.get("/you").text
    answer = {"card": "a1", "at": 4_000_000_000_000, "first": "right", "tries": 1}
    client.post("/you/progress", content=json.dumps({"answers": [answer]}))
    assert "Nothing is due now" in client.get("/you/mistakes").text


def test_every_turn_has_its_cost_and_the_better_one_its_reason() -> None:
    position = late_position()
    asked = card(position)
    script = card_script(asked, ["You", "Ben"], "en")
    replies = {move: script.replies[step.answer] for move, step in script.nodes[0].steps.items()}
    assert [move for move, reply in replies.items() if reply.right] == [asked.better]
    assert "You" in replies[asked.better].said
    assert not any("9999" in sentence for sentence in replies[asked.better].said)
    assert replies[asked.played].said == ["That is what you played in the game.",
                                          "It costs you about 3.5 points."]


def test_cards_of_another_judge_and_what_cannot_be_read_are_not_asked(client: TestClient) -> None:
    position = late_position()
    bring_cards(client, card(position, weights="old"), card(position, id="b2", position="nonsense"),
          card(position, id="c3", position=new("garden").text(), costs={}))
    assert client.get("/you/mistakes").status_code == 200
    assert client.get("/you/mistakes/a1").status_code == 404
    assert client.get("/you/mistakes/b2").status_code == 404
    assert client.get("/you/mistakes/c3").status_code == 404
    assert client.get("/you/mistakes/b2/script.json").status_code == 404
    assert read(client.get("/you/progress.json").content).cards[0].weights == "old"


def test_the_level_follows_from_judged_games(client: TestClient) -> None:
    losses = tuple((own, (2.0, 1.6, 1.0, 0.6, 0.4, 0.2, 0.0)) for own in (0.0, 1.5, 0.8, 1.2, 1.0) * 4)
    games = tuple(
        JudgedGame(table=f"t{n}", seat=0, at=n, box="azul", players=2, judge=VERSION, level=1,
                   weights=weights_version(new("azul").game), losses=losses)
        for n in range(2)
    )
    bring_cards(client, games=games)
    text = client.get("/you").text
    assert "You play like" in text
    assert text.count('<circle class="game"') == 2
    bring_cards(client, games=(JudgedGame(table="u", seat=0, at=9, box="azul", players=2, judge=99, level=1,
                                    weights="w", losses=losses),))
    assert "after 2 games" in client.get("/you").text, "a game of another judge was counted"


@pytest.mark.slow
def test_mistakes_of_a_reviewed_game_become_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    from azulejos import Record
    from azulejos.bots.skill import SkillBot
    from azulejos.insight.judge import Effort
    from azulejos.insight.practice import practice_of
    from azulejos.insight.review import review
    from azulejos.protocol.bot import Limit

    monkeypatch.setenv("AZULEJOS_JIT", "1")
    rng, position = random.Random(5), new("azul")
    bots = [SkillBot(0.3), SkillBot(0.3)]
    position.deal(rng)
    while not position.is_over:
        position.play(bots[position.to_move].play(position, Limit(nodes=300), rng=rng).move)
        position.deal(rng)
    quick = Effort(nodes=10_000, deals=3, deal_nodes=2000)
    found = practice_of(review(Record.from_position(position), efforts=[quick]), 0, table="t", at=1,
                        effort=quick)
    assert found.cards
    assert found.games[0].cards == len(found.cards)
    for each in found.cards:
        best = [move for move, cost in each.costs.items() if cost < 1]
        assert best, "the better turn is not the best"
        assert each.played in each.costs
        script = card_script(each, ["You", "Ben"], "en")
        assert any(reply.right for reply in script.replies)
        assert any(not reply.right for reply in script.replies)


def test_of_many_cards_that_cannot_be_read_few_are_tried(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = late_position()
    bring_cards(client, *(card(start, id=f"c{number}", position="azul/nothing") for number in range(150)))
    tried = threads_of(monkeypatch, "azulejos.web.pages.mistakes.is_readable", mistakes.is_readable)
    assert client.get("/you/mistakes").status_code == 200
    assert 0 < len(tried) <= mistakes.MOST_TRIED
    assert all(name.startswith("slow work") for name in tried)


def test_cards_wait_for_each_other_without_holding_pages_up(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the answers of a card are worked out, pages that need a thread are made."""
    bring_cards(client, card(late_position()))
    begun, may_end = threading.Event(), threading.Event()

    def long(*args: object) -> None:
        begun.set()
        assert may_end.wait(PATIENCE)

    monkeypatch.setattr(mistakes, "card_script", long)
    waiting = [
        threading.Thread(target=client.get, args=("/you/mistakes/a1/script.json",)) for _ in range(40)
    ]
    for thread in waiting:
        thread.start()
    assert begun.wait(PATIENCE)
    with person(client) as other:
        assert other.get("/puzzles/today").status_code == 200
        assert other.get("/learn/azul").status_code == 200
    may_end.set()
    for thread in waiting:
        thread.join()
