"""Where a result came from: the deals, what each seat gave away, and what the judge did not foresee.

The luck of a deal is the outlook after it minus the mean over other deals from the same bag, all searched
with the same nodes: no second evaluation stands for the expectation. From one outlook to the next

    before a deal  + luck  =  after the deal  + correction  =  before the first turn
    before a turn  - what it lost                           =  before the next turn, or after the round

so the terms of the ledger add up to the result, whatever the judge's errors.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from azulejos.core.game import Seat
from azulejos.core.late import np
from azulejos.core.layout import Cells, view
from azulejos.core.position import Position
from azulejos.core.tell import Brought
from azulejos.insight.judge import Judge, Judgement, Z, final_outlook, mean_variance
from azulejos.insight.results import Balance, Chance, Deal, GraphPoint, Kind, Margin, Story
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN

LEAST_GAIN: Final = 1.0
"""Pieces more or fewer than on average, compared with another seat, that are worth telling."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Plies of a game: chance draws from `deal` on, decisions from `first` to before `end`."""

    deal: int
    first: int
    end: int


@dataclass(frozen=True, kw_only=True, eq=False)
class StretchFindings:
    """What was found out about a stretch."""

    stretch: Stretch
    dealt: Cells | None
    """float [seat, 2]: the outlook after the deal, searched like any other deal; None without a deal."""
    after: Cells
    """float [deal, seat, 2]: outlooks after sampled deals at the end of the stretch."""
    judgements: tuple[Judgement, ...]


def stretches_of(end: Position) -> list[Stretch]:
    """The stretches of a game that was played on a position."""
    found, ply = [], 0
    while ply < end.ply:
        deal = ply
        while ply < end.ply and end.at(ply).is_chance:
            ply += 1
        first = ply
        while ply < end.ply and not end.at(ply).is_chance:
            ply += 1
        found.append(Stretch(deal=deal, first=first, end=ply))
    return found


def deal_luck(judge: Judge, game: Position, *, deals: int, nodes: int) -> Cells:
    """float [seat, 2]: the luck of all deals of a finished game, as margin and chance to win.

    A game without its luck has the same mean and less spread: the luck of a deal is 0 on average, whatever
    the judge's errors.
    """
    total = np.zeros((game.players, 2))
    for stretch in stretches_of(game):
        before, dealt = game.at(stretch.deal), game.at(stretch.first)
        if before.is_chance:
            others = judge.over_deals(before, deals=deals, nodes=nodes, seed=stretch.deal)
            total += judge.fresh_outlook(dealt, nodes) - others.mean(0)
    return total


def stories(before: Position, dealt: Position, luck: Sequence[Margin]) -> tuple[Story | None, ...]:
    """[seat]: what a deal brought that fits its luck."""
    tell = before.game.tell
    if tell is None:
        return (None,) * before.players
    states = (view(before.game.state, each.row) for each in (before, dealt))
    brought = tell.brought(*states)
    return tuple(_story(brought, seat, points) for seat, points in enumerate(luck))


def _story(brought: Sequence[Brought], seat: int, luck: Margin) -> Story | None:
    if luck.low <= 0 <= luck.high:
        return None
    sign = 1 if luck.value > 0 else -1
    found = [
        (sign * (each.gain(seat) - each.gain(other)), each, Seat(other))
        for each in brought for other in range(len(each.room)) if other != seat
    ]
    gain, each, other = max(found, key=lambda one: one[0], default=(0.0, None, Seat(0)))
    return Story(brought=each, other=other) if each and gain >= LEAST_GAIN else None


