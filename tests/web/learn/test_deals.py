"""Deals that are played again: the same draws and opponents for everybody, compared and not ranked."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from azulejos.core.record import Record
from azulejos.web.tables.fair_deal import commitment
from web.people import open_table, person, saved_moves, saved_record, seated


def finished(client: TestClient, path: str, *, seed: int = 1) -> None:
    """Play the game of a table to its end."""
    rng = random.Random(seed)
    with seated(client, path) as one:
        one.tell(do="number", number=f"{seed:032x}")
        while not one.frame["over"]:
            if one.frame["mine"] and one.frame["live"]:
                one.turn(rng)
            else:
                one.hear()


def deal_of(client: TestClient, path: str) -> str:
    answer = client.post(f"{path}/deal", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def play(client: TestClient, deal: str) -> str:
    answer = client.post(f"{deal}/play", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def first_deal(record: Record) -> list[str]:
    """What is drawn before the first decision."""
    moves, position = [], record.start.copy()
    for action in record.actions:
        if not position.is_chance:
            break
        moves.append(record.start.game.moves.text(action))
        position.play(action)
    return moves


@pytest.mark.parametrize("box", ["azul", "sintra-b"])
def test_an_old_game_is_dealt_again_to_anybody(client: TestClient, box: str) -> None:
    path = open_table(client, box=box, seat1="bot:random", numbers="on")
    finished(client, path)
    first = saved_record(client, path)
    assert "Numbers" in first.tags
    deal = deal_of(client, path)
    assert deal_of(client, path) == deal
    assert path.rpartition("/")[2] not in deal  # the link does not tell where it was played
    with person(client) as friend:
        html = friend.get(deal).text
        assert "1 person has played it" in html
        assert path not in html
        again = play(friend, deal)
        assert play(friend, deal) == again  # it waits
        finished(friend, again, seed=2)
        second = saved_record(friend, again)
        assert first_deal(second) == first_deal(first)
        assert first.result() != second.result()
        html = friend.get(deal).text
        assert re.search(r"Better than (0|50|100) % of 1 other", html)
        assert "2 people have played it" in html
        other = play(friend, deal)
        assert other != again
        assert deal_of(friend, again) == deal
    assert "Better than" in client.get(deal).text


def test_all_draws_are_the_same_as_long_as_the_same_is_played(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random", numbers="on")
    finished(client, path)
    deal = deal_of(client, path)
    tables = []
    for seed in (5, 5, 6):
        with person(client) as someone:
            again = play(someone, deal)
            finished(someone, again, seed=seed)
            tables.append(saved_moves(someone, again))
    assert tables[0] == tables[1]  # bots answer alike, too
    assert tables[0] != tables[2]


def test_nothing_of_a_deal_helps_or_counts_elsewhere(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    finished(client, path)
    games = [text for text in (client.get("/games").text,) if "This deal again" in text]
    assert games
    deal = deal_of(client, path)
    again = play(client, deal)
    finished(client, again)
    client.get(deal)
    stored = client.get("/me/stored.json").json()["results"]
    assert sorted(row["deal"] for row in stored) == ["", deal.removeprefix("/")]
    client.post("/me/name", data={"name": "Ana"})
    me = client.get("/me").text
    assert "<b>1</b> game finished" in me
    assert re.search(r'id="boxes".*<th scope="row">Azul</th><td>1</td>', me, re.S)
    raw: dict[str, Any] = client.get(f"{again}/raw.json").json()
    assert raw["seed"] is None
    with seated(client, again) as one:
        assert not one.frame["can_take_back"]


def test_a_branch_leads_to_the_deal_of_its_game_and_running_games_have_none(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    assert client.post(f"{path}/deal").status_code == 409
    finished(client, path)
    branch = client.post(f"{path}/branch", data={"ply": "6"}, follow_redirects=False).headers["location"]
    assert client.post(f"{branch}/deal").status_code == 409  # it is not finished
    finished(client, branch)
    assert deal_of(client, branch) == deal_of(client, path)
    assert client.get("/deal/nothing").status_code == 404
    today = client.get("/daily").text.split("/daily/")[1][:10]
    daily = client.post(f"/daily/{today}/play", data={"name": ""}, follow_redirects=False)
    assert client.post(f"{daily.headers['location']}/deal", follow_redirects=False).headers[
        "location"] == f"/daily/{today}"


def test_a_record_with_other_draws_than_its_seed_says_has_no_deal(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    finished(client, path)
    record = saved_record(client, path)
    told = {str(name): text for name, text in record.tags.items()
            if name in ("Seed", "Promise", "Numbers")}
    for seed, status in ((told["Seed"], 303), ("0" * 64, 409)):
        record.tags = told | {"Seed": seed, "Promise": commitment(seed)}
        opened = client.post("/open", data={"text": record.write()}, follow_redirects=False)
        copy = opened.headers["location"].partition("#")[0]
        assert client.post(f"{copy}/deal", follow_redirects=False).status_code == status
