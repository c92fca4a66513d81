"""Our bots as engines: conversations, line by line."""

from __future__ import annotations

import io
import random
import threading

import pytest

import azulejos
from azulejos.bots.words import open as open_bot
from azulejos.core.position import Position
from azulejos.protocol.bot import Bot, Limit, PlayResult
from azulejos.protocol.speaker import Speaker, serve


def talk(*lines: str, word: str = "random") -> list[str]:
    """All output for these input lines, including that of a search."""
    out = io.StringIO()
    serve(lambda: open_bot(word), lines, out, name="test")
    return out.getvalue().splitlines()


def dealt() -> Position:
    position = azulejos.new("azul", players=3)
    position.deal(random.Random(1))
    return position


def test_the_handshake_declares_every_box() -> None:
    said = talk("uai")
    assert said[0] == "id name test"
    assert said[-1] == "uaiok"
    for box in azulejos.presets():
        assert f"game {box} players 2 3 4" in said


def test_surplus_white_space_and_unknown_words_are_ignored() -> None:
    assert talk("  ", "\tisready  ", "please  think", "_think", "") == ["readyok"]


def test_the_answer_carries_its_number_and_is_legal() -> None:
    position = dealt()
    said = talk("newgame azul,players=3 seat 1", f"position   {position.text()}", "go   id 17 movetime 50")
    words = said[-1].split()
    assert words[:3] == ["bestmove", "id", "17"]
    assert words[3] in position.legal_moves
    assert said[-2].startswith("info id 17 ")


def test_moves_after_the_position_are_played() -> None:
    position = dealt()
    move = next(iter(position.legal_moves)).text
    words = talk(f"position {position.text()} moves {move}", "go id 1 nodes 10")[-1].split()
    position.play(move)
    assert words[3] in position.legal_moves


def test_a_seed_decides_what_a_random_bot_plays() -> None:
    lines = ("setoption name Seed value 5", f"position {dealt().text()}", "go id 1 nodes 1")
    assert talk(*lines) == talk(*lines)


@pytest.mark.parametrize("line", [
    "position", "position nonsense", "position azul,players=2/x=1", "go id 3",
    "setoption name Strength value 9",
])
def test_what_cannot_be_done_is_explained_not_fatal(line: str) -> None:
    said = talk(line, "isready")
    assert said[0].startswith("info string ")
    assert said[-1] == "readyok"


def test_stop_ends_the_thinking() -> None:
    class Patient(Bot):
        """Thinks until it receives `stop`."""

        word = "patient"

        def play(
            self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
        ) -> PlayResult:
            assert limit is not None
            assert limit.stop is not None
            began.set()
            limit.stop.wait()
            return PlayResult(move=position.legal_moves[0])

    began = threading.Event()
    said: list[str] = []

    def patient() -> Bot:
        return Patient()

    engine = Speaker(patient, said.append, name="patient")
    engine.hear(f"position {dealt().text()}")
    engine.hear("go id 1 infinite")
    began.wait()
    assert said == []
    engine.hear("stop")
    assert engine.hear("quit") is False
    assert said[-1].startswith("bestmove id 1 ")
