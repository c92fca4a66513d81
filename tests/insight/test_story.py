"""The luck of a deal as a story: what came, counted again by the plain rules."""

from __future__ import annotations

import pytest

from azulejos.core.position import new
from azulejos.core.tell import Brought
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import review
from azulejos.insight.ledger import stories, stretches_of
from azulejos.insight.report import as_json, deal_line, deal_story, luckiest
from azulejos.insight.results import Deal, Margin
from boxes import BOXES
from insight.claims import false_stories
from insight.games import LITTLE, finished, record

SURE, UNSURE = Margin(5.0, 4.0, 6.0), Margin(5.0, -1.0, 11.0)
BAD = Margin(-5.0, -6.0, -4.0)


def deals(box: str, players: int, luck: tuple[Margin, ...]) -> list[Deal]:
    """The deals of a game, as if each seat had been lucky to this extent."""
    game = finished(box, players, 3)
    return [
        Deal(ply=each.deal, end=each.first, round=int(game.at(each.first).state.round), luck=luck,
             correction=(0.0,) * players,
             stories=stories(game.at(each.deal), game.at(each.first), luck))
        for each in stretches_of(game) if each.deal < each.first
    ]


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_what_a_story_tells_is_true(box: str, players: int) -> None:
    found = deals(box, players, (SURE, *(BAD,) * (players - 1)))
    assert box not in ("azul", "sintra-a", "garden") or any(deal.stories[0] for deal in found)
    for deal in found:
        assert list(false_stories(finished(box, players, 3), deal)) == []


def test_doubtful_luck_has_no_story() -> None:
    assert all(story is None for deal in deals("azul", 2, (UNSURE, UNSURE)) for story in deal.stories)


def test_good_and_bad_luck_have_different_stories() -> None:
    lucky, unlucky = (deals("azul", 2, (luck, luck)) for luck in (SURE, BAD))
    assert any(one.stories[0] and two.stories[0] and one.stories[0].brought != two.stories[0].brought
               for one, two in zip(lucky, unlucky, strict=True))


def test_pieces_beyond_the_room_of_a_seat_are_no_gain() -> None:
    eleven = Brought(kind=0, pieces=11, average=4.0, room=(2, 7))
    assert (eleven.gain(0), eleven.gain(1)) == (0.0, 3.0)


def test_a_review_tells_the_luck_of_its_deals() -> None:
    found = review(record("azul", 2, 1), efforts=[LITTLE])
    told = [(deal, seat) for deal in found.deals for seat in range(2) if deal_story(found, deal, seat)]
    assert told
    for language in LANGUAGES:
        say = translator(language)
        assert all(say(deal_line(found, deal, seat)) for deal, seat in told)
    assert all(list(false_stories(finished("azul", 2, 1), deal)) == [] for deal in found.deals)
    deal = luckiest(found, 0)
    assert deal is None or deal_story(found, deal, 0)
    shown = as_json(found)["deals"]
    assert [one["stories"][0] is not None for one in shown] == [
        one.stories[0] is not None for one in found.deals
    ]


def test_where_nothing_was_drawn_there_is_no_story() -> None:
    start = new("azul")
    assert stories(start, start, (SURE, SURE)) == (None, None)
