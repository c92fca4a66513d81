"""What a move would do, as data: it is what then happens."""

from __future__ import annotations

import random

import pytest

import azulejos
from azulejos.core.position import Position, before_round_end, play_forced
from azulejos.core.scene import Choice, Scene, prospect, scene_of
from azulejos.web.tables.boxes import playable

MOVES = 60


def shown(position: Position) -> Scene:
    return scene_of(position, [""] * position.players)


def after(position: Position, choice: Choice) -> Position:
    ahead = position.copy()
    ahead.play(choice.action)
    play_forced(ahead, position.to_move)
    return ahead


@pytest.mark.parametrize("box", playable())
def test_ghosts_lie_where_the_pieces_then_lie(box: str) -> None:
    rng = random.Random(box)
    position = azulejos.new(box, players=2)
    position.deal(rng)
    found = 0
    for _ in range(MOVES):
        if position.is_over:
            break
        scene = shown(position)
        choice = rng.choice(scene.choices)
        ahead = after(position, choice)
        was, now = scene.lying, shown(before_round_end(ahead)).lying
        own = f"seat{position.to_move + 1}"
        foreseen = prospect(position, choice.action, scene, choice.path)
        came = {key for key, count in now.items() if key[1].startswith(own) and count > was.get(key, 0)}
        assert came <= {(piece.kind, piece.slot) for piece in foreseen.pieces}
        found += len(came)
        position = ahead
        position.deal(rng)
    assert found > 10


@pytest.mark.parametrize("box", ["azul-grey", "sintra-a", "sintra-b"])
def test_points_scored_at_once_are_foreseen(box: str) -> None:
    rng = random.Random(box)
    position = azulejos.new(box, players=2)
    position.deal(rng)
    scored = 0
    for _ in range(3 * MOVES):
        if position.is_over:
            break
        scene, seat = shown(position), position.to_move
        choice = rng.choice(scene.choices)
        ahead = after(position, choice)
        gained = before_round_end(ahead).scores[seat] - position.scores[seat]
        if gained > 0:
            foreseen = prospect(position, choice.action, scene, choice.path)
            assert sum(points for _, points in foreseen.points) >= gained
            scored += 1
        position = ahead
        position.deal(rng)
    assert scored > 3
