"""Reviews of finished games: what adds up, what is proved, what is refused."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest

import azulejos
from azulejos.bots.evaluation import weights_of
from azulejos.core.message import Problem
from azulejos.core.record import Record, RecordError
from azulejos.core.registry import presets
from azulejos.insight import Kind, Review, review, reviews
from azulejos.insight.judge import VERSION, final_outlook, judge_for, margin_of
from azulejos.insight.ledger import stretches_of
from azulejos.insight.report import as_json
from azulejos.insight.results import Line
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN
from azulejos.insight.solver_judge import NODES_TO_THE_END, SolverJudge, both
from bots.minimax import minimax
from boxes import BOXES
from insight.games import LITTLE, LITTLE_TREE, finished, record

CENT = 0.01


def reviewed(box: str, players: int, seed: int = 1) -> Review:
    tree = players > 2 or not _is_solved(box)
    return review(record(box, players, seed), efforts=[LITTLE_TREE if tree else LITTLE])


def _is_solved(box: str) -> bool:
    evaluate = presets()[box][0].evaluate
    return evaluate is not None and evaluate.chance_free_rounds


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_the_ledger_of_every_seat_adds_up_to_its_result(box: str, players: int) -> None:
    found, end = reviewed(box, players), finished(box, players, 1)
    assert len(found.ledgers) == players
    for ledger in found.ledgers:
        terms = (ledger.start.value, ledger.luck.value, ledger.received.value, -ledger.given.value)
        assert sum(terms) + ledger.unforeseen == pytest.approx(ledger.result, abs=CENT)
        assert ledger.result == margin_of(end.scores, ledger.seat)


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_the_ledger_agrees_with_the_graph(box: str, players: int) -> None:
    """From the first moment to the last: deals and turns account for every change but the corrections."""
    found = reviewed(box, players)
    for ledger in found.ledgers:
        corrections = sum(deal.correction[ledger.seat] for deal in found.deals)
        assert corrections == pytest.approx(ledger.unforeseen, abs=CENT)
        assert found.moments[0].margin[ledger.seat].value == pytest.approx(ledger.start.value, abs=CENT)
        assert found.moments[-1].margin[ledger.seat].value == ledger.result


def test_what_one_of_two_seats_gives_away_the_other_receives() -> None:
    first, second = reviewed("azul", 2).ledgers
    assert first.given.value == pytest.approx(second.received.value)
    assert first.luck.value == pytest.approx(-second.luck.value)


def test_the_graph_moves_only_where_a_turn_lost_something_or_tiles_were_dealt() -> None:
    found = reviewed("azul", 2)
    lost = {turn.ply: turn.verdict.points.value for turn in found.turns}
    for before, after in itertools.pairwise(found.moments):
        if before.seat is not None:
            change = after.margin[before.seat].value - before.margin[before.seat].value
            assert change == pytest.approx(-lost[before.ply], abs=CENT)


@pytest.mark.parametrize(("box", "players"), [("azul", 2), ("azul", 3), ("sintra-a", 2), ("garden", 2)])
def test_a_turn_never_wins_anything_by_itself(box: str, players: int) -> None:
    """If it is not worse than the judge's own choice, it lost nothing."""
    for turn in reviewed(box, players).turns:
        assert turn.verdict.points.value >= 0
        assert turn.verdict.win.value >= 0
        assert (turn.better is None) == (turn.verdict.points.value == turn.verdict.win.value == 0)


def test_every_decision_of_the_game_is_judged_once() -> None:
    found, end = reviewed("azul", 2), finished("azul", 2, 1)
    decisions = [ply for ply in range(end.ply) if not end.at(ply).is_chance]
    assert [turn.ply for turn in found.turns] == decisions
    assert all(turn.choices == len(end.at(turn.ply).legal_actions()) for turn in found.turns)


