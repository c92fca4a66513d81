"""What a turn did and what it cost, in the words of a player: the headlines of reviews, and turns told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.position import Position
from azulejos.core.tell import Difference, NameOf
from azulejos.games.stained_glass.components import WINDOWS
from azulejos.games.stained_glass.moves import COLOUR_NAMES, Keep, Reset, Take
from azulejos.parts.headline_words import end_points, from_where, next_start, where
from azulejos.parts.offer import tiles_at

PANES: Final[tuple[Callable[[int], Message], ...]] = (
    lambda n: nmsg("{n} blue pane", "{n} blue panes", n=n),
    lambda n: nmsg("{n} pink pane", "{n} pink panes", n=n),
    lambda n: nmsg("{n} orange pane", "{n} orange panes", n=n),
    lambda n: nmsg("{n} yellow pane", "{n} yellow panes", n=n),
    lambda n: nmsg("{n} white pane", "{n} white panes", n=n),
)
"""[colour]: so many panes, as what somebody takes or leaves."""
AT_THE_END: Final = {
    "panes left": msg("panes left on strips"), "ornaments": msg("ornaments"),
    "best colour": msg("most frequent colour"),
}


def headline(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    name = name_of(it.played.seat) if it.played.seat >= 0 else ""
    if it.gift is not None:
        return _gift(it, name_of(it.gift.seat))
    if it.played.name == "starts":
        return next_start(it, name_of)
    if it.played.name in AT_THE_END:
        return end_points(it, AT_THE_END[it.played.name], name)
    if it.played.name == "broken":
        return () if name else _own_glass(it)
    if it.played.name == "glazier":
        return () if name else _own_glazier(it)
    return _their_strip(it, name) if name else _own_strip(it)


# --- strips ----------------------------------------------------------------------------------------------


def _gift(it: Difference, name: str) -> tuple[Message, ...]:
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
                     strip=strip, m=got))
    missed = (
        nmsg("You could have completed strip {strip} for {n} point.",
             "You could have completed strip {strip} for {n} points.", n=n, strip=strip),
        nmsg("{n} point was within reach on your strip {strip}.",
             "{n} points were within reach on your strip {strip}.", n=n, strip=strip),
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
    more = nmsg("{n} point too many for broken glass.", "{n} points too many for broken glass.",
                n=lost - enough)
    if not it.happened:
        return (nmsg("That leads to {n} point for broken glass instead of {m}.",
                     "That leads to {n} points for broken glass instead of {m}.", n=lost, m=enough), more)
    return (nmsg("Your broken glass came to {n} point instead of {m}.",
                 "Your broken glass came to {n} points instead of {m}.", n=lost, m=enough), more)


def _own_glazier(it: Difference) -> tuple[Message, ...]:
    if not it.happened or it.better.place >= it.played.place:
        return ()
    return (msg("Your glazier went as far as window {m}; window {n} would have been far enough.",
                m=it.played.place + 1, n=it.better.place + 1),
            msg("Your glazier ended above window {m} instead of window {n}.", m=it.played.place + 1,
                n=it.better.place + 1))


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
