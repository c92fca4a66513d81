"""Drills: small questions about positions of real games, answered with one tap.

They train what reviews name most often: counting what a turn brings, counting what falls, and seeing what
the next player takes. A drill follows from its box, its kind and the position of a puzzle alone, so it can
be asked again; when, follows from the answers (`practice.scheduled`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from azulejos.core.message import Message, msg, nmsg, raw, signed
from azulejos.core.position import Position
from azulejos.core.scene import prospect, scene_of
from azulejos.insight.practice import RETIRED_AFTER, scheduled
from azulejos.insight.progress import Attempt
from azulejos.insight.puzzles import Goal, find, pack
from azulejos.insight.puzzles.exact import Exact, ExactTurn, NotProved
from azulejos.insight.puzzles.explain import OTHER_NAME
from azulejos.insight.words import turn_sentences

OPTIONS: Final = 4
LEAST: Final = 2
"""Points that are worth counting, and by which a reply has to be the best."""
TRIED: Final = 6
"""Turns of a position, the best, after which a reply is looked for."""
PREFIX: Final = "drill-"


class DrillKind(StrEnum):
    GAIN = "gain"
    """How many points a turn brings."""
    LOSS = "loss"
    """How many it costs."""
    REPLY = "reply"
    """What the next player takes then."""


TITLES: Final = {
    DrillKind.GAIN: msg("Count what it brings"), DrillKind.LOSS: msg("Count what it costs"),
    DrillKind.REPLY: msg("See what they take"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Drill:
    box: str
    kind: DrillKind
    id: str
    """Of the puzzle whose position it is."""
    before: Position
    turn: tuple[int, ...]
    """The turn that is asked about."""
    question: tuple[Message, ...]
    options: tuple[Message, ...]
    right: int
    why: tuple[Message, ...]

    @property
    def name(self) -> str:
        """In the entries of practice."""
        return f"{PREFIX}{self.box}/{self.kind}-{self.id}"


def drill(box: str, kind: DrillKind, id_: str) -> Drill | None:
    """The drill of a position, if it has one."""
    before, rng = find(box, id_).start(), random.Random(f"{kind}/{id_}")
    if kind is DrillKind.REPLY:
        return _reply(box, id_, before, rng)
    return _count(box, kind, id_, before, rng)


# --- counting --------------------------------------------------------------------------------------------


def _count(box: str, kind: DrillKind, id_: str, before: Position, rng: random.Random) -> Drill | None:
    scene, actions = scene_of(before, [OTHER_NAME] * before.players), before.legal_actions()
    for action in rng.sample(actions, len(actions)):
        path = scene.path(action)
        points = [n for _, n in prospect(before, action, scene, path).points] if path else []
        parts = [n for n in points if (n > 0) == (kind is DrillKind.GAIN)]
        total = abs(sum(parts))
        if total >= LEAST and len(parts) == len(points):
            options = _near(total, rng)
            told = nmsg("{n} point", "{n} points", n=total)
            return Drill(
                box=box, kind=kind, id=id_, before=before, turn=(action,),
                question=(*turn_sentences(before, (action,), ""),
                          msg("How many points does that bring?") if kind is DrillKind.GAIN else
                          msg("How many points does that cost?")),
                options=tuple(raw(str(n)) for n in options), right=options.index(total),
                why=(msg("It is {points}: {parts}.", points=told, parts=_sum(parts)) if len(parts) > 1 else
                     msg("It is {points}.", points=told),),
            )
    return None


def _near(total: int, rng: random.Random) -> list[int]:
    """The number, and others beside it."""
    near = [total + by for by in (-3, -2, -1, 1, 2, 3, 5) if total + by > 0]
    return sorted([total, *rng.sample(near, OPTIONS - 1)])


def _sum(parts: Iterable[int]) -> Message:
    return raw(" ".join(str(signed(n)) for n in parts))


# --- what the next player takes --------------------------------------------------------------------------


def _reply(box: str, id_: str, before: Position, rng: random.Random) -> Drill | None:
    exact = Exact(before.game, Goal.POINTS)
    exact.begin(before)
    try:
        turns = exact.turns(before)
        for turn in rng.sample(turns[:TRIED], min(TRIED, len(turns))):
            found = _asked(box, id_, before, turn, exact, rng)
            if found is not None:
                return found
    except NotProved:
        return None
    return None


def _asked(
    box: str, id_: str, before: Position, turn: ExactTurn, exact: Exact, rng: random.Random
) -> Drill | None:
    if turn.after.to_move != 1 - before.to_move:
        return None
    best, *others = exact.turns(turn.after)
    gap = best.worth - others[0].worth if others else 0
    if gap < LEAST or len(others) < OPTIONS - 1:
        return None
    shown = [best, *rng.sample(others, OPTIONS - 1)]
    rng.shuffle(shown)
    told = tuple(_in_a_row(turn_sentences(turn.after, each.actions, OTHER_NAME)) for each in shown)
    if len(set(told)) < OPTIONS:
        return None
    return Drill(
        box=box, kind=DrillKind.REPLY, id=id_, before=before, turn=turn.actions,
        question=(*turn_sentences(before, turn.actions, ""),
                  msg("What does {name} play?", name=OTHER_NAME)),
        options=told, right=shown.index(best),
        why=(nmsg("Proved: every other turn is at least {n} point worse for {name}.",
                  "Proved: every other turn is at least {n} points worse for {name}.", n=gap,
                  name=OTHER_NAME),),
    )


def _in_a_row(sentences: Iterable[Message]) -> Message:
    first, *others = sentences
    for other in others:
        first = msg("{one} {other}", one=first, other=other)
    return first


# --- which one -------------------------------------------------------------------------------------------


def due_drills(attempts: Iterable[Attempt], now: datetime) -> list[str]:
    """The names of drills that are to be asked again, those first that have waited longest."""
    by_name: dict[str, list[Attempt]] = {}
    for entry in attempts:
        if entry.puzzle.startswith(PREFIX):
            by_name.setdefault(entry.puzzle, []).append(entry)
    plans = {name: scheduled(entries[0].at, entries) for name, entries in by_name.items()}
    waiting = {name: when for name, (when, successes) in plans.items()
               if when <= now and successes < RETIRED_AFTER}
    return sorted(waiting, key=lambda name: (waiting[name], name))


def next_drill(
    box: str, attempts: Iterable[Attempt], now: datetime, *, kinds: Iterable[DrillKind] = DrillKind,
) -> Drill | None:
    """The drill of a box to ask now: one that is due, otherwise a new one."""
    known = list(attempts)
    chosen = set(kinds)
    for name in due_drills(known, now):
        found = named(name)
        if found is not None and found.box == box and found.kind in chosen:
            return found
    asked = {entry.puzzle for entry in known}
    return next((each for each in fresh(box, len(asked), chosen) if each.name not in asked), None)


def fresh(box: str, seed: int, kinds: Iterable[DrillKind]) -> Iterator[Drill]:
    """New drills in an order of their own, the easy positions first."""
    rng, order = random.Random(seed), sorted(kinds)
    puzzles = sorted(pack(box), key=lambda puzzle: (puzzle.difficulty >= 1, rng.random()))
    for number, puzzle in enumerate(puzzles):
        found = drill(box, order[(number + seed) % len(order)], puzzle.id)
        if found is not None:
            yield found


def named(name: str) -> Drill | None:
    """The drill with a name; None if there is none, or not any more."""
    box, _, rest = name.removeprefix(PREFIX).partition("/")
    kind, _, id_ = rest.partition("-")
    if kind not in KINDS:
        return None
    try:
        return drill(box, KINDS[kind], id_)
    except ValueError:
        return None


KINDS: Final[Mapping[str, DrillKind]] = {str(kind): kind for kind in DrillKind}
