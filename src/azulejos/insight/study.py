"""A stream of ever better answers about one position: points, chance to win, the best turns, the threat.

    for found in azulejos.insight.outlooks(position, Limit(seconds=10)):
        print(found.points[0], found.turns[0].actions)

Turns are compared with the best one and never have values of their own, so there is one sign: a turn that
is worse has less than 0 points.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from azulejos.bots.workspaces import Workspaces
from azulejos.core.game import Seat
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.core.tell import changed
from azulejos.insight.judge import (
    ENOUGH, SHARED_DOUBT, SHOWN_TURNS, Findings, Judge, RatedTurn, RatedTurns, Z, final_outlook, judge_for,
    mean_variance, quantile,
)
from azulejos.insight.results import MISTAKE_POINTS, Chance, Kind, Margin, PositionValue, RankedTurn, Threat
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN, UNMEASURED_DOUBT, scale_of
from azulejos.protocol.bot import Bot, Limit

THREAT_AFTER: Final = 0.4
"""Seconds after which the threat is looked for: the first numbers come first."""
PROVABLE: Final = 300_000
"""Nodes that may have to be searched again after a line that a page calls proved."""
FEWEST_DEALS: Final = 3
"""Deals from which on a difference is the mean over deals."""


def outlooks(
    position: Position, limit: Limit | None = None, *, workspaces: Workspaces | None = None,
    bot: Bot | None = None, found: Findings | None = None,
) -> Iterator[PositionValue]:
    """Ever better answers until the limit is reached or nothing is left to find out.

    `workspaces` keeps memory between positions. Another `bot` rates the moves instead of our search. With
    what a page has `found`, only the rest is looked for: the threat, and deals after turns that are proved.
    """
    began, limit, last = time.perf_counter(), limit or Limit(seconds=10.0), None
    if position.is_over:
        answers = iter([_final(position)])
    elif position.is_chance:
        answers = _before_deal(position, limit)
    elif bot is not None:
        answers = (_outlook_of(position, said) for said in _said_by(bot, position, limit))
    elif found is not None:
        answers = _Study(position, limit, trusted=False).further(outlook_from(position, found))
    else:
        answers = _Study(position, limit).answers(workspaces or Workspaces())
    for last in answers:
        last = replace(last, seconds=time.perf_counter() - began)
        yield last
    assert last is not None
    yield replace(last, finished=True, seconds=time.perf_counter() - began)


def _final(position: Position) -> PositionValue:
    found = final_outlook(position)
    return PositionValue(
        seat=None, kind=Kind.EXACT, points=tuple(Margin.exactly(float(each)) for each in found[:, MARGIN]),
        win=tuple(Chance.exactly(float(each)) for each in found[:, CHANCE_TO_WIN]),
    )


def _before_deal(position: Position, limit: Limit) -> Iterator[PositionValue]:
    """The mean over ever more deals; even chances if there was no time for a few of them."""
    found = None
    for found in _over_sampled_deals(position, limit) if can_search_deals(position) else ():
        yield found
    if found is None:
        yield _around(position, np.full((position.players, 2), (0.0, 1 / position.players)), Kind.ESTIMATE,
                      np.array(UNMEASURED_DOUBT[0][1:]))


def _over_sampled_deals(position: Position, limit: Limit) -> Iterator[PositionValue]:
    judge, samples = judge_for(position), []
    effort = judge.efforts.study
    for deal in range(effort.deals):
        if is_spent(limit):
            return
        samples.append(judge.over_deals(position, deals=1, nodes=effort.deal_nodes, seed=deal)[0])
        if len(samples) >= FEWEST_DEALS:
            sampled = np.array(samples)
            error = quantile(len(samples)) * np.sqrt(mean_variance(sampled))
            yield _within(position, sampled.mean(0), error, Kind.ESTIMATE, deals=len(samples))


def can_search_deals(position: Position) -> bool:
    """Whether positions after deals can be searched: that is too slow until the search is compiled."""
    return position.game.engine.compiled


def is_spent(limit: Limit) -> bool:
    return limit.stop is not None and limit.stop.is_set()


def _within(
    position: Position, outlook: Cells, error: Cells, kind: Kind, *, deals: int = 0, nodes: int = 0,
    turns: tuple[RankedTurn, ...] = (), threat: Threat | None = None,
) -> PositionValue:
    """An outlook [seat, 2] that is wrong by more than `error` once in ten times."""
    return PositionValue(
        seat=Seat(position.to_move) if position.to_move >= 0 else None, kind=kind,
        points=tuple(Margin.within(float(v), float(e))
                     for v, e in zip(outlook[:, MARGIN], error[:, MARGIN], strict=True)),
        win=tuple(Chance(float(v), max(0.0, float(v) - float(e)), min(1.0, float(v) + float(e)))
                  for v, e in zip(outlook[:, CHANCE_TO_WIN], error[:, CHANCE_TO_WIN], strict=True)),
        turns=turns, threat=threat, deals=deals, nodes=nodes,
    )


def _around(position: Position, outlook: Cells, kind: Kind, doubt: Cells, **more: Any) -> PositionValue:
    """An outlook with a standard error [2] that is the same for all seats."""
    return _within(position, outlook, np.tile(Z * doubt, (position.players, 1)), kind, **more)


# --- a position with a seat to move ----------------------------------------------------------------------


class _Study:
    """Rates every turn; then compares those that are proved over the same deals."""

    def __init__(self, position: Position, limit: Limit, *, trusted: bool = True) -> None:
        """`trusted`: whether what is called proved was proved here."""
        self.position, self.limit, self.judge = position, limit, judge_for(position)
        self._enough = ENOUGH if trusted else PROVABLE
        self.began = time.perf_counter()
        self._threat: Threat | None = None
        self._looked = False

    def answers(self, workspaces: Workspaces) -> Iterator[PositionValue]:
        for rated in self.judge.refined(self.position, self.limit, workspaces):
            found = _outlook_of(self.position, rated)
            found = replace(found, threat=self._threat_to(found))
            yield found
        yield from self.further(found)

    def further(self, found: PositionValue) -> Iterator[PositionValue]:
        """The threat, and the proved turns over deals."""
        self.began -= THREAT_AFTER
        found = replace(found, threat=self._threat_to(found))
        yield found
        if can_search_deals(self.position) and found.kind is Kind.PROVED:
            yield from self._over_deals(found)

    def _threat_to(self, found: PositionValue) -> Threat | None:
        """Looked for once, after the first answers."""
        early = time.perf_counter() - self.began < THREAT_AFTER
        if not self._looked and not early and can_search_deals(self.position):
            self._looked = True
            self._threat = threat_to(self.judge, self.position, found.turns[0].actions)
        return self._threat

    def _over_deals(self, found: PositionValue) -> Iterator[PositionValue]:
        """Compare the proved turns over more and more deals, the same ones for all turns."""
        judge, here, seat = self.judge, self.position, self.position.to_move
        effort = judge.efforts.study
        proved, ends = [], []
        for turn in found.turns:
            end = self._end_of(here.after(turn.line)) if turn.proved else None
            if end is not None:
                proved.append(turn)
                ends.append(end)
            if is_spent(self.limit):
                return
        if not proved:
            return
        samples: list[list[Cells]] = []
        for deal in range(effort.deals):
            samples.append([
                judge.over_deals(end, deals=1, nodes=effort.deal_nodes, seed=deal)[0][seat] for end in ends
            ])
            if len(samples) >= FEWEST_DEALS:
                yield self._resampled(found, proved, np.array(samples))
            if is_spent(self.limit) or self._is_late():
                return

    def _end_of(self, position: Position) -> Position | None:
        """Where best play leads in the end, after a line that is said to be proved; None if it is not."""
        while position.to_move >= 0:
            known = self.judge.search(position, self._enough)
            if not known.proved:
                return None
            position = position.after(known.line)
        return position

    def _is_late(self) -> bool:
        seconds = self.limit.time_limit
        return seconds is not None and time.perf_counter() - self.began > seconds + THREAT_AFTER

    def _resampled(self, found: PositionValue, proved: list[RankedTurn], samples: Cells) -> PositionValue:
        """The proved turns by their means over deals [deal, turn, 2]; the others follow as they were."""
        best = int(samples.mean(0)[:, MARGIN].argmax())
        doubt = SHARED_DOUBT * self.judge.scale.doubt_of(self.judge.efforts.study.deal_nodes)
        turns = []
        for number, turn in enumerate(proved):
            differences = samples[:, number] - samples[:, best]
            error = np.sqrt(mean_variance(differences) + doubt**2) * quantile(len(samples))
            turns.append(_ranked(turn.actions, turn.line, turn.kind if number != best else Kind.PROVED,
                                 differences.mean(0), error * (number != best), proved=True))
        turns.sort(key=lambda turn: -turn.points.value)
        rest = [turn for turn in found.turns if turn not in proved]
        return replace(found, turns=(*turns, *rest), deals=len(samples))


def outlook_from(position: Position, found: Findings) -> PositionValue:
    """What the findings of a search say about a position with a seat to move."""
    return _outlook_of(position, judge_for(position).rated(position, found))


def _outlook_of(position: Position, rated: RatedTurns) -> PositionValue:
    best = rated.turns[0]
    turns = tuple(_compared(position, best, turn) for turn in rated.turns)
    return _around(position, rated.outlook, turns[0].kind, rated.doubt, nodes=rated.nodes, turns=turns)


def _compared(position: Position, best: RatedTurn, other: RatedTurn) -> RankedTurn:
    """The difference between two turns, by their values."""
    ends, doubt = [each.end for each in (best, other) if each.end and each.end.is_over], other.doubt
    if len(ends) == 2:
        kind, doubt = Kind.EXACT, np.zeros(2)
        difference = (final_outlook(ends[1]) - final_outlook(ends[0]))[position.to_move]
    else:
        kind = Kind.PROVED if best.proved and other.proved else Kind.ESTIMATE
        doubt = SHARED_DOUBT * doubt if kind is Kind.PROVED else doubt
        scale = scale_of(position)
        mine, theirs = (np.array(scale.outlook_at(each.value, position)) for each in (other, best))
        difference = mine - theirs
    return _ranked(other.turn, other.line, kind, difference, Z * doubt * (other is not best),
                   proved=other.proved)


def _ranked(
    actions: tuple[int, ...], line: tuple[int, ...], kind: Kind, difference: Cells, error: Cells, *,
    proved: bool = False,
) -> RankedTurn:
    """A turn is never better than the best one; what rounding and noise leave is 0."""
    points, win = (min(0.0, float(each)) for each in difference)
    return RankedTurn(
        actions=actions, line=line, kind=kind, proved=proved,
        points=Margin(points, points - float(error[MARGIN]), points + float(error[MARGIN])),
        win=Chance(win, win - float(error[CHANCE_TO_WIN]), win + float(error[CHANCE_TO_WIN])),
    )


# --- another engine ------------------------------------------------------------------------------------


def _said_by(bot: Bot, position: Position, limit: Limit) -> Iterator[RatedTurns]:
    """What another engine says. Nobody has measured how wrong its numbers are."""
    doubt, number, scale = np.array(UNMEASURED_DOUBT[0][1:]), position.game.moves.number, scale_of(position)
    with bot.analysis(position, limit) as stream:
        for analysis in stream:
            turns = []
            for rated in analysis.moves[:SHOWN_TURNS]:
                line = tuple(number(move) for move in rated.line) or (number(rated.move),)
                turns.append(RatedTurn(position.first_turn(line), line, rated.value or 0.0, doubt))
            margin, win = scale.outlook_at(turns[0].value, position)
            outlook = np.full((position.players, 2), (-margin, (1 - win) / (position.players - 1)))
            outlook[position.to_move] = margin, win
            yield RatedTurns(outlook, doubt, tuple(turns), analysis.nodes)


# --- threats -------------------------------------------------------------------------------------------


def threat_to(judge: Judge, position: Position, best: Sequence[int]) -> Threat | None:
    """What the next player would do if the seat to move could pass; `best` is its best turn. None: there is
    no threat worth naming, or passing would not be a position of this game."""
    after = position.after(best)
    if position.in_turn or after.to_move < 0 or after.to_move == position.to_move:
        return None
    passed = passed_to(position, after.to_move)
    if passed is None:
        return None
    nodes = judge.efforts.threat
    judge.begin(judge.effort)
    line = judge.search(passed, nodes).line
    seat = position.to_move
    ended = passed.after(passed.first_turn(line))
    if ended.to_move < 0:
        return None
    margin = (judge.fresh_outlook(after, nodes) - judge.fresh_outlook(ended, nodes))[seat, MARGIN]
    if margin < MISTAKE_POINTS:
        return None
    return Threat(seat=Seat(passed.to_move), actions=passed.first_turn(line), points=float(margin))


def passed_to(position: Position, seat: int) -> Position | None:
    """The same position with another seat to move, if the rules' own check accepts it."""

    def give(state: Any) -> None:
        state.to_move = seat

    passed = changed(position, give)
    try:
        Position.from_text(passed.text())
    except ValueError:
        return None
    return passed if passed.legal_actions() else None
