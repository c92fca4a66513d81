"""Servers on one database that can be killed and started again."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from bench.web_load import Server

STARTS = 20
"""How often a server is started that ends at once, because its database is just being restarted."""

SETTINGS = "\nrecovery_init_sync_method = syncfs\n"
"""After a crash PostgreSQL flushes all files of its folder before it answers, in case the system crashed
too: 0.4 s in one call, 2.9 s file by file. Commits are flushed as always."""


@dataclass(frozen=True)
class Process:
    """A process; `began` tells it from a later one with the same number."""

    pid: int
    began: str

    def is_running(self) -> bool:
        return self.began != "" and _began(self.pid) == self.began


def _began(pid: int) -> str:
    """When a process began, in the clock of the system; an empty text if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    own = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            own += [int(child) for child in file.read_text().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return own + [grandchild for child in own for grandchild in children(child)]


def processes_in(folder: Path) -> list[int]:
    """Those that work in a folder, as all processes of PostgreSQL do."""
    found = []
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if link.readlink() == folder:
                found.append(int(link.parent.name))
    return found


def kill(pid: int) -> Process:
    killed = Process(pid, _began(pid))
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return killed


_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload([
    "azulejos.cli.serve", "azulejos.web.app", "azulejos.web.guard.connections", "uvicorn.loops.auto",
    "uvicorn.protocols.http.h11_impl", "uvicorn.lifespan.on", "asyncpg",
    "sqlalchemy.dialects.postgresql.asyncpg", "sqlalchemy.ext.asyncio", "bench.games_imported",
])


def _serve(options: list[str], folder: str) -> None:
    """``azulejos serve``, in a process of its own that has imported everything already."""
    os.environ |= {"AZULEJOS_DATA": folder, "AZULEJOS_JIT": "0"}
    with Path(os.devnull).open("r+b", buffering=0) as nowhere:
        for stream in (0, 1, 2):
            os.dup2(nowhere.fileno(), stream)
    from azulejos.cli import main

    main(["serve", *options])


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@dataclass
class Serving:
    """``azulejos serve`` on a port that stays the same when it is started again.

    Its process is forked from one that has imported the program: 0.1 instead of 1.3 s of processor time,
    which is most of what a killed server costs. From there on it is a start as any other.
    """

    database: str
    folder: str
    port: int = field(default_factory=_free_port)
    process: ForkServerProcess | None = None

    def start(self) -> None:
        for _ in range(STARTS):
            starting = _FORKING.Process(target=_serve, args=(self._options(), self.folder))
            starting.start()
            self.process = starting  # in one step: its workers may be killed at any moment
            if self._answers():
                return
        raise RuntimeError(f"a server ended {STARTS} times before it was ready")

    def _answers(self) -> bool:
        """Wait until it answers; False if it ends instead."""
        assert self.process is not None
        while self.process.is_alive():
            with suppress(OSError), urllib.request.urlopen(f"{self.server.url}/healthz", timeout=60):
                return True
            time.sleep(0.05)
        return False

    def _options(self) -> list[str]:
        return [
            "--no-open", "--unlimited", "--seconds", "0.05", "--database", self.database,
            "--port", str(self.port),
        ]

    @property
    def pid(self) -> int:
        assert self.process is not None
        assert self.process.pid is not None
        return self.process.pid

    @property
    def server(self) -> Server:
        return Server(f"http://localhost:{self.port}", self.pid, 0.0)

    def kill(self) -> list[Process]:
        """Kill the server; returns it and the processes that it had started."""
        started = [Process(pid, _began(pid)) for pid in children(self.pid)]
        killed = kill(self.pid)
        assert self.process is not None
        self.process.join()
        return [killed, *started]

    def kill_workers(self) -> list[Process]:
        return [kill(worker) for worker in children(self.pid)]

    def stop(self) -> None:
        if self.process is not None and self.process.is_alive():
            self.process.terminate()
            self.process.join()


class Postgres:
    """A PostgreSQL of its own, in a folder."""

    def __init__(self, folder: str) -> None:
        from pgserver.postgres_server import get_server

        self._server: Any = get_server(f"{folder}/pg", cleanup_mode="stop")
        self.url: str = self._server.get_uri()
        with (self._server.pgdata / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)

    def kill(self) -> list[Process]:
        """End every process of it. One that survived, even for a moment, would write into the files of the
        next server and lose its commits."""
        main = int((self._server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(main, signal.SIGSTOP)  # it must not start another one meanwhile
        killed = list[Process]()
        while found := processes_in(self._server.pgdata):
            killed += map(kill, found)
        return killed

    def cpu_seconds(self) -> float:
        return sum(map(cpu_seconds, processes_in(self._server.pgdata)))

    def start(self) -> None:
        for lock in ("postmaster.pid", ".s.PGSQL.5432.lock"):  # it would take a zombie for its predecessor
            (self._server.pgdata / lock).unlink(missing_ok=True)
        for _ in range(STARTS):
            try:
                self._server.ensure_postgres_running()
                return
            except (subprocess.SubprocessError, AssertionError):
                time.sleep(0.5)  # a busy machine: it is started but not ready yet
        raise RuntimeError("PostgreSQL does not start")

    def close(self) -> None:
        self._server.cleanup()


@contextmanager
def limited_to(share: float, all_servers: Sequence[Serving]) -> Iterator[None]:
    """Let every server use this share of a processor: it is stopped while it has used more. So servers do
    not compete with each other, with their bots and with the players for the few processors of a machine.
    """
    ending = threading.Event()

    def hold_back(pid: int) -> None:
        begun, before = time.perf_counter(), _nanoseconds(pid)
        while not ending.wait(0.002):
            ahead = (_nanoseconds(pid) - before) / 1e9 - share * (time.perf_counter() - begun)
            os.kill(pid, signal.SIGSTOP if ahead > 0 else signal.SIGCONT)
        os.kill(pid, signal.SIGCONT)

    threads = [threading.Thread(target=hold_back, args=(one.pid,)) for one in all_servers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ending.set()
        for thread in threads:
            thread.join()


def _nanoseconds(pid: int) -> int:
    """Processor time of all threads of a process."""
    return sum(int(file.read_text().split()[0]) for file in Path(f"/proc/{pid}/task").glob("*/schedstat"))


@contextmanager
def postgres(folder: str) -> Iterator[Postgres]:
    Path(folder).chmod(0o755)
    database = Postgres(folder)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def servers(url: str, folder: str, count: int) -> Iterator[list[Serving]]:
    """Several servers on one database."""
    all_servers = [Serving(url, folder) for _ in range(count)]
    try:
        for server in all_servers:
            server.start()
        yield all_servers
    finally:
        for server in all_servers:
            server.stop()
