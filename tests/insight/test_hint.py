"""Hints: the best turn in three steps. The first step never tells the turn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from azulejos.core.position import Position
from azulejos.core.scene import GROUP, Scene, scene_of
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import Chance, Grade, Kind, Margin, Verdict
from azulejos.insight.hint import advisers, hints, places_of
from azulejos.insight.judge import Effort, judge_for
from azulejos.insight.results import FAR_AHEAD, Coaching, Hint
from azulejos.insight.words import STEPS, WHAT, WHERE, WHICH, AdviceWords
from boxes import BOXES
from insight.games import finished
from insight.read_words import COLOURS, advised

LITTLE = Effort(nodes=400, deals=1, deal_nodes=30)
LITTLE_TREE = Effort(nodes=24, deals=1, deal_nodes=8)
QUARTER = 0.25
NAMES = ["Ana", "Ben", "Cleo", "Dan"]


def beginnings(box: str, players: int, count: int) -> Iterator[Position]:
    """Positions at the beginning of a turn with a choice."""
    game = finished(box, players, 1)
    plies = [ply for ply in range(game.ply) if not game.at(ply).is_chance and not game.at(ply).in_turn
             and len(game.at(ply).legal_actions()) > 1]
    yield from (game.at(ply).copy() for ply in random.Random(2).sample(plies, count))


def hint_for(before: Position) -> Hint:
    judge = judge_for(before)
    effort = LITTLE_TREE if judge.whole_turns else LITTLE
    (found,) = hints(judge, before, [effort])
    return found


def area(scene: Scene, places: Iterable[str]) -> float:
    """Of what glows: pieces in a group, whole places otherwise."""
    slots = [scene.slot(place) or scene.plan.slots[place] for place in places]
    return sum(
        len(scene.lies.get(slot.id, ())) * (slot.size or 1.0) ** 2 if slot.shape == GROUP
        else slot.width * slot.height for slot in slots
    )


def check(before: Position) -> None:
    found, names = hint_for(before), NAMES[: before.players]
    after = before.after(found.best.turn)
    assert after.to_move != before.to_move or not after.in_turn, "a hint is a whole turn"
    told = AdviceWords(before, names, found.seat)
    first = " ".join(map(str, told.step(found, WHERE)))
    assert not any(before.game.moves.text(action) in first.split() for action in found.best.turn)
    assert str(before.preview(found.best.turn[0])) not in first
    scene = scene_of(before, names)
    lit, path = set(found.places), scene.path(found.best.turn[0])
    assert lit.issuperset(path), "the answer is among the places that glow"
    assert area(scene, found.places) <= QUARTER * sum(panel.width * panel.height for panel in scene.panels)
    for depth, place in enumerate(path):
        possible = {other.path[depth] for other in scene.choices if len(other.path) > depth}
        assert len(possible - set(path)) == 0 or len(possible & lit) > 1, f"{place} is told"
    assert told.step(found, WHAT)
    advice = str(told.step(found, WHICH)[0])
    assert before.game.moves.text(found.best.turn[0]) not in advice.split()
    if before.game.name in COLOURS and advice.startswith("Take"):
        assert advised(before, advice) == before.game.moves.text(found.best.turn[0])


@pytest.mark.parametrize(("box", "players"), random.Random(4).sample(BOXES, 3))
def test_the_first_step_never_tells_the_turn(box: str, players: int) -> None:
    for before in beginnings(box, players, 2):
        check(before)


@pytest.mark.slow
@pytest.mark.parametrize(("box", "players"), BOXES)
def test_the_first_step_never_tells_the_turn_in_any_box(box: str, players: int) -> None:
    for before in beginnings(box, players, 12):
        check(before)


def test_every_step_can_be_said_in_every_language() -> None:
    before = next(beginnings("azul", 2, 1))
    found = hint_for(before)
    for language, step in itertools.product(LANGUAGES, STEPS):
        assert all(map(translator(language), AdviceWords(before, NAMES[:2], found.seat).step(found, step)))


def test_what_the_hint_recommends_is_no_mistake_for_the_coach() -> None:
    for before in beginnings("azul", 2, 2):
        (adviser, last), = advisers(judge_for(before), before, [LITTLE])
        assert last
        coaching = adviser.coaching(adviser.best.turn)
        assert coaching.turn.grade is Grade.EQUAL
        assert not coaching.speaks


def test_somebody_far_ahead_is_warned_about_the_win_alone() -> None:
    before = next(beginnings("azul", 2, 1))
    (adviser, _), = advisers(judge_for(before), before, [LITTLE])
    turn = adviser.judged(adviser.best.turn)
    nothing, much = Chance.exactly(0.0), Chance.exactly(0.2)
    dear = replace(turn, verdict=Verdict(Kind.EXACT, Margin.exactly(6.0), nothing))
    risky = replace(turn, verdict=Verdict(Kind.EXACT, Margin.exactly(6.0), much))
    assert Coaching(turn=dear, win=0.5).speaks
    assert not Coaching(turn=dear, win=FAR_AHEAD).speaks
    assert Coaching(turn=risky, win=FAR_AHEAD).speaks


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_where_to_look_holds_the_answer_whatever_it_is(box: str, players: int) -> None:
    """Every turn of some positions as the answer."""
    for before in beginnings(box, players, 2):
        scene = scene_of(before, NAMES[:players])
        table = sum(panel.width * panel.height for panel in scene.panels)
        for action in random.Random(7).sample(before.legal_actions(), min(12, len(before.legal_actions()))):
            places = places_of(before, (action,))
            assert set(places) >= set(scene.path(action))
            assert area(scene, places) <= QUARTER * table
