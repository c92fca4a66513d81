"""`azulejos bot check`: shows authors what is wrong with a bot that speaks the engine protocol."""

from __future__ import annotations

import random
import statistics
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.position import Position, new
from azulejos.core.registry import presets
from azulejos.protocol.bot import Limit
from azulejos.protocol.external import ExternalBot, ProgramFailed, ProgramLimits

PATIENCE = 5
"""Number of faults after which no more positions are tried."""

TWICE = 20
"""Number of positions that are sent twice."""

STOP_AFTER = 0.2

LATE = 0.1
"""Seconds beyond the limit that an answer may take: pipes and a busy machine need some."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check: True is good, False is wrong, None is worth knowing."""

    good: bool | None
    text: Message


def check(
    command: str, *, positions: int = 1000, movetime: float = 0.1, limits: ProgramLimits | None = None
) -> Iterator[Finding]:
    """Handshake, games, answers, time, `stop`, white space, determinism: one finding after the other."""
    bot = ExternalBot(command, limits=limits, strict=True)
    try:
        try:
            bot.greet()
        except ProgramFailed as failure:
            yield Finding(False, msg("The handshake failed: {fault}", fault=raw(str(failure))))
            return
        yield Finding(True, msg("It is called {name}.", name=raw(bot.name or "?")))
        boxes = [(box, n) for box, seats in bot.games.items() if box in presets() for n in sorted(seats)]
        yield from _games(bot)
        if boxes:
            yield from _positions(bot, boxes, positions, movetime)
            yield from _stop(bot, boxes)
            yield from _untidy(bot, boxes)
            yield from _twice(bot, boxes)
    finally:
        bot.close()


def _games(bot: ExternalBot) -> Iterator[Finding]:
    known = [box for box in bot.games if box in presets()]
    if known:
        yield Finding(True, msg("It plays {games}.", games=raw(", ".join(known))))
    else:
        yield Finding(False, msg("It declares no game: it should say 'game azul players 2' before uaiok."))
    for box in bot.games:
        if box not in presets():
            yield Finding(False, msg("It declares {game}, which does not exist.", game=raw(box)))


def _positions(
    bot: ExternalBot, boxes: list[tuple[str, int]], count: int, movetime: float
) -> Iterator[Finding]:
    faults, asked = 0, 0
    taken: list[float] = []
    for position in sample(boxes, count):
        asked += 1
        try:
            taken.append(bot.play(position, Limit(seconds=movetime)).seconds)
        except ProgramFailed as failure:
            faults += 1
            yield Finding(False, msg(
                "{fault}\n  in {position}", fault=raw(str(failure)), position=raw(position.text())
            ))
            if faults == PATIENCE:
                break
    yield Finding(faults == 0, nmsg(
        "{n} position was answered, {faults} wrongly.", "{n} positions were answered, {faults} wrongly.",
        n=asked, faults=faults,
    ))
    if taken:
        yield _punctuality(taken, movetime)


def _punctuality(taken: list[float], movetime: float) -> Finding:
    """A single late answer may be the machine's fault; more than one in twenty are the program's."""
    late = sum(seconds > movetime + LATE for seconds in taken)
    return Finding(late <= len(taken) / 20, nmsg(
        "{late} of {n} answer came later than {allowed} ms: median {median} ms, slowest {slowest} ms.",
        "{late} of {n} answers came later than {allowed} ms: median {median} ms, slowest {slowest} ms.",
        n=len(taken), late=late, allowed=round((movetime + LATE) * 1000),
        median=round(statistics.median(taken) * 1000), slowest=round(max(taken) * 1000),
    ))


def _stop(bot: ExternalBot, boxes: list[tuple[str, int]]) -> Iterator[Finding]:
    """`go infinite`, and a little later `stop`."""
    stop = threading.Event()
    timer = threading.Timer(STOP_AFTER, stop.set)
    timer.start()
    try:
        bot.play(next(sample(boxes, 1)), Limit(stop=stop))
        yield Finding(True, msg("It obeys stop."))
    except ProgramFailed as failure:
        yield Finding(False, msg("It does not obey stop: {fault}", fault=raw(str(failure))))
    finally:
        timer.cancel()


def _untidy(bot: ExternalBot, boxes: list[tuple[str, int]]) -> Iterator[Finding]:
    """A whole conversation with extra white space, empty lines and meaningless lines."""
    bot.close()
    bot.untidy = True
    try:
        bot.play(next(sample(boxes, 1)), Limit(nodes=100))
        yield Finding(True, msg("It ignores extra white space and unknown lines."))
    except ProgramFailed as failure:
        yield Finding(False, msg(
            "It fails on extra white space or unknown lines: {fault}",
            fault=raw(str(failure)),
        ))
    finally:
        bot.close()
        bot.untidy = False


def _twice(bot: ExternalBot, boxes: list[tuple[str, int]]) -> Iterator[Finding]:
    """The same positions, with the same nodes, from a fresh start each time."""
    answers = []
    for _ in range(2):
        bot.close()
        try:
            answers.append([
                bot.play(position, Limit(nodes=100)).move for position in sample(boxes, TWICE)
            ])
        except ProgramFailed as failure:
            yield Finding(False, msg("Limited by nodes: {fault}", fault=raw(str(failure))))
            return
    if answers[0] == answers[1]:
        yield Finding(True, msg("It is deterministic for a given number of nodes."))
    else:
        yield Finding(None, msg("It is not deterministic: games with it cannot be repeated."))


def sample(boxes: list[tuple[str, int]], count: int) -> Iterator[Position]:
    """Positions from random games, taking the boxes in turn; the same every time."""
    rng = random.Random(7)
    for index in range(count):
        box, players = boxes[index % len(boxes)]
        position = new(box, players=players)
        position.deal(rng)
        for _ in range(rng.randrange(30)):
            before = position.copy()
            position.play(rng.choice(position.legal_actions()))
            position.deal(rng)
            if position.is_over:
                position = before
                break
        yield position
