"""Why a turn is better than another: lines, floor lines, bonuses, who starts, what is left for later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from azulejos.core.contract import Tell
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Brought, Cause, Difference, Fact, Future, NameOf
from azulejos.core.verbs import LEGAL
from azulejos.games.azul import preview
from azulejos.games.azul.boards import refused_line
from azulejos.games.azul.layout import LINES, OFFER, State
from azulejos.games.azul.moves import COLOUR_NAMES, FLOOR, MOVES, Column, Divide, Take
from azulejos.games.azul.reasons import COLOUR, FLOOR_LINE, FULL_COLUMN, FULL_ROW, TILE
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at
from azulejos.parts.sentences import (
    average_draw, brought as brought_by, drawn, end_points, from_where, last_round, next_start, taken, told,
    where,
)

# --- headlines of reviews -----------------------------------------------------------------------------


TILES: Final[tuple[Callable[[int], Message], ...]] = (
    lambda n: nmsg("{n} blue tile", "{n} blue tiles", n=n),
    lambda n: nmsg("{n} yellow tile", "{n} yellow tiles", n=n),
    lambda n: nmsg("{n} red tile", "{n} red tiles", n=n),
    lambda n: nmsg("{n} black tile", "{n} black tiles", n=n),
    lambda n: nmsg("{n} white tile", "{n} white tiles", n=n),
)
"""[colour]: so many tiles, as what somebody takes or leaves."""
BONUS_WORDS: Final = {
    "rows": msg("complete rows"), "columns": msg("complete columns"), "colours": msg("complete colours"),
}


def headline(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    name = name_of(it.played.seat) if it.played.seat >= 0 else ""
    if it.gift is not None:
        return _gave(it, name_of(it.gift.seat))
    if it.played.name == "starts":
        return next_start(it, name_of)
    if it.played.name in ("over", "goes on"):
        return last_round(it)
    if it.played.name in BONUS_WORDS:
        return end_points(it, BONUS_WORDS[it.played.name], name)
    if it.played.name == "floor":
        return _their_floor(it, name) if name else _own_floor(it)
    return _their_line(it, name) if name else _own_line(it)


# --- lines -----------------------------------------------------------------------------------------------


def _gave(it: Difference, name: str) -> tuple[Message, ...]:
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
        msg("{name} could fill line {line} with {tiles} that you left {where}.", tiles=tiles, where=place,
            name=name, line=line),
        msg("With {tiles} that you left {where}, {name} could fill line {line}.", tiles=tiles, where=place,
            name=name, line=line),
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
            nmsg("Line {line} brought {name} {n} point; the better turn keeps it open.",
                 "Line {line} brought {name} {n} points; the better turn keeps it open.",
                 n=n, name=name, line=line),
            nmsg("For {n} point, {name} could fill line {line} after that.",
                 "For {n} points, {name} could fill line {line} after that.", n=n, name=name, line=line),
        )
    return (
        nmsg("That gave {name} a chance to fill line {line} for {n} point.",
             "That gave {name} a chance to fill line {line} for {n} points.", n=n, name=name, line=line),
        nmsg("After that, {name} could hope to fill line {line} for {n} point.",
             "After that, {name} could hope to fill line {line} for {n} points.",
             n=n, name=name, line=line),
        nmsg("{name} was left a chance to fill line {line} for {n} point.",
             "{name} was left a chance to fill line {line} for {n} points.", n=n, name=name, line=line),
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
                     "Filling line {line} for {n} points came at a price.", n=n, line=line),
                nmsg("Line {line} brought you {n} point, but another turn was worth more.",
                     "Line {line} brought you {n} points, but another turn was worth more.",
                     n=n, line=line),
                nmsg("There was something better than filling line {line} for {n} point.",
                     "There was something better than filling line {line} for {n} points.", n=n, line=line))
    return ()


def _missed(line: int, n: int) -> tuple[Message, ...]:
    return (
        nmsg("You could have filled line {line} for {n} point.",
             "You could have filled line {line} for {n} points.", n=n, line=line),
        nmsg("{n} point was within reach on your line {line}.",
             "{n} points were within reach on your line {line}.", n=n, line=line),
        nmsg("Line {line} could have been full by the end of the round, for {n} point.",
             "Line {line} could have been full by the end of the round, for {n} points.", n=n, line=line),
        nmsg("By the end of the round, line {line} could have brought you {n} point.",
             "By the end of the round, line {line} could have brought you {n} points.", n=n, line=line),
        nmsg("Full, line {line} was worth {n} point to you.",
             "Full, line {line} was worth {n} points to you.", n=n, line=line),
        nmsg("There was a way to fill line {line} for {n} point.",
             "There was a way to fill line {line} for {n} points.", n=n, line=line),
        nmsg("Missed: a full line {line}, for {n} point.", "Missed: a full line {line}, for {n} points.",
             n=n, line=line),
    )


def _worth_more(line: int, got: int, n: int) -> tuple[Message, ...]:
    if n <= got:
        return ()
    return (nmsg("Line {line} could have been worth {n} point instead of {m}.",
                 "Line {line} could have been worth {n} points instead of {m}.", n=n, line=line, m=got),
            nmsg("Filled another way, line {line} brings you {n} point, not {m}.",
                 "Filled another way, line {line} brings you {n} points, not {m}.", n=n, line=line, m=got),
            nmsg("{n} point instead of {m} was possible on your line {line}.",
                 "{n} points instead of {m} were possible on your line {line}.", n=n, line=line, m=got),
            nmsg("Your line {line} could have brought {n} point, not {m}.",
                 "Your line {line} could have brought {n} points, not {m}.", n=n, line=line, m=got))


# --- the floor line --------------------------------------------------------------------------------------


def _own_floor(it: Difference) -> tuple[Message, ...]:
    paid, enough = -it.played.numbers[0], -it.better.numbers[0]
    if paid <= enough:
        return ()
    more = (
        nmsg("{n} point too many for your floor line.", "{n} points too many for your floor line.",
             n=paid - enough),
        nmsg("Too much went to your floor line: {n} point.",
             "Too much went to your floor line: {n} points.", n=paid - enough),
        nmsg("The better turn saves {n} point on your floor line.",
             "The better turn saves {n} points on your floor line.", n=paid - enough),
    )
    if not it.happened:
        return (nmsg("After that, your floor line costs {n} point instead of {m}.",
                     "After that, your floor line costs {n} points instead of {m}.", n=paid, m=enough),
                nmsg("That leads to {n} point for your floor line instead of {m}.",
                     "That leads to {n} points for your floor line instead of {m}.",
                     n=paid, m=enough), *more)
    return (nmsg("Your floor line cost {n} point; {m} would have been enough.",
                 "Your floor line cost {n} points; {m} would have been enough.", n=paid, m=enough),
            nmsg("You paid {n} point for your floor line instead of {m}.",
                 "You paid {n} points for your floor line instead of {m}.", n=paid, m=enough), *more)


def _their_floor(it: Difference, name: str) -> tuple[Message, ...]:
    paid, possible = -it.played.numbers[0], -it.better.numbers[0]
    if not it.happened or paid >= possible:
        return ()
    return (nmsg("The floor line cost {name} {n} point; it could have been {m}.",
                 "The floor line cost {name} {n} points; it could have been {m}.", n=paid, name=name,
                 m=possible),
            nmsg("You spared {name} {n} point on the floor line.",
                 "You spared {name} {n} points on the floor line.", n=possible - paid, name=name),
            nmsg("{name} paid {n} point for the floor line instead of {m}.",
                 "{name} paid {n} points for the floor line instead of {m}.", n=paid, name=name,
                 m=possible))


# --- turns -----------------------------------------------------------------------------------------------


def turn(before: Position, actions: Sequence[int], name: str | None) -> list[Message]:
    position, told = before, list[Message]()
    for action in actions:
        told.append(_action(position, action, name))
        position = position.after((action,))
    return told


def took(before: Position, actions: Sequence[int]) -> Sequence[Message]:
    move = before.game.moves[actions[0]]
    if not isinstance(move, Take):
        return ()
    s = before.state
    tiles = TILES[move.colour](tiles_at(s.factories, s.centre, move.source, move.colour))
    target = msg("for the floor line") if move.target == FLOOR else \
        msg("for line {line}", line=move.target + 1)
    return taken(tiles, move.source, target)


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


# --- aspects ------------------------------------------------------------------------------------------


BONUSES: Final = {"rows": FULL_ROW, "columns": FULL_COLUMN, "colours": COLOUR}
OFFERED: Final = ("bag", "lid", "factories", "centre", "effects", "gone", "dividing", "laid")
COURSE: Final = ("to_move", "stage", "ended", "round", "marker", "dry_rounds", "tiled")


def aspects(position: Position) -> list[Aspect]:
    found = [
        Aspect(name="end", parts=tuple((field, ()) for field in COURSE)),
        Aspect(name="start", parts=(("starter", ()),)),
        Aspect(name="supply", parts=tuple((field, ()) for field in OFFERED)),
    ]
    for seat in range(position.players):
        found += [_line(seat, line) for line in range(LINES)]
        found.append(Aspect(name="floor", seat=seat, parts=(("floor", (seat,)), ("disc", (seat,))),
                            codes=frozenset({FLOOR_LINE})))
        found += [Aspect(name=name, seat=seat, codes=frozenset({code})) for name, code in BONUSES.items()]
    return found


def _line(seat: int, line: int) -> Aspect:
    """A pattern line with its row of the wall."""
    parts = tuple((field, (seat, line)) for field in ("line_colour", "line_tiles", "wall"))
    row = frozenset(range(LINES * line, LINES * (line + 1)))
    return Aspect(name="line", seat=seat, place=line, parts=parts, codes=frozenset({TILE}), places=row)


# --- facts -----------------------------------------------------------------------------------------------


def fact(aspect: Aspect, future: Future) -> Fact | None:
    s: State = future.end.state
    if aspect.name == "line":
        return _line_fact(aspect, future)
    if aspect.name == "start":
        return None if future.end.is_over else Fact(name="starts", seat=int(s.starter))
    if aspect.name == "end":
        return Fact(name="over" if future.end.is_over else "goes on")
    if aspect.name == "supply":
        return None
    return Fact(name=aspect.name, seat=aspect.seat, numbers=(future.points(aspect),))


def _line_fact(aspect: Aspect, future: Future) -> Fact:
    s, seat, line = future.end.state, aspect.seat, aspect.place
    if any(aspect.holds(scored) for scored in future.scored):
        return Fact(name="filled", seat=seat, place=line, numbers=(future.points(aspect),))
    tiles, colour = int(s.line_tiles[seat, line]), int(s.line_colour[seat, line])
    if not tiles:
        return Fact(name="empty", seat=seat, place=line)
    return Fact(name="begun", seat=seat, place=line, numbers=(tiles, colour))


def certain(aspect: Aspect, future: Future) -> Fact | None:
    """A begun line that the tiles on offer cannot fill any more in this round."""
    s, seat, line = future.turn.state, aspect.seat, aspect.place
    if aspect.name != "line" or s.stage != OFFER or future.turn.to_move < 0:
        return None
    missing, colour = line + 1 - int(s.line_tiles[seat, line]), int(s.line_colour[seat, line])
    left = int(s.centre[colour]) + sum(int(factory[colour]) for factory in s.factories)
    if s.special or not 0 < missing <= line or missing <= left:
        return None
    return Fact(name="short", seat=seat, place=line, numbers=(missing, left, colour))


def gift(position: Position, action: int, aspect: Aspect) -> Fact | None:
    """Tiles that a reply takes to fill the line of an aspect."""
    move, s = position.game.moves[action], position.state
    if not isinstance(move, Take) or aspect.name != "line" or move.target != aspect.place:
        return None
    tiles = tiles_at(s.factories, s.centre, move.source, move.colour)
    if int(s.line_tiles[position.to_move, move.target]) + tiles < move.target + 1:
        return None
    return Fact(name="gift", seat=position.to_move, place=move.target,
                numbers=(tiles, move.colour, move.source))


def remove(s: State, action: int) -> None:
    """Put the tiles that a take would take into the lid."""
    take = MOVES[action]
    assert isinstance(take, Take)
    pile = s.centre if take.source == CENTRE else s.factories[take.source - 1]
    s.lid[take.colour] += pile[take.colour]
    pile[take.colour] = 0


# --- deals -----------------------------------------------------------------------------------------------


def brought(before: State, dealt: State) -> list[Brought]:
    """Tiles drawn, and how many of each colour fit into the pattern lines of each seat; then, as kinds from
    COLOURS on, how many the begun lines need."""
    tiles = drawn(before.bag, before.lid, dealt.bag, dealt.lid)
    average = average_draw(before.bag, before.lid, sum(tiles))
    room = [[_room(dealt, seat, colour, least) for least in (0, 1) for colour in range(COLOURS)]
            for seat in range(dealt.players)]
    return brought_by(tiles * 2, average * 2, room)


def _room(s: State, seat: int, colour: int, least: int) -> int:
    """Free spaces for a colour in pattern lines with at least so many tiles."""
    return sum(line + 1 - int(s.line_tiles[seat, line]) for line in range(LINES)
               if s.line_tiles[seat, line] >= least and refused_line(s, seat, line, colour) == LEGAL)


def tell_deal(deal: Brought, round_: int, seats: tuple[int, int], name: str) -> Message:
    colour = COLOUR_NAMES[deal.kind % COLOURS]
    if deal.kind < COLOURS:
        return told(deal, round_, seats, name, colour)
    yours, theirs = (deal.room[seat] for seat in seats)
    return msg("Round {round}, {colour}: {pieces} instead of {average} on average. Your begun lines needed "
               "{yours}, those of {name} {theirs}.", round=round_, colour=colour, pieces=deal.pieces,
               average=deal.average, yours=yours, theirs=theirs, name=name)


# --- words -----------------------------------------------------------------------------------------------


def say(fact: Fact, name: str) -> Message:
    numbers, line = fact.numbers, fact.place + 1
    if fact.name == "filled":
        return _filled(line, numbers[0], name)
    if fact.name == "empty":
        return (msg("{name}'s line {line} is empty", name=name, line=line) if name
                else msg("your line {line} is empty", line=line))
    if fact.name == "begun":
        return _begun(line, name, *numbers)
    if fact.name == "short":
        return _short(line, name, *numbers)
    if fact.name == "gift":
        return _gift(line, name, *numbers)
    if fact.name == "starts":
        return (msg("{name} starts the next round", name=name) if name
                else msg("you start the next round"))
    if fact.name in ("over", "goes on"):
        return msg("the game ends with this round") if fact.name == "over" else msg("another round follows")
    return _sum(fact.name, numbers[0], name)


def _filled(line: int, points: int, name: str) -> Message:
    if name:
        return nmsg("{name} fills line {line} for {n} point", "{name} fills line {line} for {n} points",
                    n=points, line=line, name=name)
    return nmsg("you fill line {line} for {n} point", "you fill line {line} for {n} points",
                n=points, line=line)


def _begun(line: int, name: str, tiles: int, colour: int) -> Message:
    if name:
        return msg("{name}'s line {line} holds {tiles} of {line} ({colour})",
                   line=line, tiles=tiles, colour=COLOUR_NAMES[colour], name=name)
    return msg("your line {line} holds {tiles} of {line} ({colour})",
               line=line, tiles=tiles, colour=COLOUR_NAMES[colour])


def _short(line: int, name: str, missing: int, left: int, colour: int) -> Message:
    if name:
        return msg("{name} cannot fill line {line} in this round: {missing} more needed, {available} left "
                   "to take ({colour})", line=line, missing=missing, available=left,
                   colour=COLOUR_NAMES[colour], name=name)
    return msg("you cannot fill line {line} in this round: {missing} more needed, {available} left to take "
               "({colour})", line=line, missing=missing, available=left, colour=COLOUR_NAMES[colour])


def _gift(line: int, name: str, tiles: int, colour: int, source: int) -> Message:
    place = where(source)
    if name:
        return msg("{name} can fill line {line} with what you leave {where}: {colour}, {tiles}",
                   line=line, where=place, colour=COLOUR_NAMES[colour], tiles=tiles, name=name)
    return msg("you can fill line {line} with what is left {where}: {colour}, {tiles}",
               line=line, where=place, colour=COLOUR_NAMES[colour], tiles=tiles)


def _sum(name: str, points: int, owner: str) -> Message:
    what = {
        "floor": msg("floor line"), "rows": msg("complete rows"), "columns": msg("complete columns"),
        "colours": msg("complete colours"),
    }[name]
    if owner:
        return msg("{name}, {what}: {points} points", name=owner, what=what, points=points)
    return msg("your points, {what}: {points}", what=what, points=points)


CAUSES: Final = {
    "floor": Cause.PENALTY, "starts": Cause.START, "over": Cause.END, "goes on": Cause.END,
    **dict.fromkeys(BONUSES, Cause.END),
}
TELL: Final = Tell[State](
    aspects=aspects, fact=fact, say=say, certain=certain, gift=gift, remove=remove, causes=CAUSES,
    headline=headline, turn=turn, took=took, brought=brought, tell_deal=tell_deal,
)
