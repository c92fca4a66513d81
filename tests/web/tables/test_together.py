"""People at one table: who is there, who plays for whom, what they say and ask, what their clocks do."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from azulejos import Record
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.store import saved as saved_module
from azulejos.web.store.saved import CarryLink
from azulejos.web.tables.people import AWAY_AFTER, PHRASES
from azulejos.web.visitor import Signer
from web.people import Seated, open_table, person, saved_moves, saved_record, seated
from web.tables.test_table import finished_table


@contextmanager
def serving(folder: Path, *, away_after: float = AWAY_AFTER) -> Iterator[TestClient]:
    """A server on the database of a folder; `away_after=0`: whoever has no connection is away at once."""
    url = f"sqlite:///{folder}/games.sqlite"
    given = Settings(
        database=url, secret="s", seconds=0.01, limits=UNLIMITED, away_after=away_after
    )
    with TestClient(create_app(given), headers={"origin": "http://testserver"}) as client:
        yield client


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[TestClient]:
    with serving(tmp_path, away_after=0) as client:
        yield client


def two_people(client: TestClient, friend: TestClient, **form: str) -> str:
    """Ana begins, Bo has joined by the link."""
    path = open_table(client, seat1="friend", **{"option-start": "1"}, **form)
    friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
    return path


# --- who is there ----------------------------------------------------------------------------------------


def test_somebody_who_leaves_is_away_and_several_tabs_count_once(impatient: TestClient) -> None:
    with person(impatient) as friend:
        path = two_people(impatient, friend)
        with seated(impatient, path) as ana:
            assert ana.frame["away"][1] is not None, "Bo has no page open"
            with seated(friend, path):
                ana.until_frame(away=[])
                with seated(friend, path):
                    pass
                with person(impatient) as watcher, seated(watcher, path) as eye:
                    assert eye.frame["away"] == [], "one of two tabs was closed"
            while not ana.frame["away"]:
                ana.until("frame")
            assert "Bo is away." in ana.frame["band"]


def test_a_short_interruption_is_no_absence(client: TestClient) -> None:
    with person(client) as friend:
        path = two_people(client, friend)
        with seated(friend, path):
            pass
        with seated(client, path) as ana:
            assert ana.frame["away"] == []


def test_whoever_waits_hears_that_an_invited_friend_learns_the_game_first(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as friend, seated(client, path) as ana:
        invited = {"table": path.rpartition("/")[2], "name": "Ben", "seat": "1"}
        lesson = friend.get("/learn/azul", params=invited)
        while "Ben is learning the game." not in ana.frame["band"]:
            ana.until("frame")
        assert f'href="{path}?name=Ben"' in lesson.text, "the lesson does not lead back"
        assert 'value="Ben"' in friend.get(f"{path}?name=Ben").text, "the name has to be entered again"
        while "is learning" in ana.frame["band"]:
            ana.until("frame")


# --- who plays for whom ----------------------------------------------------------------------------------


def test_a_present_player_can_never_be_replaced(impatient: TestClient) -> None:
    with person(impatient) as friend, person(impatient) as stranger:
        path = two_people(impatient, friend, replace="0")
        with seated(friend, path) as bo, seated(impatient, path) as ana:
            for who in (impatient, stranger):
                for form in ("bot", "for"):
                    refused = who.post(f"{path}/{form}", data={"seat": "1", "bot": "random", "name": "Cy"})
                    assert refused.status_code == 409
            ana.tell(do="replace", seat=1)
            assert "is at the table" in ana.until("refused")["text"]
            while bo.frame["away"]:
                bo.until("frame")
        assert impatient.post(f"{path}/bot", data={"seat": "1"}).status_code == 200
        assert "a bot plays for them" in impatient.get(path).text


def test_an_absent_player_is_replaced_after_the_time_that_the_table_chose(impatient: TestClient) -> None:
    with person(impatient) as friend:
        path = two_people(impatient, friend, replace="5")
        with seated(impatient, path) as ana:
            ana.tell(do="replace", seat=1)
            assert "after 5 minutes" in ana.until("refused")["text"]
            ana.tell(do="replace", seat=9)
            assert "no such seat" in ana.until("refused")["text"]


def test_the_owner_comes_back_with_one_click_and_no_draft_of_another_is_lost(impatient: TestClient) -> None:
    with person(impatient) as friend:
        path = two_people(impatient, friend, replace="0")
        with seated(impatient, path) as ana:
            ana.tell(do="play", move=ana.frame["choices"][0]["text"], ply=ana.frame["ply"])
            ana.until_frame(confirm=True)
            ana.tell(do="replace", seat=1)
            ana.until("done")
            assert ana.until("frame")["confirm"], "the draft of Ana is lost when Bo is replaced"
            assert "A bot plays for Bo." in ana.frame["band"]
            with seated(friend, path) as bo:
                assert "A bot plays for you." in bo.frame["band"]
                assert bo.frame["news"]["seats"][1]["back"]
                bo.tell(do="return", seat=1)
                bo.until("done")
                bo.until("frame")
                assert "A bot plays" not in bo.frame["band"]
            while "A bot plays" in ana.frame["band"]:
                ana.until("frame")
            assert ana.frame["confirm"], "the draft of Ana is lost when Bo comes back"
            ana.tell(do="return", seat=1)
            assert "not your seat" in ana.until("refused")["text"]


def test_anybody_with_the_link_plays_for_somebody_who_is_absent(impatient: TestClient) -> None:
    with person(impatient) as friend, person(impatient) as stranger, person(impatient) as other:
        path = two_people(impatient, friend, replace="0")
        assert stranger.post(f"{path}/for", data={"seat": "1", "name": "Cy"}).status_code == 200
        with seated(stranger, path) as cy, seated(impatient, path) as ana, seated(friend, path) as bo:
            assert "Cy plays for Bo." in ana.frame["band"]
            assert not bo.frame["mine"], "two people play one seat"
            refused = other.post(f"{path}/for", data={"seat": "1", "name": "Di"})
            assert refused.status_code == 409, "the guest is there"
            mover = cy if cy.frame["mine"] else ana
            mover.play_any(random.Random(1))
            mover.until("done")
            bo.tell(do="return", seat=1)
            bo.until("done")
            for someone in (ana, bo, cy):
                while "plays for" in someone.frame["band"]:
                    someone.until("frame")
            assert ana.frame["mine"] != bo.frame["mine"]
            assert not cy.frame["mine"]


def test_a_guest_gets_no_link_that_keeps_the_seat(impatient: TestClient) -> None:
    """Who plays for Bo makes no device of theirs an owner of the seat, whatever link they have."""
    with person(impatient) as friend, person(impatient) as guest, person(impatient) as second:
        path = two_people(impatient, friend, replace="0")
        assert guest.post(f"{path}/for", data={"seat": "1", "name": "Cy"}).status_code == 200
        with seated(guest, path):
            page = guest.get(path).text
        assert "/carry/" not in page
        assert "/carry/" in friend.get(path).text, "the owner cannot continue on another device"
        secret = Signer("s")._read(guest.cookies["azulejos_key"])
        assert secret is not None
        table, maker = path.rpartition("/")[2], hashlib.sha256(secret.encode()).hexdigest()[:16]
        word = Signer("s").carry(CarryLink(table=table, seat=1, maker=maker, revocations=0))
        for thief in (guest, second):
            assert thief.get(f"{path}/carry/{word}").status_code == 409
            assert thief.post(f"{path}/forget", data={"seat": "1"}).status_code == 409
        assert friend.post(f"{path}/back", data={"seat": "1"}).status_code == 200
        rng = random.Random(1)
        with seated(impatient, path) as ana, seated(friend, path) as bo, seated(second, path) as eye:
            for _ in range(4):
                mover, other = (ana, bo) if ana.frame["mine"] else (bo, ana)
                eye.play(mover.frame["choices"][0]["text"])
                assert "watching" in eye.until("refused")["text"]
                mover.turn(rng)
                other.until_frame(ply=mover.frame["ply"])


# --- what they say ---------------------------------------------------------------------------------------


def test_phrases_are_heard_in_the_language_of_the_listener_and_kept(client: TestClient) -> None:
    with person(client) as friend:
        path = two_people(client, friend)
        with seated(client, path) as ana, seated(friend, path) as bo:
            ana.tell(do="speak", phrase="luck")
            ana.until("done")
            (line,) = bo.until("talk")["lines"]
            assert (line["name"], line["text"], line["phrase"]) == ("Ana", str(PHRASES["luck"]), True)
            bo.tell(do="speak", text="  <b>hi</b>\u0000 there ")
            bo.until("done")
        with person(client) as watcher, seated(watcher, path) as eye:
            assert [one["text"] for one in eye.until("talk")["lines"]] == ["Good luck!", "<b>hi</b> there"]
            eye.tell(do="speak", phrase="hello")
            assert "watching" in eye.until("refused")["text"]
    assert "<b>hi" not in client.get(path).text


def test_chat_is_limited(client: TestClient) -> None:
    path = open_table(client, chat="phrases", seat1="bot:random")
    with seated(client, path) as ana:
        ana.tell(do="speak", text="hello")
        assert "ready-made" in ana.until("refused")["text"]
        ana.tell(do="speak", phrase="curse")
        assert "cannot be read" in ana.until("refused")["text"]
        for _ in range(20):
            ana.tell(do="speak", phrase="hello")
        assert "too fast" in ana.until("refused")["text"]
    silent = open_table(client, chat="off", seat1="bot:random")
    with seated(client, silent) as ana:
        ana.tell(do="speak", phrase="hello")
        assert "without a chat" in ana.until("refused")["text"]


# --- taking back -----------------------------------------------------------------------------------------


def test_against_bots_a_turn_is_taken_back_at_once_and_stays_reachable(client: TestClient) -> None:
    path = open_table(client, seat1="bot:random")
    rng = random.Random(4)
    with seated(client, path) as ana:
        ana.until_frame(mine=True) if not ana.frame["mine"] else None
        assert not ana.frame["can_take_back"]
        before, scene, course = ana.frame["ply"], ana.frame["choices"], ana.frame["course"]
        ana.play_any(rng)
        ana.until_frame(mine=True)
        played = saved_moves(client, path)
        ana.tell(do="propose", what="back")
        ana.until("done")
        frame = ana.until_frame(mine=True, ply=before)
        assert frame["news"]["whole"]
        assert frame["choices"] == scene
        assert frame["course"] > course, "a turn that was kept before would be sent"
        (branch,) = frame["news"]["branches"]
        assert branch["moves"].split()[0] in played
        assert saved_moves(client, path) == played[:before]
        assert "back " in client.get(f"{path}/record.txt").text
        taken = branch["moves"].split()[0]
        ana.play(next(one["text"] for one in ana.frame["choices"] if one["text"] != taken))
        ana.until_frame(mine=True)
    other = client.post(f"{path}/branch", data={"line": str(branch["number"])}, follow_redirects=False)
    assert saved_moves(client, other.headers["location"])[: len(played)] == played


def test_with_people_a_turn_is_taken_back_when_all_agree(client: TestClient) -> None:
    with person(client) as friend:
        path = two_people(client, friend)
        with seated(client, path) as ana, seated(friend, path) as bo:
            first, second = (ana, bo) if ana.frame["mine"] else (bo, ana)
            ply = first.frame["ply"]
            first.play_any(random.Random(1))
            first.until("done")
            first.tell(do="propose", what="back")
            first.until("done")
            asked = until_asked(second)
            assert asked["answer"]
            assert "would like to take back" in asked["text"]
            second.tell(do="reply", yes=False)
            second.until("done")
            first.tell(do="propose", what="back")
            assert "declined" in first.until("refused")["text"]
            while not second.frame["mine"]:
                second.until("frame")
            second.play_any(random.Random(2))
            second.until("done")
            second.tell(do="propose", what="back")
            second.until("done")
            assert until_asked(first)["answer"]
            first.tell(do="reply", yes=True)
            first.until("done")
            assert second.until_frame(mine=True)["ply"] == ply + 1
            assert second.frame["asked"] is None
    record = saved_record(client, path)
    assert len((record.line[-1] if record.line else record.root).variations) == 1


def until_asked(someone: Seated) -> dict[str, Any]:
    while someone.frame["asked"] is None:
        someone.until("frame")
    found: dict[str, Any] = someone.frame["asked"]
    return found


def test_a_take_back_survives_a_restart_and_draws_are_the_same(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        path = open_table(client)
        with seated(client, path) as table:
            for seed in range(3):
                table.turn(random.Random(seed))
            table.tell(do="propose", what="back")
            ply = table.until("done")["ply"]
            while not table.frame["news"].get("whole"):
                table.until("frame")
        cookies = dict(client.cookies)
    with serving(tmp_path) as later:
        later.cookies.update(cookies)
        with seated(later, path) as table:
            assert table.frame["ply"] == ply
            while not table.frame["over"]:
                table.turn(random.Random(9))
        record = Record.read(later.get(f"{path}/record.txt").text)
        assert record.replay().is_over


# --- playing again ---------------------------------------------------------------------------------------


def test_twenty_clicks_open_one_table(client: TestClient) -> None:
    path = finished_table(client)
    links = {client.post(f"{path}/again", follow_redirects=False).headers["location"] for _ in range(20)}
    assert len(links) == 1
    assert links != {path}


def test_people_play_again_when_all_agree(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with person(client) as friend:
        path = two_people(client, friend, minutes="1", at_zero="lose")
        hurry(monkeypatch, 2)
        with seated(client, path) as ana, seated(friend, path) as bo:
            for someone in (ana, bo):
                while not someone.frame["over"]:
                    someone.until("frame")
            asked = client.post(f"{path}/again", follow_redirects=False)
            assert asked.headers["location"] == path, "Bo was not asked"
            assert "would like to play again" in str(until_asked(bo)["text"])
            bo.tell(do="reply", yes=True)
            bo.until("done")
            while not ana.frame["news"].get("ending", {}).get("rematch"):
                ana.until("frame")
            new = ana.frame["news"]["ending"]["rematch"]
            with seated(client, new) as again, seated(friend, new) as there:
                assert again.frame["mine"] != there.frame["mine"]


# --- clocks ----------------------------------------------------------------------------------------------


def hurry(monkeypatch: pytest.MonkeyPatch, minutes: float) -> None:
    """From now on it is so much later than it was."""
    started = saved_module._STARTED
    monkeypatch.setattr(saved_module, "_STARTED", started + round(minutes * 60e9))


@pytest.mark.parametrize("at_zero", ["lose", "bot"])
def test_a_clock_that_ran_out_acts_after_a_restart_although_nobody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_zero: str
) -> None:
    with serving(tmp_path) as client:
        path = open_table(client, minutes="1", at_zero=at_zero)
        cookies = dict(client.cookies)
    hurry(monkeypatch, 2)
    with serving(tmp_path) as later:
        later.cookies.update(cookies)
        with seated(later, path) as table:
            if at_zero == "lose":
                while not table.frame["over"]:
                    table.until("frame")
                assert "time is up" in table.frame["band"]
                assert "TimeUp" in saved_record(later, path).tags
                table.play("1b1")
                assert "over" in table.until("refused")["text"]
            else:
                while "A bot plays for you." not in table.frame["band"]:
                    table.until("frame")
                seat = next(i for i, one in enumerate(table.frame["news"]["seats"]) if one.get("bot"))
                table.tell(do="return", seat=seat)
                assert "time is up" in table.until("refused")["text"]


def test_a_clock_that_runs_out_reminds_if_that_was_agreed(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = open_table(client, minutes="1")
    hurry(monkeypatch, 2)
    with seated(client, path) as table:
        assert "time of" in table.frame["band"]
        assert table.frame["mine"], "the game goes on"


def test_a_clock_set_back_gives_no_time(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    path = open_table(client, minutes="5")
    with seated(client, path) as table:
        table.turn(random.Random(1))
        before = table.frame["clocks"]
        hour = 3600 * 10**9
        real = time.time_ns
        monkeypatch.setattr(time, "time_ns", lambda: real() - hour)
        table.turn(random.Random(2))
        assert all(now <= was for now, was in zip(table.frame["clocks"], before, strict=True))


def test_a_server_whose_clock_is_behind_gives_no_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path) as client:
        path = open_table(client, minutes="5")
        cookies = dict(client.cookies)
    hurry(monkeypatch, -60)
    with serving(tmp_path) as later:
        later.cookies.update(cookies)
        with seated(later, path) as table:
            for seed in range(3):
                table.turn(random.Random(seed))
            assert all(0 < left <= 300_000 for left in table.frame["clocks"])
            times = [step.at for step in saved_record(later, path).line if step.at is not None]
            assert times == sorted(times)
