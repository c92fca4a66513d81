"""Why a turn is better than another: strips and windows, the glazier, broken glass, who starts."""

from __future__ import annotations

from typing import Final

import numpy as np

from azulejos.core.contract import Tell
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Brought, Cause, Fact, Future
from azulejos.games.stained_glass.components import STRIP_SPACES, WINDOWS
from azulejos.games.stained_glass.headlines import headline, turn
from azulejos.games.stained_glass.layout import State
from azulejos.games.stained_glass.moves import COLOUR_NAMES, MOVES, Take
from azulejos.games.stained_glass.reasons import (
    BEST_COLOUR,
    BONUS_COLOUR,
    BROKEN,
    ORNAMENT,
    PANES_LEFT,
    TRACK_END,
    WINDOW,
)
from azulejos.games.stained_glass.strips import free_spaces, panes_on
from azulejos.parts.deal_story import average_draw, drawn, told
from azulejos.parts.deal_story import brought as brought_by
from azulejos.parts.headline_words import where
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at

AT_THE_END: Final = {"panes left": PANES_LEFT, "ornaments": ORNAMENT, "best colour": BEST_COLOUR}
OFFERED: Final = ("bag", "tower", "factories", "centre", "track", "laid")
COURSE: Final = ("to_move", "stage", "round")


def aspects(position: Position) -> list[Aspect]:
    found = [
        Aspect(name="course", parts=tuple((field, ()) for field in COURSE)),
        Aspect(name="start", parts=(("starter", ()), ("start_tile", ()))),
        Aspect(name="supply", parts=tuple((field, ()) for field in OFFERED)),
    ]
    for seat in range(position.players):
        found += [_window(seat, window) for window in range(WINDOWS)]
        found.append(Aspect(name="glazier", seat=seat, parts=(("glazier", (seat,)),)))
        found.append(Aspect(name="broken", seat=seat, parts=(("broken", (seat,)), ("lost", (seat,))),
                            codes=frozenset({TRACK_END, BROKEN})))
        found += [
            Aspect(name=name, seat=seat, codes=frozenset({code})) for name, code in AT_THE_END.items()
        ]
    return found


def _window(seat: int, window: int) -> Aspect:
    """A window with its strip."""
    parts = tuple((field, (seat, window)) for field in ("strip", "face", "panes", "windows"))
    return Aspect(name="window", seat=seat, place=window, parts=parts,
                  codes=frozenset({WINDOW, BONUS_COLOUR}), places=frozenset({window}))


# --- facts -----------------------------------------------------------------------------------------------


def fact(aspect: Aspect, future: Future) -> Fact | None:
    s, seat, window = future.end.state, aspect.seat, aspect.place
    if aspect.name == "window":
        done = sum(aspect.holds(scored) and scored.code == WINDOW for scored in future.scored)
        if done:
            return Fact(name="completed", seat=seat, place=window, numbers=(done, future.points(aspect)))
        return Fact(name="panes", seat=seat, place=window, numbers=(panes_on(s, seat, window),))
    if aspect.name == "start":
        return None if future.end.is_over else Fact(name="starts", seat=int(s.starter))
    if aspect.name == "glazier":
        return Fact(name="glazier", seat=seat, place=int(s.glazier[seat]))
    if aspect.name == "broken":
        charged = -future.points(aspect)
        due = 0 if future.end.is_over else int(s.losses[s.broken[seat]])
        return Fact(name="broken", seat=seat, numbers=(charged + due,))
    if aspect.name in AT_THE_END:
        return Fact(name=aspect.name, seat=seat, numbers=(future.points(aspect),))
    return None


def gift(position: Position, action: int, aspect: Aspect) -> Fact | None:
    """Panes that a reply takes to complete the strip of an aspect."""
    move, s, seat = position.game.moves[action], position.state, position.to_move
    if not isinstance(move, Take) or aspect.name != "window" or move.target != aspect.place:
        return None
    panes = tiles_at(s.factories, s.centre, move.source, move.colour)
    fitting = min(panes, free_spaces(s, seat, move.target, move.colour))
    if panes_on(s, seat, move.target) + fitting < STRIP_SPACES:
        return None
    return Fact(name="gift", seat=seat, place=move.target, numbers=(panes, move.colour, move.source))


