"""Who somebody is: a name and a face that stay, go to another device, and are removed everywhere."""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from azulejos.web.circle.persons import CODE, KEYED, Persons
from azulejos.web.store import schema
from azulejos.web.store.saved import pass_time
from azulejos.web.store.store import Store
from azulejos.web.visitor import KEY_COOKIE
from web.people import open_table, person, seated

ATTEMPT = {"puzzle": "azul/1", "at": 5, "first": "right", "tries": 1, "solved": True, "day": "2026-11-17"}


def call(client: TestClient, name: str, face: str = "123") -> None:
    given = {"name": name, **dict(zip(("glaze", "hair", "look"), face, strict=True))}
    assert client.post("/me/name", data=given, follow_redirects=False).status_code == 303


def code_of(client: TestClient) -> str:
    html = client.post("/me/carry").text
    found = re.search(r"/me/from/([a-z0-9]+)", html)
    assert found is not None
    return found[1]


def names_at(client: TestClient, path: str) -> list[str]:
    seats: list[dict[str, Any]] = client.get(f"{path}/raw.json").json()["seats"]
    return [seat["name"] for seat in seats]


def test_a_name_is_chosen_once_and_sits_down_wherever_its_person_does(client: TestClient) -> None:
    call(client, "  Ana  María ")
    assert "Ana María" in client.get("/me").text
    path = open_table(client, name0="", seat1="friend")
    assert names_at(client, path)[0] == "Ana María"
    assert 'value="Ana María"' in client.get("/daily").text


