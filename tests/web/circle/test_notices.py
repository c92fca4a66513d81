"""Games over days: clocks, notices that arrive although servers die, and that stop when they should."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.circle.notices import Notices, Outside
from azulejos.web.circle.senders import Gone, Letter, Mail, Push, public_address, send_mail, signature
from azulejos.web.guard import UNLIMITED
from azulejos.web.store import schema
from azulejos.web.store.database import TurnRow
from azulejos.web.store.saved import HUMAN, SavedAction, SavedSeat, now, pass_time
from azulejos.web.store.store import Store
from azulejos.web.tables.live_table import new_table
from patience import PATIENCE
from web.circle.receivers import Mailbox, Receiver, mail_server, receiver
from web.people import open_table, person, seated

DAY = 24 * 3600.0
LETTER = Letter(id="x" * 40, about="turn", subject="S", text="T", link="http://l/", stop="http://s/")


@contextmanager
def site(folder: Path, mail_port: int) -> Iterator[TestClient]:
    mail = Mail(host="127.0.0.1", port=mail_port, sender="table@example.org")
    app = create_app(Settings(
        database=f"sqlite:///{folder}/games.sqlite", secret="s", seconds=0.01, limits=UNLIMITED,
        outside=Outside(mail=mail, private=True, grace=0),
    ))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


@pytest.fixture
def post() -> Iterator[tuple[Mailbox, int]]:
    with mail_server() as found:
        yield found


@pytest.fixture
def hook() -> Iterator[Receiver]:
    with receiver() as found:
        yield found


def text_of(letter: Message) -> str:
    text = letter.get_payload(decode=True)
    assert isinstance(text, bytes)
    return text.decode()


def wants_mail(client: TestClient, mailbox: Mailbox, address: str) -> str:
    """Somebody wants mail and says yes; returns the page with the button."""
    before = len(mailbox.letters)
    client.post("/notices/add", data={"kind": "mail", "address": address})
    letter = mailbox.wait(before + 1)[-1]
    found = re.search(r"http://testserver(/notices/\S+/yes/\S+)", text_of(letter))
    assert found is not None
    assert "tell me" in client.get(found[1]).text
    assert "You will be told" in client.post(found[1]).text
    return found[1]


def slow_table(ana: TestClient, bo: TestClient, **form: str) -> str:
    path = open_table(ana, seat1="friend", minutes="d3", name0="Ana", **form)
    bo.post(f"{path}/sit", data={"seat": "1", "name": "Bo"})
    return path


def turn(client: TestClient, path: str, rng: random.Random) -> None:
    with seated(client, path) as one:
        if not one.frame["mine"]:
            one.until_frame(mine=True)
        one.turn(rng)


def mover(path: str, *clients: TestClient) -> TestClient:
    for client in clients:
        with seated(client, path) as one:
            if one.frame["mine"]:
                return client
    raise AssertionError("nobody is to move")


def look(client: TestClient) -> None:
    """The server looks at its clocks now."""
    app: Any = client.app
    assert client.portal is not None
    client.portal.call(app.state.deadlines.look)
    app.state.notices.wake()


def test_a_week_of_two_people(tmp_path: Path, post: tuple[Mailbox, int], hook: Receiver) -> None:
    mailbox, port = post
    rng = random.Random(3)
    with site(tmp_path, port) as ana, person(ana) as bo:
        wants_mail(ana, mailbox, "ana@example.org")
        bo.post("/notices/add", data={"kind": "hook", "address": hook.url})
        path = slow_table(ana, bo, **{"option-start": "1"})
        ids = [mailbox.wait(2)[-1]["Message-ID"]]  # Ana begins
        for day in range(2):  # a turn each, every day
            pass_time(seconds=DAY)
            turn(ana, path, rng)
            hook.wait(day + 1)
            pass_time(seconds=DAY / 2)
            turn(bo, path, rng)
            letter = mailbox.wait(day + 3)[-1]
            assert letter["Subject"] == "Your turn: Azul, Ana, Bo"
            assert path in text_of(letter)
            ids.append(letter["Message-ID"])
        assert len(set(ids)) == len(ids)
        headers, body = hook.posts[0]
        said = json.loads(body)
        assert said["about"] == "turn"
        assert "example.org" not in body.decode()  # nobody's address is shown
        with sqlite3.connect(tmp_path / "games.sqlite") as connection:
            secret = connection.execute("SELECT secret FROM channels WHERE kind = 'hook'").fetchone()[0]
        assert headers["azulejos-signature"] == signature(secret, headers["azulejos-time"], body)

        pass_time(seconds=3.1 * DAY)  # Ana's time is up: a bot plays on, and she is told once
        look(ana)
        lapse = mailbox.wait(5)[-1]
        assert lapse["Subject"].startswith("Your time was up")
        hook.wait(3)  # the bot has moved
        ana.post(f"{path}/back", data={"seat": "0"})  # a return
        turn(bo, path, rng)
        assert mailbox.wait(6)[-1]["Subject"].startswith("Your turn")
        assert ana.get("/").text.count("waits for you") == 1

        stop = mailbox.letters[-1]["List-Unsubscribe"].strip().strip("<>").removeprefix("http://testserver")
        assert ana.post(stop, headers={"accept": "*/*"}).text == "ok\n"  # from a mail program
        bo.post("/notices/remove", data={"channel": channel_of(bo)})
        turn(ana, path, rng)
        turn(bo, path, rng)
        look(ana)
        assert len(mailbox.letters) == 6
        assert len(hook.posts) == 3


def channel_of(client: TestClient) -> str:
    found = re.search(r'name="channel" value="([^"]+)"', client.get("/notices").text)
    assert found is not None
    return found[1]


def test_the_address_that_stops_mail_is_readable_however_long(post: tuple[Mailbox, int]) -> None:
    mailbox, port = post
    mail = Mail(host="127.0.0.1", port=port, sender="table@example.org")
    stop = f"https://azulejos.example.org/notices/{'x' * 80}"
    letter = replace(LETTER, stop=stop, subject="Twoja kolej: " + "ó" * 90)
    send_mail(mail, "ana@example.org", letter)
    found = mailbox.wait(1)[0]
    assert found["List-Unsubscribe"] == f"<{letter.stop}>"
    assert found["Message-ID"] == f"<{letter.id}@example.org>"
    assert str(make_header(decode_header(found["Subject"]))) == letter.subject


def test_mail_goes_to_nobody_who_has_not_said_yes(tmp_path: Path, post: tuple[Mailbox, int]) -> None:
    mailbox, port = post
    with site(tmp_path, port) as ana, person(ana) as bo:
        for _ in range(6):  # at most three mails a day to one address, whoever asks
            with person(ana) as stranger:
                stranger.post("/notices/add", data={"kind": "mail", "address": "ana@example.org"})
        mailbox.wait(3)
        slow_table(ana, bo)
        look(ana)
        assert len(mailbox.letters) == 3
        two = bo.post("/notices/add", data={"kind": "mail", "address": "a@b.org\nBcc: c@d.org"})
        assert two.status_code == 409


def test_what_could_not_be_delivered_is_sent_later_with_the_same_id(
    tmp_path: Path, post: tuple[Mailbox, int], hook: Receiver
) -> None:
    _, port = post
    with site(tmp_path, port) as ana, person(ana) as bo:
        for one in (ana, bo):
            one.post("/notices/add", data={"kind": "hook", "address": hook.url})
        hook.status = 500
        slow_table(ana, bo)
        first = hook.wait(1)[0][0]["azulejos-id"]
    with site(tmp_path, port) as ana:  # the server has ended meanwhile
        hook.status = 200
        pass_time(seconds=200)
        ana.app.state.notices.wake()  # type: ignore[attr-defined]
        assert hook.wait(2)[1][0]["azulejos-id"] == first


DYING = """
import asyncio, sys
from azulejos.web.circle.notices import Notices, Outside
from azulejos.web.circle.senders import Mail
from azulejos.web.store.store import Store

