"""Engines that get ready: ours is at once, others may take their time, but not for ever."""

from __future__ import annotations

import os
import random
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos
from azulejos.bots import Limit
from azulejos.protocol.external import ExternalBot, ProgramFailed, ProgramLimits
from azulejos.protocol.process import Program
from patience import PATIENCE

ENGINE = [sys.executable, "-m", "azulejos", "engine", "search"]


def dealt() -> azulejos.Position:
    position = azulejos.new("azul")
    position.deal(random.Random(1))
    return position


def heard_until(program: Program, last: str, seconds: float = PATIENCE) -> list[str]:
    """The lines that a program prints, up to one that begins with `last`."""
    heard: list[str] = []
    deadline = time.monotonic() + seconds
    while not (heard and heard[-1].startswith(last)):
        words = program.words(deadline, stop=None)
        assert words is not None, f"no {last} in {seconds} seconds, only {heard}"
        heard.append(" ".join(words))
    return heard


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """Nothing was ever compiled on its machine."""
    monkeypatch.setenv("AZULEJOS_CACHE", str(tmp_path))
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    program = Program(ENGINE, memory=2**34)
    yield program
    program.kill()


def test_an_engine_is_ready_before_it_knows_a_game(engine: Program) -> None:
    engine.tell("isready")
    assert heard_until(engine, "readyok") == ["readyok"]


def test_an_engine_on_a_new_machine_is_ready_at_once_and_searches_at_full_strength(engine: Program) -> None:
    engine.tell("newgame azul,players=2 seat 1")
    engine.tell("isready")
    assert heard_until(engine, "readyok") == ["readyok"]
    engine.tell(f"position {dealt().text()}")
    engine.tell("go id 1 nodes 100000")
    info, answer = heard_until(engine, "bestmove id 1")
    assert "nodes 100000" in info
    assert answer.split()[-1] in dealt().legal_moves


TALKER = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "uai": print("game azul players 2\\nuaiok", flush=True)
    elif word == "isready":
        for _ in range({lines}):
            print("info string loading", flush=True)
            time.sleep(0.1)
        print("readyok", flush=True)
    elif word == "go": print("bestmove id", line.split()[2], line.split()[-1], flush=True)
"""


def talker(lines: int, limits: ProgramLimits) -> ExternalBot:
    command = shlex.join([sys.executable, "-u", "-c", TALKER.format(lines=lines)])
    return ExternalBot(command, limits=limits, strict=True)


def test_a_program_that_is_never_ready_is_late_however_much_it_says() -> None:
    bot = talker(10_000, ProgramLimits(start=PATIENCE, ready=0.5, preparing=1.0))
    with pytest.raises(ProgramFailed, match="late: no readyok"):
        bot.play(dealt(), Limit(seconds=0.1))


@pytest.mark.slow
def test_a_program_that_says_that_it_is_loading_has_more_time() -> None:
    bot = talker(110, ProgramLimits(start=PATIENCE, ready=10.0, grace=PATIENCE))
    assert bot.play(dealt(), Limit(seconds=0.1)).move == dealt().legal_moves[-1]
    bot.close()
