"""Whatever arrives at a door is answered by a sentence, never by a traceback."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.hosts import own_names
from fuzz.doors import DOORS, ENDLESS, FORM, PATHS, Client, ask_all, corpus, forms, furnish, seeds
from web.boards import PLAN, begin, live, record
from web.boards import Page as StudyPage
from web.people import open_table, seated

SOME = {"position": 400, "move": 400, "record": 300, "components": 300, "message": 2000, "line": 400,
        "command": 20, "study_message": 600, "study": 150, "arranged": 150, "document": 150, "address": 150}
"""How many damaged texts each door gets in every run."""

MANY = {"position": 100_000, "move": 60_000, "record": 80_000, "components": 60_000, "message": 310_000,
        "line": 50_000, "command": 500, "study_message": 229_500, "study": 20_000, "arranged": 20_000,
        "document": 20_000, "address": 20_000}
"""In the slow run: a million, together with the requests and the live messages."""

SOME_REQUESTS, MANY_REQUESTS = 300, 10_000
SOME_LIVE, MANY_LIVE = 300, 10_000
PARTS = 5
"""The slow run is made in parts, each with its own damage, so that none of them takes long."""
AT_ONCE = 50
"""Live messages after which the connection must still answer."""

PIECES = (
    "", "\0", "\n", " ", "\u0663", "\ud7ff", "\U0001f600", "-1", "0", "1e23", "nan", "inf", "9" * 400,
    "9" * 5000, str(2**63), str(-(2**64)), "[", "]" * 50, "{" * 50, '"', "\\", "null", "true", "%00", "/",
    "..", "=", ",", "&", ";", "\r\n", "x" * 3000, "--", "'",
)


def damage(rng: random.Random) -> Callable[[str], str]:
    """Cuts, doubles, swaps or overwrites a few parts of a text."""

    def damaged(text: str) -> str:
        for _ in range(rng.randrange(1, 4)):
            start = rng.randrange(len(text) + 1)
            end = min(len(text), start + rng.randrange(9))
            patch = rng.choice((rng.choice(PIECES), text[start:end] * 2, chr(rng.randrange(32, 0x2FF))))
            text = text[:start] + patch + text[end:]
        return text

    return damaged


def damaged_texts(door: str, count: int, part: int = 0) -> Iterator[str]:
    rng = random.Random(f"{door} {count} {part}")
    good = seeds()[door]
    if door != "command":  # with a digit less, a search of the corpus would be allowed, and take for ever
        good += [text for text in corpus().get(door, []) if len(text) < 10_000]
    spoil = damage(rng)
    for _ in range(count):
        yield spoil(rng.choice(good))


def check_damaged(door: str, count: int, part: int = 0) -> None:
    for text in damaged_texts(door, count, part):
        try:
            DOORS[door](text)
        except Exception as error:
            pytest.fail(f"{door}: {text[:2000]!r} gave {error!r}")


@pytest.mark.parametrize("door", DOORS)
def test_good_texts_pass(door: str) -> None:
    for text in seeds()[door]:
        DOORS[door](text)


@pytest.mark.parametrize(("door", "number"), [
    (door, number) for door, texts in corpus().items() if door in DOORS for number in range(len(texts))
])
def test_known_inputs(door: str, number: int) -> None:
    DOORS[door](corpus()[door][number])


@pytest.mark.parametrize("door", DOORS)
def test_damaged_texts(door: str) -> None:
    check_damaged(door, SOME[door])


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("door", DOORS)
def test_a_million_damaged_texts(door: str, part: int) -> None:
    assert sum(MANY.values()) + MANY_REQUESTS + 2 * MANY_LIVE == 1_000_000
    check_damaged(door, MANY[door] // PARTS, part)


# --- HTTP --------------------------------------------------------------------------------------------


def serve(folder: Path, act: Callable[[Client], object]) -> None:
    settings = Settings(
        database=f"sqlite:///{folder}/games.sqlite", limits=UNLIMITED, hosts=frozenset(own_names())
    )

    async def run() -> None:
        app = create_app(settings)
        async with app.router.lifespan_context(app):
            await act(Client(app))  # type: ignore[misc]

    asyncio.run(run())


def check_requests(folder: Path, count: int, part: int = 0) -> Counter[int]:
    rng, codes = random.Random(f"{count} {part}"), Counter[int]()

    async def found(request: str, status: int, text: str) -> None:
        codes[status] += 1
        assert status < 500, f"{request} gave {status}"
        assert status < 400 or "." in text, f"{request} gave {status} without a sentence"

    async def act(client: Client) -> None:
        await ask_all(client, forms(damage(rng), rng, await furnish(client)), count, found)

    serve(folder, act)
    return codes


def test_damaged_requests(tmp_path: Path) -> None:
    assert len(check_requests(tmp_path, SOME_REQUESTS)) > 2


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_damaged_requests(tmp_path: Path, part: int) -> None:
    check_requests(tmp_path, MANY_REQUESTS // PARTS, part)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_bodies_without_end(tmp_path: Path, method: str) -> None:
    async def act(client: Client) -> None:
        for path in PATHS:
            status, said = await client.ask(method, path, ENDLESS)
            assert status < 500, path
            assert status < 400 or "." in said, path

    serve(tmp_path, act)


def check_live(folder: Path, count: int) -> None:
    """Damaged messages on a live connection: it lives on, and answers what can be read."""
    settings = Settings(database=f"sqlite:///{folder}/games.sqlite", limits=UNLIMITED)
    app = create_app(settings)
    with (
        TestClient(app, headers={"origin": "http://testserver"}) as client,
        seated(client, open_table(client)) as ana,
    ):
        for number, text in enumerate(damaged_texts("message", count), 1):
            ana.socket.send_text(text)
            if number % AT_ONCE == 0:
                ana.tell(do="ask", text="s", ply=0)
                ana.until("said")


def check_live_study(folder: Path, count: int) -> None:
    """The same at a study board. Nothing is judged: that is done by another process."""
    settings = Settings(database=f"sqlite:///{folder}/games.sqlite", limits=UNLIMITED)
    app = create_app(settings)
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        address = begin(client, record(4).write())
        with live(client, address) as socket:
            page = StudyPage(socket, PLAN)
            for number, text in enumerate(damaged_texts("study_message", count), 1):
                socket.send_text(text)
                if number % AT_ONCE == 0:
                    page.at(0)


def test_damaged_live_messages_of_a_study(tmp_path: Path) -> None:
    check_live_study(tmp_path, SOME_LIVE)


@pytest.mark.slow
def test_many_damaged_live_messages_of_a_study(tmp_path: Path) -> None:
    check_live_study(tmp_path, MANY_LIVE)


def test_damaged_live_messages(tmp_path: Path) -> None:
    check_live(tmp_path, SOME_LIVE)


@pytest.mark.slow
def test_many_damaged_live_messages(tmp_path: Path) -> None:
    check_live(tmp_path, MANY_LIVE)


def test_known_headers_and_paths(tmp_path: Path) -> None:
    known = corpus()

    async def act(client: Client) -> None:
        for name, text in [(header, one) for header in ("origin", "host") for one in known[header]]:
            status, said = await client.ask("POST", "/wishes", b"", {name: text})
            assert 400 <= status < 500, (name, text)
            assert "." in said
        for path in known["path"]:
            status, said = await client.ask("GET", path.replace("%00", "\0"))
            assert status == 404
            assert "." in said
        assert (await client.ask("POST", "/tables", b"&".join(
            f"{name}={value}".encode() for name, value in FORM.items()
        )))[0] in (303, 409)

    serve(tmp_path, act)
