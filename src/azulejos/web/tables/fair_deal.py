"""Deals that nobody can bend: a table's draws follow from a seed that was fixed before the first move.

The SHA-256 of the seed is shown from the beginning, the seed itself after the last move. Then anybody can
check every draw: the draw at ply `n` is

    ticket  = HMAC-SHA256(key = seed as text, message = "azulejos deal <n>"), read big-endian
    outcome = the one that the ticket, modulo the sum of all odds, meets when the odds of the possible
              outcomes are laid end to end in ascending order of their action numbers

where `n` counts all actions of the game from 0, draws included. A remainder's bias is below 2**-200.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from azulejos.core.chance import draw
from azulejos.core.game import Action
from azulejos.core.message import Message, msg
from azulejos.core.position import Position


def new_seed() -> str:
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def ticket(seed: str, ply: int, total: int) -> int:
    digest = hmac.digest(seed.encode(), f"azulejos deal {ply}".encode(), "sha256")
    return int.from_bytes(digest, "big") % total


def drawn(position: Position, seed: str) -> Action:
    """What the seed draws in a position where chance is to move."""
    return Action(position.game.moves.number(draw(position.odds(), _ticket(position, seed))))


def deal(position: Position, seed: str) -> list[Action]:
    """Draw from the seed until a player is to move or the game is over."""
    before = position.ply
    position.deal(_ticket(position, seed))
    return [position.history.step(ply).action for ply in range(before, position.ply)]


def _ticket(position: Position, seed: str) -> Callable[[int], int]:
    return lambda total: ticket(seed, position.ply, total)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    honest: bool
    draws: int
    reason: Message


def verify(
    position: Position, actions: Sequence[int], *, seed: str, promised: str, dealt_from: int = 0
) -> Verdict:
    """Whether a game's draws are those that the seed gives; `position` is the start and is played on."""
    if commitment(seed) != promised:
        return Verdict(honest=False, draws=0, reason=msg("The seed is not the one that was promised."))
    draws = 0
    for ply, action in enumerate(actions):
        if position.is_chance and ply >= dealt_from:
            draws += 1
            if drawn(position, seed) != action:
                reason = msg("Action {ply} drew {move}, which does not follow from the seed.",
                             ply=ply + 1, move=position.game.moves.text(action))
                return Verdict(honest=False, draws=draws, reason=reason)
        position.play(action)
    return Verdict(honest=True, draws=draws, reason=msg("Every draw follows from the promised seed."))
