"""Headlines that games share: who starts, whether the game goes on, points at the end, places.

Each function lists ways to say one difference. All of them are true, so that a review can vary them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.tell import Brought, Difference, NameOf
from azulejos.parts.offer import CENTRE


def where(source: int) -> Message:
    return msg("in the centre") if source == CENTRE else msg("on factory {n}", n=source)


def from_where(source: int) -> Message:
    return msg("from the centre") if source == CENTRE else msg("from factory {n}", n=source)


def next_start(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    """Who starts the next round, if the reader is one of the two."""
    if not it.happened or it.played.seat == it.better.seat:
        return ()
    name = name_of(it.played.seat)
    if not name:
        return (msg("You started the next round, but that was not worth its price."),
                msg("The start of the next round cost you more than it was worth."))
    if name_of(it.better.seat):
        return ()
    return (msg("{name} started the next round; it could have been you.", name=name),
            msg("You left the start of the next round to {name}.", name=name))


def last_round(it: Difference) -> tuple[Message, ...]:
    if not it.happened:
        return ()
    if it.played.name == "over":
        return (msg("The game ended with this round, too early for you."),
                msg("Another round would have helped you; the game ended instead."))
    return (msg("The game went on, although it could have ended with this round."),
            msg("It was time to end the game, and another round followed."))


def end_points(it: Difference, what: Message, name: str) -> tuple[Message, ...]:
    """Points that a seat gets at the end for something, such as complete columns."""
    got, possible = it.played.numbers[0], it.better.numbers[0]
    if not name and possible > got:
        return (nmsg("You could have had {n} point instead of {m} for {what}.",
                     "You could have had {n} points instead of {m} for {what}.", n=possible, m=got,
                     what=what),
                nmsg("{n} point for {what} was possible for you, not {m}.",
                     "{n} points for {what} were possible for you, not {m}.", n=possible, m=got, what=what))
    if name and it.happened and got > possible:
        return (nmsg("{name} got {n} point for {what}; it could have been {m}.",
                     "{name} got {n} points for {what}; it could have been {m}.", n=got, name=name,
                     m=possible, what=what),
                nmsg("It was {n} point for {name}, for {what}; it could have been {m}.",
                     "It was {n} points for {name}, for {what}; it could have been {m}.", n=got, name=name,
                     m=possible, what=what))
    return ()


# --- deals --------------------------------------------------------------------------------------------


def drawn(bag: Cells, used: Cells, later_bag: Cells, later_used: Cells) -> Cells:
    """[kind]: pieces drawn between two states. A refill moves all used pieces to the bag."""
    found: Cells = bag.astype(int) + used - later_bag - later_used
    return found


def average_draw(bag: Cells, used: Cells, pieces: int) -> Cells:
    """[kind]: the expected number of each kind among some pieces, with a refill when the bag is empty."""
    first = min(pieces, int(bag.sum()))
    average: Cells = _expected(bag, first) + _expected(used, min(pieces - first, int(used.sum())))
    return average


def _expected(counts: Cells, pieces: int) -> Cells:
    return counts.astype(float) * pieces / max(1, int(counts.sum()))


def brought(pieces: Cells, average: Cells, room: Cells) -> list[Brought]:
    """`room`: int [seat, kind]."""
    return [
        Brought(kind=kind, pieces=int(pieces[kind]), average=round(float(average[kind]), 1),
                room=tuple(np.asarray(room)[:, kind].tolist()))
        for kind in range(len(pieces))
    ]


def told(brought: Brought, round_: int, seats: tuple[int, int], name: str, kind: Message) -> Message:
    """For games in which pieces go to spaces of their kind."""
    yours, theirs = (brought.room[seat] for seat in seats)
    return msg("Round {round}, {colour}: {pieces} instead of {average} on average. You had room for "
               "{yours}, {name} for {theirs}.", round=round_, colour=kind, pieces=brought.pieces,
               average=brought.average, yours=yours, theirs=theirs, name=name)


# --- previews -----------------------------------------------------------------------------------------


WORTH_SAYING: Final = 3
"""Smaller piles in the centre are too common to mention."""


def with_leftovers(said: Message, before: Cells, after: Cells, names: Sequence[Message]) -> Message:
    """A preview, plus the largest pile that the move makes in the centre, if it is worth mentioning."""
    grown = np.where(after > before, after, 0)
    colour = int(grown.argmax())
    if grown[colour] < WORTH_SAYING:
        return said
    left = msg("leaves {n} {colour} for the next player", n=int(grown[colour]), colour=names[colour])
    return msg("{first}; {second}", first=said, second=left)
