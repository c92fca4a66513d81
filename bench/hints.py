"""Do hints and later reviews agree? ``python -m bench.hints BOX PLAYERS GAMES [LOG] [FIRST]``.

Plays games in which the first seat plays a hint in one turn of three and a bot plays the others, reviews
them as usual, and counts the hinted turns that the review grades as equal to the best. A hint that was
unsure (another turn is as good for the judge) has to be called equal, too. Also prints the processor time
of the first and the last answer.
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
from azulejos.insight.hint import hints
from azulejos.insight.judge import Judge, judge_for
from azulejos.insight.results import Grade, Hint, Review
from azulejos.insight.review import review
from azulejos.protocol.bot import Limit

STRIDE = 3
BOT, NODES = "level:5", 20_000


def hinted(judge: Judge, position: Position) -> tuple[Hint, list[float]]:
    """The last hint, and the processor time of every answer."""
    began, times = time.process_time(), []
    made = []
    for found in hints(judge, position):
        made.append(found)
        times.append(time.process_time() - began)
    return made[-1], times


def played(start: Position, seed: int) -> tuple[Record, dict[int, dict[str, Any]]]:
    position, rng, bot = start.copy(), random.Random(seed), bots.open(BOT)
    judge, taken = judge_for(start), {}
    position.deal(rng)
    while not position.is_over:
        choice = not position.in_turn and position.to_move == 0 and len(position.legal_actions()) > 1
        if choice and rng.randrange(STRIDE) == 0:
            hint, times = hinted(judge, position)
            reasons = bool(hint.contrast and hint.contrast.reasons)
            taken[position.ply] = {"unsure": hint.unsure, "kind": hint.kind, "first": times[0],
                                   "last": times[-1], "reasons": reasons}
            for action in hint.best.turn:
                position.play(action)
        else:
            position.play(bot.play(position, Limit(nodes=NODES), rng=rng).move)
        position.deal(rng)
    return Record.from_position(position), taken


def compared(found: Review, taken: dict[int, dict[str, Any]]) -> list[dict[str, Any]]:
    turns = {turn.ply: turn for turn in found.turns}
    return [
        {**hint, "ply": ply, "grade": turns[ply].grade, "points": turns[ply].verdict.points.value,
         "same": turns[ply].better is None}
        for ply, hint in taken.items()
    ]


def tell(rows: list[dict[str, Any]]) -> None:
    agree = np.mean([row["grade"] == Grade.EQUAL for row in rows])
    same = np.mean([row["same"] for row in rows])
    first, last = (np.array([row[name] for row in rows]) for name in ("first", "last"))
    print(f"{len(rows)} hints: {agree:.1%} called equal or best by the review, {same:.0%} the best itself; "
          f"{np.mean([row['unsure'] for row in rows]):.0%} unsure, "
          f"{np.mean([row['reasons'] for row in rows]):.0%} with reasons; first answer "
          f"{np.median(first):.2f} s (most {first.max():.2f}), last {np.median(last):.2f} s "
          f"(most {last.max():.2f})", flush=True)


def main() -> None:
    box, players, count, *rest = sys.argv[1:]
    start, first = new(box, players=int(players)), int(rest[1]) if len(rest) > 1 else 0
    azulejos.compile(box)
    rows: list[dict[str, Any]] = []
    for seed in range(first, first + int(count)):
        record, taken = played(start, seed)
        made = compared(review(record), taken)
        rows += made
        if rest:
            with Path(rest[0]).open("a") as file:
                file.writelines(json.dumps({"box": box, "players": players, "seed": seed, **row}) + "\n"
                                for row in made)
        tell(rows)


if __name__ == "__main__":
    main()
