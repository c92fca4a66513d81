"""A stretch of a game: a deal, then decisions until the next deal or the end.

In games whose rounds have no chance within, a stretch is a round. Stretches are judged separately, in any
order and on several cores; `insight.review` puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.workspaces import is_solvable
from azulejos.core.game import Seat
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.judge import Found, Grower, Judge, Solver, both, final_outlook, over_deals
from azulejos.insight.results import Chance, Grade, JudgedTurn, Kind, Line, Margin, Verdict, nothing_lost
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN
from azulejos.insight.why import Explainer

Z: Final = 1.645
"""Standard errors on both sides of a mean that hold 90 % of a normal distribution."""
SHARED_DOUBT: Final = 0.5
"""The part of an estimate's error that is alike in all deals, so that their mean does not reduce it. A
guess: without it three of 29 quick mistakes were refuted by the thorough pass (docs/lab/insight.md)."""

NODES_TO_THE_END: Final = 300_000
"""With so many nodes, the end of the game that a search expects says as much about the margin as its
value does, and their mean is best: in 33 last rounds it was 2.4 points (rms) from strong play, the value
alone 3.0, the end alone 3.2 (with a million nodes 1.8, 2.4, 2.5). With 100,000 the end says little."""
FOLLOWING_NODES: Final = 20_000
"""For each decision after the line that a search noted."""


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How much a judge searches."""

    nodes: int
    """For each decision (simulations, where a tree is searched)."""
    deals: int
    deal_nodes: int
    """For each position after a sampled deal."""

    def times(self, factor: int) -> Effort:
        """The same deals, searched deeper."""
        return replace(self, nodes=factor * self.nodes, deal_nodes=factor * self.deal_nodes)


SOLVER_EFFORTS: Final = (
    Effort(nodes=30_000, deals=6, deal_nodes=10_000),
    Effort(nodes=1_000_000, deals=36, deal_nodes=30_000),
)
"""A quick pass, then a thorough one: two seats, and rounds without chance. Many deals with few nodes: more
nodes do not see a dealt round better (docs/lab/insight.md), more deals have a surer mean."""
ROUND_TREE_EFFORTS: Final = (
    Effort(nodes=300, deals=3, deal_nodes=150),
    Effort(nodes=20_000, deals=8, deal_nodes=6000),
)
"""More seats, and rounds without chance."""
TREE_EFFORTS: Final = (
    Effort(nodes=300, deals=3, deal_nodes=150),
    Effort(nodes=3000, deals=6, deal_nodes=1500),
)
"""Chance within rounds: most turns end with a draw, so most positions are searched after several deals."""


def efforts_for(position: Position) -> tuple[Effort, ...]:
    if is_solvable(position):
        return SOLVER_EFFORTS
    return ROUND_TREE_EFFORTS if evaluation_of(position.game).chance_free_rounds else TREE_EFFORTS


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Plies of a game: chance draws from `deal` on, decisions from `first` to before `end`."""

    deal: int
    first: int
    end: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """A judged turn with its numbers."""

    turn: JudgedTurn
    lost: Cells
    """float [seat, 2]: outlook after the better turn minus outlook after the one that was played."""
    variance: Cells
    """float [seat, 2]: of `lost`."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Findings:
    """What was found out about a stretch."""

    stretch: Stretch
    dealt: Cells | None
    """float [seat, 2]: the outlook after the deal, searched like any other deal; None without a deal."""
    after: Cells
    """float [deal, seat, 2]: outlooks after sampled deals at the end of the stretch."""
    steps: tuple[Step, ...]


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


def findings(judge: Judge, game: Position, stretch: Stretch, effort: Effort) -> Findings:
    """Judge a stretch of a game; `game` is its last position."""
    steps = SolvedStretch if isinstance(judge, Solver) else GrownStretch
    found = steps(judge, game, stretch, effort)
    made = explained(judge, game, stretch, found.steps())
    first = game.at(stretch.first)
    has_deal = stretch.deal < stretch.first and first.to_move >= 0
    dealt = judge.outlook(first, effort.deal_nodes) if has_deal else None
    return Findings(stretch=stretch, dealt=dealt, after=found.samples(game.at(stretch.end)),
                    steps=tuple(made))


def explained(judge: Judge, game: Position, stretch: Stretch, steps: list[Step]) -> list[Step]:
    """The same steps with reasons for what was lost."""
    explainer = Explainer(judge, game)
    return [
        step if step.turn.grade is Grade.EQUAL
        else replace(step, turn=replace(step.turn, reasons=explainer.reasons(step.turn, stretch.end)))
        for step in steps
    ]


