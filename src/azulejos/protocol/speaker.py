"""The engine protocol (docs/protocol.md) with one of our bots as the engine: it reads and answers lines.

Words are separated by any white space; unknown lines are ignored, as in chess engines.
"""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TextIO

from azulejos.core.game import MAX_SEATS, MIN_SEATS, Game
from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.core.registry import find, presets
from azulejos.protocol.bot import Analysis, Bot, Limit

HELLO = "uai"
HELLO_DONE = "uaiok"
LONGEST = 10**12
"""Milliseconds; a longer time for a move means the same."""


class Speaker:
    """A conversation: `hear` takes a line, answers go to `say`. A thread searches: `stop` can be read."""

    def __init__(self, make: Callable[[], Bot], say: Callable[[str], None], *, name: str) -> None:
        self._make = make
        self._say = say
        self._name = name
        self._bot = make()
        self._game: Game | None = None
        self._position: Position | None = None
        self._seed: int | None = None
        self._stop = threading.Event()
        self._thinking: threading.Thread | None = None

    def hear(self, line: str) -> bool:
        """Answer one line; False after `quit`."""
        word, *rest = line.split() or [""]
        if word == "quit":
            self._end_thinking()
            return False
        answer = getattr(self, f"_on_{word}", None)
        if answer is not None:
            try:
                answer(rest)
            except ValueError as error:
                self._say(f"info string {error}")
        return True

    # --- lines of the protocol ---------------------------------------------------------------------

    def _on_uai(self, words: list[str]) -> None:
        self._say(f"id name {self._name}")
        self._say("id author azulejos")
        seats = " ".join(str(players) for players in range(MIN_SEATS, MAX_SEATS + 1))
        for box in presets():
            self._say(f"game {box} players {seats}")
        self._say("option name Seed type spin default -1 min -1 max 4294967295")
        self._say(HELLO_DONE)

    def _on_isready(self, words: list[str]) -> None:
        if self._game is not None:
            _ = self._game.engine  # loaded once in a process
        self._say("readyok")

    def _on_setoption(self, words: list[str]) -> None:
        given = _pairs(words)
        if given.get("name", "").lower() != "seed":
            raise ValueError(f"there is no option {given.get('name', '')!r}")
        seed = int(given.get("value", "-1"))
        self._seed = seed if seed >= 0 else None

    def _on_newgame(self, words: list[str]) -> None:
        self._end_thinking()
        self._bot = self._make()
        self._position = None
        self._game = find(words[0].partition(",")[0])[0] if words else None

    def _on_position(self, words: list[str]) -> None:
        self._end_thinking()
        if not words:
            raise ValueError("position needs a text")
        position = Position.from_text(words[0])
        for move in words[2:] if words[1:2] == ["moves"] else []:
            position.play(move)
        self._position, self._game = position, position.game

    def _on_go(self, words: list[str]) -> None:
        self._end_thinking()
        given = _pairs(words)
        number = given.get("id", "0")
        if self._position is None:
            raise ValueError(f"go id {number} without a position")
        self._stop = threading.Event()
        limit = _limit(given, self._stop)
        task = (self._position.copy(), limit, number)
        self._thinking = threading.Thread(target=self._think, args=task, daemon=True)
        self._thinking.start()

    def _on_stop(self, words: list[str]) -> None:
        self._stop.set()

    # --- thinking ------------------------------------------------------------------------------------

    def _think(self, position: Position, limit: Limit, number: str) -> None:
        """Play, or analyse if only `stop` is the limit, and send every result on the way."""
        rng = None if self._seed is None else random.Random(self._seed)
        try:
            if limit.time_limit is None and limit.nodes is None:
                found = self._bot.rate(position, limit, lambda found: self._say(_rated(found, number)))
                said, move = _rated(found, number), found.best.move
            else:
                result = self._bot.play(position, limit, rng=rng)
                move = result.move
                said = _info(number, result.depth, result.nodes, result.seconds, result.value, result.line)
        except ValueError as error:
            self._say(f"info id {number} string {error}")
            return
        self._say(said)
        self._say(f"bestmove id {number} {move.text}")

    def _end_thinking(self) -> None:
        if self._thinking is not None:
            self._stop.set()
            self._thinking.join()
            self._thinking = None


def serve(
    make: Callable[[], Bot], lines: Iterable[str], out: TextIO = sys.stdout, *, name: str,
) -> None:
    """Answer lines until `quit` or the end of the input."""
    lock = threading.Lock()

    def say(text: str) -> None:
        with lock:
            out.write(text + "\n")
            out.flush()

    speaker = Speaker(make, say, name=name)
    for line in lines:
        if not speaker.hear(line):
            return
    speaker.hear("quit")


def _pairs(words: list[str]) -> dict[str, str]:
    """``id 3 movetime 500 infinite`` as a dict; `infinite` has no value, `searchmoves` takes the rest."""
    found, rest = {}, list(words)
    while rest:
        name = rest.pop(0)
        if name == "searchmoves":
            found[name] = " ".join(rest)
            break
        found[name] = "" if name == "infinite" or not rest else rest.pop(0)
    return found


def _limit(limits: dict[str, str], stop: threading.Event) -> Limit:
    seconds = min(int(limits["movetime"]), LONGEST) / 1000 if "movetime" in limits else None
    nodes = int(limits["nodes"]) if "nodes" in limits else None
    if seconds is None and nodes is None and "infinite" not in limits:
        seconds = 1.0
    return Limit(seconds=seconds, nodes=nodes, stop=stop)


def _rated(found: Analysis, number: str) -> str:
    best = found.best
    return _info(number, best.depth, found.nodes, found.seconds, best.value, best.line)


def _info(
    number: str, depth: int, nodes: int, seconds: float, value: float | None, line: tuple[Move, ...]
) -> str:
    parts = [f"info id {number} depth {depth} nodes {nodes} time {seconds * 1000:.0f}"]
    if value is not None:
        parts.append(f"score {value:.2f}")
    if line:
        parts.append("pv " + " ".join(move.text for move in line))
    return " ".join(parts)