class GameOutlooks:
    """The outlooks of a whole game, from stretch to stretch."""

    def __init__(self, game: Position, start: Cells, found: list[StretchFindings]) -> None:
        """`start`: float [deal, seat, 2], outlooks after sampled first deals."""
        self._game, self._found = game, found
        self._samples = [start, *(each.after for each in found)]
        """[stretch]: sampled deals before the stretch."""

    def deals(self) -> tuple[Deal, ...]:
        return tuple(self._deal(i) for i, each in enumerate(self._found)
                     if each.stretch.deal < each.stretch.first)

    def _deal(self, i: int) -> Deal:
        ply, end = self._found[i].stretch.deal, self._found[i].stretch.first
        luck = tuple(_points(*pair) for pair in zip(*self._luck(i), strict=True))
        return Deal(
            ply=ply, end=end, round=int(self._game.at(end).state.round), luck=luck,
            correction=tuple(float(points) for points in self._correction(i)),
            stories=stories(self._game.at(ply), self._game.at(end), luck),
        )

    def _luck(self, i: int) -> tuple[Cells, Cells]:
        """[seat]: the luck of the deal before a stretch, and its variance."""
        samples = self._samples[i]
        luck = self._dealt(i) - samples.mean(0)
        return luck[:, MARGIN], mean_variance(samples)[:, MARGIN]

    def _dealt(self, i: int) -> Cells:
        """The outlook after the deal of a stretch. Without decisions it is that of its end."""
        dealt = self._found[i].dealt
        if dealt is not None:
            return dealt
        return self._samples[i].mean(0) if self._found[i].judgements else self._before(i)

    def _before(self, i: int) -> Cells:
        """The outlook before the first turn of a stretch, given everything found later in it."""
        lost = sum((judged.lost for judged in self._found[i].judgements), np.zeros((self._game.players, 2)))
        before: Cells = self._samples[i + 1].mean(0) + lost
        return before

    def _correction(self, i: int) -> Cells:
        correction: Cells = (self._before(i) - self._dealt(i))[:, MARGIN]
        return correction

    # --- the ledger --------------------------------------------------------------------------------

    def ledgers(self) -> tuple[Balance, ...]:
        return tuple(self._ledger(Seat(seat)) for seat in range(self._game.players))

    def _ledger(self, seat: Seat) -> Balance:
        turns = [judged for each in self._found for judged in each.judgements]
        lucks = [self._luck(i) for i in range(len(self._found))]
        own = [judged for judged in turns if judged.turn.seat == seat]
        others = [judged for judged in turns if judged.turn.seat != seat]
        first = self._samples[0]
        start = _points(first.mean(0)[seat, MARGIN], mean_variance(first)[seat, MARGIN])
        luck = _sum((values[seat], variances[seat]) for values, variances in lucks)
        given = _sum((judged.lost[seat, MARGIN], judged.variance[seat, MARGIN]) for judged in own)
        received = _sum((-judged.lost[seat, MARGIN], judged.variance[seat, MARGIN]) for judged in others)
        result = float(final_outlook(self._game)[seat, MARGIN])
        foreseen = start.value + luck.value + received.value - given.value
        return Balance(seat=seat, start=start, luck=luck, received=received, given=given,
                       unforeseen=result - foreseen, result=result)

    # --- the graph ---------------------------------------------------------------------------------

    def moments(self) -> tuple[GraphPoint, ...]:
        """Before each deal, after it, before each turn, and at the end."""
        through = (self._through(i) for i in range(len(self._found)))
        last = self._game.ply
        end = self._moment(last, Kind.EXACT, final_outlook(self._game), np.zeros((self._game.players, 2)))
        return (*itertools.chain.from_iterable(through), end)

    def _through(self, i: int) -> Iterator[GraphPoint]:
        found, samples = self._found[i], self._samples[i]
        yield self._moment(found.stretch.deal, Kind.ESTIMATE, samples.mean(0), mean_variance(samples))
        here = self._before(i)
        variance = mean_variance(self._samples[i + 1]) + sum(judged.variance for judged in found.judgements)
        for judged in found.judgements:
            kind = judged.turn.verdict.kind
            yield self._moment(judged.turn.ply, kind, here, variance)
            here, variance = here - judged.lost, variance - judged.variance

    def _moment(self, ply: int, kind: Kind, outlook: Cells, variance: Cells) -> GraphPoint:
        position = self._game.at(ply)
        error = Z * np.sqrt(np.maximum(variance, 0.0))
        return GraphPoint(
            ply=ply, round=int(position.state.round), kind=kind,
            seat=Seat(position.to_move) if position.to_move >= 0 else None,
            margin=tuple(Margin.within(float(value), float(wide)) for value, wide in
                         zip(outlook[:, MARGIN], error[:, MARGIN], strict=True)),
            win=tuple(_chance(float(value), float(wide)) for value, wide in
                      zip(outlook[:, CHANCE_TO_WIN], error[:, CHANCE_TO_WIN], strict=True)),
        )


def _points(value: float, variance: float) -> Margin:
    return Margin.within(float(value), Z * float(variance) ** 0.5)


def _sum(terms: Iterator[tuple[float, float]]) -> Margin:
    """The sum of independent numbers, given with their variances."""
    pairs = list(terms)
    return _points(sum(value for value, _ in pairs), sum(variance for _, variance in pairs))


def _chance(value: float, error: float) -> Chance:
    low, middle, high = (min(1.0, max(0.0, each)) for each in (value - error, value, value + error))
    return Chance(middle, low, high)
