"""Running an action again with interpreted rules, to find out what the state alone does not show."""

from __future__ import annotations

import functools
from typing import Any

from azulejos.core import verbs
from azulejos.core.game import Game
from azulejos.core.points import Points, award
from azulejos.core.single import Interpreted, OneState, noting_award


def points_of(game: Game, before: bytes, action: int) -> list[Points]:
    """What one action scored."""
    return _interpreted(game).apply(OneState(game, before), action)


@functools.cache
def _interpreted(game: Game) -> Interpreted:
    return Interpreted(game)


def apply_without_round_end(game: Game, here: OneState, action: int) -> bool:
    """Play an action without the end of the round that may follow; returns whether the round ended."""
    s = here.record
    s.round_ended = False
    _apply_until_round_end(game)(s, action)
    here.legal = None
    return bool(s.round_ended)


@functools.cache
def _apply_until_round_end(game: Game) -> Any:
    def stop(s: Any, *args: int) -> None:
        s.round_ended = True

    assert game.rules.round_end is not None
    return game.replacing({award: noting_award, game.rules.round_end: stop}).bind(verbs.apply)
