"""A real server in a separate process, for tests that kill it or open it in a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from patience import PATIENCE

SOURCES = Path(__file__).resolve().parents[2] / "src"


class Server:
    """``azulejos serve`` over a database; `restart` starts it again on the same port."""

    def __init__(
        self, folder: Path, *, database: str | None = None, options: Sequence[str] = (),
        compiled: bool = False,
    ) -> None:
        self.folder = folder
        self.compiled = compiled
        self.options = options
        self.database = database or f"sqlite:///{folder}/games.sqlite"
        self.port = 0
        self._start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def _start(self) -> None:
        environment = os.environ | {
            "PYTHONPATH": str(SOURCES), "AZULEJOS_JIT": str(int(self.compiled)),
            "AZULEJOS_DATA": str(self.folder), "PYTHONUNBUFFERED": "1",
        }
        command = [
            sys.executable, "-m", "azulejos", "serve", "--no-open", "--port", str(self.port),
            "--seconds", "0.05", "--database", self.database, *self.options,
        ]
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        first = self.process.stdout.readline()
        self.port = urlsplit(first.split()[-1]).port or 0

    def kill(self) -> None:
        """Like a crash, without any cleanup."""
        self.process.send_signal(signal.SIGKILL)
        self._forget()

    def stop(self) -> int:
        self.process.terminate()
        return self._forget()

    def _forget(self) -> int:
        code = self.process.wait(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def restart(self) -> None:
        self._start()


@contextmanager
def running(
    folder: Path, *, database: str | None = None, options: Sequence[str] = (), compiled: bool = False
) -> Iterator[Server]:
    server = Server(folder, database=database, options=options, compiled=compiled)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
