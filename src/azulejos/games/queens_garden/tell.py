"""Why a turn is better than another: the garden on the wheel and in groups, storage, jokers, passing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from azulejos.core import layout
from azulejos.core.contract import Tell
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Brought, Cause, Difference, Fact, Future, NameOf
from azulejos.games.queens_garden.components import FIELDS, HEXAGONS, PAVILION_POINTS, ROUNDS
from azulejos.games.queens_garden.garden import on_field, value_of
from azulejos.games.queens_garden.layout import BACK, EMPTY, State
from azulejos.games.queens_garden.moves import (
    FIELD_NAMES, PASS, Acquire, Buy, Pass, Slot, Tile, hexagon_name,
)
from azulejos.games.queens_garden.prospects import wheel_from_now
from azulejos.games.queens_garden.reasons import (
    BACK_BOUGHT, DISCARDED, JOKERS_LEFT, PASSED_FIRST, PAVILION_SEEN, PIECES_LEFT,
)
from azulejos.games.queens_garden.scoring import worth
from azulejos.parts.sentences import average_draw, brought as brought_by, drawn, next_start

# --- headlines of reviews -----------------------------------------------------------------------------


def headline(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    if it.played.name == "starts":
        return next_start(it, name_of) if it.better.name == "starts" else ()
    if it.played.seat < 0 or name_of(it.played.seat):
        return ()
    if it.played.name == "garden":
        return _garden(it.played.numbers[0], it.better.numbers[0])
    if it.played.name == "jokers":
        return _jokers(it.played.numbers[0], it.better.numbers[0])
    if it.played.name == "storage" and it.played.numbers[0] != it.better.numbers[0]:
        m, n = it.played.numbers[0], it.better.numbers[0]
        return (msg("Hexagons in your storage after that: {m}, not {n}.", m=m, n=n),
                msg("The better turn leaves {n} of your hexagons in the storage instead of {m}.",
                    n=n, m=m),
                msg("Your storage holds {m} of your hexagons after that, not {n}.", m=m, n=n),
                msg("{n} of your hexagons in the storage would have been better than {m}.", m=m, n=n),
                msg("After that you had {m} of your hexagons in the storage, not {n}.", m=m, n=n),
                msg("What was left in your storage: {m} of your hexagons, not {n}.", m=m, n=n))
    if it.played.name == "passes":
        n = it.played.numbers[0]
        return (nmsg("You passed too early, with {n} hexagon in the storage.",
                     "You passed too early, with {n} hexagons in the storage.", n=n),
                nmsg("It was too early to pass: {n} hexagon was still in your storage.",
                     "It was too early to pass: {n} hexagons were still in your storage.", n=n))
    return ()


def _garden(got: int, n: int) -> tuple[Message, ...]:
    if n <= got:
        return ()
    return (
        nmsg("Your garden could have become worth {n} point instead of {m}.",
             "Your garden could have become worth {n} points instead of {m}.", n=n, m=got),
        nmsg("{n} point more was possible for your garden.",
             "{n} points more were possible for your garden.", n=n - got),
        nmsg("You left your garden at {n} point, where {m} were possible.",
             "You left your garden at {n} points, where {m} were possible.", n=got, m=n),
        nmsg("The better turn leads your garden to {n} point, this one to {m}.",
             "The better turn leads your garden to {n} points, this one to {m}.", n=n, m=got),
        nmsg("{n} point for your garden was to be expected, not {m}.",
             "{n} points for your garden were to be expected, not {m}.", n=n, m=got),
        nmsg("For your garden, another turn promised {n} point more.",
             "For your garden, another turn promised {n} points more.", n=n - got),
    )


def _jokers(kept: int, n: int) -> tuple[Message, ...]:
    if n <= kept:
        return ()
    return (nmsg("You could have kept {n} joker instead of {m}.",
                 "You could have kept {n} jokers instead of {m}.", n=n, m=kept),
            nmsg("That was dear: {n} joker more than necessary.",
                 "That was dear: {n} jokers more than necessary.", n=n - kept),
            nmsg("{n} joker left would have been possible, not {m}.",
                 "{n} jokers left would have been possible, not {m}.", n=n, m=kept),
            nmsg("Too dear by {n} joker.", "Too dear by {n} jokers.", n=n - kept),
            nmsg("Your jokers: {m} left, where {n} was possible.",
                 "Your jokers: {m} left, where {n} were possible.", n=n, m=kept))


# --- turns -----------------------------------------------------------------------------------------------


def turn(before: Position, actions: Sequence[int], name: str | None) -> list[Message]:
    """By its first action: where a piece goes and how it is paid for are shown, not told."""
    move, s = before.game.moves[actions[0]], before.state
    if isinstance(move, Acquire):
        return [_acquire(FIELD_NAMES[move.field], name)]
    if isinstance(move, Tile):
        return [_place(hexagon_name(move.hexagon), name)]
    if isinstance(move, Slot):
        return [_set(hexagon_name(int(s.slots[s.to_move, move.slot]) - 1), name)]
    if isinstance(move, Buy):
        return [_buy(name)]
    return [_pass(name)] if isinstance(move, Pass) else []


def _acquire(what: Message, name: str | None) -> Message:
    if name is None:
        return msg("Take: {what}.", what=what)
    return msg("{name} takes: {what}.", name=name, what=what) if name else \
        msg("You took: {what}.", what=what)


def _place(hexagon: Message, name: str | None) -> Message:
    if name is None:
        return msg("Place this tile: {hexagon}.", hexagon=hexagon)
    return msg("{name} places this tile: {hexagon}.", name=name, hexagon=hexagon) if name else \
        msg("You placed this tile: {hexagon}.", hexagon=hexagon)


def _set(hexagon: Message, name: str | None) -> Message:
    if name is None:
        return msg("Place the expansion with this hexagon: {hexagon}.", hexagon=hexagon)
    return msg("{name} places the expansion with this hexagon: {hexagon}.", name=name, hexagon=hexagon) \
        if name else msg("You placed the expansion with this hexagon: {hexagon}.", hexagon=hexagon)


def _buy(name: str | None) -> Message:
    if name is None:
        return msg("Buy a face-down expansion.")
    return msg("{name} buys a face-down expansion.", name=name) if name else \
        msg("You bought a face-down expansion.")


def _pass(name: str | None) -> Message:
    if name is None:
        return msg("Pass now.")
    return msg("{name} passes.", name=name) if name else msg("You passed.")


# --- aspects ------------------------------------------------------------------------------------------


GARDEN: Final = frozenset(range(PAVILION_SEEN + 1))
BOARD: Final = {
    "garden": (("garden", "places"), GARDEN),
    "storage": (("stored", "slots"), frozenset({PIECES_LEFT, DISCARDED})),
    "jokers": (("jokers",), frozenset({JOKERS_LEFT})),
    "passing": (("passed",), frozenset({PASSED_FIRST})),
    "purchases": ((), frozenset({BACK_BOUGHT})),
}
"""Aspects of a board: its fields, and the reasons for points that belong to it."""
ON_FIELD: Final = tuple(
    tuple(hexagon for hexagon in range(HEXAGONS) if on_field(hexagon, field)) for field in range(FIELDS)
)
"""[field]: the hexagons of that colour or pattern."""
N = TypeVar("N", int, float)


def aspects(position: Position) -> list[Aspect]:
    boards = {field for fields, _ in BOARD.values() for field in fields}
    table = [name for name in layout.fields_of(State) if name not in boards | {"score", "marker"}]
    found = [Aspect(name="display", parts=tuple((field, ()) for field in table)),
             Aspect(name="start", parts=(("marker", ()),))]
    for seat in range(position.players):
        found += [
            Aspect(name=name, seat=seat, parts=tuple((field, (seat,)) for field in fields), codes=codes)
            for name, (fields, codes) in BOARD.items()
        ]
    return found


# --- facts -----------------------------------------------------------------------------------------------


def fact(aspect: Aspect, future: Future) -> Fact | None:
    s, seat = future.end.state, aspect.seat
    if aspect.name == "start":
        return Fact(name="starts", seat=int(s.marker)) if s.marker >= 0 else Fact(name="nobody passed")
    if aspect.name == "display":
        return None
    return Fact(name=aspect.name, seat=seat, numbers=_numbers(s, aspect.name, seat, future.points(aspect)))


def _numbers(s: State, name: str, seat: int, scored: int) -> tuple[int, ...]:
    if name == "garden":
        return garden_points(s, scored, seat)
    if name == "storage":
        return storage(s, seat)
    if name == "jokers":
        return (int(s.jokers[seat]),)
    return (int(s.passed[seat]),) if name == "passing" else (scored,)


def storage(s: State, seat: int) -> tuple[int, int, int]:
    """How many pieces, their values, and the most different ones of one colour or pattern."""
    tiles = [hexagon for hexagon in range(HEXAGONS) for _ in range(int(s.stored[seat, hexagon]))]
    pieces = tiles + [int(number) - 1 for number in s.slots[seat] if number != EMPTY]
    most = max(sum(on_field(hexagon, field) for hexagon in set(pieces)) for field in range(FIELDS))
    return len(pieces), sum(value_of(hexagon) for hexagon in pieces), most


def garden_points(s: State, scored: int, seat: int) -> tuple[int]:
    """What the garden has scored since and will score if nothing is added to it."""
    if s.to_move == -2:
        return (scored,)
    rounds_left = ROUNDS + 1 - int(s.round)
    pavilions = sum(int(place) > BACK for place in s.places[seat]) * PAVILION_POINTS * rounds_left
    wheel = sum(wheel_from_now(s, int(number) - 1) for number in s.garden[seat] if number)
    return (scored + sum(worth(s, seat)) + pavilions + int(wheel),)


def gives_up(before: Position, action: int, better: int) -> tuple[Fact, Fact] | None:
    """Passing ends all turns of the round."""
    if action != PASS or better == PASS:
        return None
    seat = before.to_move
    passes = Fact(name="passes", seat=seat, numbers=(storage(before.state, seat)[0],))
    return passes, Fact(name="passing", seat=seat, numbers=(0,))


# --- deals -----------------------------------------------------------------------------------------------


def brought(before: State, dealt: State) -> list[Brought]:
    """Tiles drawn of each colour and pattern, and how many of it lie in each garden."""
    tiles = drawn(before.bag, before.tower, dealt.bag, dealt.tower)
    average = average_draw(before.bag, before.tower, sum(tiles))
    lying = [dealt.garden[seat].tolist() for seat in range(dealt.players)]
    gardens = [[cells.count(hexagon + 1) for hexagon in range(HEXAGONS)] for cells in lying]
    return brought_by(_by_field(tiles), _by_field(average), [_by_field(garden) for garden in gardens])


def _by_field(counts: Sequence[N]) -> list[N]:
    """[field]: the sum of what is counted of its hexagons."""
    return [sum((counts[hexagon] for hexagon in ON_FIELD[field]), start=counts[0] * 0)
            for field in range(FIELDS)]


def tell_deal(deal: Brought, round_: int, seats: tuple[int, int], name: str) -> Message:
    yours, theirs = (deal.room[seat] for seat in seats)
    return msg("Round {round}, {colour}: {pieces} drawn instead of {average} on average. Your garden has "
               "{yours}, {name}'s {theirs}.", round=round_, colour=FIELD_NAMES[deal.kind],
               pieces=deal.pieces, average=deal.average, yours=yours, theirs=theirs, name=name)


# --- words -----------------------------------------------------------------------------------------------


def say(fact: Fact, name: str) -> Message:
    n = fact.numbers[0] if fact.numbers else 0
    if fact.name == "starts":
        return (msg("{name} passes first and starts the next round", name=name) if name
                else msg("you pass first and start the next round"))
    if fact.name == "nobody passed":
        return msg("nobody has passed")
    if fact.name == "passing":
        return _passing(n, name)
    if fact.name == "passes":
        return _passes(n, name)
    if fact.name == "storage":
        return _storage(name, *fact.numbers)
    if name:
        return {
            "garden": nmsg("{name}'s garden is worth {n} point from here to the end",
                           "{name}'s garden is worth {n} points from here to the end", n=n, name=name),
            "jokers": nmsg("{name} has {n} joker", "{name} has {n} jokers", n=n, name=name),
            "purchases": msg("{name}, {what}: {points} points", name=name,
                             what=msg("face-down expansions"), points=n),
        }[fact.name]
    return {
        "garden": nmsg("your garden is worth {n} point from here to the end",
                       "your garden is worth {n} points from here to the end", n=n),
        "jokers": nmsg("you have {n} joker", "you have {n} jokers", n=n),
        "purchases": msg("your points, {what}: {points}", what=msg("face-down expansions"), points=n),
    }[fact.name]


def _storage(name: str, pieces: int, values: int, most: int) -> Message:
    if name:
        return nmsg(
            "{name} has {n} hexagon in the storage (value {values})",
            "{name} has {n} hexagons in the storage (values {values}), {most} different ones of one colour "
            "or pattern", n=pieces, values=values, most=most, name=name)
    return nmsg(
        "you have {n} hexagon in the storage (value {values})",
        "you have {n} hexagons in the storage (values {values}), {most} different ones of one colour "
        "or pattern", n=pieces, values=values, most=most)


def _passing(passed: int, name: str) -> Message:
    if name:
        return msg("{name} has passed", name=name) if passed else msg("{name} goes on", name=name)
    return msg("you have passed") if passed else msg("you go on")


def _passes(pieces: int, name: str) -> Message:
    if name:
        return nmsg("{name} passes, with {n} hexagon in the storage",
                    "{name} passes, with {n} hexagons in the storage", n=pieces, name=name)
    return nmsg("you pass, with {n} hexagon in the storage", "you pass, with {n} hexagons in the storage",
                n=pieces)


CAUSES: Final = {
    "starts": Cause.START, "nobody passed": Cause.START,
    **dict.fromkeys(("storage", "jokers", "passing", "passes", "purchases"), Cause.SUPPLIES),
}
TELL: Final = Tell[State](
    aspects=aspects, fact=fact, say=say, gives_up=gives_up, causes=CAUSES, headline=headline, turn=turn,
    brought=brought,
    tell_deal=tell_deal,
)
