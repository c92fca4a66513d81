"""Deals that nobody can manipulate: all draws follow from a seed that was fixed before the first move.

The SHA-256 of the seed is shown from the start, the seed itself after the last move. Then anybody can
check every draw. There are two ways to draw; the seed shows which one applies.

**By piece**: the seed begins with ``piece:``. Every piece that can be drawn has a priority, and the piece
with the lowest one is drawn:

    priority = HMAC-SHA256(key = seed, message = "azulejos piece <outcome> <filling> <i>"), read big-endian

for the i-th piece of an outcome such as ``+b`` in one of its fillings; both count from 1. An outcome is
filled when its odds are seen for the first time, and whenever they exceed what was left of them; its odds
are then the number of its pieces. So the same seed draws the same pieces in the same order, whatever was
played, as long as the bags are the same: in two-player Azul for five rounds, until the bag is refilled.
All orders of pieces are equally likely, so the odds are exact.

**By ply**: any other seed, from older tables. The draw at ply `n`, counting all actions from 0, is

    ticket  = HMAC-SHA256(key = seed, message = "azulejos deal <n>"), read big-endian
    outcome = the one that the ticket, modulo the sum of all odds, falls on when the odds of the possible
              outcomes are laid end to end in ascending order of their action numbers

The bias of the remainder is below 2**-200.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from azulejos.core.chance import draw
from azulejos.core.game import Action
from azulejos.core.message import Message, msg
from azulejos.core.position import Position, chance_weights

BY_PIECE = "piece:"


def new_seed() -> str:
    """232 random bits; databases keep 64 characters of a seed."""
    return BY_PIECE + secrets.token_hex(29)


def bot_seed(seed: str, ply: int) -> str:
    """What a bot's choice at a ply may depend on besides the position; unknown as long as the seed is."""
    return f"{_number(seed, f'azulejos bot {ply}'):x}"


def commitment(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


class Dealer(Protocol):
    """Draws the outcomes of one game from one seed. Called for every draw of the game, in order."""

    def draw(self, position: Position) -> Action:
        """The outcome in a position where chance is to move; the position is not changed."""
        ...

    def copy(self) -> Dealer: ...


def dealer(seed: str) -> Dealer:
    return ByPiece(seed) if seed.startswith(BY_PIECE) else ByPly(seed)


def deal(position: Position, dealer: Dealer) -> None:
    """Draw until a player is to move or the game is over."""
    while position.is_chance:
        position.play(dealer.draw(position))


def dealt(position: Position, seed: str, *, dealt_from: int = 0) -> Dealer:
    """The dealer of a game after the moves of this position; its own draws began at `dealt_from`."""
    found = dealer(seed)
    for ply in range(dealt_from, position.ply):
        before = position.at(ply)
        if before.is_chance:
            found.draw(before)
    return found


# --- the two ways --------------------------------------------------------------------------------------


class Filling(NamedTuple):
    """The pieces of one outcome since it was last filled."""

    number: int = 0
    order: tuple[int, ...] = ()
    """Priorities, ascending."""
    left: int = 0


class ByPiece:
    """Every piece has a priority; the one with the lowest is drawn."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._fillings: dict[int, Filling] = {}
        """By action."""

    def copy(self) -> ByPiece:
        other = ByPiece(self._seed)
        other._fillings = self._fillings.copy()
        return other

    def draw(self, position: Position) -> Action:
        fillings, moves = self._fillings, position.game.moves.moves
        best: tuple[int, int, Filling] | None = None
        for action, count in zip(*chance_weights(position), strict=True):
            filling = fillings.get(action)
            if filling is None or count != filling.left:
                filling = fillings[action] = self._filled(moves[action].text, filling, count)
            lowest = filling.order[-count]
            if best is None or lowest < best[0]:
                best = lowest, action, filling
        assert best is not None
        _, action, (number, order, left) = best
        fillings[action] = Filling(number, order, left - 1)
        return Action(action)

    def _filled(self, outcome: str, filling: Filling | None, count: int) -> Filling:
        """An outcome whose odds have changed by something else than its own draws."""
        number, order, left = filling or Filling()
        if count < left:
            return Filling(number, order, count)
        fresh = sorted(self._priority(outcome, number + 1, i) for i in range(1, count + 1))
        return Filling(number + 1, tuple(fresh), count)

    def _priority(self, outcome: str, filling: int, i: int) -> int:
        return _number(self._seed, f"azulejos piece {outcome} {filling} {i}")


class ByPly:
    """Every draw has a separate ticket."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def copy(self) -> ByPly:
        return self

    def draw(self, position: Position) -> Action:
        ticket = _number(self._seed, f"azulejos deal {position.ply}")
        return Action(position.game.moves.number(draw(position.odds(), lambda total: ticket % total)))


def _number(seed: str, message: str) -> int:
    return int.from_bytes(hmac.digest(seed.encode(), message.encode(), "sha256"), "big")


# --- afterwards ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Verdict:
    honest: bool
    draws: int
    reason: Message


def verify(
    position: Position, actions: Sequence[int], *, seed: str, promised: str, dealt_from: int = 0
) -> Verdict:
    """Whether a game's draws follow from the seed; `position` is the start and is played forward."""
    if commitment(seed) != promised:
        return Verdict(honest=False, draws=0, reason=msg("The seed is not the one that was promised."))
    draws, dealing = 0, dealer(seed)
    for ply, action in enumerate(actions):
        if position.is_chance and ply >= dealt_from:
            draws += 1
            if dealing.draw(position) != action:
                reason = msg("Action {ply} drew {move}, which does not follow from the seed.",
                             ply=ply + 1, move=position.game.moves.text(action))
                return Verdict(honest=False, draws=draws, reason=reason)
        position.play(action)
    return Verdict(honest=True, draws=draws, reason=msg("Every draw follows from the promised seed."))
