"""Why a turn is better than another: lines, floor lines, bonuses, who starts, what is left for later."""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Tell
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Brought, Cause, Fact, Future
from azulejos.core.verbs import LEGAL
from azulejos.games.azul.boards import refused_line
from azulejos.games.azul.headlines import headline, turn
from azulejos.games.azul.layout import LINES, OFFER, State
from azulejos.games.azul.moves import COLOUR_NAMES, MOVES, Take
from azulejos.games.azul.reasons import COLOUR, FLOOR_LINE, FULL_COLUMN, FULL_ROW, TILE
from azulejos.parts.deal_story import average_draw, drawn, told
from azulejos.parts.deal_story import brought as brought_by
from azulejos.parts.headline_words import where
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at

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
    left = int(s.centre[colour]) + int(s.factories[:, colour].sum())
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
    average = average_draw(before.bag, before.lid, int(tiles.sum()))
    room, needed = (
        np.array([[_room(dealt, seat, colour, least) for colour in range(COLOURS)]
                  for seat in range(dealt.players)]) for least in (0, 1)
    )
    return brought_by(np.tile(tiles, 2), np.tile(average, 2), np.hstack([room, needed]))


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
    headline=headline, turn=turn, brought=brought, tell_deal=tell_deal,
)
