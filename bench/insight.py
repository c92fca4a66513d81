"""How far reviews can be trusted: ``python -m bench.insight BOX PLAYERS BOT NODES GAMES [LOG]``.

Reviews games of a bot against itself and prints what the ledger leaves unexplained, how many mistakes are
found, whether the thorough pass confirms those of the quick one (with fresh deals), and the processor time.
With LOG, a line of JSON for each game is appended, and a later run goes on from there.
"""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import azulejos
from azulejos import bots, new
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight import JudgedTurn, Review, reviews
from azulejos.protocol.bot import Limit

CLEAR = 0.5
"""A mistake is confirmed if a deeper search finds at least this share of the loss, in points or chance."""


def played(start: Position, word: str, nodes: int, seed: int) -> Record:
    position, rng, bot = start.copy(), random.Random(seed), bots.open(word)
    position.deal(rng)
    while not position.is_over:
        position.play(bot.play(position, Limit(nodes=nodes), rng=rng).move)
        position.deal(rng)
    return Record.from_position(position)


def measured(record: Record) -> dict[str, Any]:
    """One game: its ledger, and the verdicts of both passes."""
    began, first, quick = time.process_time(), None, None
    for found in reviews(record):
        seconds = time.process_time() - began
        if first is None and sum(turn.choices > 1 for turn in found.turns) >= 3:
            first = seconds
        if quick is None and found.judged == found.stretches:
            quick, quick_seconds = found, seconds
    assert quick is not None
    return {"ledgers": [_ledger(ledger) for ledger in found.ledgers], "turns": _turns(quick, found),
            "first": first, "quick": quick_seconds, "seconds": seconds}


def _ledger(ledger: Any) -> dict[str, float]:
    return {"luck": ledger.luck.value, "luck_error": ledger.luck.error, "received": ledger.received.value,
            "given": ledger.given.value, "unforeseen": ledger.unforeseen, "result": ledger.result}


def _turns(quick: Review, thorough: Review) -> list[dict[str, Any]]:
    return [{"quick": _verdict(one), "thorough": _verdict(two), "choices": two.choices}
            for one, two in zip(quick.turns, thorough.turns, strict=True)]


def _verdict(turn: JudgedTurn) -> dict[str, Any]:
    return {"grade": turn.grade, "kind": turn.verdict.kind, "points": turn.verdict.points.value,
            "win": turn.verdict.win.value}


def is_confirmed(turn: dict[str, Any]) -> bool:
    quick, thorough = turn["quick"], turn["thorough"]
    return any(thorough[what] >= CLEAR * quick[what] > 0 for what in ("points", "win"))


def tell(games: list[dict[str, Any]]) -> None:
    first = [game["ledgers"][0] for game in games]
    result, luck, unforeseen = (
        np.array([ledger[name] for ledger in first]) for name in ("result", "luck", "unforeseen")
    )
    gifts = np.array([ledger["received"] - ledger["given"] for ledger in first])
    turns = [turn for game in games for turn in game["turns"]]
    mistakes = [turn for turn in turns if turn["quick"]["grade"] in ("mistake", "blunder")]
    blunders = [turn for turn in turns if turn["thorough"]["grade"] == "blunder"]
    graded = sum(turn["thorough"]["grade"] in ("mistake", "blunder") for turn in turns)
    proved = np.mean([turn["thorough"]["kind"] != "estimate" for turn in turns if turn["choices"] > 1])
    seats = sum(len(game["ledgers"]) for game in games)
    print(f"{len(games)} games: result rms {rms(result):.1f}, luck sd {luck.std():.1f}, "
          f"gifts sd {gifts.std():.1f}, unforeseen rms {rms(unforeseen):.1f}")
    print(f"variance left without luck {(result - luck).var() / result.var():.0%}, "
          f"without luck and gifts {unforeseen.var() / result.var():.0%}")
    print(f"{graded / seats:.2f} mistakes a seat and game; {proved:.0%} of the decisions are proved")
    print(f"{sum(map(is_confirmed, mistakes))} of {len(mistakes)} quick mistakes are confirmed; "
          f"{sum(turn in mistakes for turn in blunders)} of {len(blunders)} blunders were found quickly")
    for name in ("first", "quick", "seconds"):
        print(f"processor time, {name}: {np.mean([game[name] for game in games]):.1f} s")


def rms(numbers: Any) -> float:
    return float(np.sqrt((np.asarray(numbers) ** 2).mean()))


def main() -> None:
    box, players, word, nodes, count, *rest = sys.argv[1:]
    log, start = Path(rest[0]) if rest else None, new(box, players=int(players))
    games = [json.loads(line) for line in log.read_text().splitlines()] if log and log.exists() else []
    azulejos.compile(box)
    for seed in range(len(games), int(count)):
        games.append(measured(played(start, word, int(nodes), seed)))
        if log:
            with log.open("a") as file:
                file.write(json.dumps(games[-1]) + "\n")
        tell(games)


if __name__ == "__main__":
    main()
