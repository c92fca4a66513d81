"""Plain minimax over `Position`, to compare the compiled search with. Written for clarity, not speed."""

from __future__ import annotations

import functools

from azulejos.bots.evaluation import network_of
from azulejos.core.layout import Cells
from azulejos.core.position import Position, new
from azulejos.engine.network import Network
from azulejos.engine.workspace import make_workspace, ply_value, put


def leaf_value(position: Position, seat: int, weights: Cells) -> int:
    """The static evaluation of a position, by the game's networks if it has any."""
    binding = position.game.compiled
    workspace = make_workspace(
        binding, weights, transposition_bits=0,
        network=own_network(position.preset.name, position.players),
    )
    put(workspace, position.row, limit=0)
    return int(binding.bind(ply_value)(workspace, 0, seat))


@functools.cache
def own_network(box: str, players: int) -> Network | None:
    return network_of(new(box, players=players), "")


def minimax(position: Position, seat: int, weights: Cells) -> int:
    """The value for a seat if both sides play best until the end of the round."""
    if position.is_chance or position.is_over:
        return leaf_value(position, seat, weights)
    values = []
    for action in position.legal_actions():
        position.play(action)
        values.append(minimax(position, seat, weights))
        position.undo()
    return max(values) if position.to_move == seat else min(values)
