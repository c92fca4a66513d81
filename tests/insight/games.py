"""Finished games for the tests of reviews, each played once."""

from __future__ import annotations

import functools
import random

from azulejos import bots
from azulejos.core.position import Position, new
from azulejos.core.record import Record
from azulejos.insight.judge import Effort
from azulejos.protocol.bot import Limit

LITTLE = Effort(nodes=2000, deals=3, deal_nodes=300)
"""Enough for every kind of verdict in late rounds."""
LITTLE_TREE = Effort(nodes=40, deals=2, deal_nodes=20)


@functools.cache
def finished(box: str, players: int, seed: int, bot: str = "random") -> Position:
    """The last position of a game; players at random make plenty of mistakes."""
    position, rng, player = new(box, players=players), random.Random(seed), bots.open(bot)
    position.deal(rng)
    while not position.is_over:
        position.play(player.play(position, Limit(nodes=300), rng=rng).move)
        position.deal(rng)
    return position


def record(box: str, players: int, seed: int, bot: str = "random") -> Record:
    return Record.from_position(finished(box, players, seed, bot).copy())
