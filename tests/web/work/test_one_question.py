"""Processes with one question: reviews, cards, daily checks."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos
from patience import PATIENCE

SOURCES = Path(azulejos.__file__).parents[1]
WAITING = """
import asyncio, json, sys
from azulejos.web.work.one_question import asked
async def main():
    async with asked(sys.argv[1], sys.argv[2].encode()) as answers:
        children = open("/proc/self/task/%d/children" % __import__("os").getpid()).read()
        print(children.split()[0], flush=True)
        await asyncio.sleep(3600)
asyncio.run(main())
"""
ENDLESS = """
import time
from azulejos.web.work.one_question import question
assert question() == b"well\\n"
print("asked", flush=True)
time.sleep(3600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="waits for a process that is not a child")
def test_processes_with_one_question_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """Reviews, cards and daily checks: whatever they are thinking about."""
    (tmp_path / "endless.py").write_text(ENDLESS)
    environment = os.environ | {"PYTHONPATH": f"{SOURCES}:{tmp_path}", "AZULEJOS_JIT": "0"}
    command = [sys.executable, "-c", WAITING, "endless", "well"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = os.pidfd_open(int(server.stdout.readline()))
        server.kill()
        ended, _, _ = select.select([worker], [], [], PATIENCE)
        assert ended
        os.close(worker)