def test_both_lines_of_a_turn_can_be_played() -> None:
    found, end = reviewed("azul", 2), finished("azul", 2, 1)
    for turn in found.turns:
        assert turn.played.turn[0] == end.history.actions[turn.ply]
        for line in (turn.played, turn.better):
            position = end.at(turn.ply)
            for action in line.actions if line else ():
                position.play(action)
            if turn.verdict.kind is not Kind.ESTIMATE and line:
                assert position.to_move < 0, "a proved line goes to the end of the round"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_exact_verdicts_are_those_of_plain_minimax(seed: int) -> None:
    end, weights = finished("azul", 2, seed), weights_of(finished("azul", 2, seed).game, "")
    exact = [turn for turn in reviewed("azul", 2, seed).turns if turn.verdict.kind is Kind.EXACT]
    late = [turn for turn in exact if 1 < turn.choices < 8][-4:]
    assert late
    for turn in late:
        for line, before in ((turn.better or turn.played, turn.ply), (turn.played, turn.ply + 1)):
            played = end.at(turn.ply)
            for action in line.actions:
                played.play(action)
            assert played.is_over
            assert minimax(played, turn.seat, weights) == minimax(end.at(before), turn.seat, weights)


def test_a_review_does_not_depend_on_the_number_of_cores() -> None:
    alone = review(record("azul", 2, 3), efforts=[LITTLE])
    together = review(record("azul", 2, 3), efforts=[LITTLE], cores=2)
    assert as_json(alone) == as_json(together)


def test_reviews_improve_and_the_last_one_is_finished() -> None:
    found = list(reviews(record("azul", 2, 1), efforts=[LITTLE, LITTLE]))
    judged = [each.judged for each in found]
    assert judged == sorted(judged)
    assert [each.finished for each in found] == [False] * (len(found) - 1) + [True]
    assert not found[0].ledgers
    assert found[-1].ledgers


def test_a_review_is_plain_data_with_versions() -> None:
    data = json.loads(json.dumps(as_json(reviewed("azul", 2))))
    assert data["judge"] == VERSION
    assert len(data["weights"]) == 12
    for ledger in data["ledgers"]:
        foreseen = sum(ledger[name]["value"] for name in ("start", "luck", "received"))
        total = foreseen - ledger["given"]["value"] + ledger["unforeseen"]
        assert total == pytest.approx(ledger["result"], abs=1e-6)


def test_where_the_game_is_expected_to_end_the_margin_is_read_from_that_end() -> None:
    """A value holds the win as twelve points: alone it does not tell the margin of a last round."""
    end = finished("azul", 2, 1)
    last = stretches_of(end)[-1]
    before, action = end.at(last.end - 2), int(end.history.actions[last.end - 2])
    turn = Line((action,), (int(end.history.actions[last.end - 1]),))
    judge, exact = judge_for(end), final_outlook(end)[:, MARGIN]
    assert isinstance(judge, SolverJudge)
    values = both(100 * int(exact[0]) + (1200 if exact[0] > 0 else -1200))
    scale = judge.meaning(values, before.after(turn.turn))
    assert abs(scale[0, MARGIN] - exact[0]) > 1
    judge.begin(replace(LITTLE, nodes=NODES_TO_THE_END))
    proved, expected = (judge.after_turn(before, turn, values, known) for known in (end, None))
    assert proved[:, MARGIN].tolist() == exact.tolist()
    assert expected[:, MARGIN] == pytest.approx((exact + scale[:, MARGIN]) / 2)
    assert proved[:, CHANCE_TO_WIN].tolist() == scale[:, CHANCE_TO_WIN].tolist()
    judge.begin(replace(LITTLE, nodes=NODES_TO_THE_END - 1))
    assert judge.after_turn(before, turn, values, None).tolist() == scale.tolist()


# --- bad input -----------------------------------------------------------------------------------------


def test_a_game_in_progress_is_refused() -> None:
    unfinished = Record.from_position(finished("azul", 2, 1).at(40))
    with pytest.raises(Problem, match="not finished"):
        review(unfinished)


def test_an_illegal_move_is_refused_with_its_number() -> None:
    wrong = record("azul", 2, 1)
    wrong.line[30].action = wrong.line[31].action + 1
    with pytest.raises(Problem, match=r"Action \d+ of this record is not legal"):
        review(wrong)


def test_a_record_of_another_version_is_refused() -> None:
    text = record("azul", 2, 1).write_json().replace('"rules":1', '"rules":99')
    assert '"rules":99' in text
    with pytest.raises(RecordError, match="version 99"):
        Record.read(text)


def test_a_truncated_record_is_refused() -> None:
    text = record("azul", 2, 1).write_json()
    with pytest.raises(RecordError):
        Record.read(text[: len(text) // 2])


def test_a_record_with_one_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        azulejos.new("azul", players=1)
