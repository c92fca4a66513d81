"""A program in any language as a bot: our side of the engine protocol (docs/protocol.md).

Nothing that the program does can break the match. Its faults are

    late      no answer in the time for the move and a grace period, even after `stop` illegal   an answer
    that is no legal move of the position dead it ended, closed its output, could not be started, or sends
    lines without end unfit     it does not declare the game

and they all have the same consequence: a random legal move is played for it and the fault is recorded in
`faults`. After a fault the program is killed and started again; after `ProgramLimits.faults` of them in
one game it is not started again in that game.
"""

from __future__ import annotations

import math
import random
import re
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass

from azulejos.core.notation import Move
from azulejos.core.position import Position
from azulejos.protocol.bot import Analysis, Bot, Limit, PlayResult, Report, choices_of, own_rng
from azulejos.protocol.process import Dead, Program
from azulejos.protocol.speaker import HELLO, HELLO_DONE

NUMBER = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")


@dataclass(frozen=True, kw_only=True)
class ProgramLimits:
    """What a program may use. Memory is address space, limited where the system can (not on Windows)."""

    start: float = 10.0
    """Seconds until `uaiok`."""
    ready: float = 10.0
    """Seconds until `readyok`, or until the next line of output."""
    preparing: float = 3600.0
    """Seconds until `readyok` in all, whatever the program writes meanwhile."""
    grace: float = 1.0
    """Seconds of grace after the time for a move, and again after `stop`."""
    longest: float = 60.0
    """Seconds for a move that is limited by nodes only."""
    memory: int = 4 * 2**30
    faults: int = 3
    """Faults in one game."""
    lines: int = 10_000
    """Lines in one answer."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What a program did wrong (late, illegal, dead or unfit), with details."""

    kind: str
    text: str


