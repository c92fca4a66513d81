"""External programs at the web table: only the operator adds them, and bad ones do no harm."""

from __future__ import annotations

import asyncio
import random
import shlex
import sys

import pytest

import azulejos
from azulejos.bots.words import PROGRAMS, add_program
from azulejos.web.work.bots import choose, offered
from azulejos.web.work.pool import Pool

HOSTILE = {
    "hangs": "import time; time.sleep(1000)",
    "babbles": "while True: print('babble', flush=True)",
    "dies": "raise SystemExit(1)",
    "hoards": "hoard = bytearray(2**40)",
}


@pytest.fixture
def _no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROGRAMS, "")
    monkeypatch.setenv("AZULEJOS_JIT", "0")


@pytest.mark.usefixtures("_no_programs")
def test_only_what_the_operator_named_is_offered() -> None:
    game = azulejos.new("azul").game
    before = [level.word for level in offered(game)]
    add_program("mine=./mybot")
    assert [level.word for level in offered(game)] == [*before, "mine"]
    assert not any(word.startswith("cmd") for word in before)


@pytest.mark.usefixtures("_no_programs")
def test_hostile_programs_leave_the_server_a_legal_move() -> None:
    for name, source in HOSTILE.items():
        add_program(f"{name}={shlex.join([sys.executable, '-c', source])}")
    position = azulejos.new("azul")
    position.deal(random.Random(1))

    async def ask_all() -> list[int]:
        pool = Pool()
        try:
            return [(await choose(pool, name, position, 0.1)).action for name in HOSTILE]
        finally:
            await pool.close()

    legal = position.legal_actions()
    assert all(action in legal for action in asyncio.run(ask_all()))
