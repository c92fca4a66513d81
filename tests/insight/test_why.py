"""Why a turn was worse: every claim is checked by the plain rules, and the parts add up."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from azulejos.core.position import Position
from azulejos.core.tell import future
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import review
from azulejos.insight.attribution import EndEvaluator, attributed
from azulejos.insight.judge import judge_for
from azulejos.insight.ledger import stretches_of
from azulejos.insight.results import JudgedTurn, Margin, Reason, Review, Verdict
from azulejos.insight.why import ENOUGH, Explainer, carried
from azulejos.insight.words import sentences
from boxes import BOXES
from insight.claims import false_claims
from insight.games import LITTLE, LITTLE_TREE, finished, record

MOST = 12
"""Turns of a game that are explained here; `bench.explanations` explains thousands."""


@functools.cache
def told(box: str, players: int) -> tuple[Review, Position]:
    """A game of players at random, with reasons for turns that lost two points by a weak judgement."""
    game = finished(box, players, 1)
    solved = players == 2 and box != "garden"
    found = review(record(box, players, 1), efforts=[LITTLE if solved else LITTLE_TREE])
    explainer = Explainer(judge_for(game), game)
    lost = [turn for turn in found.turns if turn.better and turn.verdict.points.value >= 2.0]
    some = lost[:: -(-len(lost) // MOST)]  # of the whole game: its last turns resemble each other
    return replace(found, turns=tuple(explained(explainer, game, turn) for turn in some)), game


def explained(explainer: Explainer, game: Position, turn: JudgedTurn) -> JudgedTurn:
    points = Margin.exactly(turn.verdict.points.value)
    sure = replace(turn, verdict=Verdict(turn.verdict.kind, points, turn.verdict.win))
    return replace(sure, reasons=explainer.reasons(sure, stretch_end(game, turn)))


def stretch_end(game: Position, turn: JudgedTurn) -> int:
    return next(stretch.end for stretch in stretches_of(game) if stretch.end > turn.ply)


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_no_claim_is_false_and_most_losses_have_a_reason(box: str, players: int) -> None:
    found, game = told(box, players)
    for turn in found.turns:
        assert list(false_claims(game, turn, stretch_end(game, turn))) == []
    assert sum(bool(turn.reasons) for turn in found.turns) >= 0.4 * len(found.turns) > 0


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_the_checker_finds_a_wrong_number(box: str) -> None:
    found, game = told(box, 2)
    turn = next(turn for turn in found.turns if any(reason.better.fact.numbers for reason in turn.reasons))
    wrong = replace(turn, reasons=tuple(map(exaggerated, turn.reasons)))
    assert list(false_claims(game, wrong, stretch_end(game, turn)))


def exaggerated(reason: Reason) -> Reason:
    fact = reason.better.fact
    numbers = (fact.numbers[0] + 1, *fact.numbers[1:]) if fact.numbers else ()
    return replace(reason, better=replace(reason.better, fact=replace(fact, numbers=numbers)))


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_the_parts_of_a_difference_add_up(box: str) -> None:
    found, game = told(box, 2)
    assert game.game.tell is not None
    evaluator, aspects = EndEvaluator(game), tuple(game.game.tell.aspects(game))
    turn = next(turn for turn in found.turns if turn.reasons)
    before = game.at(turn.ply)
    count = len(turn.played.turn), len(turn.better.turn)  # type: ignore[union-attr]
    played, better = (
        future(before, line[:n], line[n:]) for line, n in zip(turn.reasons[0].lines, count, strict=True)
    )
    parts = attributed(evaluator, aspects, better, played, turn.seat)
    values = [float(evaluator.values(each.end.row[None], turn.seat)[0]) for each in (better, played)]
    assert sum(parts.values()) == pytest.approx(values[0] - values[1])


def test_reasons_carry_most_of_the_loss_or_are_not_given() -> None:
    for turn in told("azul", 2)[0].turns:
        assert not turn.reasons or carried(turn.reasons) >= ENOUGH


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_reasons_can_be_said_in_every_language(box: str, language: str) -> None:
    say, (found, _) = translator(language), told(box, 2)
    said = [say(sentence) for turn in found.turns for sentence in sentences(found, turn)]
    assert said
    assert all("{" not in sentence for sentence in said)
