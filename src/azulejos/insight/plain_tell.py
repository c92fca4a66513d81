"""Reasons for games without tell.py: the points of each seat, by the headings of `Reasons`."""

from __future__ import annotations

import functools
from typing import Any

from azulejos.core import layout
from azulejos.core.contract import Tell
from azulejos.core.game import Game
from azulejos.core.message import Message, msg
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Fact, Future


@functools.cache
def plain_tell(game: Game) -> Tell[Any]:
    reasons = game.reasons
    kind = reasons.kind or (lambda code: reasons.text(code, -1))
    headings: dict[Message, list[int]] = {}
    for code in range(len(reasons.names)):
        headings.setdefault(kind(code), []).append(code)
    names = list(headings)

    def aspects(position: Position) -> list[Aspect]:
        table = tuple((field, ()) for field in layout.fields_of(game.state) if field != "score")
        return [
            Aspect(name="table", parts=table),
            *(Aspect(name="points", seat=seat, place=number, codes=frozenset(codes))
              for seat in range(position.players) for number, codes in enumerate(headings.values())),
        ]

    def fact(aspect: Aspect, future: Future) -> Fact | None:
        if aspect.name == "table":
            return None
        return Fact(name="points", seat=aspect.seat, place=aspect.place, numbers=(future.points(aspect),))

    def say(fact: Fact, name: str) -> Message:
        if name:
            return msg("{name}, {what}: {points} points", name=name, what=names[fact.place],
                       points=fact.numbers[0])
        return msg("your points, {what}: {points}", what=names[fact.place], points=fact.numbers[0])

    return Tell(aspects=aspects, fact=fact, say=say)