class _JudgedStretch:
    """What both ways of judging share: positions and sampled deals."""

    def __init__(self, judge: Judge, game: Position, stretch: Stretch, effort: Effort) -> None:
        self.game, self.stretch, self.effort = game, stretch, effort
        self._judge = judge
        self._seed = stretch.end + effort.nodes  # a deeper pass sees other deals: it confirms or refutes
        self._samples: dict[bytes, Cells] = {}
        self._lines: dict[bytes, tuple[int, ...]] = {}

    def samples(self, position: Position) -> Cells:
        """Outlooks over the deals that follow a position; the same deals for all positions."""
        if position.key not in self._samples:
            nodes = self.effort.deal_nodes if position.is_chance else self.effort.nodes
            self._samples[position.key] = over_deals(
                self._judge, position, deals=self.effort.deals, nodes=nodes, seed=self._seed
            )
        return self._samples[position.key]

    def step(
        self, before: Position, played: Line, better: Line | None, kind: Kind, lost: Cells, variance: Cells
    ) -> Step:
        """A judged turn. One that is not worse than the judge's own choice lost nothing: without this, what
        the judge chose wrongly counts as won, and unforeseen is 13 points (rms in 6 games) instead of 8."""
        seat = before.to_move
        lost = np.where(lost[seat] > 0, lost, 0.0)
        better = better if lost.any() else None
        error = quantile(self.effort.deals) * np.sqrt(variance)
        effect = tuple(
            Margin.within(-float(points), float(doubt))
            for points, doubt in zip(lost[:, MARGIN], error[:, MARGIN], strict=True)
        )
        verdict = nothing_lost(kind) if better is None else Verdict(
            kind, Margin.within(float(lost[seat, MARGIN]), float(error[seat, MARGIN])),
            Chance.within(float(lost[seat, CHANCE_TO_WIN]), float(error[seat, CHANCE_TO_WIN])),
        )
        turn = JudgedTurn(
            ply=before.ply, round=int(before.state.round), seat=Seat(seat),
            choices=len(before.legal_actions()), played=played, better=better, verdict=verdict,
            effect=effect,
        )
        return Step(turn=turn, lost=lost, variance=variance)

    def nothing_lost(self, before: Position, played: Line, kind: Kind) -> Step:
        zero = np.zeros((before.players, 2))
        return self.step(before, played, None, kind, zero, zero)


# --- two seats, rounds without chance: backwards, so that what is proved later is known earlier ----------


@dataclass(frozen=True, slots=True)
class Known:
    """What is known about a position of the game: the search's answer, and where best play ends."""

    found: Found
    line: tuple[int, ...]
    """Expected play from the position on."""
    end: Position | None
    """The end of the round under best play; None: not proved."""


