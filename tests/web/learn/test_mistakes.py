"""Own mistakes as cards: asked when due, answered with what a turn costs, dropped with their judge."""

from __future__ import annotations

import json
import random

import pytest
from starlette.testclient import TestClient

from azulejos.core.message import msg
from azulejos.core.position import Position, new
from azulejos.insight.judge import VERSION
from azulejos.insight.progress import Card, JudgedGame, Progress, Sentence, read, written
from azulejos.insight.review import weights_version
from azulejos.web.learn.card import card_script


def late_position() -> Position:
    """A position late in a round with a few turns to choose from."""
    rng, position = random.Random(3), new("azul")
    position.deal(rng)
    while not 3 <= len(position.legal_actions()) <= 12 or position.is_chance:
        position.play(rng.choice(position.legal_actions()))
        position.deal(rng)
    return Position.from_text(position.text())


def card(start: Position, **changes: object) -> Card:
    moves = [start.game.moves.text(action) for action in start.legal_actions()]
    values: dict[str, object] = {
        "id": "a1", "at": 1, "position": start.text(), "table": "t", "ply": 3, "played": moves[1],
        "better": moves[0], "lost": 3.5, "judge": VERSION, "weights": weights_version(start.game),
        "costs": {move: 3.5 * number for number, move in enumerate(moves)},
        "reasons": (Sentence.of(msg("You")), Sentence("{x:>99999999}", (("x", 1),))),
        "names": ("Ana", "Ben"),
    }
    return Card(**(values | changes))  # type: ignore[arg-type]


def bring(client: TestClient, *cards: Card, games: tuple[JudgedGame, ...] = ()) -> None:
    file = written(Progress(cards=cards, games=games))
    assert client.post("/you/import", files={"file": ("x.json", file)}).status_code == 200


def test_a_card_that_is_due_is_asked_and_then_not_for_some_days(client: TestClient) -> None:
    assert "There is no card yet" in client.get("/you/mistakes").text
    bring(client, card(late_position()))
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
    bring(client, card(position, weights="old"), card(position, id="b2", position="nonsense"),
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
    bring(client, games=games)
    text = client.get("/you").text
    assert "You play like" in text
    assert text.count('<circle class="game"') == 2
    bring(client, games=(JudgedGame(table="u", seat=0, at=9, box="azul", players=2, judge=99, level=1,
                                    weights="w", losses=losses),))
    assert "after 2 games" in client.get("/you").text, "a game of another judge was counted"


@pytest.mark.slow
def test_mistakes_of_a_reviewed_game_become_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    from azulejos import Record
    from azulejos.bots.skill import SkillBot
    from azulejos.insight.cards import practice_of
    from azulejos.insight.review import review
    from azulejos.insight.stretches import Effort
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
