"""A stream of ever better answers about one position: points, chance to win, the best turns, the threat.

    for found in azulejos.insight.outlooks(position, Limit(seconds=10)):
        print(found.points[0], found.turns[0].actions)

Turns are compared with the best one and never have values of their own, so there is one sign: a turn that
is worse has less than 0 points.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from azulejos.bots.compiled import functions, is_warm
from azulejos.bots.deadline import deadline
from azulejos.bots.ratings import FIRST_GROWTH, ratings
from azulejos.bots.workspaces import Workspaces, is_solvable, node_limit
from azulejos.core import jit
from azulejos.core.game import Seat
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import tree, tree_memory
from azulejos.engine.value import points_of
from azulejos.insight.judge import Judge, Solver, final_outlook, judge_for, over_deals, phase_of
from azulejos.insight.results import Chance, Kind, Margin, Outlook, RankedTurn, Threat
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN, UNMEASURED_DOUBT, Scale, scale_of
from azulejos.insight.stretches import SHARED_DOUBT, Effort, Z, mean_variance, quantile
from azulejos.insight.threats import threat_to
from azulejos.protocol.bot import Analysis, Bot, Limit, RatedMove

SHOWN_TURNS: Final = 5
RATING_SHARE: Final = 0.6
"""Of the time; the rest is for deals after the turns that are proved."""
THREAT_AFTER: Final = 0.4
"""Seconds after which the threat is looked for: the first numbers come first."""
DEALS: Final = Effort(nodes=100_000, deals=24, deal_nodes=10_000)
CHANCE_DEALS: Final = Effort(nodes=300, deals=24, deal_nodes=300)
FEWEST_DEALS: Final = 3
"""Deals from which on a difference is the mean over deals."""
ROUND_END_DOUBT: Final = (3.0, 0.08)
"""Points and chance to win by which the judgement of a round's end is wrong on average. A guess, as large
as where nothing was measured (`scale.UNMEASURED_DOUBT`); it only widens the headline's interval."""


def outlooks(
    position: Position, limit: Limit | None = None, *, workspaces: Workspaces | None = None,
    bot: Bot | None = None,
) -> Iterator[Outlook]:
    """Ever better answers until the limit is reached or nothing is left to find out.

    `workspaces` keeps memory between positions. Another `bot` rates the moves instead of our search.
    """
    began, limit, last = time.perf_counter(), limit or Limit(seconds=10.0), None
    for found in _answers(position, limit, workspaces or Workspaces(), bot):
        last = replace(found, seconds=time.perf_counter() - began)
        yield last
    assert last is not None
    yield replace(last, finished=True, seconds=time.perf_counter() - began)


def _answers(
    position: Position, limit: Limit, workspaces: Workspaces, bot: Bot | None
) -> Iterator[Outlook]:
    if position.is_over:
        return iter([_final(position)])
    if position.is_chance:
        return _before_deal(position, limit)
    if bot is not None:
        return _by_bot(position, limit, bot)
    search = _Solving if is_solvable(position) else _Growing
    return search(position, limit, workspaces).answers()


def _final(position: Position) -> Outlook:
    found = final_outlook(position)
    return Outlook(
        seat=None, kind=Kind.EXACT, points=tuple(Margin.exactly(float(each)) for each in found[:, MARGIN]),
        win=tuple(Chance.exactly(float(each)) for each in found[:, CHANCE_TO_WIN]),
    )


def _before_deal(position: Position, limit: Limit) -> Iterator[Outlook]:
    """The mean over ever more deals; even chances if there was no time for a few of them."""
    found = None
    for found in _over_sampled_deals(position, limit) if can_search_deals(position) else ():
        yield found
    if found is None:
        yield _around(position, np.full((position.players, 2), (0.0, 1 / position.players)), Kind.ESTIMATE,
                      np.array(UNMEASURED_DOUBT[0][1:]))


