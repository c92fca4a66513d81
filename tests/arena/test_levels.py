"""From matches to levels, and what the mistakes of levels cost."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from azulejos.arena.skills import (
    GOAL,
    Assessor,
    SkillStep,
    as_with_two,
    calibrated,
    elo_of,
    falling,
    prices,
    step_down,
    value_of,
)
from azulejos.arena.statistics import expected
from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.cli import main
from azulejos.core.position import new
from bots.positions import late_in_round


def test_elo_and_shares_are_inverse() -> None:
    for share in (0.1, 0.5, 0.65, 0.9):
        assert expected(elo_of(share)) == pytest.approx(share)


def even(per_skill: float, games: int = 10_000) -> Callable[[float, float], SkillStep]:
    """Matches without chance between players whose Elo grows evenly with skill."""
    return lambda upper, lower: SkillStep(
        upper=upper, lower=lower, share=expected(per_skill * (upper - lower)), games=games
    )


@pytest.mark.parametrize("per_skill", [150.0, 250.0, 400.0])
def test_every_level_above_the_lowest_two_is_moved_to_its_step(per_skill: float) -> None:
    found = calibrated([0.6, 1.1, 3.0, 3.7, 4.4, 5.0], 5.7, even(per_skill))
    assert found[:2] == [0.6, 1.1]
    won = [expected(per_skill * (upper - lower)) for lower, upper in pairwise([*found[2:], 5.7])]
    assert won == pytest.approx([GOAL] * 4, abs=0.05)


def test_a_few_games_move_a_level_less_than_many() -> None:
    few, many = (step_down(4.0, 3.4, even(600, games), floor=0).lower for games in (10, 1000))
    assert 3.4 < few < many < 4.0


def test_a_level_is_never_moved_below_the_one_under_it() -> None:
    assert step_down(1.5, 1.3, even(10), floor=1.2).lower == 1.2


def test_the_best_turn_costs_nothing_and_the_worst_what_analysis_says() -> None:
    position = late_in_round("azul", 60, at_most=6)
    judge = Limit(nodes=10**5)
    bot = open_bot("search")
    found, assessor = bot.analyse(position, judge), Assessor(bot, judge)
    assert assessor.given_away(open_bot("search"), position.copy(), judge) == 0
    worst = value_of(found, found.best.move) - value_of(found, found.moves[-1].move)
    assert 0 <= assessor.given_away(open_bot("random"), position.copy(), judge) <= worst


def test_a_turn_of_several_actions_is_judged_to_its_end() -> None:
    """Stained Glass: completing a strip, and then choosing the pane to keep."""
    limit = Limit(nodes=30)
    found = prices(new("sintra-b"), [open_bot("skill:1")], turns=3, limit=limit, judge=limit, seed=1)
    assert found[0].turns == 3
    assert found[0].points.middle >= 0


def test_who_plays_at_random_gives_away_more() -> None:
    cheap, dear = prices(
        new("azul"), [open_bot("search"), open_bot("random")], turns=12, limit=Limit(nodes=100),
        judge=Limit(nodes=500), seed=2,
    )
    assert cheap.points.middle < dear.points.middle
    assert cheap.blunders.middle < dear.blunders.middle


def test_no_level_is_shown_dearer_than_the_one_below() -> None:
    assert falling([3.0, 2.0, 0.5, 1.5, 1.3, 0.2]) == pytest.approx([3.0, 2.0, 1.1, 1.1, 1.1, 0.2])
    assert falling([2.0, 1.0, 0.0]) == [2.0, 1.0, 0.0]


def test_prices_are_printed_and_written(tmp_path: Path) -> None:
    out = tmp_path / "levels.toml"
    line = ["ladder", "azul", "--prices", "2", "--nodes", "50", "--out", str(out)]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    assert [row.split()[0] for row in result.stdout.splitlines()] == ["level", *"1234567"]
    written = tomllib.loads(out.read_text())["table"][0]
    assert (written["seats"], written["options"]["wall"]) == ([2], ["coloured"])
    assert len(written["skills"]) == len(written["prices"]) == len(written["blunders"]) == 7
    assert min(written["prices"]) >= 0
    assert math.isinf(written["skills"][-1])


def test_steps_of_three_seats_are_printed_and_kept(tmp_path: Path) -> None:
    line = ["ladder", "azul", "--players", "3", "--deals", "1", "--nodes", "20", "--log", str(tmp_path)]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 8
    assert len(list(tmp_path.iterdir())) == 6
    assert CliRunner().invoke(main, line).stdout == result.stdout


def test_the_strongest_level_must_search_more_than_the_others() -> None:
    result = CliRunner().invoke(main, ["ladder", "azul", "--calibrate", "--nodes", "3000"])
    assert result.exit_code == 2
    assert "--nodes 3000 is no more than a lower level searches: give more than" in result.stderr


@pytest.mark.slow
def test_levels_are_calibrated_from_the_top(tmp_path: Path) -> None:
    out = tmp_path / "levels.toml"
    line = ["ladder", "azul", "--calibrate", "--deals", "1", "--nodes", "150000", "--out", str(out)]
    result = CliRunner().invoke(main, line)
    assert result.exit_code == 0, result.output
    *_, last = result.stdout.splitlines()
    skills = tomllib.loads(out.read_text())["table"][0]["skills"]
    assert last == "levels: " + ", ".join(f"{skill:g}" for skill in skills)
    assert len(skills) == 7
    assert skills == sorted(skills)
    assert math.isinf(skills[-1])


def test_a_fair_share_of_any_table_is_one_half_among_two() -> None:
    assert [as_with_two(1 / seats, seats) for seats in (2, 3, 4)] == pytest.approx([0.5] * 3)
    assert as_with_two(0.7, 2) == 0.7
    assert as_with_two(0.538, 3) == pytest.approx(0.7, abs=0.01)
