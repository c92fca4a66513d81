"""Headlines that games share: who starts, whether the game goes on, points at the end, places.

Each function lists ways to say one difference. All of them are true, so that a review can vary them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, nmsg
from azulejos.core.tell import Brought, Difference, NameOf
from azulejos.parts.offer import CENTRE


def where(source: int) -> Message:
    return msg("in the centre") if source == CENTRE else msg("on factory {n}", n=source)


def from_where(source: int) -> Message:
    return msg("from the centre") if source == CENTRE else msg("from factory {n}", n=source)


def taken(pieces: Message, source: int, target: Message) -> tuple[Message, ...]:
    """Ways to say what the reader took; `target` says for what."""
    first = msg("From the centre you took {pieces} {target}.", pieces=pieces, target=target) \
        if source == CENTRE else \
        msg("From factory {n} you took {pieces} {target}.", n=source, pieces=pieces, target=target)
    place = from_where(source)
    return (
        first,
        msg("{pieces} {source} {target}: that was your turn.", pieces=pieces, source=place, target=target),
        msg("You chose {pieces} {source} {target}.", pieces=pieces, source=place, target=target),
        msg("Your take: {pieces} {source} {target}.", pieces=pieces, source=place, target=target),
        msg("You went for {pieces} {source} {target}.", pieces=pieces, source=place, target=target),
    )


def next_start(it: Difference, name_of: NameOf) -> tuple[Message, ...]:
    """Who starts the next round, if the reader is one of the two."""
    if not it.happened or it.played.seat == it.better.seat:
        return ()
    name = name_of(it.played.seat)
    if not name:
        return (msg("You started the next round, but that was not worth its price."),
                msg("The start of the next round cost you more than it was worth."),
                msg("Starting the next round did not pay for you."),
                msg("It was not worth it to start the next round."))
    if name_of(it.better.seat):
        return ()
    return (msg("{name} started the next round; it could have been you.", name=name),
            msg("You left the start of the next round to {name}.", name=name),
            msg("The next round began with {name} instead of you.", name=name),
            msg("Instead of you, {name} began the next round.", name=name))


def last_round(it: Difference) -> tuple[Message, ...]:
    if not it.happened:
        return ()
    if it.played.name == "over":
        return (msg("The game ended with this round, too early for you."),
                msg("Another round would have helped you; the game ended instead."),
                msg("Too early for you, the game ended with this round."))
    return (msg("The game went on, although it could have ended with this round."),
            msg("It was time to end the game, and another round followed."),
            msg("Another round followed, and that was not good for you."))


def end_points(it: Difference, what: Message, name: str) -> tuple[Message, ...]:
    """Points that a seat gets at the end for something, such as complete columns."""
    got, possible = it.played.numbers[0], it.better.numbers[0]
    if not name and possible > got:
        return (nmsg("You could have had {n} point instead of {m} for {what}.",
                     "You could have had {n} points instead of {m} for {what}.", n=possible, m=got,
                     what=what),
                nmsg("{n} point for {what} was possible for you, not {m}.",
                     "{n} points for {what} were possible for you, not {m}.", n=possible, m=got, what=what),
                nmsg("For {what} you could have had {n} point, not {m}.",
                     "For {what} you could have had {n} points, not {m}.", n=possible, m=got, what=what))
    if name and it.happened and got > possible:
        return (nmsg("{name} got {n} point for {what}; it could have been {m}.",
                     "{name} got {n} points for {what}; it could have been {m}.", n=got, name=name,
                     m=possible, what=what),
                nmsg("It was {n} point for {name}, for {what}; it could have been {m}.",
                     "It was {n} points for {name}, for {what}; it could have been {m}.", n=got, name=name,
                     m=possible, what=what))
    return ()


# --- deals --------------------------------------------------------------------------------------------


Counts: TypeAlias = Sequence[int] | Cells
"""[kind]"""


def drawn(bag: Counts, used: Counts, later_bag: Counts, later_used: Counts) -> list[int]:
    """[kind]: pieces drawn between two states. A refill moves all used pieces to the bag."""
    counts = zip(bag, used, later_bag, later_used, strict=True)
    return [int(a) + int(b) - int(c) - int(d) for a, b, c, d in counts]


def average_draw(bag: Counts, used: Counts, pieces: int) -> list[float]:
    """[kind]: the expected number of each kind among some pieces, with a refill when the bag is empty."""
    first = min(pieces, sum(map(int, bag)))
    rest = min(pieces - first, sum(map(int, used)))
    return [a + b for a, b in zip(_expected(bag, first), _expected(used, rest), strict=True)]


def _expected(counts: Counts, pieces: int) -> list[float]:
    there = max(1, sum(map(int, counts)))
    return [float(count) * pieces / there for count in counts]


def brought(pieces: Counts, average: Sequence[float], room: Sequence[Counts]) -> list[Brought]:
    """`room`: [seat][kind]."""
    return [
        Brought(kind=kind, pieces=int(pieces[kind]), average=round(average[kind], 1),
                room=tuple(int(seat[kind]) for seat in room))
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


def with_leftovers(said: Message, before: Counts, after: Counts, names: Sequence[Message]) -> Message:
    """A preview, plus the largest pile that the move makes in the centre, if it is worth mentioning."""
    grown = [then if then > now else 0 for now, then in zip(before, after, strict=True)]
    colour = grown.index(max(grown))
    if grown[colour] < WORTH_SAYING:
        return said
    left = msg("leaves {n} {colour} for the next player", n=int(grown[colour]), colour=names[colour])
    return msg("{first}; {second}", first=said, second=left)
