"""Strangers and friends: quick match, circles by link, and ratings that say who is stronger."""

from __future__ import annotations

import random
import re
from itertools import combinations
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from azulejos.web.circle.ladder import Climb, climbs, medals, proposed, record_of
from azulejos.web.circle.ratings import Rating, after, after_game, beginning, season_of
from azulejos.web.circle.results import Opponent, Played
from azulejos.web.store.saved import pass_time
from web.people import open_table, person, seated

# --- meeting ---------------------------------------------------------------------------------------------


def quick(client: TestClient, name: str) -> str:
    answer = client.post("/meet/quick", data={"box": "azul", "name": name}, follow_redirects=False)
    return str(answer.headers["location"])


def test_two_strangers_who_want_to_play_meet_at_one_table(client: TestClient) -> None:
    table = quick(client, "Ana")
    assert quick(client, "Ana") != table  # nobody is matched with themselves
    with person(client) as bo:
        assert "Ana" in bo.get("/meet").text
        assert quick(bo, "Bo") == table
    names = [seat["name"] for seat in client.get(f"{table}/raw.json").json()["seats"]]
    assert names == ["Ana", "Bo"]


def circle_of(client: TestClient) -> str:
    answer = client.post("/circles", data={"title": "Chess club", "name": "Ana"}, follow_redirects=False)
    return str(answer.headers["location"])


def test_a_circle_is_a_link_and_shows_its_people_to_its_people(client: TestClient) -> None:
    circle = circle_of(client)
    with person(client) as bo:
        door = bo.get(circle).text
        assert "Chess club" in door
        assert "Ana" not in door  # only members see names
        assert bo.post(f"{circle}/table", data={"box": "azul"}).status_code == 404
        bo.post(f"{circle}/join", data={"name": "Bo"})
        assert "Bo" in client.get(circle).text
        given = {"box": "azul", "players": "2", "minutes": "d3", "rated": "on"}
        table = bo.post(f"{circle}/table", data=given, follow_redirects=False).headers["location"]
        assert table in client.get(circle).text
        assert "This game is rated" in client.get(table).text
        assert table not in client.get("/meet").text  # nobody else sees it
        bo.post(f"{circle}/leave")
        assert "Bo" not in client.get(circle).text.partition("Members")[2]
        client.post(f"{circle}/leave")
        assert client.get(circle).status_code == 404


def test_a_rated_game_rates_its_people_once(client: TestClient) -> None:
    """Whose time is up has lost it."""
    circle, app = circle_of(client), cast(Any, client.app)
    assert client.portal is not None
    with person(client) as bo:
        bo.post(f"{circle}/join", data={"name": "Bo"})
        given = {"box": "azul", "players": "2", "minutes": "d1", "rated": "on"}
        table = client.post(f"{circle}/table", data=given, follow_redirects=False).headers["location"]
        bo.post(f"{table}/sit", data={"seat": "1", "name": "Bo"})
        for one in (client, bo):
            with seated(one, table):
                pass
        while client.get(f"{table}/raw.json").json()["state"] == "waiting":
            client.get(table)
        pass_time(seconds=25 * 3600)
        client.portal.call(app.state.deadlines.look)
        while client.portal.call(app.state.ledger.enter_some):
            pass
        stored = [one.get("/me/stored.json").json()["ratings"] for one in (client, bo)]
        assert "± " not in client.get(circle).text  # in the list after three games
    assert [len(rows) for rows in stored] == [1, 1]
    assert {rows[0]["games"] for rows in stored} == {1}
    assert stored[0][0]["mu"] + stored[1][0]["mu"] == pytest.approx(50)


# --- ratings -----------------------------------------------------------------------------------------


def simulated(strengths: list[float], games: int, rng: random.Random) -> list[tuple[float, float]]:
    """Ratings after games of two to four of these players, whose results follow from their strengths."""
    found = [beginning(None)] * len(strengths)
    for _ in range(games):
        seats = rng.sample(range(len(strengths)), rng.choice((2, 2, 3, 4)))
        shown = {seat: rng.gauss(strengths[seat], 25 / 6) for seat in seats}
        order = sorted(seats, key=lambda seat: -shown[seat])
        new = after([found[seat] for seat in seats], [1 + order.index(seat) for seat in seats])
        for seat, rating in zip(seats, new, strict=True):
            found[seat] = rating
    return found


def test_players_of_known_strength_are_ranked_rightly() -> None:
    rng = random.Random(7)
    strengths = [rng.gauss(25, 25 / 3) for _ in range(24)]
    found = simulated(strengths, 24 * 20, rng)
    pairs = list(combinations(range(24), 2))
    right = sum((strengths[a] > strengths[b]) == (found[a][0] > found[b][0]) for a, b in pairs)
    assert 2 * right / len(pairs) - 1 > 0.75  # Kendall's rank correlation
    middle = sum(strengths) / 24 - sum(mu for mu, _ in found) / 24  # only differences can be known
    covered = sum(abs(strength - middle - mu) < 1.96 * sigma
                  for strength, (mu, sigma) in zip(strengths, found, strict=True))
    assert covered >= 20


