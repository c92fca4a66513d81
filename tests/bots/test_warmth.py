"""A machine on which nothing is compiled yet: what blocks, what plays at once, and what is reported."""

from __future__ import annotations

import contextlib
import os
import random
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import azulejos
from azulejos.bots import Limit, compiled, is_warm, warm
from azulejos.bots.words import is_compiled
from azulejos.bots.words import open as open_bot
from azulejos.protocol.external import ExternalBot, Failed, ProgramLimits
from azulejos.protocol.process import Dead, Program
from azulejos.protocol.speaker import Speaker
from patience import PATIENCE

ENGINE = [sys.executable, "-m", "azulejos", "engine", "search"]
CLOCKED = """
import random, azulejos
from azulejos.bots import Limit, is_warm, open as open_bot
position = azulejos.new("azul")
position.deal(random.Random(1))
for _ in range(2):
    open_bot("greedy").play(position, Limit(seconds=0))
print(is_warm(position.game))
"""


@pytest.fixture
def _cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Subprocesses start with an empty cache."""
    monkeypatch.setenv("AZULEJOS_CACHE", str(tmp_path))
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))


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
def engine(_cold: None) -> Iterator[Program]:
    program = Program(ENGINE, memory=2**32)
    yield program
    program.kill()


def test_an_engine_that_has_to_compile_is_not_ready_but_listens(engine: Program) -> None:
    engine.tell("newgame azul,players=2 seat 1")
    engine.tell("isready")
    said = heard_until(engine, "info string compiling azul")
    engine.tell("uai")
    said += heard_until(engine, "uaiok")
    engine.tell(f"position {dealt().text()}")
    engine.tell("go id 1 movetime 1")
    *before, answer = heard_until(engine, "bestmove id 1")
    assert answer.split()[-1] in dealt().legal_moves
    assert "info id 1 string not compiled yet, so much weaker; isready waits for that" in before
    assert "readyok" not in [*said, *before]
    engine.tell("quit")
    with pytest.raises(Dead, match="exit code 0"):
        heard_until(engine, "readyok")


@pytest.mark.usefixtures("_cold")
def test_an_engine_that_cannot_keep_what_it_compiles_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_CACHE", f"{__file__}/is/no/folder")
    program = Program(ENGINE, memory=2**32)
    try:
        program.tell("newgame azul,players=2 seat 1")
        program.tell("isready")
        *_, reason, _ = heard_until(program, "readyok")
        assert "cannot be compiled" in reason
    finally:
        program.kill()


def test_a_game_has_to_be_known_to_get_ready_for_it(engine: Program) -> None:
    engine.tell("isready")
    assert heard_until(engine, "readyok") == ["readyok"]


def test_an_engine_whose_search_is_compiled_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_JIT", "1")
    warm("azul")
    assert is_warm(dealt().game)
    ready, said = threading.Event(), list[str]()

    def say(line: str) -> None:
        said.append(line)
        if line == "readyok":
            ready.set()

    listening = Speaker(lambda: open_bot("search"), say, name="test", warmth=compiled)
    listening.hear("newgame azul,players=2 seat 1")
    listening.hear("isready")
    assert ready.wait(PATIENCE), said
    assert said == ["readyok"]


@pytest.mark.usefixtures("_cold")
def test_a_clocked_bot_says_once_that_it_is_not_compiled() -> None:
    with subprocess.Popen([sys.executable, "-c", CLOCKED], text=True, start_new_session=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # and the compiler, if it still runs
    assert out == "False\n"
    assert err.count("azulejos.bots.warm('azul')") == 1, err


def test_waiting_for_what_is_not_compiled_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="did you mean 'azul'"):
        warm("azl")
    monkeypatch.setenv("AZULEJOS_JIT", "0")
    warm("azul")


@pytest.mark.parametrize(("word", "compiled"), [
    ("random", False), ("random@3", False), ("cmd:./search", False),
    ("greedy", True), ("search:hand,round", True), ("level:7@10", True), ("skill:2.5", True),
])
def test_which_bots_need_a_compiler(word: str, compiled: bool) -> None:
    assert is_compiled(word) == compiled


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
    with pytest.raises(Failed, match="late: no readyok"):
        bot.play(dealt(), Limit(seconds=0.1))


@pytest.mark.slow
def test_a_program_that_says_that_it_is_loading_has_more_time() -> None:
    bot = talker(110, ProgramLimits(start=PATIENCE, ready=10.0, grace=PATIENCE))
    assert bot.play(dealt(), Limit(seconds=0.1)).move == dealt().legal_moves[-1]
    bot.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("_cold")
def test_a_match_and_an_engine_on_a_new_machine() -> None:
    """Measurements wait for the compiler; afterwards an engine on the same machine is ready at once."""
    line = "match azul search random --seconds 0.01 --deals 1"
    played = subprocess.run([sys.executable, "-m", "azulejos", *line.split()], text=True, check=True,
                            capture_output=True, timeout=840)
    assert played.stderr.startswith("Compiling the bots for Azul")
    engine = Program(ENGINE, memory=2**32)
    try:
        engine.tell(f"position {dealt().text()}")
        engine.tell("isready")
        assert heard_until(engine, "readyok") == ["readyok"]
        engine.tell("go id 1 movetime 500")
        assert "not compiled" not in "".join(heard_until(engine, "bestmove id 1"))
    finally:
        engine.kill()