def _over_sampled_deals(position: Position, limit: Limit) -> Iterator[Outlook]:
    judge, samples = judge_for(position), []
    effort = DEALS if isinstance(judge, Solver) else CHANCE_DEALS
    for deal in range(effort.deals):
        if is_spent(limit):
            return
        samples.append(over_deals(judge, position, deals=1, nodes=effort.deal_nodes, seed=deal)[0])
        if len(samples) >= FEWEST_DEALS:
            sampled = np.array(samples)
            error = quantile(len(samples)) * np.sqrt(mean_variance(sampled))
            yield _within(position, sampled.mean(0), error, Kind.ESTIMATE, deals=len(samples))


def can_search_deals(position: Position) -> bool:
    """Whether positions after deals can be searched: that is too slow until the search is compiled."""
    return jit.enabled() and is_warm(position.game)


def is_spent(limit: Limit) -> bool:
    return limit.stop is not None and limit.stop.is_set()


def _within(
    position: Position, outlook: Cells, error: Cells, kind: Kind, *, deals: int = 0, nodes: int = 0,
    turns: tuple[RankedTurn, ...] = (), threat: Threat | None = None,
) -> Outlook:
    """An outlook [seat, 2] that is wrong by more than `error` once in ten times."""
    return Outlook(
        seat=Seat(position.to_move) if position.to_move >= 0 else None, kind=kind,
        points=tuple(Margin.within(float(v), float(e))
                     for v, e in zip(outlook[:, MARGIN], error[:, MARGIN], strict=True)),
        win=tuple(_chance(float(v), float(e))
                  for v, e in zip(outlook[:, CHANCE_TO_WIN], error[:, CHANCE_TO_WIN], strict=True)),
        turns=turns, threat=threat, deals=deals, nodes=nodes,
    )


def _chance(value: float, error: float) -> Chance:
    return Chance(value, max(0.0, value - error), min(1.0, value + error))


def _around(position: Position, outlook: Cells, kind: Kind, doubt: Cells, **more: Any) -> Outlook:
    """An outlook with a standard error [2] that is the same for all seats."""
    return _within(position, outlook, np.tile(Z * doubt, (position.players, 1)), kind, **more)


# --- what both searches share ----------------------------------------------------------------------------


class _Search:
    """One search of a position with a seat to move."""

    def __init__(self, position: Position, limit: Limit, workspaces: Workspaces) -> None:
        self.position, self.limit, self.workspaces = position, limit, workspaces
        self.scale: Scale = scale_of(position)
        self.began = time.perf_counter()
        self._threat: Threat | None = None
        self._looked = False
        self._judge: Judge | None = None

    def meaning(self, value: float) -> Cells:
        """[2]: margin and chance to win of a value for one seat."""
        here = self.position
        return np.array(self.scale.outlook(value, phase_of(here), int(here.state.round)))

    def judge(self) -> Judge:
        self._judge = self._judge or judge_for(self.position)
        return self._judge

    def threat(self, best: Sequence[int]) -> Threat | None:
        """Looked for once, after the first answers."""
        early = time.perf_counter() - self.began < THREAT_AFTER
        if self._looked or early or not can_search_deals(self.position):
            return self._threat
        self._looked = True
        self._threat = threat_to(self.judge(), self.position, best)
        return self._threat


# --- two seats, rounds without chance --------------------------------------------------------------------


