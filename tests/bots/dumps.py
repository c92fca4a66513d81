"""Weak levels play like people: they never throw three pieces away if another place takes them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from azulejos.bots import Limit
from azulejos.bots import open as open_bot
from azulejos.core.position import Position

WEAK = ("level:1", "level:2", "level:3")
MANY = 3


def check(
    word: str, positions: Iterable[Position], *, takes: int, lost: Callable[[Position, int], int],
    thrown: Callable[[int], bool],
) -> None:
    """Actions below `takes` take pieces; `lost` counts the lost ones, `thrown` says whether all are."""
    bot = open_bot(word)
    for position in positions:
        if position.is_over:
            continue
        action = position.game.moves.number(bot.play(position, Limit(nodes=2000)).move)
        if action < takes and thrown(action) and lost(position, action) >= MANY:
            others = [other for other in position.legal_actions() if other < takes]
            assert min(lost(position, other) for other in others) > 0, position.text()
