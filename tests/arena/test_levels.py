"""From matches to levels, and what the mistakes of levels cost."""

from __future__ import annotations

import math
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from azulejos.arena.calibrate import STEPS, as_with_two, curve, elo_of, falling, proposed, skill_at
from azulejos.arena.prices import Assessor, prices, value_of
from azulejos.arena.statistics import Interval, expected, wilson
from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.cli import main
from azulejos.core.position import new
from bots.positions import late_in_round

SKILLS = tuple(float(i) for i in range(12))


def steps(*shares: float) -> list[Interval]:
    return [wilson(share * 100, 100) for share in shares]


def test_elo_and_shares_are_inverse() -> None:
    for share in (0.1, 0.5, 0.65, 0.9):
        assert expected(elo_of(share)) == pytest.approx(share)


def test_a_curve_adds_up_its_steps_and_never_falls() -> None:
    rungs = curve((0, 1, 2), steps(0.75, 0.4))
    assert [round(rung.elo) for rung in rungs] == [0, 191, 191]


def test_between_two_rungs_strength_grows_evenly() -> None:
    rungs = curve((0, 1, 2), steps(0.75, 0.75))
    assert skill_at(rungs, rungs[1].elo / 2) == 0.5
    assert skill_at(rungs, -5) == 0
    assert skill_at(rungs, 10**4) == 2


def test_proposed_levels_lie_the_wished_steps_apart() -> None:
    rungs = curve(SKILLS, steps(*[0.75] * 11))
    found = proposed(rungs, rungs[-1].elo)
    assert len(found) == 7
    assert math.isinf(found[-1])
    per_skill = elo_of(0.75)
    heights = [per_skill * skill for skill in (*found[:-1], SKILLS[-1])]
    won = [expected(high - low) for low, high in pairwise(heights)]
    assert won == pytest.approx(STEPS, abs=0.01)


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


def test_a_fair_share_of_any_table_is_one_half_among_two() -> None:
    assert [as_with_two(1 / seats, seats) for seats in (2, 3, 4)] == pytest.approx([0.5] * 3)
    assert as_with_two(0.7, 2) == 0.7
    assert as_with_two(0.538, 3) == pytest.approx(0.7, abs=0.01)