def test_a_name_given_at_an_invitation_is_who_somebody_is(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as friend:
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        assert ">Bo</h1>" in friend.get("/me").text


@pytest.mark.parametrize("face", ["999", "12", "x23", "１２３"])
def test_faces_that_do_not_exist_are_not_drawn(client: TestClient, face: str) -> None:
    assert client.get(f"/face/{face}.svg").status_code == 404
    assert client.get("/face/123.svg").headers["content-type"] == "image/svg+xml"


def test_a_code_makes_another_device_the_same_visitor_once(client: TestClient) -> None:
    call(client, "Ana")
    path = open_table(client, seat1="friend")
    code = code_of(client)
    assert CODE.fullmatch(code)
    with person(client) as phone:
        own = open_table(phone, seat1="friend", name0="")
        assert "Go on here" in phone.get(f"/me/from/{code}").text  # looking uses nothing up
        assert ">Ana</h1>" in phone.post("/me/from", data={"code": f"{code[:4]} {code[4:].upper()}"}).text
        assert phone.get("/games").text.count('class="game') >= 2  # those of both devices
        assert "Send this link" in phone.get(path).text
        assert "Send this link" in client.get(own).text
    with person(client) as stranger:
        assert stranger.post("/me/from", data={"code": code}).status_code == 409


def test_a_code_ends_after_a_quarter_of_an_hour(client: TestClient) -> None:
    call(client, "Ana")
    code = code_of(client)
    pass_time(seconds=901)
    with person(client) as phone:
        assert phone.post("/me/from", data={"code": code}).status_code == 409


def test_the_database_cannot_open_what_it_hands_over(client: TestClient, tmp_path: Path) -> None:
    call(client, "Ana")
    code = code_of(client)
    secret = client.app.state.signer._keys.loads(client.cookies[KEY_COOKIE])  # type: ignore[attr-defined]
    assert not {code, secret} & {word for text in dump(tmp_path) for word in re.split(r"\W", text)}


def test_other_devices_can_be_forgotten(client: TestClient) -> None:
    call(client, "Ana")
    code = code_of(client)
    with person(client) as phone:
        phone.post("/me/from", data={"code": code})
        assert ">Ana</h1>" in client.post("/me/renew").text
        assert ">Ana</h1>" not in phone.get("/me").text


def test_a_page_is_its_owners_until_it_is_shared_and_its_address_says_nothing(client: TestClient) -> None:
    call(client, "Ana")
    html = client.post("/me/share", data={"shared": "yes"}).text
    found = re.search(r"/p/([\w-]+)", html)
    assert found is not None
    with person(client) as friend:
        assert ">Ana</h1>" in friend.get(f"/p/{found[1]}").text
        client.post("/me/share", data={"shared": "no"})
        assert friend.get(f"/p/{found[1]}").status_code == 404
        client.post("/me/share", data={"shared": "yes"})
        assert friend.get(f"/p/{found[1]}").status_code == 404  # an old link stays void


def dump(folder: Path) -> list[str]:
    """Everything that is in the database, as text."""
    with sqlite3.connect(folder / "games.sqlite") as connection:
        return list(connection.iterdump())


def test_whoever_is_removed_leaves_moves_and_nothing_else(client: TestClient, tmp_path: Path) -> None:
    call(client, "Anastazja")
    path = open_table(client, name0="", seat1="friend", chat="free")
    with person(client) as friend:
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        client.post("/study", data={"box": "azul"})
        client.post("/you/progress", content=json.dumps({"attempts": [ATTEMPT]}))
        today = client.get("/daily").text.split("/daily/")[1][:10]
        client.post(f"/daily/{today}/play", data={"name": ""})
        secret = client.app.state.signer._keys.loads(client.cookies[KEY_COOKIE])  # type: ignore[attr-defined]
        key = hashlib.sha256(secret.encode()).hexdigest()
        stored = client.get("/me/stored.json").json()
        kept = {name for name, rows in stored.items() if rows}
        assert {"people", "keys", "progress", "daily_attempts"} <= kept
        assert [text for text in dump(tmp_path) if key in text or "Anastazja" in text]
        assert "Removed" in client.post("/me/remove").text
        assert not [text for text in dump(tmp_path) if key in text or "Anastazja" in text]
        assert names_at(friend, path) == ["a former player", "Bo"]
        assert KEY_COOKIE not in client.cookies


def test_every_column_that_may_hold_a_visitors_key_is_known() -> None:
    known = {(table.name, column) for table, column in KEYED}
    named = {(table.name, column.name) for table in schema.metadata.tables.values()
             for column in table.columns if column.name in ("key", "visitor", "owner")}
    assert named == known


def test_what_somebody_has_is_theirs_on_every_database(database: str) -> None:
    async def live() -> None:
        store = await Store.open(database)
        persons = Persons(store)
        await persons.call("a" * 64, "Ana", "123")
        await persons.call("a" * 64, "Ana María")
        found = await persons.of("a" * 64)
        assert found is not None
        assert (found.name, found.face) == ("Ana María", "123")
        code = await persons.hand_over("secret")
        assert code is not None
        assert await persons.taken_over(code) == "secret"
        assert await persons.taken_over(code) is None
        await persons.renew("a" * 64, "b" * 64)
        await persons.adopt("b" * 64, "c" * 64)
        assert await persons.remove("c" * 64, called="x") == []
        await store.close()

    asyncio.run(live())


def finished(client: TestClient, path: str) -> None:
    """Play the game of a table to its end, against the random bot."""
    rng = random.Random(1)
    with seated(client, path) as one:
        while not one.frame["over"]:
            if one.frame["mine"] and one.frame["live"]:
                one.turn(rng)
            else:
                one.hear()


def test_names_leave_what_others_have_made_of_a_game(client: TestClient, tmp_path: Path) -> None:
    """Records that were opened, studies and branches of others; and cards of their mistakes have none."""
    call(client, "Anastazja")
    path = open_table(client, name0="", seat1="bot:random")
    finished(client, path)
    with person(client) as friend:
        call(friend, "Bo")
        branch = friend.post(f"{path}/branch", data={"ply": "6"}, follow_redirects=False)
        assert names_at(friend, branch.headers["location"])[0] == "Bo"
        record = friend.get(f"{path}/record.txt").text
        copies = []
        for text in (record, record.replace("[Seed ", "[Other ")):
            opened = friend.post("/open", data={"text": text}, follow_redirects=False)
            copies.append(opened.headers["location"].partition("#")[0])
        copies.append(friend.post("/open", data={"text": friend.get(f"{copies[0]}/record.txt").text},
                                  follow_redirects=False).headers["location"].partition("#")[0])
        studies = [
            friend.post(f"{copies[1]}/study", follow_redirects=False).headers["location"],
            friend.post("/study", data={"text": record}, follow_redirects=False).headers["location"],
        ]
        own = friend.post("/study", data={"box": "azul"}, follow_redirects=False).headers["location"]
        assert all(names_at(friend, copy)[0] == "Anastazja" for copy in copies)
        assert all("Anastazja" in friend.get(study).text for study in studies)
        client.post("/me/remove")
        assert not [text for text in dump(tmp_path) if "Anastazja" in text]
        assert all(names_at(friend, copy)[0] == "a former player" for copy in copies)
        for study in studies:
            html = friend.get(study).text
            assert "a former player" in html
            assert "Anastazja" not in html
        assert friend.get(own).status_code == 200
        assert names_at(friend, branch.headers["location"])[0] == "Bo"
