"""Intervals, tests and ratings against numbers from the literature or worked by hand."""

from __future__ import annotations

import pytest

from azulejos.arena.match import Match, Result
from azulejos.arena.statistics import Sprt, expected, first_shares, mean, table, wilson

MATCH = Match(game="azul", bots=("search", "random"))


def result(deal: int, order: tuple[int, ...], scores: tuple[int, ...], ranks: tuple[int, ...]) -> Result:
    return Result(deal=deal, order=order, scores=scores, ranks=ranks, plies=50, seconds=(0.5, 0.25))


def test_wilson_interval_of_eight_out_of_ten() -> None:
    interval = wilson(8, 10)
    assert (interval.low, interval.middle, interval.high) == pytest.approx((0.490, 0.8, 0.943), abs=0.001)


def test_wilson_stays_between_0_and_1() -> None:
    assert wilson(0, 5).low == 0
    assert wilson(5, 5).high == 1


def test_mean_with_its_interval() -> None:
    interval = mean([1.0, 2.0, 3.0])
    assert interval.middle == 2
    assert interval.high - interval.middle == pytest.approx(1.96 / 3**0.5)


def test_elo_and_shares() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)


def test_a_table_counts_each_seat_of_a_word() -> None:
    results = [result(0, (0, 1), (50, 20), (1, 2)), result(0, (1, 0), (30, 30), (1, 1))]
    first, second = table(MATCH, results)
    assert (first.word, first.games, first.wins.middle) == ("search", 2, 0.75)
    assert (second.wins.middle, second.margin.middle) == (0.25, -15)
    assert first.rating > second.rating


def test_shares_of_the_first_bot_follow_it_from_seat_to_seat() -> None:
    results = [result(0, (0, 1), (50, 20), (1, 2)), result(0, (1, 0), (50, 20), (1, 2))]
    assert first_shares(results) == [1.0, 0.0]


@pytest.mark.parametrize(("wins", "losses", "verdict"), [(90, 10, True), (40, 60, False), (5, 5, None)])
def test_sprt(wins: int, losses: int, verdict: bool | None) -> None:
    assert Sprt(low=0, high=100).verdict([1.0] * wins + [0.0] * losses) is verdict
