"""A game's tell.py: its aspects are the whole state, and every reason for points belongs to one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from azulejos.core import layout
from azulejos.core.position import Position, new
from azulejos.core.registry import games
from azulejos.core.tell import Aspect
from azulejos.insight.attribution import mask_of


def aspects_of(position: Position) -> Sequence[Aspect]:
    assert position.game.tell is not None
    return position.game.tell.aspects(position)


TOLD = [game for game in games() if game.tell]


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
@pytest.mark.parametrize("players", [2, 4])
def test_aspects_share_no_part_of_the_state(game: object, players: int) -> None:
    position = new(game.presets[0].name, players=players)  # type: ignore[attr-defined]
    masks = [mask_of(position.game, aspect.parts) for aspect in aspects_of(position)]
    assert np.sum(masks, axis=0).max() == 1


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_with_all_seats_aspects_are_the_state_that_a_game_changes(game: object) -> None:
    """Except the score, and fields that a game never changes."""
    position = new(game.presets[0].name, players=4)  # type: ignore[attr-defined]
    covered = {field for aspect in aspects_of(position) for field, _ in aspect.parts}
    left = set(layout.fields_of(position.game.state)) - covered - {"score"}
    end = position.copy()
    rng = np.random.default_rng(1)
    end.deal(rng)
    while not end.is_over:
        end.play(int(rng.choice(end.legal_actions())))
        end.deal(rng)
    for field in left:
        assert np.array_equal(getattr(end.state, field), getattr(position.state, field)), field


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_every_reason_for_points_belongs_to_one_aspect_of_each_seat(game: object) -> None:
    position = new(game.presets[0].name, players=3)  # type: ignore[attr-defined]
    found = aspects_of(position)
    for seat in range(3):
        for code in range(len(position.game.reasons.names)):
            owners = [a for a in found if a.seat == seat and code in a.codes]
            places = [place for a in owners for place in a.places or ()]
            assert len(owners) == 1 or len(places) == len(set(places))
            assert owners