def remove(s: State, action: int) -> None:
    """Put the panes that a take would take into the tower."""
    take = MOVES[action]
    assert isinstance(take, Take)
    pile = s.centre if take.source == CENTRE else s.factories[take.source - 1]
    s.tower[take.colour] += pile[take.colour]
    pile[take.colour] = 0


# --- deals -----------------------------------------------------------------------------------------------


def brought(before: State, dealt: State) -> list[Brought]:
    """Panes drawn, and how many of each colour fit on the strips that each glazier can reach."""
    panes = drawn(before.bag, before.tower, dealt.bag, dealt.tower)
    average = average_draw(before.bag, before.tower, int(panes.sum()))
    room = np.array([[_room(dealt, seat, colour) for colour in range(COLOURS)]
                     for seat in range(dealt.players)])
    return brought_by(panes, average, room)


def _room(s: State, seat: int, colour: int) -> int:
    return sum(int(free_spaces(s, seat, window, colour))
               for window in range(int(s.glazier[seat]), WINDOWS))


def tell_deal(deal: Brought, round_: int, seats: tuple[int, int], name: str) -> Message:
    return told(deal, round_, seats, name, COLOUR_NAMES[deal.kind])


# --- words -----------------------------------------------------------------------------------------------


def say(fact: Fact, name: str) -> Message:
    numbers, window = fact.numbers, fact.place + 1
    if fact.name == "completed":
        return _completed(window, name, *numbers)
    if fact.name == "panes":
        return _panes(window, numbers[0], name)
    if fact.name == "gift":
        return _gift(window, name, *numbers)
    if fact.name == "starts":
        return (msg("{name} starts the next round", name=name) if name
                else msg("you start the next round"))
    if fact.name == "glazier":
        return (msg("{name}'s glazier is above window {window}", name=name, window=window) if name
                else msg("your glazier is above window {window}", window=window))
    what = {
        "broken": msg("broken glass"), "panes left": msg("panes left on strips"),
        "ornaments": msg("ornaments"), "best colour": msg("most frequent colour"),
    }[fact.name]
    points = -numbers[0] if fact.name == "broken" else numbers[0]
    if name:
        return msg("{name}, {what}: {points} points", name=name, what=what, points=points)
    return msg("your points, {what}: {points}", what=what, points=points)


def _completed(window: int, name: str, times: int, points: int) -> Message:
    if times > 1:
        if name:
            return msg("{name} completes strip {window} twice for {points} points",
                       name=name, window=window, points=points)
        return msg("you complete strip {window} twice for {points} points", window=window, points=points)
    if name:
        return nmsg("{name} completes strip {window} for {n} point",
                    "{name} completes strip {window} for {n} points", n=points, window=window, name=name)
    return nmsg("you complete strip {window} for {n} point", "you complete strip {window} for {n} points",
                n=points, window=window)


def _panes(window: int, panes: int, name: str) -> Message:
    if name:
        return nmsg("{name}'s strip {window} holds {n} pane", "{name}'s strip {window} holds {n} panes",
                    n=panes, window=window, name=name)
    return nmsg("your strip {window} holds {n} pane", "your strip {window} holds {n} panes",
                n=panes, window=window)


def _gift(window: int, name: str, panes: int, colour: int, source: int) -> Message:
    place = where(source)
    if name:
        return msg("{name} can complete strip {window} with what you leave {where}: {colour}, {panes}",
                   window=window, where=place, colour=COLOUR_NAMES[colour], panes=panes, name=name)
    return msg("you can complete strip {window} with what is left {where}: {colour}, {panes}",
               window=window, where=place, colour=COLOUR_NAMES[colour], panes=panes)


CAUSES: Final = {
    "broken": Cause.PENALTY, "starts": Cause.START, "glazier": Cause.SUPPLIES,
    **dict.fromkeys(AT_THE_END, Cause.END),
}
TELL: Final = Tell[State](
    aspects=aspects, fact=fact, say=say, gift=gift, remove=remove, causes=CAUSES, headline=headline,
    turn=turn,     brought=brought, tell_deal=tell_deal,
)