class ProgramFailed(Exception):
    """The program did not answer properly."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(f"{kind}: {text}")
        self.fault = Fault(kind, text)


class ExternalBot(Bot):
    """A program that speaks the protocol. `strict` raises `ProgramFailed` instead of playing a move."""

    def __init__(
        self, command: str, *, word: str = "", limits: ProgramLimits | None = None, strict: bool = False
    ) -> None:
        if not command.strip():
            raise ValueError("cmd: needs a command, as in cmd:./mybot")
        self._word = word or f"cmd:{command}"
        self.options, self.command = _split(command)
        self.limits = limits or ProgramLimits()
        self.strict = strict
        self.untidy = False
        """Whether to send extra white space and strange lines, to check that the program ignores them."""
        self.faults: list[Fault] = []
        self.name = ""
        self.games: dict[str, set[int]] = {}
        self._program: Program | None = None
        self._table: tuple[str, int] | None = None
        self._round = 0
        self._strikes = 0
        self._questions = 0

    @property
    def word(self) -> str:
        return self._word

    def play(
        self, position: Position, limit: Limit | None = None, *, rng: random.Random | None = None
    ) -> PlayResult:
        return self._answered(position, limit or Limit(), rng, None)

    def rate(self, position: Position, limit: Limit, report: Report | None = None) -> Analysis:
        """Rate the move that the program would play, and report its `info` lines while it thinks."""
        return Analysis.of_one(self._answered(position, limit, None, report))

    def _answered(
        self, position: Position, limit: Limit, rng: random.Random | None, report: Report | None
    ) -> PlayResult:
        legal = choices_of(position)
        self._look_up(position)
        if self._strikes < self.limits.faults:
            try:
                return self._ask(position, legal, limit, report)
            except ProgramFailed as failure:
                self.close()
                if self.strict:
                    raise
                self._strikes += 1
                self.faults.append(failure.fault)
        move = position.game.moves[(rng or own_rng(position)).choice(legal)]
        return PlayResult(move=move, line=(move,))

    def close(self) -> None:
        """End the program. The next call starts it again."""
        if self._program is not None:
            self._program.kill()
            self._program = None
            self._table = None

    # --- talking -----------------------------------------------------------------------------------

    def greet(self) -> None:
        """Start the program and read its name and the games that it plays."""
        if self._program is not None:
            return
        try:
            self._program = Program(self.command, memory=self.limits.memory)
        except OSError as error:
            raise ProgramFailed("dead", f"it could not be started: {error}") from None
        self.games.clear()
        declared = set()
        self._tell(HELLO)
        for words in self._until(HELLO_DONE, self.limits.start):
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:])
            elif words[:2] == ["option", "name"] and len(words) > 2:
                declared.add(words[2])
            elif words[0] == "game" and len(words) > 3:
                self.games[words[1]] = {int(word) for word in words[3:] if re.fullmatch("[0-9]", word)}
        self._set_options(declared)

    def _set_options(self, declared: set[str]) -> None:
        for name, value in self.options.items():
            if name not in declared:
                raise ProgramFailed("unfit", f"it declares no option {name}")
            self._tell(f"setoption name {name} value {value}")

    def _ask(
        self, position: Position, legal: list[int], limit: Limit, report: Report | None
    ) -> PlayResult:
        self.greet()
        self._sit_down(position)
        self._questions += 1
        number = str(self._questions)
        moves = position.game.moves
        self._tell(f"position {position.text()}")
        searched = " ".join(moves.text(action) for action in legal)
        self._tell(f"go id {number} {_limits(limit)} searchmoves {searched}")
        begin, info = time.monotonic(), list[str]()
        for words in self._answer(number, limit):
            if words[0] == "info":
                info = words
                if report is not None and (line := _line(position, info)):
                    report(Analysis.of_one(_result(line, info, time.monotonic() - begin)))
        move = moves[_action(position, legal, words[3])]
        line = _line(position, info)
        return _result(line if line[:1] == (move,) else (move,), info, time.monotonic() - begin)

    def _look_up(self, position: Position) -> None:
        """An earlier round than in the last call means a new game: forget the faults."""
        now = int(position.state.round)
        if now < self._round:
            self._strikes = 0
            self._table = None
        self._round = now

    def _sit_down(self, position: Position) -> None:
        """Send `newgame` if the game or the seat is new, and wait until the program is ready."""
        head = position.text().partition("/")[0]
        if self._table == (head, position.to_move):
            return
        self._table = (head, position.to_move)
        if position.players not in self.games.get(position.preset.name, set()):
            raise ProgramFailed(
                "unfit", f"it does not play {position.preset.name} with {position.players} seats")
        self._tell(f"newgame {head} seat {position.to_move + 1}")
        self._tell("isready")
        self._until("readyok", self.limits.ready, longest=self.limits.preparing)

    def _answer(self, number: str, limit: Limit) -> Iterator[list[str]]:
        """The lines about the question with this number; the last one is the answer."""
        seconds = self.limits.longest if limit.time_limit is None else limit.time_limit
        if limit.time_limit is None and limit.nodes is None:
            seconds = math.inf  # only `stop` ends it
        stopped = False
        deadline = time.monotonic() + seconds + self.limits.grace
        for _ in range(self.limits.lines):
            words = self._hear(deadline, limit if not stopped else None)
            if words is None:
                if stopped:
                    raise ProgramFailed("late", f"no answer in {seconds:g} seconds, nor after stop")
                self._tell("stop")
                stopped, deadline = True, time.monotonic() + self.limits.grace
            elif words[:3] == ["info", "id", number] and words[3:4] != ["string"]:
                yield words
            elif words[:3] == ["bestmove", "id", number] and len(words) > 3:
                yield words
                return
        raise ProgramFailed("dead", f"{self.limits.lines} lines and no answer")

    def _until(self, last: str, seconds: float, *, longest: float = 0.0) -> list[list[str]]:
        """The lines before `last`; every line of output restarts the timeout, up to `longest`."""
        heard: list[list[str]] = []
        began = time.monotonic()
        while len(heard) < self.limits.lines:
            deadline = max(began + seconds, min(time.monotonic() + seconds, began + longest))
            words = self._hear(deadline, None)
            if words is None:
                raise ProgramFailed("late", f"no {last} in {deadline - began:.3g} seconds")
            if words == [last]:
                return heard
            heard.append(words)
        raise ProgramFailed("dead", f"{self.limits.lines} lines and no {last}")

    def _hear(self, deadline: float, limit: Limit | None) -> list[str] | None:
        """The words of the next non-empty line; None at the deadline or when `stop` is set."""
        assert self._program is not None
        try:
            return self._program.words(deadline, stop=limit.stop if limit else None)
        except Dead as error:
            raise ProgramFailed("dead", str(error)) from None

    def _tell(self, line: str) -> None:
        assert self._program is not None
        try:
            self._program.tell(_untidy(line) if self.untidy else line)
        except Dead as error:
            raise ProgramFailed("dead", str(error)) from None


def greeted(bot: Bot) -> Bot:
    """The bot, after checking that its program can be started; a ValueError if it cannot."""
    if isinstance(bot, ExternalBot):
        try:
            bot.greet()
        except ProgramFailed as failure:
            raise ValueError(f"{bot.word}: {failure}") from failure
        finally:
            bot.close()
    return bot


def _split(command: str) -> tuple[dict[str, str], list[str]]:
    """``Depth=4 ./mybot -q``: protocol options come before the program, like variables in a shell."""
    words = shlex.split(command)
    options = {}
    while len(words) > 1 and (found := re.fullmatch(r"(\w+)=(.*)", words[0])):
        options[found[1]] = found[2]
        del words[0]
    return options, words


def _untidy(line: str) -> str:
    return "\n  what is \t this\n \t" + line.replace(" ", " \t  ") + " \t "


def _limits(limit: Limit) -> str:
    parts = []
    if limit.time_limit is not None:
        parts.append(f"movetime {limit.time_limit * 1000:.0f}")
    if limit.nodes is not None:
        parts.append(f"nodes {limit.nodes}")
    return " ".join(parts) or "infinite"


def _action(position: Position, legal: list[int], text: str) -> int:
    try:
        action = position.game.moves.parse(text)
    except ValueError as error:
        raise ProgramFailed("illegal", str(error)) from None
    if action not in legal:
        raise ProgramFailed("illegal", f"{text}: {position.why_not(action)}")
    return int(action)


def _line(position: Position, info: list[str]) -> tuple[Move, ...]:
    """The expected play at the end of an info line, up to the first move that cannot be read or played."""
    after, line = position.copy(), list[Move]()
    for text in info[info.index("pv") + 1 :] if "pv" in info else []:
        try:
            after.play(text)
        except ValueError:
            break
        line.append(after.game.moves[after.game.moves.parse(text)])
    return tuple(line)


def _result(line: tuple[Move, ...], info: list[str], seconds: float) -> PlayResult:
    return PlayResult(
        move=line[0], line=line, value=_number(info, "score"), seconds=seconds,
        nodes=int(_number(info, "nodes") or 0), depth=int(_number(info, "depth") or 0),
    )


def _number(info: list[str], name: str) -> float | None:
    """The number after a word of an info line, or None if there is no plausible one."""
    at = info.index(name) + 1 if name in info else len(info)
    return float(info[at]) if at < len(info) and NUMBER.fullmatch(info[at]) else None
