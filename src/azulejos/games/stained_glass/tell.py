"""Why a turn is better than another: strips and windows, the glazier, broken glass, who starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from azulejos.core.contract import Tell
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Brought, Cause, Difference, Fact, Future, NameOf
from azulejos.games.stained_glass.components import STRIP_SPACES, WINDOWS
from azulejos.games.stained_glass.layout import State
from azulejos.games.stained_glass.moves import COLOUR_NAMES, MOVES, Keep, Reset, Take
from azulejos.games.stained_glass.reasons import (
    BEST_COLOUR, BONUS_COLOUR, BROKEN, ORNAMENT, PANES_LEFT, TRACK_END, WINDOW,
)
from azulejos.games.stained_glass.strips import free_spaces, panes_on
from azulejos.parts.offer import CENTRE, COLOURS, tiles_at
from azulejos.parts.sentences import (
    average_draw, brought as brought_by, drawn, end_points, from_where, next_start, taken, told, where,
)

# --- headlines of reviews -----------------------------------------------------------------------------


PANES: Final[tuple[Callable[[int], Message], ...]] = (
    lambda n: nmsg("{n} blue pane", "{n} blue panes", n=n),
    lambda n: nmsg("{n} pink pane", "{n} pink panes", n=n),
    lambda n: nmsg("{n} orange pane", "{n} orange panes", n=n),
    lambda n: nmsg("{n} yellow pane", "{n} yellow panes", n=n),
    lambda n: nmsg("{n} white pane", "{n} white panes", n=n),
)
"""[colour]: so many panes, as what somebody takes or leaves."""
END_WORDS: Final = {
    "panes left": msg("panes left on strips"), "ornaments": msg("ornaments"),
    "best colour": msg("most frequent colour"),
}


def headline(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    name = name_of(it.played.seat) if it.played.seat >= 0 else ""
    if it.gift is not None:
        return _gave(it, name_of(it.gift.seat))
    if it.played.name == "starts":
        return next_start(it, name_of)
    if it.played.name in END_WORDS:
        return end_points(it, END_WORDS[it.played.name], name)
    if it.played.name == "broken":
        return () if name else _own_glass(it)
    if it.played.name == "glazier":
        return () if name else _own_glazier(it)
    return _their_strip(it, name) if name else _own_strip(it)


# --- strips ----------------------------------------------------------------------------------------------


def _gave(it: Difference, name: str) -> tuple[Message, ...]:
    """Panes left to a seat whose strip they complete."""
    assert it.gift is not None
    number, colour, source = it.gift.numbers
    strip, panes, place = it.gift.place + 1, PANES[colour](number), where(source)
    if it.taken and it.happened and it.played.name == "completed" and it.played.numbers[0] == 1:
        n = it.played.numbers[1]
        return (
            nmsg("You left {panes} {where}. With that, {name} completed strip {strip} for {n} point.",
                 "You left {panes} {where}. With that, {name} completed strip {strip} for {n} points.",
                 n=n, panes=panes, where=place, name=name, strip=strip),
            nmsg("With {panes} that you left {where}, {name} completed strip {strip} for {n} point.",
                 "With {panes} that you left {where}, {name} completed strip {strip} for {n} points.",
                 n=n, panes=panes, where=place, name=name, strip=strip),
        )
    return (
        msg("You left {panes} {where}, enough to complete strip {strip} of {name}.", panes=panes,
            where=place, name=name, strip=strip),
        msg("Strip {strip} of {name} could be completed with {panes} that you left {where}.", panes=panes,
            where=place, name=name, strip=strip),
        msg("{name} could complete strip {strip} with {panes} that you left {where}.", panes=panes,
            where=place, name=name, strip=strip),
        msg("With {panes} that you left {where}, {name} could complete strip {strip}.", panes=panes,
            where=place, name=name, strip=strip),
    )


def _their_strip(it: Difference, name: str) -> tuple[Message, ...]:
    if it.played.name != "completed" or it.better.name == "completed" or not it.happened:
        return ()
    strip, n = it.played.place + 1, it.played.numbers[1]
    return (
        nmsg("You let {name} complete strip {strip} for {n} point.",
             "You let {name} complete strip {strip} for {n} points.", n=n, name=name, strip=strip),
        nmsg("{name} completed strip {strip} for {n} point; the better turn keeps it incomplete.",
             "{name} completed strip {strip} for {n} points; the better turn keeps it incomplete.",
             n=n, name=name, strip=strip),
        nmsg("For {n} point, {name} could complete strip {strip} after that.",
             "For {n} points, {name} could complete strip {strip} after that.", n=n, name=name,
             strip=strip),
    )


def _own_strip(it: Difference) -> tuple[Message, ...]:
    if it.better.name != "completed":
        return ()
    strip, n = it.played.place + 1, it.better.numbers[1]
    if it.played.name == "completed":
        got = it.played.numbers[1]
        if n <= got:
            return ()
        return (nmsg("Strip {strip} could have been worth {n} point instead of {m}.",
                     "Strip {strip} could have been worth {n} points instead of {m}.", n=n, strip=strip,
                     m=got),
                nmsg("Completed another way, strip {strip} brings you {n} point, not {m}.",
                     "Completed another way, strip {strip} brings you {n} points, not {m}.", n=n,
                     strip=strip, m=got),
                nmsg("{n} point instead of {m} was possible on your strip {strip}.",
                     "{n} points instead of {m} were possible on your strip {strip}.", n=n, strip=strip,
                     m=got),
                nmsg("Your strip {strip} could have brought {n} point, not {m}.",
                     "Your strip {strip} could have brought {n} points, not {m}.", n=n, strip=strip, m=got))
    missed = (
        nmsg("You could have completed strip {strip} for {n} point.",
             "You could have completed strip {strip} for {n} points.", n=n, strip=strip),
        nmsg("{n} point was within reach on your strip {strip}.",
             "{n} points were within reach on your strip {strip}.", n=n, strip=strip),
        nmsg("Complete, strip {strip} was worth {n} point to you.",
             "Complete, strip {strip} was worth {n} points to you.", n=n, strip=strip),
        nmsg("There was a way to complete strip {strip} for {n} point.",
             "There was a way to complete strip {strip} for {n} points.", n=n, strip=strip),
        nmsg("Missed: a complete strip {strip}, for {n} point.",
             "Missed: a complete strip {strip}, for {n} points.", n=n, strip=strip),
        nmsg("By the end of the round, strip {strip} could have brought you {n} point.",
             "By the end of the round, strip {strip} could have brought you {n} points.", n=n, strip=strip),
    )
    if it.happened:
        return (nmsg("Your strip {strip} stayed incomplete. Complete, it would have brought {n} point.",
                     "Your strip {strip} stayed incomplete. Complete, it would have brought {n} points.",
                     n=n, strip=strip), *missed)
    return (nmsg("That put your strip {strip} at risk, worth {n} point.",
                 "That put your strip {strip} at risk, worth {n} points.", n=n, strip=strip), *missed)


# --- glass and glazier -----------------------------------------------------------------------------------


def _own_glass(it: Difference) -> tuple[Message, ...]:
    lost, enough = it.played.numbers[0], it.better.numbers[0]
    if lost <= enough:
        return ()
    more = (
        nmsg("{n} point too many for broken glass.", "{n} points too many for broken glass.",
             n=lost - enough),
        nmsg("Too much glass broke: {n} point.", "Too much glass broke: {n} points.", n=lost - enough),
        nmsg("The better turn saves {n} point of broken glass.",
             "The better turn saves {n} points of broken glass.", n=lost - enough),
    )
    if not it.happened:
        return (nmsg("That leads to {n} point for broken glass instead of {m}.",
                     "That leads to {n} points for broken glass instead of {m}.", n=lost, m=enough), *more)
    return (nmsg("Your broken glass came to {n} point instead of {m}.",
                 "Your broken glass came to {n} points instead of {m}.", n=lost, m=enough), *more)


def _own_glazier(it: Difference) -> tuple[Message, ...]:
    if not it.happened or it.better.place >= it.played.place:
        return ()
    return (msg("Your glazier went as far as window {m}; window {n} would have been far enough.",
                m=it.played.place + 1, n=it.better.place + 1),
            msg("Your glazier ended above window {m} instead of window {n}.", m=it.played.place + 1,
                n=it.better.place + 1),
            msg("Above window {m} your glazier stood too far on; window {n} was better.",
                m=it.played.place + 1, n=it.better.place + 1))


# --- turns -----------------------------------------------------------------------------------------------


def turn(before: Position, actions: Sequence[int], name: str | None) -> list[Message]:
    position, told = before, list[Message]()
    for action in actions:
        told.append(_action(position, action, name))
        position = position.after((action,))
    return told


def took(before: Position, actions: Sequence[int]) -> Sequence[Message]:
    move = before.game.moves[actions[0]]
    if not isinstance(move, Take) or move.target == WINDOWS:
        return ()
    s = before.state
    panes = PANES[move.colour](tiles_at(s.factories, s.centre, move.source, move.colour))
    return taken(panes, move.source, msg("for strip {strip}", strip=move.target + 1))


def _action(position: Position, action: int, name: str | None) -> Message:
    move = position.game.moves[action]
    if isinstance(move, Take):
        return _take(position, move, name)
    if isinstance(move, Reset):
        if name is None:
            return msg("Move the glazier back.")
        return msg("{name} moves the glazier back.", name=name) if name else \
            msg("You moved the glazier back.")
    assert isinstance(move, Keep)
    colour = COLOUR_NAMES[move.colour]
    if name is None:
        return msg("Keep a pane for the window: {colour}.", colour=colour)
    return msg("{name} keeps a pane for the window: {colour}.", name=name, colour=colour) if name else \
        msg("You kept a pane for the window: {colour}.", colour=colour)


def _take(position: Position, move: Take, name: str | None) -> Message:
    s = position.state
    panes = PANES[move.colour](tiles_at(s.factories, s.centre, move.source, move.colour))
    source, strip = from_where(move.source), move.target + 1
    if move.target == WINDOWS:
        if name is None:
            return msg("Take {panes} {source}; none can be placed.", panes=panes, source=source)
        if not name:
            return msg("You took {panes} {source}; none could be placed.", panes=panes, source=source)
        return msg("{name} takes {panes} {source}; none can be placed.", name=name, panes=panes,
                   source=source)
    if name is None:
        return msg("Take {panes} {source} for strip {strip}.", panes=panes, source=source, strip=strip)
    if not name:
        return msg("You took {panes} {source} for strip {strip}.", panes=panes, source=source, strip=strip)
    return msg("{name} takes {panes} {source} for strip {strip}.", name=name, panes=panes, source=source,
               strip=strip)


# --- aspects ------------------------------------------------------------------------------------------


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
    average = average_draw(before.bag, before.tower, sum(panes))
    room = [[_room(dealt, seat, colour) for colour in range(COLOURS)] for seat in range(dealt.players)]
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
    turn=turn, took=took, brought=brought, tell_deal=tell_deal,
)