class _Solving(_Search):
    """Rates every turn with the solver; then compares those that are proved over the same deals."""

    def answers(self) -> Iterator[Outlook]:
        seconds = self.limit.time_limit
        limit = self.limit if seconds is None else replace(self.limit, seconds=RATING_SHARE * seconds)
        for analysis in ratings(self.workspaces, self.position, limit, every=True):
            found = self._rated(analysis)
            yield found
        self.began -= THREAT_AFTER
        found = replace(found, threat=self.threat(found.turns[0].actions))
        yield found
        if can_search_deals(self.position):
            yield from self._over_deals(found)

    def _rated(self, analysis: Analysis) -> Outlook:
        best, here, action = analysis.best, self.position, self.position.game.moves.number
        each = max(1, analysis.nodes // len(analysis.moves))
        top = _Rated.of(here, best, tuple(action(move) for move in best.line))
        others = [_Rated.of(here, move, tuple(action(each) for each in move.line))
                  for move in analysis.moves[1:SHOWN_TURNS]]
        doubt = self.scale.doubt_of(each)
        turns = tuple(self._compared(top, other, doubt) for other in (top, *others))
        seat = here.to_move
        if top.end is not None and top.end.is_over:
            outlook, doubt = final_outlook(top.end), np.zeros(2)
        else:
            own = self.meaning(best.value or 0.0)
            outlook = np.array([own, (-own[MARGIN], 1 - own[CHANCE_TO_WIN])])
            outlook = outlook if seat == 0 else outlook[::-1]
            doubt = np.maximum(doubt, ROUND_END_DOUBT) if top.proved else \
                np.hypot(doubt, ROUND_END_DOUBT)
        return _around(here, outlook, turns[0].kind, doubt, nodes=analysis.nodes, turns=turns,
                       threat=self.threat(turns[0].actions))

    def _compared(self, best: _Rated, other: _Rated, doubt: Cells) -> RankedTurn:
        """The difference between two turns, by their values."""
        kind = _kind(best, other)
        if kind is Kind.EXACT:
            assert best.end is not None
            assert other.end is not None
            seat = self.position.to_move
            difference, doubt = (final_outlook(other.end) - final_outlook(best.end))[seat], np.zeros(2)
        else:
            difference = self.meaning(other.value) - self.meaning(best.value)
        if kind is Kind.PROVED:
            doubt = SHARED_DOUBT * doubt
        return _ranked(other.line[:1], other.line, kind, difference, Z * doubt * (other is not best),
                       proved=other.proved)

    def _over_deals(self, found: Outlook) -> Iterator[Outlook]:
        """Compare the proved turns over more and more deals, the same ones for all turns."""
        if found.kind is not Kind.PROVED:
            return
        judge, here, seat = self.judge(), self.position, self.position.to_move
        assert isinstance(judge, Solver)
        proved = [turn for turn in found.turns if turn.proved]
        ends = []
        for turn in proved:
            child = here.after(turn.actions)
            rest = judge.solved_line(child, ()) if child.to_move >= 0 else ()
            ends.append(child.after(rest))
            if is_spent(self.limit):
                return
        samples: list[list[Cells]] = []
        for deal in range(DEALS.deals):
            samples.append([
                over_deals(judge, end, deals=1, nodes=DEALS.deal_nodes, seed=deal)[0][seat] for end in ends
            ])
            if len(samples) >= FEWEST_DEALS:
                yield self._resampled(found, proved, np.array(samples))
            if is_spent(self.limit) or self._is_late():
                return

    def _is_late(self) -> bool:
        seconds = self.limit.time_limit
        return seconds is not None and time.perf_counter() - self.began > seconds + THREAT_AFTER

    def _resampled(self, found: Outlook, proved: list[RankedTurn], samples: Cells) -> Outlook:
        """The proved turns by their means over deals [deal, turn, 2]; the others follow as they were."""
        best = int(samples.mean(0)[:, MARGIN].argmax())
        doubt = SHARED_DOUBT * self.scale.doubt_of(DEALS.deal_nodes)
        turns = []
        for number, turn in enumerate(proved):
            differences = samples[:, number] - samples[:, best]
            error = np.sqrt(mean_variance(differences) + doubt**2) * quantile(len(samples))
            turns.append(_ranked(turn.actions, turn.line, turn.kind if number != best else Kind.PROVED,
                                 differences.mean(0), error * (number != best), proved=True))
        turns.sort(key=lambda turn: -turn.points.value)
        rest = [turn for turn in found.turns if not turn.proved]
        return replace(found, turns=(*turns, *rest), deals=len(samples))


@dataclass(frozen=True, slots=True)
class _Rated:
    """A move as the solver rated it, and where the expected play leads if that is proved."""

    value: float
    line: tuple[int, ...]
    proved: bool
    end: Position | None

    @classmethod
    def of(cls, position: Position, move: RatedMove, line: tuple[int, ...]) -> _Rated:
        end = position.after(line) if move.proved else None
        return cls(move.value or 0.0, line, move.proved, end if end is None or end.to_move < 0 else None)


def _kind(*rated: _Rated) -> Kind:
    if all(each.end is not None and each.end.is_over for each in rated):
        return Kind.EXACT
    return Kind.PROVED if all(each.proved for each in rated) else Kind.ESTIMATE


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


# --- any game: whole turns of a tree -------------------------------------------------------------------


class _Growing(_Search):
    """Grows one tree; an answer whenever it has doubled."""

    def answers(self) -> Iterator[Outlook]:
        binding, most = functions(self.position.game, self.limit), node_limit(self.limit)
        t = self.workspaces.tree(self.position, self.limit, binding, fresh=True)
        grow, simulations = binding.bind(tree.grow), FIRST_GROWTH
        with deadline(self.limit, t.flag):
            while True:
                t.counters[tree_memory.LIMIT] = min(simulations, most)
                grow(t)
                yield self._grown(t)
                if simulations >= most or t.flag[0] != 0 or tree_memory.is_crowded(t):
                    return
                simulations *= 2

    def _grown(self, t: tree_memory.Tree) -> Outlook:
        here, count = self.position, max(1, int(t.counters[tree_memory.SIMULATIONS]))
        swing = int(t.counters[tree_memory.SWING])
        means = t.worth[: here.players] / count
        outlook = np.array([self.meaning(points_of(mean, swing)) for mean in means])
        turns = self._turns(t, swing)
        doubt = np.hypot(self.scale.doubt_of(count), ROUND_END_DOUBT)
        return _around(here, outlook, Kind.ESTIMATE, doubt, nodes=count, turns=turns,
                       threat=self.threat(turns[0].actions))

    def _turns(self, t: tree_memory.Tree, swing: int) -> tuple[RankedTurn, ...]:
        """The turns that the search tried most; those that lead to the same position are one."""
        root = t.nodes[0]
        edges = [edge for edge in t.edges[root["first"] : root["first"] + root["count"]] if edge["visits"]]
        edges.sort(key=lambda edge: -int(edge["visits"]))
        found: dict[bytes, tuple[tuple[int, ...], float, int]] = {}
        for edge in edges[: 4 * SHOWN_TURNS]:
            actions = tuple(int(action) for action in edge["actions"][: edge["length"]])
            turn = self.position.first_turn(actions)
            value = points_of(float(edge["total"] / edge["visits"]), swing)
            found.setdefault(self.position.after(turn).key, (turn, value, int(edge["visits"])))
        best = next(iter(found.values()))
        shown = [best, *sorted(list(found.values())[1:], key=lambda each: -each[1])[: SHOWN_TURNS - 1]]
        return tuple(self._compared(best, each) for each in shown)

    def _compared(
        self, best: tuple[tuple[int, ...], float, int], other: tuple[tuple[int, ...], float, int]
    ) -> RankedTurn:
        difference = self.meaning(other[1]) - self.meaning(best[1])
        fewest = float(self.scale.doubt[0, 0])
        doubt = self.scale.doubt_of(other[2]) * max(1.0, fewest / other[2]) ** 0.5
        return _ranked(other[0], other[0], Kind.ESTIMATE, difference, Z * doubt * (other is not best))


# --- another engine ------------------------------------------------------------------------------------


def _by_bot(position: Position, limit: Limit, bot: Bot) -> Iterator[Outlook]:
    """What another engine says. Nobody has measured how wrong its numbers are."""
    with bot.analysis(position, limit) as stream:
        for analysis in stream:
            yield _said(position, analysis)


def _said(position: Position, analysis: Analysis) -> Outlook:
    doubt, number = np.array(UNMEASURED_DOUBT[0][1:]), position.game.moves.number
    scale, best = scale_of(position), analysis.best
    phase, round_ = phase_of(position), int(position.state.round)
    own = np.array(scale.outlook(best.value or 0.0, phase, round_))
    outlook = np.full((position.players, 2), (-own[MARGIN], (1 - own[1]) / (position.players - 1)))
    outlook[position.to_move] = own
    turns = []
    for rated in analysis.moves[:SHOWN_TURNS]:
        line = tuple(number(move) for move in rated.line) or (number(rated.move),)
        given = scale.outlook(rated.value or 0.0, phase, round_)
        turns.append(_ranked(position.first_turn(line), line, Kind.ESTIMATE, np.array(given) - own,
                             Z * doubt * (rated is not best)))
    return _around(position, outlook, Kind.ESTIMATE, doubt, nodes=analysis.nodes, turns=tuple(turns))
