"""What a game's networks say of a position without any search: margin and chance to win of every seat."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from azulejos.bots.evaluation import network_of
from azulejos.core.position import Position
from azulejos.core.verbs import network_for, viewpoint
from azulejos.engine.network import MARGIN, UNITS, WIN, Network, write_units


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """What a seat can expect at the end of the game."""

    margin: float
    """Points ahead of the best other seat."""
    win: float
    """Chance to win; those of all seats add up to 1."""

    def of_the_other(self) -> Outlook:
        return Outlook(margin=-self.margin, win=1 - self.win)


def glance(position: Position, weights: str = "") -> tuple[Outlook, ...] | None:
    """The outlook of every seat; None where there is no network to say it, as when the game is over.

    `weights` is a file of networks (.npz); without it the game's own are asked.
    """
    network, bind = network_of(position, weights), position.game.interpreted.bind
    which = -1 if position.is_over else bind(network_for)(position.state)
    if network is None or which < 0 or not network.ready[which] or not network.heads[which].any():
        return None
    if position.players == 2:
        first = bind(viewpoint)(position.state)
        seen = _seen(position, network, which, first)
        return (seen, seen.of_the_other()) if first == 0 else (seen.of_the_other(), seen)
    outlooks = [_seen(position, network, which, seat) for seat in range(position.players)]
    total = sum(seen.win for seen in outlooks)
    return tuple(replace(seen, win=seen.win / total) for seen in outlooks)


def _seen(position: Position, network: Network, which: int, seat: int) -> Outlook:
    units = np.zeros(UNITS)
    position.game.interpreted.bind(write_units)(position.state, network, which, seat, units)
    heads = network.heads[which] @ units
    return Outlook(margin=float(heads[MARGIN]), win=1 / (1 + math.exp(-heads[WIN])))