async def live():
    store = await Store.open(sys.argv[1])
    mail = Mail(host="127.0.0.1", port=int(sys.argv[2]), sender="table@example.org")
    notices = Notices(store, Outside(mail=mail))
    await notices.add("a" * 64, "mail", "ana@example.org", language="en", site="http://s/")
    await notices.send_some()

asyncio.run(live())
"""


def test_a_server_that_is_killed_while_it_sends_sends_again_with_the_same_id(
    tmp_path: Path, post: tuple[Mailbox, int]
) -> None:
    mailbox, port = post
    url = f"sqlite:///{tmp_path}/games.sqlite"
    dying = subprocess.Popen([sys.executable, "-c", DYING, url, str(port)])
    mailbox.arrives = dying.kill  # the letter has arrived, and its sender never learns that
    assert dying.wait(PATIENCE) == -signal.SIGKILL
    mailbox.arrives = lambda: None
    pass_time(seconds=121)

    async def live() -> None:
        store = await Store.open(url)
        mail = Mail(host="127.0.0.1", port=port, sender="table@example.org")
        notices = Notices(store, Outside(mail=mail))
        assert await notices.send_some() == 1
        assert await notices.send_some() == 0
        await store.close()

    asyncio.run(live())
    first, second = mailbox.wait(2)
    assert first["Message-ID"] == second["Message-ID"]


@pytest.mark.parametrize("url", [
    "http://example.org/", "https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://10.0.0.7/",
    "https://169.254.169.254/latest", "https://[::ffff:192.168.1.1]/", "https://user@1.1.1.1/",
    "ftp://1.1.1.1/", "https://", "https://0.0.0.0/", "https://[2002:7f00:1::]/",
])  # fmt: skip
def test_webhooks_reach_no_private_network(url: str) -> None:
    with pytest.raises(Gone):
        public_address(url, private=False)


def test_a_browser_can_read_what_is_pushed_to_it(hook: Receiver) -> None:
    http_ece = pytest.importorskip("http_ece")
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import Vapid02
    from py_vapid.utils import b64urlencode

    browser = ec.generate_private_key(ec.SECP256R1())
    point = browser.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    push = Push(Push.new_key(), "mailto:a@example.org")
    subscription = {"endpoint": hook.url, "keys": {"p256dh": b64urlencode(point),
                                                   "auth": b64urlencode(b"0123456789abcdef")}}
    push.send(subscription, LETTER, private=True)
    headers, body = hook.wait(1)[0]
    read = http_ece.decrypt(body, private_key=browser, auth_secret=b"0123456789abcdef",
                            version="aes128gcm")
    assert json.loads(read)["link"] == "http://l/"
    assert Vapid02.verify(headers["authorization"])
    with pytest.raises(Gone):
        push.send({**subscription, "keys": {"p256dh": "AAAA", "auth": "AA"}}, LETTER, private=True)
    hook.status = 410
    with pytest.raises(Gone):
        push.send(subscription, LETTER, private=True)


def test_whose_turn_it_is_is_written_with_the_move_on_every_database(database: str) -> None:
    async def live() -> None:
        store = await Store.open(database)
        seats = tuple(SavedSeat(seat=seat, kind=HUMAN, name=str(seat)) for seat in (0, 1))
        table = new_table("azul", seats, {}, days=3)
        await store.create(table, [(0, "a" * 64), (1, "b" * 64)])
        notices = Notices(store, Outside(private=True, grace=0))
        await notices.add("b" * 64, "hook", "http://127.0.0.1:9/", language="en", site="http://s/")
        for ply, seat in enumerate((1, 0, 1)):
            entry = SavedAction(action=0, seat=1 - seat, at=now())
            turn = TurnRow(table.id, seat, ply + 1, now(), now() + 1000)
            await store.append(table.id, ply, [entry], over=False, to_move=seat, turn=turn)
            found = await store.rows(select(schema.turns))
            assert [(row.seat, row.entries, row.told) for row in found] == [(seat, ply + 1, 0)]
        assert await notices.tell_some() == 1
        assert await notices.tell_some() == 0
        found = await store.rows(select(schema.deliveries))
        assert [(row.about, row.entries) for row in found] == [("turn", 3)]
        assert await notices.send_some() == 1  # nobody listens there
        found = await store.rows(select(schema.deliveries))
        assert [row.tries for row in found] == [1]
        await store.close()

    asyncio.run(live())
