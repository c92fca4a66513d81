"""Hostile clients: everything is refused with a clear text, and nothing else is affected."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from azulejos.core.position import new
from azulejos.core.record import Record
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED, Bucket, Limits, Pace
from azulejos.web.guard.log import Calm
from azulejos.web.names import read_name
from azulejos.web.tables.table_record import table_of
from insight.games import record
from web.people import Seated, leave, open_table, page_of, person, saved_moves, seated


def test_a_stranger_cannot_move_for_a_player(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana, person(client) as stranger, seated(stranger, path) as thief:
        move = ana.frame["choices"][0]["text"]
        before = saved_moves(client, path)
        for message in (
            {"do": "play", "move": move, "ply": ana.frame["ply"], "at_once": True},
            {"do": "undo", "ply": ana.frame["ply"]},
            {"do": "confirm", "ply": ana.frame["ply"]},
            {"do": "ask", "text": move, "ply": ana.frame["ply"], "at_once": True},
        ):
            thief.tell(**message)
            assert "watching" in thief.until("refused")["text"]
        assert saved_moves(client, path) == before


def test_out_of_turn_replayed_and_late_moves_are_refused(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as friend:
        friend.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        with seated(client, path) as ana, seated(friend, path) as bo:
            first, second = (ana, bo) if ana.frame["mine"] else (bo, ana)
            ply, move = first.frame["ply"], first.frame["choices"][0]["text"]
            second.play(move)
            assert second.until("refused")["text"] == "It is not your turn."
            first.play(move)
            first.until_frame(ply=ply + 1)
            first.tell(do="play", move=move, ply=ply, at_once=True)
            assert first.until("refused")["text"] == "It is not your turn."
            second.until_frame(mine=True)
            second.tell(do="play", move=second.frame["choices"][0]["text"], ply=ply, at_once=True)
            assert "moved in the meantime" in second.until("refused")["text"]
            assert len(saved_moves(client, path)) == ply + 1


def test_illegal_and_chance_moves_are_refused(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        before = saved_moves(client, path)
        for move in ("0b1", "+b", "@1", "", "2r", "9z9", "2r4 2r4", "x" * 500):
            ana.play(move)
            assert ana.until("refused")["text"]
        assert saved_moves(client, path) == before


@pytest.mark.parametrize("text", [
    "", "null", "[]", "{}", "{", '{"do":"fly"}', '{"do":"play"}', '{"do":"play","move":1,"ply":0}',
    '{"do":"play","move":"1b1","ply":"0"}', '{"do":"undo","ply":1,"more":2}', '{"do":"look","ply":1e99}',
    '{"do":"why","path":"F1"}', '{"do":"why","path":[99999]}', '{"do":"hello","protocol":"","plan":""}',
    '"\\ud800"', "[" * 900,
])
def test_malformed_messages_are_refused_and_the_line_lives(client: TestClient, text: str) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        ana.socket.send_text(text)
        assert ana.until("refused")["text"] == "This message cannot be read."
        ana.tell(do="ask", text="s", ply=0)
        assert "Ana" in ana.until("said")["text"]


def test_giant_messages_are_refused(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        ana.socket.send_text(json.dumps({"do": "ask", "id": 1, "text": "x" * 100_000, "ply": 0}))
        assert "too long" in ana.until("refused")["text"]


def test_a_flood_is_slowed_and_disturbs_nobody(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    limits = Limits(visitor=Pace(1e6, 0), address=Pace(1e9, 0), pause=0)
    app = create_app(Settings(database=database, limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        path = open_table(client)
        with seated(client, path) as flood, seated(client, path) as second, person(client) as friend:
            leave(client, 10)
            for _ in range(100):
                flood.tell(do="look", ply=None)
            assert "too fast" in flood.until("refused")["text"]
            second.tell(do="look", ply=None)  # another connection of the same visitor
            assert "too fast" in second.until("refused")["text"]
            with seated(friend, path) as other:
                other.tell(do="ask", text="s", ply=0)
                assert "Ana" in other.until("said")["text"]


def test_looking_at_impossible_moments_shows_the_table(client: TestClient) -> None:
    path = open_table(client)
    with seated(client, path) as ana:
        for ply in (-5, 10**9):
            ana.tell(do="look", ply=ply)
            assert 0 <= ana.until("frame")["ply"] <= 30


@pytest.mark.parametrize("origin", [
    "http://evil.example", "null", "http://testserver.evil.example", "", "http://[", "http://[::1", "//[x]",
    "https://testserver", "ftp://testserver", "//testserver",
])
def test_foreign_pages_cannot_send_forms_or_open_lines(client: TestClient, origin: str) -> None:
    path = open_table(client)
    answer = client.post("/tables", data={"box": "azul"}, headers={"origin": origin})
    assert answer.status_code == 403
    with pytest.raises(WebSocketDisconnect), \
            client.websocket_connect(f"{path}/live", headers={"origin": origin}) as socket:
        socket.receive_text()


@pytest.mark.parametrize(("site", "status"), [
    ("cross-site", 403), ("same-site", 403), ("nonsense", 403), ("same-origin", 303), ("none", 303),
])
def test_forms_that_the_browser_calls_foreign_are_refused(
    client: TestClient, site: str, status: int
) -> None:
    del client.headers["origin"]
    headers = {"sec-fetch-site": site}
    answer = client.post("/wishes", data={}, headers=headers, follow_redirects=False)
    assert answer.status_code == status
    assert client.get("/", headers=headers).status_code == 200, "a link from another site must work"


@pytest.mark.parametrize("named", [True, False])
def test_behind_https_our_pages_are_of_https(client: TestClient, named: bool) -> None:
    """A proxy says so; if it was named to the server, the scheme of the request says so as well."""
    address = "https://testserver" if named else "http://testserver"
    path = open_table(client)
    client.headers["x-forwarded-proto"] = "https"
    for origin, status in (("https://testserver", 303), ("http://testserver", 403)):
        client.headers["origin"] = origin
        answer = client.post(f"{address}/wishes", data={}, follow_redirects=False)
        assert answer.status_code == status
    client.headers["origin"] = "https://testserver"
    with client.websocket_connect(f"{path}/live"):
        pass


def test_a_line_without_an_origin_is_refused(client: TestClient) -> None:
    path = open_table(client)
    del client.headers["origin"]
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"{path}/live") as socket:
        socket.receive_text()


@pytest.mark.parametrize("path", [
    "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd",
    "/t/..%2f..%2fetc%2fpasswd", "/t/" + "x" * 3000, "/t/x'--", "/rules/..%2fbase", "/rules/none",
    "/rules/%00", "/t/AAAAAAAAAAAA", "/nothing",
])
def test_path_tricks_and_guesses_find_nothing(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_guessed_table_opens_no_line(client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/t/AAAAAAAAAAAA/live") as socket:
        socket.receive_text()


def test_html_in_names_is_only_text(client: TestClient) -> None:
    path = open_table(client, name0='<img src=x onerror="1">', name1="</script><b>&amp;")
    page = client.get(path).text
    assert "<img src=x" not in page
    assert "<b>&amp;amp;" not in page
    assert "&lt;img src=x" in page
    with seated(client, path) as ana:  # plain data, which a page shows as text (pages/test_app.py)
        assert ana.frame["news"]["seats"][0]["name"] == '<img src=x onerror="1">'


def test_names_are_cut_and_cleaned() -> None:
    assert read_name("  a \u202e\x00b\n\tc  ") == "a b c"
    assert len(read_name("x" * 500)) == 24
    assert read_name("\u3164\u2800\u115f\u200b\ufeff\u00ad\ue000") == "", "what is invisible is no name"
    assert read_name("e\u0301" + "\u0336" * 23 + "va") == "\u00e9" + "\u0336" * 2 + "va"
    assert read_name(" \u0336\u0336a") == "a", "a mark without a letter covers what is beside it"
    assert read_name("Zażółć 彩繪 Õnne Nguyễn") == "Zażółć 彩繪 Õnne Nguyễn"
    assert read_name("한글") == "한글"


def test_names_of_opened_records_and_studies_are_cleaned(client: TestClient) -> None:
    """A name of 3,050 characters with a change of direction was kept and shown."""
    long = "Ana \u202e" + "x" * 3000
    found = Record.from_position(new("azul"), seats=[long, "\u3164"])
    opened = client.post("/open", data={"text": found.write()}, follow_redirects=False)
    path = opened.headers["location"].partition("#")[0]
    record = Record.read(client.get(f"{path}/record.txt").text)
    assert [seat.name for seat in record.seats] == ["Ana " + "x" * 20, "2"]
    study = client.post("/study", data={"text": found.write()})
    assert "\u202e" not in study.text
    assert "x" * 21 not in study.text


@pytest.mark.parametrize("form", [
    {"box": "chess"}, {"box": ""}, {"box": "azul", "seat0": "you"}, {"box": "azul", "seat0": "bot:../x"},
    {"box": "azul", "seat0": "you", "seat1": "you", "option-wall": "pink"},
    {"box": "azul", "seat0": "you", "seat1": "you", "option-start": "4"},
])
def test_impossible_tables_are_not_opened(client: TestClient, form: dict[str, str]) -> None:
    assert client.post("/tables", data=form).status_code in (404, 409)


def test_seats_that_are_not_free_cannot_be_taken(client: TestClient) -> None:
    path = open_table(client, seat1="friend")
    with person(client) as thief:
        assert thief.post(f"{path}/sit", data={"seat": "0", "name": "Eve"}).status_code == 409
        assert thief.post(f"{path}/sit", data={"seat": "7", "name": "Eve"}).status_code == 404
        assert thief.post(f"{path}/sit", data={"seat": "-1", "name": "Eve"}).status_code == 404


def test_a_forged_cookie_is_a_stranger(client: TestClient) -> None:
    path = open_table(client)
    cookie = client.cookies["azulejos_key"]
    with person(client) as thief:
        for forged in (cookie[:-2] + "xx", "x", cookie.split(".")[0], "." * 300):
            thief.cookies.set("azulejos_key", forged)
            with seated(thief, path) as line:
                assert not line.frame["mine"]
            thief.cookies.clear()


def test_giant_bodies_are_refused(client: TestClient) -> None:
    assert client.post("/tables", data={"box": "x" * 100_000}).status_code == 413

    def endless() -> object:
        for _ in range(100):
            yield b"x" * 1000

    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/tables", content=endless(), headers=headers).status_code == 413  # type: ignore[arg-type]


def test_an_address_cannot_fill_the_database_with_tables(tmp_path: Path) -> None:
    """They took 1.3 GB a day; studies were limited to 170 MB."""
    finished = record("azul", 2, 1).write()
    size = table_of(Record.read(finished)).size + 5000
    limits = replace(UNLIMITED, stored=Pace(size + 1000, 0))
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        over = client.post("/open", data={"text": finished}, follow_redirects=False).headers["location"]
        form = {"box": "azul", "seat0": "you", "seat1": "friend"}
        assert client.post("/tables", data=form).status_code == 200
        for path, given in (
            ("/tables", form), ("/duplicate", {"box": "azul"}), ("/open", {"text": finished}),
            (over.replace("#0", "/branch"), {"ply": "20"}),
        ):
            full = client.post(path, data=given)
            assert full.status_code == 409, path
            assert "nothing more can be saved" in full.text


def test_a_visitor_has_so_many_tables_that_wait(tmp_path: Path) -> None:
    limits = replace(UNLIMITED, waiting=2)
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/games.sqlite", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        form = {"box": "azul", "seat0": "you", "seat1": "friend"}
        answers = [client.post("/tables", data=form, follow_redirects=False) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [303, 303, 409]
        assert "wait for players" in answers[2].text
        open_table(client)
        with person(client) as other:
            path = answers[0].headers["location"]
            other.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
        open_table(client, seat1="friend")


def test_many_forms_at_once_are_slowed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    limits = Limits(visitor=Pace(0.1, 0))
    app = create_app(Settings(database=database, limits=limits))
    with TestClient(app) as client:
        answers = []
        for _ in range(5):
            client.cookies.clear()  # without cookies, all count as one visitor
            answers.append(client.post("/wishes", data={}, follow_redirects=False))
        assert client.get("/static/base.css").status_code == 200, "half a page is of no use"
    assert [answer.status_code for answer in answers] == [303, 429, 429, 429, 429]
    assert "wait a moment" in answers[-1].text


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"]
)
def test_forms_lead_back_to_this_server_only(client: TestClient, back: str) -> None:
    answer = client.post("/wishes", data={"back": back}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def every_address(client: TestClient, path: str) -> Iterator[tuple[str, str]]:
    """Each route of the application with each method, valid or not."""
    app = client.app
    assert isinstance(app, Starlette)
    for route in app.routes:
        where = getattr(route, "path", "/nothing").replace("{game}", "azul").replace("{word}", "x")
        where = where.replace("/t/{id}", path) + ("/table.js" if where == "/static" else "")
        yield from ((method, where) for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"))


def test_every_answer_carries_the_headers(client: TestClient) -> None:
    path = open_table(client)
    addresses = [*every_address(client, path), ("GET", "/nothing"), ("GET", "/static/nothing")]
    assert len(addresses) > 60
    for method, where in addresses:
        headers = client.request(method, where, follow_redirects=False).headers
        if where == "/static/table.js" and "javascript" in headers["content-type"]:
            assert "content-security-policy" not in headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["cross-origin-resource-policy"] == "same-origin"
        else:
            assert_guarded(headers)


@pytest.mark.parametrize(
    "where", ["/static/thinking_worker.js", "/sw.js", "/static/icon-192.png", "/face/000.svg"]
)
def test_what_can_be_opened_by_itself_has_a_policy(client: TestClient, where: str) -> None:
    answer = client.get(where)
    assert answer.status_code == 200
    assert_guarded(answer.headers)


def assert_guarded(headers: Mapping[str, str]) -> None:
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'; trusted-types azulejos;" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")  # modules of WebAssembly alone
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_a_failure_is_a_guarded_page_without_details(client: TestClient) -> None:
    def fail(request: Request) -> Response:
        raise RuntimeError("details of keys")

    client.app.routes.append(Route("/fails", fail))  # type: ignore[attr-defined]
    visitor = TestClient(client.app, raise_server_exceptions=False)
    answer = visitor.get("/fails")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
    assert "keys" not in answer.text
    assert "Traceback" not in answer.text
    assert_guarded(answer.headers)


def test_a_damaged_database_is_a_guarded_page_without_details(client: TestClient, tmp_path: Path) -> None:
    path = open_table(client)
    with closing(sqlite3.connect(tmp_path / "games.sqlite")) as vandal:
        vandal.execute("DROP TABLE keys")
    answer = client.get(path)
    assert answer.status_code == 503
    assert "cannot use its database now" in answer.text
    assert "keys" not in answer.text
    assert_guarded(answer.headers)


def test_refusals_are_logged_on_one_line_each(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    path = open_table(client)
    client.post("/tables", headers={"origin": "http://evil.example"})
    client.post("/tables", data={"box": "x" * 100_000})
    client.get("/t/guess%0AERROR: forged")
    for where, origin in (("/t/AAAAAAAAAAAA", "http://testserver"), (path, "http://evil.example")):
        with pytest.raises(WebSocketDisconnect), \
                client.websocket_connect(f"{where}/live", headers={"origin": origin}) as socket:
            socket.receive_text()
    with person(client) as stranger, seated(stranger, path) as thief:
        thief.tell(do="confirm", ply=0)
        thief.until("refused")
    lines = [record.getMessage() for record in caplog.records if record.name == "azulejos.web"]
    wanted = ("another site", "too long", "guess", "AAAAAAAAAAAA", "evil.example", "watching")
    assert len(lines) == len(wanted)
    for line, word in zip(lines, wanted, strict=True):
        assert word in line
        assert "\n" not in line


def test_a_flood_of_warnings_is_counted_not_written() -> None:
    seconds = 0.0
    calm = Calm(refusals=Bucket(2, 1, lambda: seconds), errors=Bucket(1, 0))
    records = [logging.LogRecord("x", logging.WARNING, "", 0, "again %s", ("x",), None) for _ in range(10)]
    assert [calm.filter(record) for record in records[:9]] == [True] * 2 + [False] * 7
    errors = [logging.LogRecord("x", logging.ERROR, "", 0, "broken", (), None) for _ in range(2)]
    assert [calm.filter(error) for error in errors] == [True, False]
    seconds = 1.0
    assert calm.filter(records[9])
    assert records[9].getMessage() == "again x (and 7 more that are not shown)"


def test_many_lines_at_once_are_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/games.sqlite"
    app = create_app(Settings(database=database, limits=Limits(visitor=Pace(1e6, 0))))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        path = open_table(client)
        page = page_of(client, path)

        def connect(times: int) -> None:
            for _ in range(times):
                with client.websocket_connect(f"{path}/live") as socket:
                    assert Seated(socket, page).until("frame")["mine"]

        connect(1)
        leave(client, 10)
        with pytest.raises(WebSocketDisconnect) as refused:
            connect(100)
        assert refused.value.code == 1013


def test_pages_have_no_inline_script_or_style(client: TestClient) -> None:
    path = open_table(client)
    for where in ("/", path, "/nothing", "/rules/azul"):
        page = client.get(where).text
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page
        allowed = re.findall(r'<script (type="module" )?src="/|<script type="application/json"', page)
        assert page.count("<script") == len(allowed)


def test_cookies_are_out_of_reach_of_scripts(client: TestClient) -> None:
    cookie = client.get("/").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/" in cookie
    assert "domain" not in cookie


def test_cookies_stay_on_encrypted_lines_where_there_are_some(client: TestClient) -> None:
    assert "secure" not in client.get("/").headers["set-cookie"].lower()
    client.cookies.clear()
    assert "secure" in client.get("https://testserver/").headers["set-cookie"].lower()
