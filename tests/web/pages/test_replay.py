"""Looking back, playing on from an earlier moment, and games that are opened from anywhere."""

from __future__ import annotations

import html
import random

import pytest
from starlette.testclient import TestClient

from azulejos import Position, Record
from azulejos.web.pages.replay import opened
from web.people import open_table, saved_moves, saved_record, seated
from web.played import branched, played_out
from web.tables.test_table import finished_table


def test_moments_are_found_by_their_number(client: TestClient) -> None:
    path = finished_table(client)
    with seated(client, path) as table:
        last = table.frame["walk"]["last"]
        for stop in (0, last // 2, last - 1):
            table.tell(do="look", stop=stop)
            while table.frame["walk"]["index"] != stop:
                table.until_frame(live=False)
        table.tell(do="look", stop=last + 5)
        while table.frame["walk"]["index"] != last:
            table.until_frame(live=True)
        table.tell(do="earlier")
        turns = table.until("moves")["log"]
        assert [turn["stop"] for turn in turns] == sorted({turn["stop"] for turn in turns})


def test_looking_back_says_that_it_is_ones_turn(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    with seated(client, path) as ana:
        ana.until_frame(mine=True) if not ana.frame["mine"] else None
        ana.tell(do="look", stop=0)
        back = ana.until_frame(live=False)
        assert back["called"]
        assert "Your turn." in back["band"]
        assert back["title"].startswith("●")


def test_playing_on_is_offered_only_where_the_game_goes_on(client: TestClient) -> None:
    path = finished_table(client)
    last = len(saved_moves(client, path))
    refused = client.post(f"{path}/branch", data={"ply": str(last)})
    assert refused.status_code == 409
    assert "The game is over there" in refused.text
    assert client.post(f"{path}/branch", data={"ply": str(last - 1)}).status_code == 200


def test_a_moment_is_saved_as_text_and_as_a_picture(client: TestClient) -> None:
    path = finished_table(client)
    record = saved_record(client, path)
    text = client.get(f"{path}/position.txt", params={"ply": 30}).text
    assert Position.from_text(text.strip()) == record.replay(30)
    picture = client.get(f"{path}/position.svg", params={"ply": 30})
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert client.get(f"{path}/position.txt", params={"ply": 9999}).status_code == 404
    assert client.get(f"{path}/position.txt", params={"ply": "-1"}).status_code == 404


def open_text(client: TestClient, text: str) -> str:
    answer = client.post("/open", data={"text": text}, follow_redirects=False)
    assert answer.status_code == 303, html.unescape(answer.text)
    return str(answer.headers["location"].partition("#")[0])


@pytest.mark.parametrize("form", ["record.txt", "record.jsonl"])
def test_a_record_is_opened_and_stepped_through(client: TestClient, form: str) -> None:
    path = finished_table(client)
    new = open_text(client, client.get(f"{path}/{form}").text)
    assert new != path
    assert saved_moves(client, new) == saved_moves(client, path)
    assert saved_record(client, new).tags["Seed"] == saved_record(client, path).tags["Seed"]
    with seated(client, new) as table:
        assert table.frame["over"]
        assert not table.frame["mine"]
        table.tell(do="look", stop=3)
        table.until_frame(live=False)


def test_an_unfinished_record_is_shown_and_can_be_played_on(client: TestClient) -> None:
    record = Record.from_position(branched().replay(), seats=["Ana", "Bo"])
    new = open_text(client, record.write())
    with seated(client, new) as table:
        assert "The record ends here" in table.frame["band"]
        assert not table.frame["away"], "nobody was ever at these seats"
        table.play("1b1")
        assert "over" in table.until("refused")["text"]
    again = client.post(f"{new}/branch", data={"ply": str(len(record.line))}, follow_redirects=False)
    with seated(client, again.headers["location"]) as table:
        assert table.frame["mine"] or table.until_frame(mine=True)


@pytest.mark.slow
def test_a_position_is_opened_and_played_on_from(client: TestClient) -> None:
    position = branched().replay()
    new = open_text(client, position.text())
    assert client.get(f"{new}/position.txt").text.strip() == position.text()
    again = client.post(f"{new}/branch", data={"ply": "0"}, follow_redirects=False)
    rng = random.Random(1)
    with seated(client, again.headers["location"]) as table:
        while not table.frame["over"]:
            if table.frame["choices"]:
                table.play_any(rng)
            table.until("frame")
    played = saved_record(client, again.headers["location"])
    assert played.start == position
    assert played.replay().is_over


def test_a_file_and_a_link_are_opened(client: TestClient) -> None:
    file = {"file": ("game.txt", Record.from_position(played_out().replay()).write().encode())}
    assert client.post("/open", files=file, follow_redirects=False).status_code == 303
    path = open_table(client)
    for link in (path, f"http://testserver{path}", f"https://elsewhere.example{path}#12"):
        assert open_text(client, link) == path
    page = client.get("/open", params={"text": "<b>azul"})
    assert "&lt;b&gt;azul" in page.text


@pytest.mark.parametrize(("text", "reason"), [
    ("", "Paste a record"),
    ("hello", "hello"),
    ("[Game \"azul\"]", "missing"),
    ("{\"record\": 3}", "missing"),
    ("[Game \"chess\"]\n[Players \"2\"]\n[Rules \"1\"]\n[Result \"*\"]\n", "chess"),
    ("{" * 5000, "Line 1"),
])
def test_what_cannot_be_opened_is_refused_with_a_reason(client: TestClient, text: str, reason: str) -> None:
    answer = client.post("/open", data={"text": text})
    assert answer.status_code == 409
    assert reason in html.unescape(answer.text)


def test_a_record_takes_no_name_and_no_seat_of_a_table_here(client: TestClient) -> None:
    path = finished_table(client)
    record = saved_record(client, path)
    record.tags["Rematch"] = "elsewhere"
    table = opened(record.write())
    assert table.id != record.tags["Table"]
    assert (table.rematch, table.listed, table.state) == (None, False, "over")
