"""What a turn did and what it cost, in the words of a player: the headlines of reviews, and turns told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Difference, NameOf
from azulejos.games.azul import preview
from azulejos.games.azul.moves import FLOOR, Column, Divide, Take
from azulejos.parts.headline_words import end_points, from_where, last_round, next_start, where
from azulejos.parts.offer import tiles_at

TILES: Final[tuple[Callable[[int], Message], ...]] = (
    lambda n: nmsg("{n} blue tile", "{n} blue tiles", n=n),
    lambda n: nmsg("{n} yellow tile", "{n} yellow tiles", n=n),
    lambda n: nmsg("{n} red tile", "{n} red tiles", n=n),
    lambda n: nmsg("{n} black tile", "{n} black tiles", n=n),
    lambda n: nmsg("{n} white tile", "{n} white tiles", n=n),
)
"""[colour]: so many tiles, as what somebody takes or leaves."""
BONUSES: Final = {
    "rows": msg("complete rows"), "columns": msg("complete columns"), "colours": msg("complete colours"),
}


def headline(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    name = name_of(it.played.seat) if it.played.seat >= 0 else ""
    if it.gift is not None:
        return _gift(it, name_of(it.gift.seat))
    if it.played.name == "starts":
        return next_start(it, name_of)
    if it.played.name in ("over", "goes on"):
        return last_round(it)
    if it.played.name in BONUSES:
        return end_points(it, BONUSES[it.played.name], name)
    if it.played.name == "floor":
        return _their_floor(it, name) if name else _own_floor(it)
    return _their_line(it, name) if name else _own_line(it)


# --- lines -----------------------------------------------------------------------------------------------


def _gift(it: Difference, name: str) -> tuple[Message, ...]:
    """Tiles left to a seat whose line they fill."""
    assert it.gift is not None
    number, colour, source = it.gift.numbers
    line, tiles, place = it.gift.place + 1, TILES[colour](number), where(source)
    if it.taken and it.happened and it.played.name == "filled":
        n = it.played.numbers[0]
        return (
            nmsg("You left {tiles} {where}. With that, {name} filled line {line} for {n} point.",
                 "You left {tiles} {where}. With that, {name} filled line {line} for {n} points.",
                 n=n, tiles=tiles, where=place, name=name, line=line),
            nmsg("With {tiles} that you left {where}, {name} filled line {line} for {n} point.",
                 "With {tiles} that you left {where}, {name} filled line {line} for {n} points.",
                 n=n, tiles=tiles, where=place, name=name, line=line),
            nmsg("{name} filled line {line} for {n} point, with {tiles} that you left {where}.",
                 "{name} filled line {line} for {n} points, with {tiles} that you left {where}.",
                 n=n, tiles=tiles, where=place, name=name, line=line),
        )
    return (
        msg("You left {tiles} {where}, enough to fill line {line} of {name}.", tiles=tiles, where=place,
            name=name, line=line),
        msg("Line {line} of {name} could be filled with {tiles} that you left {where}.", tiles=tiles,
            where=place, name=name, line=line),
    )


def _their_line(it: Difference, name: str) -> tuple[Message, ...]:
    if it.played.name != "filled":
        return ()
    line, n = it.played.place + 1, it.played.numbers[0]
    if it.better.name == "filled":
        if not it.happened or n <= it.better.numbers[0]:
            return ()
        return (nmsg("{name} filled line {line} for {n} point; it could have been {m}.",
                     "{name} filled line {line} for {n} points; it could have been {m}.",
                     n=n, name=name, line=line, m=it.better.numbers[0]),
                nmsg("Line {line} brought {name} {n} point; it could have been {m}.",
                     "Line {line} brought {name} {n} points; it could have been {m}.",
                     n=n, name=name, line=line, m=it.better.numbers[0]))
    if it.happened:
        return (
            nmsg("You let {name} fill line {line} for {n} point.",
                 "You let {name} fill line {line} for {n} points.", n=n, name=name, line=line),
            nmsg("{name} filled line {line} for {n} point; the better turn keeps it open.",
                 "{name} filled line {line} for {n} points; the better turn keeps it open.",
                 n=n, name=name, line=line),
        )
    return (
        nmsg("That gave {name} a chance to fill line {line} for {n} point.",
             "That gave {name} a chance to fill line {line} for {n} points.", n=n, name=name, line=line),
        nmsg("After that, {name} could hope to fill line {line} for {n} point.",
             "After that, {name} could hope to fill line {line} for {n} points.",
             n=n, name=name, line=line),
    )


def _own_line(it: Difference) -> tuple[Message, ...]:
    line = it.played.place + 1
    if it.better.name == "filled":
        n = it.better.numbers[0]
        if it.played.name == "filled":
            return _worth_more(line, it.played.numbers[0], n)
        missed = _missed(line, n)
        if it.played.name == "short":
            missing, left, _ = it.played.numbers
            return (msg("After that, your line {line} could not be filled any more: {missing} more needed, "
                        "{left} left to take.", line=line, missing=missing, left=left), *missed)
        if not it.happened:
            return (nmsg("That put your line {line} at risk, worth {n} point.",
                         "That put your line {line} at risk, worth {n} points.", n=n, line=line), *missed)
        return (nmsg("Your line {line} stayed open. Full, it would have brought {n} point.",
                     "Your line {line} stayed open. Full, it would have brought {n} points.",
                     n=n, line=line), *missed)
    if it.played.name == "filled" and it.happened:
        n = it.played.numbers[0]
        return (nmsg("You filled line {line} for {n} point, but another turn was worth more.",
                     "You filled line {line} for {n} points, but another turn was worth more.",
                     n=n, line=line),
                nmsg("Filling line {line} for {n} point came at a price.",
                     "Filling line {line} for {n} points came at a price.", n=n, line=line))
    return ()


def _missed(line: int, n: int) -> tuple[Message, ...]:
    return (
        nmsg("You could have filled line {line} for {n} point.",
             "You could have filled line {line} for {n} points.", n=n, line=line),
        nmsg("{n} point was within reach on your line {line}.",
             "{n} points were within reach on your line {line}.", n=n, line=line),
        nmsg("Line {line} could have been full by the end of the round, for {n} point.",
             "Line {line} could have been full by the end of the round, for {n} points.", n=n, line=line),
    )


def _worth_more(line: int, got: int, n: int) -> tuple[Message, ...]:
    if n <= got:
        return ()
    return (nmsg("Line {line} could have been worth {n} point instead of {m}.",
                 "Line {line} could have been worth {n} points instead of {m}.", n=n, line=line, m=got),
            nmsg("Filled another way, line {line} brings you {n} point, not {m}.",
                 "Filled another way, line {line} brings you {n} points, not {m}.", n=n, line=line, m=got))


# --- the floor line --------------------------------------------------------------------------------------


def _own_floor(it: Difference) -> tuple[Message, ...]:
    paid, enough = -it.played.numbers[0], -it.better.numbers[0]
    if paid <= enough:
        return ()
    more = nmsg("{n} point too many for your floor line.", "{n} points too many for your floor line.",
                n=paid - enough)
    if not it.happened:
        return (nmsg("That leads to {n} point for your floor line instead of {m}.",
                     "That leads to {n} points for your floor line instead of {m}.",
                     n=paid, m=enough), more)
    return (nmsg("Your floor line cost {n} point; {m} would have been enough.",
                 "Your floor line cost {n} points; {m} would have been enough.", n=paid, m=enough),
            nmsg("You paid {n} point for your floor line instead of {m}.",
                 "You paid {n} points for your floor line instead of {m}.", n=paid, m=enough), more)


def _their_floor(it: Difference, name: str) -> tuple[Message, ...]:
    paid, possible = -it.played.numbers[0], -it.better.numbers[0]
    if not it.happened or paid >= possible:
        return ()
    return (nmsg("The floor line cost {name} {n} point; it could have been {m}.",
                 "The floor line cost {name} {n} points; it could have been {m}.", n=paid, name=name,
                 m=possible),
            nmsg("You spared {name} {n} point on the floor line.",
                 "You spared {name} {n} points on the floor line.", n=possible - paid, name=name))


# --- turns -----------------------------------------------------------------------------------------------


def turn(before: Position, actions: Sequence[int], name: str | None) -> list[Message]:
    position, told = before, list[Message]()
    for action in actions:
        told.append(_action(position, action, name))
        position = position.after((action,))
    return told


def _action(position: Position, action: int, name: str | None) -> Message:
    move = position.game.moves[action]
    if isinstance(move, Take):
        return _take(position, move, name)
    if isinstance(move, Column):
        return _column(move.column + 1, name)
    assert isinstance(move, Divide)
    return _divide(preview.effect(position, action), name)


def _take(position: Position, move: Take, name: str | None) -> Message:
    s = position.state
    tiles = TILES[move.colour](tiles_at(s.factories, s.centre, move.source, move.colour))
    source, line = from_where(move.source), move.target + 1
    if move.target == FLOOR:
        if name is None:
            return msg("Take {tiles} {source} for the floor line.", tiles=tiles, source=source)
        if not name:
            return msg("You took {tiles} {source} for the floor line.", tiles=tiles, source=source)
        return msg("{name} takes {tiles} {source} for the floor line.", name=name, tiles=tiles,
                   source=source)
    if name is None:
        return msg("Take {tiles} {source} for line {line}.", tiles=tiles, source=source, line=line)
    if not name:
        return msg("You took {tiles} {source} for line {line}.", tiles=tiles, source=source, line=line)
    return msg("{name} takes {tiles} {source} for line {line}.", name=name, tiles=tiles, source=source,
               line=line)


def _column(column: int, name: str | None) -> Message:
    if name is None:
        return msg("Put the tile in column {column}.", column=column)
    if not name:
        return msg("You put the tile in column {column}.", column=column)
    return msg("{name} puts the tile in column {column}.", name=name, column=column)


def _divide(what: Message, name: str | None) -> Message:
    if name is None:
        return msg("Divide the rest: {what}.", what=what)
    if not name:
        return msg("You divided the rest: {what}.", what=what)
    return msg("{name} divides the rest: {what}.", name=name, what=what)