class SolvedStretch(_JudgedStretch):
    """Judges the decisions of a round with the solver."""

    _judge: Solver

    def steps(self) -> list[Step]:
        self._judge.forget()
        known: Known | None = None
        made = []
        for ply in reversed(range(self.stretch.first, self.stretch.end)):
            before, played = self.game.at(ply), self.game.at(ply + 1)
            found = self._judge.search(before, self.effort.nodes)
            step, known = self.judged(before, played, found, known)
            made.append(step)
        return made[::-1]

    def judged(
        self, before: Position, after: Position, found: Found, then: Known | None
    ) -> tuple[Step, Known]:
        """A decision and what is known before it; `then` is what is known after it (None: the end)."""
        action = int(after.history.step(-1).action)
        played = Line((action,), then.line if then else ())
        end = after if then is None else then.end
        if found.line[0] == action or (found.proved and _is_worth(then, found.value)):
            known_end = end if found.proved else None
            step = self.nothing_lost(before, played, _kind(known_end))
            return step, Known(found, played.actions, known_end)
        if found.proved and end is not None:
            line = self._judge.solved_line(before, found.line)
            best_end = before.after(line)
            step = self._compared(before, played, Line(line[:1], line[1:]), best_end, end)
            return step, Known(found, line, best_end)
        return self._estimated(before, played, found, then, end)

    def _estimated(
        self, before: Position, played: Line, found: Found, then: Known | None, end: Position | None
    ) -> tuple[Step, Known]:
        """Search both turns to the same extent; both may turn out to be solved."""
        child, known = before.after(found.line[:1]), Known(found, found.line, None)
        other = self._judge.search(child, self.effort.nodes)
        if end is not None and other.proved:
            better = Line(found.line[:1], self._judge.solved_line(child, other.line))
            return self._compared(before, played, better, child.after(better.rest), end), known
        better = Line(found.line[:1], other.line)
        lost = self.outlook(before, better, other.value, None) - self.outlook(
            before, played, found.value if then is None else then.found.value, end)
        doubt = np.tile(self._judge.scale.doubt_of(self.effort.nodes) ** 2, (2, 1))
        return self.step(before, played, better, Kind.ESTIMATE, lost, doubt), known

    def outlook(self, before: Position, line: Line, value: int, end: Position | None) -> Cells:
        """The outlook after a turn by its value. If the game is expected to end with the round, the margin
        at that end counts as well; it alone counts if the end is proved."""
        outlook = self._judge.meaning(both(value), before.after(line.turn))
        expected = end if end is not None else self._expected_end(before, line)
        if expected is not None and expected.is_over:
            margin = final_outlook(expected)[:, MARGIN]
            outlook[:, MARGIN] = margin if end is not None else (margin + outlook[:, MARGIN]) / 2
        return outlook

    def _expected_end(self, before: Position, line: Line) -> Position | None:
        """Where the expected play ends; None if the search was too short to tell."""
        if self.effort.nodes < NODES_TO_THE_END:
            return None
        here = before.after(line.actions)
        while here.to_move >= 0:
            here.play(self._judge.search(here, FOLLOWING_NODES).line[0])
        return here

    def _compared(
        self, before: Position, played: Line, better: Line, best_end: Position, end: Position
    ) -> Step:
        """Both turns are solved: the difference over the deals that follow."""
        kind, differences = _kind(best_end, end), self.samples(best_end) - self.samples(end)
        variance = mean_variance(differences)
        if kind is not Kind.EXACT:
            variance += (SHARED_DOUBT * self._judge.scale.doubt_of(self.effort.deal_nodes)) ** 2
        return self.step(before, played, better, kind, differences.mean(0), variance)


def _is_worth(known: Known | None, value: int) -> bool:
    """Whether it is proved that a position is worth a value."""
    return known is not None and known.end is not None and known.found.value == value


def _kind(*ends: Position | None) -> Kind:
    """The kind of a verdict about turns after which best play ends there; None: that is not proved."""
    if None in ends:
        return Kind.ESTIMATE
    return Kind.EXACT if all(end and end.is_over for end in ends) else Kind.PROVED


# --- any game: whole turns, each searched by a tree ------------------------------------------------------


class GrownStretch(_JudgedStretch):
    """Judges the turns of a stretch with trees."""

    _judge: Grower

    def steps(self) -> list[Step]:
        starts = [
            ply for ply in range(self.stretch.first, self.stretch.end)
            if ply == self.stretch.first or not self.game.at(ply).in_turn
        ]
        return [
            self.judged(self.game.at(ply), self.game.at(end))
            for ply, end in zip(starts, [*starts[1:], self.stretch.end], strict=True)
        ]

    def judged(self, before: Position, after: Position) -> Step:
        actions = after.history.actions[before.ply :]
        played = Line(actions, self.expected(after))
        expected = self.expected(before)
        turn = before.first_turn(expected)
        child = before.after(turn)
        if child.key == after.key:
            return self.nothing_lost(before, played, Kind.ESTIMATE)
        differences = self.samples(child) - self.samples(after)
        doubt = self._judge.scale.doubt_of(self.effort.nodes) ** 2
        better = Line(turn, expected[len(turn) :])
        variance = mean_variance(differences) + doubt
        return self.step(before, played, better, Kind.ESTIMATE, differences.mean(0), variance)

    def expected(self, position: Position) -> tuple[int, ...]:
        """The expected play to the next draw."""
        if position.to_move < 0:
            return ()
        if position.key not in self._lines:
            self._lines[position.key] = self._judge.grown(position, self.effort.nodes)[1]
        return self._lines[position.key]


# --- errors --------------------------------------------------------------------------------------------


def mean_variance(samples: Cells) -> Cells:
    """The variance of the mean of samples [sample, ...]."""
    if len(samples) < 2:
        return np.zeros(samples.shape[1:])
    variance: Cells = samples.var(axis=0, ddof=1) / len(samples)
    return variance


def quantile(samples: int) -> float:
    """Standard errors that hold 90 % of Student's distribution, for the mean of some samples."""
    free = max(2, samples - 1)
    return Z + (Z**3 + Z) / (4 * free) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
