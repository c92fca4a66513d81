"""What web tests share: an application in five lines, people who sit at it, databases."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from azulejos.web.app import create_app
from azulejos.web.guard import UNLIMITED


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested here needs no compiled speed."""
    monkeypatch.setenv("AZULEJOS_JIT", "0")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    url = f"sqlite:///{tmp_path}/games.sqlite"
    app = create_app(url, secret="s", seconds=0.01, limits=UNLIMITED)
    with TestClient(app, headers={"origin": "http://testserver"}) as client:
        yield client


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL, brought by the `pgserver` wheel."""
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
