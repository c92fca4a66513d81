"""Programs at a table: what they are told, and what they may say, in the words of the engine protocol.

A program has a token, whose hash is a key like that of a visitor, for one seat. It is asked for one move at
a time, so it needs no rules: all legal moves are listed.
"""

from __future__ import annotations

import hashlib
import re

from azulejos.core.message import msg
from azulejos.web.refused import Refused
from azulejos.web.tables.live_table import LiveTable

TOKEN = re.compile(r"[A-Za-z0-9_-]{20,60}")
ANSWER = re.compile(r"bestmove id (\d{1,6}) (\S{1,60})")
LONGEST = 1000
"""Characters of a message from a program."""


def key_of(token: str) -> str | None:
    """The key of a program's seat; None: this is no token."""
    return hashlib.sha256(token.encode()).hexdigest() if TOKEN.fullmatch(token) else None


def told(table: LiveTable, seats: frozenset[int]) -> str:
    """What a program at these seats is to know now: the question if it is to move."""
    if table.over:
        scores = " ".join(map(str, table.position.scores))
        return f"gameover scores {scores}\n"
    if not table.turn_of(seats):
        return "wait\n"
    position = table.seen_by(seats)
    head = position.text().partition("/")[0]
    moves = " ".join(position.game.moves.text(action) for action in position.legal_actions())
    return (f"newgame {head} seat {position.to_move + 1}\nposition {position.text()}\n"
            f"go id {number_of(table, seats)} searchmoves {moves}\n")


def number_of(table: LiveTable, seats: frozenset[int]) -> int:
    """The number of the question: how many actions were played before it."""
    drafted = len(table.draft) if table.drafting(seats) else 0
    return int(table.ply + drafted)


def moment_of(table: LiveTable, seats: frozenset[int]) -> tuple[int, bool, bool]:
    """What changes when there is something new to tell."""
    return number_of(table, seats), table.turn_of(seats), table.over


async def heard(table: LiveTable, seats: frozenset[int], line: str) -> None:
    """A line of a program: the answer to the question. Lines that mean nothing here are ignored."""
    if len(line) > LONGEST:
        raise Refused(msg("This is too long."))
    answer = ANSWER.fullmatch(" ".join(line.split()))
    if answer is None:
        return
    number, move = int(answer[1]), answer[2]
    if number != number_of(table, seats) or not table.turn_of(seats):
        raise Refused(msg("Someone has moved in the meantime; please look again."))
    await table.play(seats, move, number, at_once=True)