def test_beating_new_names_again_and_again_gains_little() -> None:
    """Farming: somebody wins against a new name each time, which they have made themselves."""
    own = Rating(key="farmer", mu=28.0, sigma=3.0, games=12)
    for number in range(40):
        own, new = after_game([own, newcomer(f"new {number}")], [1, 2])
        assert new.games == 1
    assert own.mu == 28
    for number in range(40):  # names that have lost three games elsewhere before, to be somebody
        lost = newcomer(f"prepared {number}")
        for _ in range(3):
            lost = after_game([lost, newcomer("other")], [2, 1])[0]
        own = after_game([own, lost], [1, 2])[0]
    assert own.mu < 28 + 5  # 200 points for 160 games


def newcomer(key: str) -> Rating:
    mu, sigma = beginning(None)
    return Rating(key=key, mu=mu, sigma=sigma, games=0)


def test_losing_on_purpose_costs_more_than_it_brings() -> None:
    """Sandbagging: the list of a season follows what is sure, so games that were lost stay lost."""
    honest = bagger = beginning(None)
    rng = random.Random(2)
    for number in range(40):
        other = (25.0, 3.0)
        honest, _ = after([honest, other], [1, 2] if rng.random() < 0.8 else [2, 1])
        lost = number < 20 or rng.random() >= 0.8
        bagger, _ = after([bagger, other], [2, 1] if lost else [1, 2])
    assert bagger[0] - 2 * bagger[1] < honest[0] - 2 * honest[1]


def test_a_season_begins_less_surely() -> None:
    mu, sigma = beginning((30.0, 1.0))
    assert mu == 30
    assert 1 < sigma < 25 / 3
    assert season_of(1_794_801_600) == "2026-4"


# --- the climb -------------------------------------------------------------------------------------------


def game(number: int, bot: str, *, won: bool, box: str = "azul", points: int = 50) -> Played:
    other = Opponent(key="", bot=bot, place=2 if won else 1, points=points - 1 if won else points + 9)
    return Played(game=str(number), seat=0, box=box, players=2, points=points, place=1 if won else 2,
                  at=float(number), others=(other,))


def results(*games: tuple[str, bool]) -> list[Played]:
    return [game(i, bot, won=won) for i, (bot, won) in enumerate(games)]


def test_two_of_three_beat_a_bot_and_a_lost_match_begins_again() -> None:
    one, two = "level:1", "level:2"
    assert climbs(results((one, True), (one, False), (one, True)))["azul"] == Climb(beaten=1)
    lost = results((one, True), (one, False), (one, False), (one, True))
    assert climbs(lost)["azul"] == Climb(beaten=0, won=1)
    assert climbs(results((two, True), (two, True), (one, False)))["azul"] == Climb(beaten=2)
    assert climbs(results(("level:3@10", True)))["azul"] == Climb()  # another match than the next one
    assert climbs(results(("random", True), ("random", True))) == {}


def test_the_next_opponent_follows_from_the_estimate_or_the_last_games() -> None:
    two = "level:2"
    assert proposed([], "azul", estimate=4.6, first=2) == 5
    assert proposed([], "azul", estimate=None, first=2) == 2
    assert proposed(results((two, True), (two, True)), "azul", estimate=None, first=2) == 3
    assert proposed(results((two, False)), "azul", estimate=None, first=2) == 2
    assert proposed(results(*[(two, False)] * 3), "azul", estimate=None, first=2) == 1


def test_medals_and_records_follow_from_results() -> None:
    games = results(("level:1", True), ("level:1", True), ("level:1", True), ("level:7", False))
    earned = [str(medal.name) for medal in medals(games, climbs(games), 4) if medal.earned]
    assert earned == ["First blossom", "By a hair", "Three in a row"]
    found = record_of(games)
    assert (found.bots[1].won, found.bots[7].won) == (3, 0)
    assert (found.streak, found.longest) == (0, 3)


def test_names_of_tables_are_not_listed_unless_they_are_to_be(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as other:
        assert path not in other.get("/meet").text + other.get("/").text
        assert re.search("/c/", other.get("/meet").text) is None


def test_what_was_chosen_at_the_set_up_holds(client: TestClient) -> None:
    """No take-backs, no hints, rated, days, open to everybody; and what holds if nothing is chosen."""
    strict = open_table(client, seat1="bot:random", **{"no-take-backs": "on", "no-hints": "on"})
    usual = open_table(client, seat1="bot:random")
    for path, helped in ((strict, False), (usual, True)):
        hint = re.search(r'id="hint-button"[^>]*>', client.get(path).text)
        assert hint is not None
        assert ("hidden" in hint[0]) is not helped
        with seated(client, path) as one:
            if not one.frame["mine"]:
                one.until_frame(mine=True)
            one.turn(random.Random(1))
            if not one.frame["mine"]:
                one.until_frame(mine=True)
            assert one.frame["can_take_back"] is helped
            one.tell(do="propose", what="back")
            if not helped:
                assert "nothing is taken back" in one.until("refused")["text"]
    rated = open_table(client, seat1="friend", listed="on", rated="on", minutes="d3", name0="Ana")
    by_link = open_table(client, seat1="friend")
    with person(client) as other:
        html = other.get("/meet").text
        assert rated in html
        assert by_link not in html
        assert "3 days a turn" in html
        assert "rated" in html
        assert "rated" in other.get(rated).text.lower()
        assert "3 days a turn" in other.get(rated).text
