"""Selecting pieces of the storage in any order, for payments and for discards on passing.

The rules take the pieces one by one in a fixed order (``storage.py``). Here a person can mark any of them,
and the marked pieces are judged as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.scene import Marking, Selection
from azulejos.games.queens_garden.components import HEXAGONS
from azulejos.games.queens_garden.garden import value_of
from azulejos.games.queens_garden.layout import (
    BY_COLOUR, BY_PATTERN, DISCARDING, PAYING, PIECES, UNDECIDED, State,
)
from azulejos.games.queens_garden.moves import JOKERS, PASS, PIECE, hexagon_name, kind
from azulejos.games.queens_garden.storage import hexagon_of, mark, shared

JOKER: Final = PIECES
"""A joker, numbered after the pieces of the storage."""


def selection(position: Position) -> Selection | None:
    """The pieces that can be marked now, with the cheapest payment marked."""
    s = position.state
    if s.stage == PAYING:
        return Selection(_slots(s, _payable(s)), _slots(s, _cheapest(s)))
    return Selection(_slots(s, _discardable(s)), ()) if s.stage == DISCARDING else None


def judge(position: Position, marked: Sequence[str]) -> Marking:
    """Whether the marked pieces are a valid payment or discard; if so, with the moves that make it."""
    s = position.state
    by_slot = {_slot(s, piece): piece for piece in range(JOKER + 1)}
    pieces = sorted(by_slot[slot] for slot in marked)
    return _judge_payment(s, pieces) if s.stage == PAYING else _judge_discards(position, pieces)


def _slot(s: State, piece: int) -> str:
    mine = f"seat{s.seat + 1}"
    if piece == JOKER:
        return f"{mine}.jokers"
    return f"{mine}.tile.{kind(piece)}" if piece < HEXAGONS else f"{mine}.x{piece - HEXAGONS + 1}"


def _slots(s: State, pieces: list[int]) -> tuple[str, ...]:
    return tuple(_slot(s, piece) for piece in pieces)


# --- payments ----------------------------------------------------------------------------------------


def _placed(s: State) -> int:
    """The hexagon that is being paid for."""
    return int(s.garden[s.seat, s.laid_at]) - 1


def _payable(s: State) -> list[int]:
    """Pieces that could be part of a payment, and as many jokers as could be needed."""
    pieces = [piece for piece in range(s.last + 1, PIECES) if _could_pay(s, piece)]
    return pieces + [JOKER] * min(int(s.jokers[s.seat]), int(s.due))


def _could_pay(s: State, piece: int) -> bool:
    hexagon = hexagon_of(s, s.seat, piece)
    pay_by = shared(_placed(s), hexagon)
    if hexagon < 0 or pay_by == UNDECIDED:
        return False
    return s.pay_by == UNDECIDED or (s.pay_by == pay_by and not s.used & mark(pay_by, hexagon))


def _cheapest(s: State) -> list[int]:
    """The payment that uses the fewest jokers, then the fewest expansions, then the lowest values."""
    ways = [_cheapest_by(s, pay_by) for pay_by in (BY_PATTERN, BY_COLOUR)]
    possible = [way for way in ways if way.count(JOKER) <= s.jokers[s.seat]]
    return min(possible, key=lambda way: _price(s, way))


def _cheapest_by(s: State, pay_by: int) -> list[int]:
    by_hexagon: dict[int, int] = {}
    for piece in range(s.last + 1, PIECES):  # tiles come before expansions
        hexagon = hexagon_of(s, s.seat, piece)
        if _could_pay(s, piece) and shared(_placed(s), hexagon) == pay_by:
            by_hexagon.setdefault(hexagon, piece)
    pieces = sorted(by_hexagon.values(), key=lambda piece: _price(s, [piece]))[: int(s.due)]
    return pieces + [JOKER] * (int(s.due) - len(pieces))


def _price(s: State, pieces: list[int]) -> tuple[int, int, int]:
    """Jokers, expansions, and the total value of all hexagons."""
    hexagons = [piece for piece in pieces if piece != JOKER]
    expansions = sum(piece >= HEXAGONS for piece in hexagons)
    values = sum(value_of(hexagon_of(s, s.seat, piece)) for piece in hexagons)
    return pieces.count(JOKER), expansions, values


def _judge_payment(s: State, pieces: list[int]) -> Marking:
    cost = value_of(_placed(s))
    paid = cost - int(s.due) + len(pieces)
    text = msg("{paid} of {n} paid for {hexagon}.",
               paid=paid - 1, n=cost - 1, hexagon=hexagon_name(_placed(s)))
    problem = _clash(s, [hexagon_of(s, s.seat, piece) for piece in pieces if piece != JOKER])
    if problem is None and paid > cost:
        problem = nmsg("That is {n} piece too many.", "That is {n} pieces too many.", n=paid - cost)
    if problem is not None or paid < cost:
        return Marking(text, problem=problem)
    tiles = tuple(PIECE + piece for piece in pieces if piece != JOKER)
    return Marking(text, actions=(*tiles, JOKERS) if JOKER in pieces else tiles)


def _clash(s: State, hexagons: list[int]) -> Message | None:
    """Why these cannot pay together: not one colour or pattern, or two are alike (queens-garden.md 3)."""
    placed = _placed(s)
    by_pattern = [hexagon for hexagon in hexagons if shared(placed, hexagon) == BY_PATTERN]
    by_colour = [hexagon for hexagon in hexagons if shared(placed, hexagon) == BY_COLOUR]
    if by_pattern and by_colour:
        return msg("{first} shares the colour of {placed}, but {second} only its pattern: use one or the "
                   "other.",
                   first=hexagon_name(by_colour[0]), second=hexagon_name(by_pattern[0]),
                   placed=hexagon_name(placed))
    twins = [hexagon for hexagon in hexagons if hexagons.count(hexagon) > 1]
    return msg("Identical hexagons cannot pay together: {hexagon}.", hexagon=hexagon_name(twins[0])) \
        if twins else None


# --- discards ----------------------------------------------------------------------------------------


def _discardable(s: State) -> list[int]:
    pieces = []
    for piece in range(max(0, int(s.last)), PIECES):
        if hexagon_of(s, s.seat, piece) >= 0:
            pieces += [piece] * (int(s.stored[s.seat, piece]) if piece < HEXAGONS else 1)
    return pieces


def _judge_discards(position: Position, pieces: list[int]) -> Marking:
    if not pieces:
        return Marking(msg("Mark the hexagons you want to discard, or discard none."), actions=(PASS,))
    s = position.state
    loss = sum(value_of(hexagon_of(s, s.seat, piece)) for piece in pieces)
    points = int(s.score[s.seat])
    text = nmsg("Discard {n} hexagon: {points} points.", "Discard {n} hexagons: {points} points.",
                n=len(pieces), points=f"−{loss}")
    if loss > points:
        few = nmsg("You have only {n} point.", "You have only {n} points.", n=points)
        return Marking(text, problem=few)
    return Marking(text, actions=_passing(position.copy(), tuple(PIECE + piece for piece in pieces)))


def _passing(ahead: Position, discards: tuple[int, ...]) -> tuple[int, ...]:
    """The discards, then a pass; the pass is omitted if the turn ends by itself."""
    for action in discards:
        ahead.play(action)
    return (*discards, PASS) if ahead.in_turn else discards
