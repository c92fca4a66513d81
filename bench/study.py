"""How fast and how steady is the bar of a study? ``python -m bench.study BOX POSITIONS [SEED]``.

Judges positions of random ends of rounds ("late": at most half of the round's turns are left) for a while
and prints when the first number came, and how far the number after 3 seconds was from the last one.
Times are those of the clock, so the machine should be quiet.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import numpy as np

import azulejos
from azulejos import bots, new
from azulejos.bots.workspaces import Workspaces
from azulejos.core.position import Position
from azulejos.insight.results import PositionValue
from azulejos.insight.study import outlooks
from azulejos.protocol.bot import Limit

SHOWN, LONG = 3.0, 15.0
"""Seconds after which the number should be steady, and after which it is taken for the truth."""
STEADY = 0.5
BOT, NODES = "level:5", 5_000


def played(box: str, rng: random.Random) -> Position:
    position, bot = new(box), bots.open(BOT)
    position.deal(rng)
    while not position.is_over:
        position.play(bot.play(position, Limit(nodes=NODES), rng=rng).move)
        position.deal(rng)
    return position


def late(game: Position, rng: random.Random) -> Iterator[Position]:
    """One position of each round, from its second half, in which a turn begins."""
    rounds: dict[int, list[Position]] = {}
    for ply in range(game.ply):
        here = game.at(ply)
        if here.to_move >= 0 and not here.in_turn:
            rounds.setdefault(int(here.state.round), []).append(here)
    for turns in rounds.values():
        yield rng.choice(turns[len(turns) // 2:])


def judged(position: Position, workspaces: Workspaces) -> list[PositionValue]:
    return list(outlooks(position, Limit(seconds=LONG), workspaces=workspaces))


def points(found: PositionValue) -> float:
    assert found.seat is not None
    return found.points[found.seat].value


def main() -> None:
    box, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")
    azulejos.compile(box)
    workspaces, firsts, moved = Workspaces(), list[float](), list[float]()
    while len(firsts) < count:
        for position in late(played(box, rng), rng):
            found = judged(position, workspaces)
            shown = [one for one in found if one.seconds <= SHOWN] or found[:1]
            firsts.append(found[0].seconds)
            moved.append(abs(points(shown[-1]) - points(found[-1])))
    first, change = np.array(firsts), np.array(moved)
    print(f"{box}: {len(firsts)} positions; first number after {np.median(first):.2f} s (median),"
          f" {np.quantile(first, 0.95):.2f} (19 of 20), {first.max():.2f} at most; after {SHOWN:g} s"
          f" {np.mean(change <= STEADY):.0%} within {STEADY} points of the number after {LONG:g} s"
          f" (median {np.median(change):.2f}, most {change.max():.2f})")


if __name__ == "__main__":
    main()
