"""A process that answers one question and ends; it ends with the server, too, even if that is killed."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

# --- in the server -----------------------------------------------------------------------------------


@asynccontextmanager
async def asked(
    module: str, question: bytes, *, limit: int = 1 << 16
) -> AsyncIterator[asyncio.StreamReader]:
    """Start a module as a process and ask it one line; yields what it writes. Its input stays open: it ends
    when that is closed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, limit=limit,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # to find us
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(question + b"\n")
        yield process.stdout
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def answer_of(module: str, question: bytes, *, seconds: float) -> bytes:
    """Everything that the process writes; a TimeoutError if it takes longer."""
    async with asyncio.timeout(seconds), asked(module, question) as answer:
        return await answer.read()


# --- in the process ----------------------------------------------------------------------------------


def question() -> bytes:
    """The question. From now on the process ends when the server does."""
    line = sys.stdin.buffer.readline()
    threading.Thread(target=_end_with_server, daemon=True).start()
    return line


def _end_with_server() -> None:
    while os.read(sys.stdin.fileno(), 1024):  # not by way of its buffer, which is locked meanwhile
        pass
    os._exit(1)
