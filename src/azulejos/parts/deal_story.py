"""What a deal brought: pieces of each kind beside the average of the same bag."""

from __future__ import annotations

import numpy as np

from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.core.tell import Brought


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
