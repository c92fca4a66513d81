"""Shows a game in a terminal: the board, what happened, how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from azulejos.cli.common import say
from azulejos.cli.theme import painted
from azulejos.core.contract import needed
from azulejos.core.game import CHANCE, Outcome
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position

if TYPE_CHECKING:
    from rich.console import Console


NARROWEST: Final = 38
"""Columns of the widest single board."""


def tell(out: Console, message: Message, style: str = "") -> None:
    out.print(say(message), style=style, markup=False, soft_wrap=True)


def show_board(out: Console, position: Position, names: tuple[str, ...]) -> None:
    terminal = needed(position.game, position.game.terminal, "terminal.py")
    lines = terminal.draw(position.state, names, say, max(NARROWEST, out.width))
    out.print()
    out.print(painted(lines, position.preset.theme), soft_wrap=True)


def mover(position: Position, names: tuple[str, ...]) -> str:
    """The name of the player to act."""
    return say(msg("chance")) if position.to_move == CHANCE else names[position.to_move]


def tell_points(out: Console, position: Position, names: tuple[str, ...], ply: int = -1) -> None:
    """Print every point that an action scored."""
    for scored in position.explain(ply):
        line = msg("{name}: {points} {reason}", name=names[scored.seat],
                   points=f"{scored.points:+d}", reason=scored.reason)
        tell(out, line, "green" if scored.points > 0 else "red")


def tell_outcome(out: Console, outcome: Outcome, names: tuple[str, ...]) -> None:
    tell(out, outcome.reason, "bold")
    order = sorted(range(len(names)), key=lambda seat: outcome.ranks[seat])
    for seat in order:
        tell(out, msg("{rank}. {name}: {score} points", rank=outcome.ranks[seat], name=names[seat],
                      score=outcome.scores[seat]))
    winners = [names[seat] for seat in outcome.winners]
    named = raw(", ".join(winners))
    shared = len(winners) > 1
    said = msg("Shared win: {names}", names=named) if shared else msg("Winner: {names}", names=named)
    tell(out, said, "bold")
