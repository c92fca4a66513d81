"""Intervals, tests and ratings against numbers from the literature or worked by hand."""

from __future__ import annotations

import pytest
from bench.sprt import KINDS, Kind, measure

from azulejos.arena.match import Match, Result
from azulejos.arena.statistics import Sprt, Trial, expected, first_shares, mean, table, wilson

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
    assert first.elo == pytest.approx(-second.elo) != 0


def test_shares_of_the_first_bot_follow_it_from_seat_to_seat() -> None:
    results = [result(0, (0, 1), (50, 20), (1, 2)), result(0, (1, 0), (50, 20), (1, 2))]
    assert first_shares(results) == [1.0, 0.0]


def test_elo_of_a_long_match_is_that_of_its_share() -> None:
    won = [result(deal, (0, 1), (50, 20), (1, 2)) for deal in range(750)]
    lost = [result(deal, (0, 1), (20, 50), (2, 1)) for deal in range(250)]
    first, second = table(MATCH, won + lost)
    assert first.elo - second.elo == pytest.approx(190.8, abs=2)


def deal(number: int, *firsts: int) -> list[Result]:
    """Games of one deal; 1: the first bot wins."""
    orders = ((0, 1), (1, 0))
    return [
        result(number, order, (0, 0), (1, 2) if (order[0] == 0) == bool(won) else (2, 1))
        for order, won in zip(orders, firsts, strict=False)
    ]


def trial_of(*deals: list[Result]) -> Trial:
    trial = Trial(Sprt(low=0, high=100))
    for games in deals:
        trial.take(games)
    return trial


@pytest.mark.parametrize(("both", "verdict"), [(1, True), (0, False)])
def test_a_test_decides_when_every_deal_goes_one_way(both: int, verdict: bool) -> None:
    assert trial_of(*(deal(n, both, both) for n in range(30))).verdict is verdict


def test_three_games_decide_nothing() -> None:
    assert abs(trial_of(deal(0, 1, 1), deal(1, 1)).ratio) < 0.3
    assert trial_of(*(deal(n, 1, 1) for n in range(10))).verdict is None


def test_half_a_deal_waits_for_its_other_half() -> None:
    trial = trial_of(deal(0, 1))
    assert trial.deals == 0
    trial.take(deal(0, 1, 1)[1:])
    assert trial.deals == 1


def test_deals_count_in_their_order_whoever_finishes_first() -> None:
    wins = [deal(n, 1, 1) for n in range(1, 100)]
    trial = trial_of(*wins)
    assert (trial.deals, trial.verdict) == (0, None)
    trial.take(deal(0, 1, 1))
    assert trial.verdict is True
    assert trial.deals == trial_of(deal(0, 1, 1), *wins).deals


@pytest.mark.parametrize(("low", "high"), [(50, 0), (5, 5), (0, float("nan"))])
def test_bounds_have_an_order(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="a lower and a higher"):
        Sprt(low=low, high=high)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_test_errs_as_rarely_as_it_promises(kind: Kind) -> None:
    """Of 120 tests with an error of 5 % more than 12 err in one match of two hundred."""
    test = Sprt(low=0, high=100)
    equal = measure(test, kind, 0, tests=120)
    better = measure(test, kind, 100 / (1 - kind.ties), tests=120)
    assert equal.stronger <= 0.1
    assert better.weaker <= 0.1
