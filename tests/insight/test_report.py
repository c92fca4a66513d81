"""`azulejos review`, and a review as text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from azulejos.cli import main
from azulejos.core.record import Record
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import review
from azulejos.insight.calibrate import lost_again
from azulejos.insight.judge import judge_for
from azulejos.insight.report import ledger_lines, nothing_found, turn_line
from azulejos.insight.results import Chance, Grade, Kind, Margin, Review, Verdict
from insight.games import LITTLE, finished, record

GAME = ("azul", 2, 1)


def reviewed() -> Review:
    return review(record(*GAME), efforts=[LITTLE])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_of_a_review_can_be_said_in_every_language(language: str) -> None:
    say, found = translator(language), reviewed()
    for seat in range(2):
        assert all(say(what) for what, _, _ in ledger_lines(found, seat))
    for turn in found.turns:
        assert found.record.start.game.moves.text(turn.played.turn[0]) in say(turn_line(found, turn))


def test_players_at_random_are_told_what_would_have_been_better() -> None:
    found = reviewed()
    worst = found.mattered()[0]
    assert worst.better is not None
    assert found.record.start.game.moves.text(worst.better.turn[0]) in str(turn_line(found, worst))
    assert nothing_found(found, worst.seat) is None


def test_who_lost_nothing_is_told_so() -> None:
    found = replace(reviewed(), turns=())
    assert "Well played" in str(nothing_found(found, 0))


@pytest.mark.parametrize(("points", "win", "grade"), [
    ((0.6, 0.4, 0.8), (0.0, 0.0, 0.0), Grade.EQUAL),
    ((0.7, 0.6, 0.8), (0.0, 0.0, 0.0), Grade.SLIP),
    ((9.0, 1.9, 16.0), (0.1, 0.05, 0.2), Grade.SLIP),
    ((2.5, 2.1, 3.0), (0.02, 0.0, 0.04), Grade.MISTAKE),
    ((0.5, 0.1, 0.9), (0.1, 0.07, 0.2), Grade.MISTAKE),
    ((7.0, 5.1, 9.0), (0.02, 0.0, 0.04), Grade.BLUNDER),
    ((1.0, -1.0, 3.0), (0.3, 0.16, 0.4), Grade.BLUNDER),
])
def test_grades_are_given_by_the_lower_end(
    points: tuple[float, float, float], win: tuple[float, float, float], grade: Grade
) -> None:
    assert Verdict(Kind.PROVED, Margin(*points), Chance(*win)).grade is grade


def test_few_points_alone_are_no_mistake_once_the_game_is_decided() -> None:
    few, many, nothing = Margin(5.0, 4.9, 5.1), Margin(7.0, 5.1, 9.0), Chance(0.001, -0.02, 0.02)
    for kind in (Kind.PROVED, Kind.ESTIMATE):
        assert Verdict(kind, few, nothing).grade is Grade.SLIP
        assert Verdict(kind, many, nothing).grade is Grade.MISTAKE
    assert Verdict(Kind.EXACT, Margin.exactly(7.0), Chance.exactly(0.0)).grade is Grade.BLUNDER


def test_an_exact_loss_stays_what_it_is_when_judged_again() -> None:
    game = finished(*GAME)
    exact = [turn for turn in reviewed().turns if turn.verdict.kind is Kind.EXACT and turn.better]
    for turn in exact[-3:]:
        lost = lost_again(judge_for(game), game, turn, LITTLE.times(2), seed=99)
        assert lost[turn.seat] == pytest.approx([turn.verdict.points.value, turn.verdict.win.value])


# --- the command ---------------------------------------------------------------------------------------


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, words)
    return result.exit_code, result.output


def written(folder: Path, played: Record) -> str:
    file = folder / "game.txt"
    file.write_text(played.write(), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize(("change", "said"), [
    (lambda text: text[: len(text) // 2], "game.txt"),
    (lambda text: "", "game.txt"),
])
def test_a_damaged_file_gets_one_line(tmp_path: Path, change: object, said: str) -> None:
    file = tmp_path / "game.txt"
    file.write_text(change(record(*GAME).write()), encoding="utf-8")  # type: ignore[operator]
    code, output = run("review", str(file))
    assert code == 2
    assert said in output
    assert len(output.strip().splitlines()) == 1


def test_the_command_refuses_a_game_in_progress(tmp_path: Path) -> None:
    code, output = run("review", written(tmp_path, Record.from_position(finished(*GAME).at(50))))
    assert code == 2
    assert "not finished" in output
