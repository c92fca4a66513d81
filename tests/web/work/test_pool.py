"""The pool: stuck workers are replaced, jobs end when nobody listens, and nothing outlives a server."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from azulejos.web.work.pool import JobFailed, Lane, Pool, PoolJob, Unanswered
from azulejos.web.work.thinker import Answer, Task
from patience import PATIENCE
from web.server import SOURCES

ENDLESS = """
import time
from azulejos.web.work.thinker import BaseThinker

class Thinker(BaseThinker):
    question = str

    def answers(self, question, limits):
        if question == "fail":
            raise ValueError("it failed")
        while question == "steps" and not limits.stop.is_set():
            yield 1
        if question != "steps":
            yield question
            time.sleep(3600)
"""
SERVER = """
import asyncio
from azulejos.web.work.pool import Lane, Pool, PoolJob
async def main():
    pool = Pool()
    say = lambda answer: print(*[worker.pid for worker in pool.workers], flush=True)
    await pool.do(PoolJob(kind="endless", lane=Lane.LATER, seconds=60, asked="well", hear=say))
asyncio.run(main())
"""


@pytest.fixture
def kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kind of jobs whose thinker can be stopped, fails or never ends."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "endless"


def job(kind: str, asked: str, **other: object) -> PoolJob:
    return PoolJob(kind=kind, lane=Lane.PAGES, seconds=1.0, asked=asked, **other)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process that is not a child")
def test_workers_end_with_a_server_that_is_killed_whatever_they_think_about(
    kind: str, tmp_path: Path
) -> None:
    environment = os.environ | {"PYTHONPATH": f"{SOURCES}:{tmp_path}", "AZULEJOS_JIT": "0"}
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = os.pidfd_open(int(server.stdout.readline()))
        server.kill()
        ended, _, _ = select.select([worker], [], [], PATIENCE)
        assert ended
        os.close(worker)


def test_a_worker_that_stands_still_is_replaced(kind: str) -> None:
    async def act() -> None:
        pool, begun = Pool(sizes={Lane.PAGES: 1}), asyncio.Event()
        stuck = job(kind, "well", patience=-0.9, hear=lambda _: begun.set())
        with pytest.raises(Unanswered, match="in time"):
            await pool.do(stuck)
        assert not pool.workers
        with pytest.raises(JobFailed, match="it failed"):
            await pool.do(job(kind, "fail"))
        await pool.close()

    asyncio.run(act())


def test_a_job_ends_when_nobody_listens_any_more(kind: str) -> None:
    """One that can be stopped gives its worker back; one that cannot takes it along."""

    async def act() -> None:
        for asked, grace in (("steps", 60.0), ("well", 0.05)):
            pool = Pool(sizes={Lane.PAGES: 1}, grace=grace)
            begun = asyncio.Event()
            task = asyncio.create_task(pool.do(job(kind, asked, hear=lambda _, begun=begun: begun.set())))
            await begun.wait()
            workers = set(pool.workers)
            task.cancel()
            while pool.queue(Lane.PAGES).running:
                await asyncio.sleep(0.01)
            assert (pool.workers == workers) == (asked == "steps")
            await pool.close()

    asyncio.run(act())


class Slow:
    """A worker in a thread of nobody: it never finds anything until it is stopped."""

    def __init__(self) -> None:
        self.stopped = asyncio.Event()
        self.served: list[str] = []

    async def ask(self, task: Task) -> AsyncIterator[Answer]:
        self.stopped.clear()
        self.served.append(msgspec.json.decode(task.question)["position"])
        await self.stopped.wait()
        yield Answer(used=1.0, last=True)

    def stop(self) -> None:
        self.stopped.set()

    def reply(self, said: bytes) -> None:
        pass

    async def close(self) -> None:
        self.stop()
