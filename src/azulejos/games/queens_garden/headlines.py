"""What a turn did and what it cost, in the words of a player: the headlines of reviews, and turns told."""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Difference, NameOf
from azulejos.games.queens_garden.moves import FIELD_NAMES, Acquire, Buy, Pass, Slot, Tile, hexagon_name
from azulejos.parts.headline_words import next_start


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
                    n=n, m=m))
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
    )


def _jokers(kept: int, n: int) -> tuple[Message, ...]:
    if n <= kept:
        return ()
    return (nmsg("You could have kept {n} joker instead of {m}.",
                 "You could have kept {n} jokers instead of {m}.", n=n, m=kept),
            nmsg("That was dear: {n} joker more than necessary.",
                 "That was dear: {n} jokers more than necessary.", n=n - kept))


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
        return msg("Acquire: {what}.", what=what)
    return msg("{name} acquires: {what}.", name=name, what=what) if name else \
        msg("You acquired: {what}.", what=what)


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
