"""A log with take-backs as a record with variations, and back.

A take-back is an entry of the log like any other, so nothing is ever deleted from it. In a record, the
moves that were taken back are a variation of the move that was played instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from azulejos.core.position import Position
from azulejos.core.record import Record, Step, Variation
from azulejos.web.store.saved import BACK, COACH, HINT, PLAYED, SavedAction


class Lines(NamedTuple):
    steps: list[Step]
    """The game as it stands."""
    unplayed: list[Variation]
    """What was taken back at its end."""


def lines_of(log: Sequence[SavedAction]) -> Lines:
    """The game as it stands, with everything that was taken back as variations."""
    steps: list[Step] = []
    times: list[int] = []
    unplayed: list[Variation] = []
    before: int | None = None
    hint: int | None = None
    for entry in log:
        if entry.event == BACK:
            steps, taken = steps[: entry.action], steps[entry.action :]
            taken[0].at = times[entry.action]  # in the record it does not follow the step before it
            earlier, taken[0].variations = taken[0].variations, []
            unplayed = [*earlier, Variation(taken, back=entry.at, unplayed=unplayed)]
            del times[entry.action :]
            before = None
        elif entry.event == PLAYED:
            at = None if entry.at == before else entry.at
            steps.append(Step(entry.action, at=at, variations=unplayed, hint=hint))
            times.append(entry.at)
            unplayed, before, hint = [], entry.at, None
        elif entry.event == HINT:
            hint = max(hint or 0, entry.action)
        elif entry.event == COACH and entry.action < len(steps):
            steps[entry.action].coach = True
    return Lines(steps, unplayed)


def log_of(record: Record) -> Iterator[SavedAction]:
    """The log of a record: variations that were taken back come before what replaced them."""
    yield from _log(record, record.start.copy(), [0])


def _log(line: Record | Variation, position: Position, clock: list[int]) -> Iterator[SavedAction]:
    """The entries of a line played on `position`. `clock` holds the time of the last entry: steps played
    at the same time as the one before them have none."""
    for step in line.steps:
        yield from _taken_back(step.variations, position, clock)
        clock[0] = clock[0] if step.at is None else step.at
        move, ply = position.game.moves.text(step.action), position.ply
        if step.hint is not None:
            yield SavedAction(action=step.hint, seat=position.to_move, at=clock[0], event=HINT)
        yield SavedAction(action=step.action, seat=position.to_move, at=clock[0], move=move)
        position.play(step.action)
        if step.coach:
            yield SavedAction(action=ply, seat=position.to_move, at=clock[0], event=COACH)
    yield from _taken_back(line.unplayed, position, clock)


def _taken_back(lines: list[Variation], position: Position, clock: list[int]) -> Iterator[SavedAction]:
    for line in lines:
        if line.back is not None:
            ahead = position.copy()
            yield from _log(line, ahead, clock)
            yield SavedAction(action=position.ply, seat=ahead.to_move, at=line.back, event=BACK)


def played_lines(log: Sequence[SavedAction]) -> Iterator[list[int]]:
    """The actions of the game as it stands and, before it, of every line that was taken back."""
    line: list[int] = []
    for entry in log:
        if entry.event == BACK:
            yield line
            line = line[: entry.action]
        elif entry.event == PLAYED:
            line = [*line, entry.action]
    yield line
