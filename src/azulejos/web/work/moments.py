"""What the moments of a finished game promised, as a job; the visitor's page searches, if it can."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

import msgspec

from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.hint import INTERPRETED
from azulejos.insight.judge import AT_ONCE, Judge, SizedSearch, final_outlook, judge_for
from azulejos.web.work.hints import elsewhere
from azulejos.web.work.thinker import BaseThinker, JobLimits


class PlayedMoments(msgspec.Struct, frozen=True):
    record: str
    plies: tuple[int, ...]


class WeighedMoment(msgspec.Struct, frozen=True):
    ply: int
    points: tuple[float, ...]
    """[seat]: the expected margin at the end of the game."""
    win: tuple[float, ...]
    """[seat]: the chance to win."""


class Thinker(BaseThinker):
    question = PlayedMoments

    def answers(self, question: PlayedMoments, limits: JobLimits) -> Iterator[Any]:
        game = Record.read(question.record).replay()
        judge, plies = judge_for(game), iter(question.plies)
        judge.elsewhere = partial(elsewhere, limits)
        effort = judge.efforts.review[0] if game.game.engine.compiled else INTERPRETED[0]
        end = time.process_time() + limits.seconds
        while time.process_time() < end and not limits.stop.is_set():
            part = [game.at(ply) for ply in islice(plies, AT_ONCE)]
            if not part:
                return
            yield _weighed(judge, part, effort.nodes)


def _weighed(judge: Judge, moments: list[Position], nodes: int) -> list[WeighedMoment]:
    """Nothing is said about moments before a draw."""
    found = list[WeighedMoment]()
    judge.look_up(SizedSearch(moment, nodes, fresh=True) for moment in moments)
    for moment in moments:
        if moment.is_chance:
            continue
        outlook = final_outlook(moment) if moment.is_over else judge.fresh_outlook(moment, nodes)
        points, win = (tuple(map(float, column)) for column in outlook.T)
        found.append(WeighedMoment(moment.ply, points, win))
    return found
