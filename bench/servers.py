"""Servers on one database that can be killed and started again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.web_load import Server

STARTS = 20
"""How often a server is started that ends at once, because its database is just being restarted."""


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


@dataclass
class Serving:
    """``azulejos serve`` on a port that stays the same when it is started again."""

    database: str
    folder: str
    port: int = 0
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        for _ in range(STARTS):
            self.process = self._started()
            assert self.process.stdout is not None
            first = self.process.stdout.readline()
            if first:
                self.port = int(first.strip().rstrip("/").rpartition(":")[2])
                if self._answers():
                    return
            self.process.wait()
        raise RuntimeError(f"a server ended {STARTS} times before it was ready")

    def _answers(self) -> bool:
        """Wait until it answers; False if it ends instead."""
        assert self.process is not None
        while self.process.poll() is None:
            with suppress(OSError), urllib.request.urlopen(f"{self.server.url}/healthz", timeout=60):
                return True
            time.sleep(0.05)
        return False

    def _started(self) -> subprocess.Popen[str]:
        command = [
            sys.executable, "-m", "azulejos", "serve", "--no-open", "--unlimited", "--seconds", "0.05",
            "--database", self.database, "--port", str(self.port),
        ]
        environment = os.environ | {
            "AZULEJOS_DATA": self.folder, "PYTHONUNBUFFERED": "1", "AZULEJOS_JIT": "0",
        }
        return subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def server(self) -> Server:
        return Server(f"http://localhost:{self.port}", self.pid, 0.0)

    def kill(self) -> list[Process]:
        """Kill the server; returns it and the processes that it had started."""
        started = [Process(pid, _began(pid)) for pid in children(self.pid)]
        killed = kill(self.pid)
        assert self.process is not None
        self.process.wait()
        return [killed, *started]

    def kill_workers(self) -> list[Process]:
        return [kill(worker) for worker in children(self.pid)]

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


class Postgres:
    """A PostgreSQL of its own, in a folder."""

    def __init__(self, folder: str) -> None:
        from pgserver.postgres_server import get_server

        self._server: Any = get_server(f"{folder}/pg", cleanup_mode="stop")
        self.url: str = self._server.get_uri()

    def kill(self) -> list[Process]:
        """End every process of it. One that survived, even for a moment, would write into the files of the
        next server and lose its commits."""
        main = int((self._server.pgdata / "postmaster.pid").read_text().split()[0])
        os.kill(main, signal.SIGSTOP)  # it must not start another one meanwhile
        killed = list[Process]()
        while found := processes_in(self._server.pgdata):
            killed += map(kill, found)
        return killed

    def start(self) -> None:
        for lock in ("postmaster.pid", ".s.PGSQL.5432.lock"):  # it would take a zombie for its predecessor
            (self._server.pgdata / lock).unlink(missing_ok=True)
        for _ in range(STARTS):
            try:
                self._server.ensure_postgres_running()
                return
            except (subprocess.SubprocessError, AssertionError):
                continue  # a busy machine: it is started but not ready yet
        raise RuntimeError("PostgreSQL does not start")

    def close(self) -> None:
        self._server.cleanup()


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
