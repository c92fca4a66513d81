"""Deals that nobody can choose or change: all draws follow from a key that was fixed before the first one.

The SHA-256 of the table's seed is shown from the start, the seed itself after the last move. Then anybody
can check every draw.

**The key** is the seed, unless players have added numbers after they knew its SHA-256: then it is

    HMAC-SHA256(key = seed, message = "azulejos numbers N1 N2 …") in hexadecimal digits

with a number for each seat, or "-". Whoever chose the seed did not know the numbers, and whoever chose a
number did not know the seed; so neither can choose the key. The numbers are in the log before the first
draw, in one transaction with it. No deal waits long for them: a seat without one has "-".

**How a piece is drawn.** From the top of a deck. A new deck holds as many pieces of each outcome (``+b``,
for example) as `Position.odds()` says, in ascending order of

    priority = HMAC-SHA256(key, message = "azulejos piece <outcome> <shuffle> <i>")

for piece i of an outcome in the outcome's n-th shuffle, both counted from 1. If exactly the pieces that the
odds name are left in a deck, the next one is taken from it; if in none, a new deck is shuffled. So the same
seed draws the same pieces in the same order, whatever is played, as long as the bags are the same: in Azul
with two players until the bag is filled again, after five rounds.

**Why the odds are exact**, whatever was seen before. No message is used twice, so to anybody who does not
know the seed priorities are independent random numbers, and all orders of a new deck are equally likely.
Whatever its first pieces are, all orders of the others are still equally likely. So the next piece is each
of those left with the same chance, and by the rule their numbers are the odds. Nothing else can tell more
about it: other decks have other priorities, and what people play and which deck is used depend only on what
they have seen.

It matters that a deck is never mended. If outcomes come back (the discs of Chocolatier in every round), and
only those that were drawn got new priorities, the others, known to be late in the order, would stay late:
the same disc came twice running 2.2 times as often as it should.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from azulejos.core.game import Action
from azulejos.core.message import Message, msg
from azulejos.core.position import Position, chance_weights

NO_NUMBER = "-"
"""Stands for a seat whose player has added no number."""


def new_seed() -> str:
    """256 random bits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    return hashlib.sha256(seed.encode()).hexdigest()


def key_of(seed: str, numbers: Sequence[str] = ()) -> str:
    """What all draws of a table follow from: its seed, with the numbers of its seats if there are any."""
    if not any(number != NO_NUMBER for number in numbers):
        return seed
    return _digest(seed, " ".join(("azulejos numbers", *numbers))).hex()


def bot_seed(seed: str, ply: int) -> str:
    """What a bot's choice at a ply may depend on besides the position; unknown as long as the seed is."""
    return _digest(seed, f"azulejos bot {ply}").hex()


class Dealer:
    """Draws the outcomes of one game from one key. Called for every draw of the game, in order."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._decks: dict[frozenset[tuple[int, int]], list[int]] = {}
        """What is left of every deck, as actions, by the number of each."""
        self._shuffles = Counter[int]()
        """How often each action has been shuffled."""

    def copy(self) -> Dealer:
        other = Dealer(self._key)
        other._decks, other._shuffles = self._decks.copy(), self._shuffles.copy()
        return other

    def draw(self, position: Position) -> Action:
        """The outcome in a position where chance is to move; the position is not changed."""
        odds = dict(zip(*chance_weights(position), strict=True))
        deck = self._decks.pop(frozenset(odds.items()), None) or self._shuffled(odds, position)
        top, *rest = deck
        self._decks[frozenset(Counter(rest).items())] = rest
        return Action(top)

    def _shuffled(self, odds: Mapping[int, int], position: Position) -> list[int]:
        self._shuffles.update(odds.keys())
        moves = position.game.moves.moves
        deck = []
        for action, count in odds.items():
            pieces = f"azulejos piece {moves[action].text} {self._shuffles[action]}"
            deck += [(_digest(self._key, f"{pieces} {i}"), action) for i in range(1, count + 1)]
        return [action for _, action in sorted(deck)]


def deal(position: Position, dealer: Dealer) -> None:
    """Draw until a player is to move or the game is over."""
    while position.is_chance:
        position.play(dealer.draw(position))


def dealer_of(position: Position, key: str, *, dealt_from: int = 0) -> Dealer:
    """The dealer of a game after the moves of this position; its own draws began at `dealt_from`."""
    dealer = Dealer(key)
    for ply in range(dealt_from, position.ply):
        before = position.at(ply)
        if before.is_chance:
            dealer.draw(before)
    return dealer


def _digest(seed: str, message: str) -> bytes:
    return hmac.digest(seed.encode(), message.encode(), "sha256")


# --- afterwards ----------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class DealCheck:
    honest: bool
    draws: int
    reason: Message


def verify(
    position: Position, actions: Sequence[int], *, seed: str, promised: str, numbers: Sequence[str] = (),
    dealt_from: int = 0,
) -> DealCheck:
    """Whether a game's draws follow from the seed and the numbers of the players; `position` is the start
    and is played forward."""
    if commitment(seed) != promised:
        return DealCheck(honest=False, draws=0, reason=msg("The seed is not the one that was promised."))
    draws, dealer = 0, Dealer(key_of(seed, numbers))
    for ply, action in enumerate(actions):
        if position.is_chance and ply >= dealt_from:
            draws += 1
            if dealer.draw(position) != action:
                reason = msg("Action {ply} drew {move}, which does not follow from the seed.",
                             ply=ply + 1, move=position.game.moves.text(action))
                return DealCheck(honest=False, draws=draws, reason=reason)
        position.play(action)
    return DealCheck(honest=True, draws=draws, reason=msg("Every draw follows from the promised seed."))
