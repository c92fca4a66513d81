"""Shared by the web tests: an application in five lines, people who use it, databases."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.guard.budgets import Pace
from patience import PATIENCE
from web.server import Server, running

pytest.register_assert_rewrite("web.guests")

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from web.guests import Guest


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests need no compiled speed."""
    monkeypatch.setenv("AZULEJOS_JIT", "0")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine is not a fault: a database may take its time."""
    monkeypatch.setattr("azulejos.web.store.postgresql.PATIENCE", PATIENCE)


@pytest.fixture(autouse=True)
def own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Days that pass in one test are not over for the next."""
    monkeypatch.setattr("azulejos.web.store.saved._ahead", 0)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    app = create_app(Settings(database=url, secret="s", seconds=0.01, limits=UNLIMITED))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL, from the `pgserver` wheel."""
    pgserver = pytest.importorskip("pgserver")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that some systems lack
        server = pgserver.get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/games.sqlite"
        return
    uri: str = request.getfixturevalue("postgres")
    yield empty_postgres(uri)


def empty_postgres(uri: str) -> str:
    import asyncio

    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    async def clear() -> None:
        engine = create_async_engine(uri.replace("postgresql://", "postgresql+asyncpg://"))
        async with engine.begin() as connection:
            await connection.execute(text("DROP SCHEMA public CASCADE"))
            await connection.execute(text("CREATE SCHEMA public"))
        await engine.dispose()

    asyncio.run(clear())
    return uri


# --- a real server, and browsers that look at it -----------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def guest(browser: Browser, server: Server) -> Iterator[Guest]:
    from web.guests import Guest

    someone = Guest(browser, server)
    yield someone
    someone.context.close()


@pytest.fixture
def moving(browser: Browser, server: Server) -> Iterator[Guest]:
    """A person whose table moves."""
    from web.guests import Guest

    guest = Guest(browser, server, motion="fast")
    yield guest
    guest.context.close()


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[TestClient]:
    """A server with little room: four pieces of 500 bytes at once, for all visitors of an address."""
    limits = replace(UNLIMITED, stored=Pace(2000, 0.001))
    app = create_app(Settings(database=f"sqlite:///{tmp_path}/strict.sqlite", secret="s", limits=limits))
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client
