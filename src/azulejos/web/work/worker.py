"""A worker that is a process: it reads jobs from its standard input and writes answers, as lines of JSON.

The line `stop` ends the search that is running, and `reply …` is what a worker has asked for. When the
server ends, even by `kill -9`, the input is closed and the worker ends, after the programs that its
thinkers started.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterator

import msgspec

from azulejos.web.work.thinker import Answer, BaseThinker, JobLimits, Lost, Task

STOP = b"stop\n"
REPLY = b"reply "
LONGEST_LINE = 1 << 24
"""Bytes of an answer; reviews of the longest games have about a megabyte."""


# --- in the server -----------------------------------------------------------------------------------


class Process:
    """A worker, seen from the server."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, niceness: int) -> Process:
        return cls(await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, str(int(niceness)),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL, limit=LONGEST_LINE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # to find us
        ))

    @property
    def pid(self) -> int:
        return self._process.pid

    async def ask(self, task: Task) -> AsyncIterator[Answer]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        last = False
        try:
            self._process.stdin.write(msgspec.json.encode(task) + b"\n")
            while not last:
                answer = msgspec.json.decode(await self._process.stdout.readline(), type=Answer)
                last = answer.last
                yield answer
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise Lost(f"exit code {self._process.returncode}") from error

    def stop(self) -> None:
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(STOP)

    def reply(self, said: bytes) -> None:
        """What the worker has asked for; nothing: nobody can answer."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(REPLY + said + b"\n")

    async def close(self) -> None:
        """End the process, and the programs that it started."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(1):
                await self._process.wait()
        except TimeoutError:  # it is in the middle of something that cannot be interrupted
            self._process.kill()
            await self._process.wait()


# --- in the process ----------------------------------------------------------------------------------


class Desk:
    """Answers jobs, one after the other."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self._thinkers: dict[str, BaseThinker] = {}

    def answers(self, line: bytes) -> Iterator[Answer]:
        task = msgspec.json.decode(line, type=Task)
        began = time.process_time()
        failed = ""
        try:
            thinker = self._thinker(task.kind)
            question = msgspec.json.decode(task.question, type=thinker.question)
            limits = JobLimits(seconds=task.seconds, stop=self.stop, ask=self.ask)
            for found in thinker.answers(question, limits):
                used = time.process_time() - began
                yield Answer(used=used, found=msgspec.Raw(msgspec.json.encode(found)))
        except Exception:
            failed = traceback.format_exc()[-2000:]
        yield Answer(used=time.process_time() - began, last=True, failed=failed)

    def ask(self, wanted: object) -> bytes:
        """Ask whoever gave the job; here nobody can be asked."""
        return b""

    def _thinker(self, kind: str) -> BaseThinker:
        if kind not in self._thinkers:
            self._thinkers[kind] = importlib.import_module(kind).Thinker()
        return self._thinkers[kind]

    def close(self) -> None:
        for thinker in list(self._thinkers.values()):
            thinker.close()


class ListeningDesk(Desk):
    """The main thread answers, another one listens."""

    def __init__(self, say: Callable[[Answer], None]) -> None:
        super().__init__()
        self._say = say
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            if line == STOP:
                self.stop.set()
            elif line.startswith(REPLY):
                self._replies.put(line.removeprefix(REPLY).strip())
            else:
                self.stop.clear()
                self._lines.put(line)
        self.close()
        os._exit(0)

    def answer_next(self) -> None:
        """Wait for the next job, and answer it."""
        for answer in self.answers(self._lines.get()):
            self._say(answer)

    def ask(self, wanted: object) -> bytes:
        self._say(Answer(asks=msgspec.Raw(msgspec.json.encode(wanted))))
        return self._replies.get()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to everybody; the server ends its workers
    if hasattr(os, "nice"):
        os.nice(int(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a bot prints is taken for an answer

    def say(answer: Answer) -> None:
        answers.write(msgspec.json.encode(answer) + b"\n")

    desk = ListeningDesk(say)
    while True:
        desk.answer_next()


if __name__ == "__main__":
    main()
