"""The rules of every game as a page, and the links to them from a table."""

from __future__ import annotations

import html

import pytest
from starlette.testclient import TestClient

from azulejos.core import registry
from azulejos.core.game import Game
from azulejos.core.guide import guide_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.i18n.catalogue import terms
from web.people import open_table, seated

every_game = pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)


@every_game
def test_a_page_shows_every_section_and_picture(client: TestClient, game: Game) -> None:
    answer = client.get(f"/rules/{game.name}")
    assert answer.status_code == 200
    sections = guide_of(game).sections
    for section in sections:
        assert f'<h2 id="{section.id}">' in answer.text
    panels = sum(len(picture.panels) for picture in guide_of(game).pictures)
    icons = sum(len(some.kinds) for section in sections for some in section.pieces)
    assert answer.text.count("<svg xmlns=") == panels + icons


@every_game
def test_a_page_has_a_quick_reference_and_the_words_of_the_box(client: TestClient, game: Game) -> None:
    guide = guide_of(game)
    text = html.unescape(client.get(f"/rules/{game.name}", headers={"accept-language": "cs"}).text)
    say = translator("cs")
    assert all(f"<dd>{say(line)}</dd>" in text for _, lines in guide.card for line in lines)
    for name in guide.terms:
        assert all(terms()[name].words[language] in text for language in LANGUAGES)


def test_a_refusal_leads_to_the_rules_of_the_game_played(client: TestClient) -> None:
    for box, (game, _) in registry.presets().items():
        page = client.get(open_table(client, box=box)).text
        assert f'<template id="to-rules"><a href="/rules/{game.name}"' in page


def test_only_games_have_rules(client: TestClient) -> None:
    assert client.get("/rules/chess").status_code == 404


def test_a_blocked_place_names_the_section_that_explains_it(client: TestClient) -> None:
    with seated(client, open_table(client)) as table:
        table.tell(do="why", path=["F1", "seat1.wall1-1"])
        why = table.until("why")
        assert (why["text"], why["section"]) == ("There is nothing you can do here now.", "")
        table.tell(do="play", move="0b1", ply=table.frame["ply"])
        refused = table.until("refused")
        assert (refused["text"], refused["section"]) == ("There is no blue in the centre.", "turn")
    assert 'id="turn"' in client.get("/rules/azul").text
