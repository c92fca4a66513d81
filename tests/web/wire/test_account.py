"""Points on a page: they add up to the score, and the places that earned them are on the board."""

from __future__ import annotations

import itertools
import random

import pytest

import azulejos
from azulejos.core import registry
from azulejos.core.game import Outcome, Preset
from azulejos.core.message import raw
from azulejos.core.position import Position, before_round_end
from azulejos.core.scene import scene_of
from azulejos.web.store.saved import HUMAN, SavedSeat
from azulejos.web.tables.live_table import LiveTable, new_table
from azulejos.web.wire.account import account_of, breakdown, result, score_sentences, scoring
from azulejos.web.wire.plan import plan_of
from games.azul.build import table
from web.played import unstored

BOXES = [preset for game in registry.games() for preset in game.presets]


def whole_game(box: str) -> Position:
    position, rng = azulejos.new(box, players=2), random.Random(3)
    while not position.is_over:
        position.deal(rng)
        if not position.is_over:
            position.play(rng.choice(position.legal_actions()))
    return position


def with_past(position: Position) -> LiveTable:
    """A table with the history of this position."""
    seats = tuple(SavedSeat(seat=seat, kind=HUMAN, name=name) for seat, name in enumerate(("Ana", "Bo")))
    table = unstored(new_table(position.preset.name, seats, {}))
    table.log.position = position
    return table


@pytest.mark.parametrize("preset", BOXES, ids=lambda preset: preset.name)
def test_a_breakdown_adds_up_and_its_places_are_on_the_board(preset: Preset) -> None:
    position = whole_game(preset.name)
    played, plan = with_past(position), plan_of(position, "en")
    scorings = account_of(played).scorings(position)
    found = breakdown(plan, scorings, position.at(0).scores)
    assert [sum(points) for points in found.points] == list(position.scores)
    assert all(len(points) == len(found.kinds) for points in found.points)
    assert scorings[-1].after == position.scores
    slots = scene_of(position, ("Ana", "Bo")).slots()
    for scored, after in itertools.pairwise([*scorings, None]):
        assert scored is not None
        assert after is None or after.before == scored.after
        for seat, points, reason, place, lights in scoring(plan, position.game, scored).terms:
            assert points
            assert seat in (0, 1)
            assert place is None or plan.ids[place].startswith(f"seat{seat + 1}.")
            assert {plan.ids[place] for place in lights} <= set(plan.ids)
            assert reason >= 0
    last = scoring(plan, position.game, scorings[-1])
    assert {plan.ids[place] for *_, lights in last.terms for place in lights} <= slots.keys()


def test_a_tile_lights_its_row_and_its_column_but_not_what_came_later() -> None:
    """Lines 1 and 2 are full: column 1 gets blue above white; the upper tile scores first, alone."""
    position = table(centre="b", lines={1: {1: "b", 2: "ww"}}, walls={1: [".....", ".b..."]})
    position.play("0bf")
    played, plan = with_past(position), plan_of(position, "en")
    (scored,) = account_of(played).scorings(position)
    written = scoring(plan, position.game, scored)
    terms = [
        (points, [plan.ids[place] for place in lights])
        for seat, points, _, place, lights in written.terms
        if seat == 0 and place is not None and plan.ids[place] != "seat1.floor"
    ]
    assert terms == [
        (1, ["seat1.wall1-1"]),
        (4, ["seat1.wall2-1", "seat1.wall2-2", "seat1.wall1-1"]),
    ]
    assert [str(one) for one in score_sentences([scored], ("Ana", "Bo"))] == ["Ana scores 3 points: 3."]


@pytest.mark.parametrize("preset", BOXES, ids=lambda preset: preset.name)
def test_a_turn_that_ends_a_round_can_be_seen_without_its_scoring(preset: Preset) -> None:
    position = whole_game(preset.name)
    ahead, seen = before_round_end(position), 0
    assert not ahead.is_over
    assert ahead.ply == position.ply - 1
    while position.ply:
        after, round_ = position.copy(), position.state.round
        position.undo()
        ahead = before_round_end(after)
        if ahead.ply == after.ply:
            assert ahead is after
            assert position.is_chance or position.state.round == round_
            continue
        seen += 1
        assert ahead.to_move == position.to_move
        assert ahead.state.round == position.state.round
        scene = scene_of(ahead, ("Ana", "Bo"))
        assert scene.panels
    assert seen >= 4


@pytest.mark.parametrize(("scores", "ranks", "own", "said"), [
    ((9, -2), (1, 2), {0}, "You won, 9\xa0:\xa0−2."),
    ((9, 12), (2, 1), {0}, "Bo won, 12\xa0:\xa09."),
    ((9, 12), (2, 1), {0, 1}, "Bo won, 12\xa0:\xa09."),
    ((5, 5), (1, 2), {0}, "You won the tie-break, 5\xa0:\xa05."),
    ((5, 5), (1, 2), set(), "Ana won the tie-break, 5\xa0:\xa05."),
    ((5, 5), (1, 1), {0}, "A shared win, 5\xa0:\xa05."),
])
def test_the_result_in_words(
    scores: tuple[int, ...], ranks: tuple[int, ...], own: set[int], said: str
) -> None:
    outcome = Outcome(scores=scores, ranks=ranks, reason=raw(""))
    assert str(result(outcome, ("Ana", "Bo"), frozenset(own))) == said
