"""The league of the daily deal: points by percentile over weeks and months."""

from __future__ import annotations

from datetime import date

from starlette.testclient import TestClient

from azulejos.web.learn.daily import points_of
from azulejos.web.pages.league_page import league, month_of, week_of


def test_points_are_the_share_of_the_others_who_did_worse() -> None:
    assert [points_of([-5, 0, 3, 3, 9], own) for own in (-5, 0, 3, 9)] == [0, 25, 62, 100]
    assert points_of([4], 4) == 50


def test_days_are_summed_and_the_last_name_counts() -> None:
    games = [("2026-11-17", "a", "Ana", 3), ("2026-11-17", "b", "Bo", 1),
             ("2026-11-18", "a", "Ana M.", -2), ("2026-11-18", "bot:level:3", "", 0)]
    found = league(games)
    assert [(place.name, place.points, place.days, place.bot) for place in found] == [
        ("", 100, 1, "level:3"), ("Ana M.", 100, 2, ""), ("Bo", 0, 1, ""),
    ]


def test_a_week_begins_on_monday_and_a_month_on_its_first() -> None:
    assert week_of(date(2026, 11, 19)) == (date(2026, 11, 16), date(2026, 11, 22))
    assert month_of(date(2026, 12, 31)) == (date(2026, 12, 1), date(2026, 12, 31))


def test_any_address_of_the_league_is_a_page(client: TestClient) -> None:
    for query in ("", "?by=month", "?by=week&day=2026-01-01", "?day=2026-99-99", "?day=9999-12-31"):
        assert client.get(f"/league{query}").status_code == 200
    assert client.get("/league?by=year").status_code == 404
    assert client.get("/archive").status_code == 200


def test_of_two_deals_in_a_day_the_better_one_counts() -> None:
    day = "2026-11-17"
    games = [(day, "a", "Ana", 3), (day, "b", "Bo", 9), (f"{day}/easy", "a", "Ana", 5),
             (f"{day}/easy", "c", "Cai", 1)]
    assert [(place.name, place.points, place.days) for place in league(games)] == [
        ("Ana", 100, 1), ("Bo", 100, 1), ("Cai", 0, 1)]
