"""The judge: what positions and turns are worth for each seat, as margin and chance to win.

    judge = judge_for(position)
    judge.begin(judge.efforts.review[0])
    known = judge.best(position)              # the best turn, and what is expected after it
    judge.outlook(position)                   # the expected margin and chance to win of every seat
    judge.compare(position, known, after, judge.glance(after))  # what a turn lost beside the best one
    for answer in judge.refined(position, limit, workspaces):  # ever better answers about all turns
        ...

Reviews, hints, the study board and the level of a player ask nothing else. An *outlook* is an array, float
[seat, 2]: expected margin and chance to win. Searches are limited by nodes alone, so the same questions
always get the same answers; that is what makes deals comparable.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.workspaces import Workspaces, is_solvable, seed_of
from azulejos.core.chance import mixed
from azulejos.core.game import Seat
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.insight.results import Chance, JudgedTurn, Kind, Line, Margin, Verdict, nothing_lost
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN, scale_of
from azulejos.protocol.bot import Limit

VERSION: Final = 3
"""Of the judge's method; verdicts of different versions are not comparable."""
Z: Final = 1.645
"""Standard errors on both sides of a mean that hold 90 % of a normal distribution."""
SHARED_DOUBT: Final = 0.5
"""The part of an estimate's error that is alike in all deals, so that their mean does not reduce it. A
guess: without it three of 29 quick mistakes were refuted by the thorough pass (docs/lab/insight.md)."""
ENOUGH: Final = 1 << 40
"""Nodes for following a line that is already solved."""
SHOWN_TURNS: Final = 5
"""Of all turns of a position, the best ones."""
ROUND_END_DOUBT: Final = (3.0, 0.08)
"""Points and chance to win by which the judgement of a round's end is wrong on average. A guess, as large
as where nothing was measured (`scale.UNMEASURED_DOUBT`); it only widens the headline's interval."""


# --- how much is searched ------------------------------------------------------------------------------


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


@dataclass(frozen=True, kw_only=True)
class Efforts:
    """How much a judge searches for whom."""

    review: tuple[Effort, ...]
    """A quick pass, then a thorough one."""
    hint: tuple[Effort, ...]
    """The first answer after a tenth of a second, the second one while the player looks at the table."""
    study: Effort
    """For deals, once all that can be proved is proved."""
    level: Effort
    """For each turn of a person and of the bots beside it."""
    threat: int
    """Nodes for a position in which the seat to move has passed."""
    following: int
    """Nodes for each decision after the end of an expected line."""


SOLVER: Final = Efforts(
    review=(Effort(nodes=30_000, deals=6, deal_nodes=10_000),
            Effort(nodes=1_000_000, deals=36, deal_nodes=30_000)),
    hint=(Effort(nodes=30_000, deals=3, deal_nodes=3000),
          Effort(nodes=600_000, deals=6, deal_nodes=10_000)),
    study=Effort(nodes=100_000, deals=24, deal_nodes=10_000),
    level=Effort(nodes=50_000, deals=4, deal_nodes=3000),
    threat=30_000, following=1500,
)
"""Two seats, and rounds without chance. Many deals with few nodes in reviews: more nodes do not see a dealt
round better (docs/lab/insight.md), more deals have a surer mean."""
QUICK_TREE: Final = Effort(nodes=300, deals=3, deal_nodes=150)
ROUND_TREE: Final = Efforts(
    review=(QUICK_TREE, Effort(nodes=20_000, deals=8, deal_nodes=6000)),
    hint=(QUICK_TREE, replace(QUICK_TREE, nodes=20_000)),
    study=Effort(nodes=300, deals=24, deal_nodes=300), level=QUICK_TREE, threat=300, following=60,
)
"""More seats, and rounds without chance."""
TREE: Final = replace(
    ROUND_TREE, review=(QUICK_TREE, Effort(nodes=3000, deals=6, deal_nodes=1500)),
    hint=(QUICK_TREE, replace(QUICK_TREE, nodes=3000)),
)
"""Chance within rounds: most turns end with a draw, so most positions are searched after several deals."""


def efforts_for(position: Position) -> Efforts:
    if is_solvable(position):
        return SOLVER
    return ROUND_TREE if evaluation_of(position.game).chance_free_rounds else TREE


# --- what a judge answers ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known about a position with a seat to move."""

    values: Cells
    """float [seat]: in points with the bonus of winning (`engine.value`)."""
    line: tuple[int, ...]
    """The expected play from the position on."""
    proved: bool = False
    """Whether the rest of the round is solved."""
    end: Position | None = None
    """Where best play ends, if that is proved."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Judgement:
    """A judged turn with its numbers."""

    turn: JudgedTurn
    lost: Cells
    """float [seat, 2]: outlook after the better turn minus outlook after the one that was played."""
    variance: Cells
    """float [seat, 2]: of `lost`."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedTurn:
    """A turn as an unfinished search sees it."""

    turn: tuple[int, ...]
    line: tuple[int, ...]
    """The expected play, beginning with the turn."""
    value: float
    """For the seat to move, in points with the bonus."""
    doubt: Cells
    """float [2]: the standard error of the difference to the best turn."""
    proved: bool = False
    end: Position | None = None
    """Where the expected play ends, if that is proved."""


@dataclass(frozen=True, slots=True)
class FoundTurn:
    """A turn as the memory of a search shows it."""

    line: tuple[int, ...]
    """The expected play, beginning with the turn."""
    value: float
    """Of a solver: in points, for the seat to move. Of a tree: its mean result, from 0 to 1."""
    visits: int = 0
    """Of a tree: how often it was tried."""
    proved: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search of all turns of a position has found so far, here or in a page."""

    nodes: int
    turns: tuple[FoundTurn, ...]
    """The best ones: of a solver by value, of a tree by visits."""
    means: tuple[float, ...] = ()
    """Of a tree: the mean result of every seat."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedTurns:
    """What an unfinished search says about a position."""

    outlook: Cells
    doubt: Cells
    """float [2]: the standard error of the outlook."""
    turns: tuple[RatedTurn, ...]
    """The best ones, best first."""
    nodes: int


# --- searches that are done elsewhere ------------------------------------------------------------------


class SizedSearch(NamedTuple):
    """A search of a given size that a judge wants."""

    position: Position
    nodes: int
    fresh: bool = False
    """Whether nothing that was found before may help: the value, which alone is wanted then, follows from
    the position and the nodes."""
    out: bool = False
    """Whether best play is followed until something is drawn or the game is over, with as many nodes for
    each decision."""

    @property
    def key(self) -> tuple[object, ...]:
        return (self.position.key, *self[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A question as it travels."""

    row: bytes
    nodes: int
    seed: str
    """The state of a random generator, a number of 64 bits."""
    fresh: bool
    out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSearches:
    """Questions that do not depend on one another."""

    anew: bool
    """Whether whatever was found before has to be forgotten first."""
    searches: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBest:
    """The answer to a question."""

    line: tuple[int, ...]
    value: int = 0
    """Of a solver: for the seat to move, in hundredths of a point."""
    proved: bool = False
    means: tuple[float, ...] = ()
    """Of a tree: the mean result of every seat, from 0 to 1."""


AT_ONCE: Final = 12
"""Questions that travel together."""


class NobodySearches(Exception):
    """NobodySearches else searches now."""


Elsewhere = Callable[[WantedSearches], Sequence[FoundBest]]
"""Has searches done by somebody else; raises NobodySearches."""


# --- the judge -----------------------------------------------------------------------------------------


class Judge(ABC):
    """Judges the positions of a box and a number of seats; one thread uses it at a time."""

    whole_turns: ClassVar[bool]
    """Whether turns are judged as a whole, or action by action."""

    def __init__(self, position: Position) -> None:
        self.elsewhere: Elsewhere | None = None
        """Who searches in place of this process, until they cannot."""
        self._outcomes: dict[tuple[object, ...], FoundBest] = {}
        self._anew = True
        self.scale, self.efforts = scale_of(position), efforts_for(position)
        self.deepen(self.efforts.review[0])

    def begin(self, effort: Effort, *, seed: int = 0) -> None:
        """Forget everything, and judge with an effort from now on. Equal seeds sample equal deals."""
        self._outcomes.clear()
        self._anew = True
        self.deepen(effort, seed=seed)

    def deepen(self, effort: Effort, *, seed: int = 0) -> None:
        """Go on with another effort: what is proved stays known."""
        self.effort, self._seed = effort, seed
        self._known: dict[bytes, Known] = {}
        self._samples: dict[bytes, Cells] = {}

    # --- positions, with the effort of `begin` ---------------------------------------------------------

    def best(self, position: Position) -> Known:
        """The best play of a position with a seat to move."""
        return self.search(position, self.effort.nodes)

    def outlook(self, position: Position) -> Cells:
        """The outlook; before a deal, the mean over sampled deals."""
        if position.to_move >= 0:
            return self.meaning(self.best(position).values, position)
        outlook: Cells = self.samples(position).mean(0)
        return outlook

    def samples(self, position: Position) -> Cells:
        """[deal, seat, 2]: outlooks over the deals that follow; the same deals for all positions."""
        if position.key not in self._samples:
            nodes = self.effort.deal_nodes if position.is_chance else self.effort.nodes
            self._samples[position.key] = self.over_deals(
                position, deals=self.effort.deals, nodes=nodes, seed=self._seed)
        return self._samples[position.key]

    # --- turns, with the effort of `begin` -------------------------------------------------------------

    @abstractmethod
    def compare(
        self, before: Position, known: Known, after: Position, then: Known | None
    ) -> tuple[Judgement, Known]:
        """What a turn lost (an action, without `whole_turns`) that led from one position to another, and
        what is known about the first one now. `then`: about the second one; None if something is drawn."""

    @abstractmethod
    def glance(self, position: Position) -> Known | None:
        """What is known about a position as far as a turn that leads there has to be judged; None if
        something is drawn next."""

    @abstractmethod
    def points(self, after: Position, seat: int) -> float:
        """About how many points a turn that leads there is worth for a seat, compared with others."""

    @abstractmethod
    def chance(self, before: Position, known: Known) -> float:
        """The chance to win of the seat to move with the best turn."""

    @abstractmethod
    def kind_of(self, position: Position, known: Known) -> Kind:
        """How the best play of a position was found."""

    @abstractmethod
    def rated(self, position: Position, found: Findings) -> RatedTurns:
        """What findings mean."""

    @abstractmethod
    def refined(self, position: Position, limit: Limit, workspaces: Workspaces) -> Iterator[RatedTurns]:
        """Ever better answers about a position with a seat to move, until the limit is reached."""

    # --- searches of a given size ----------------------------------------------------------------------

    @abstractmethod
    def search(self, position: Position, nodes: int) -> Known:
        """Search a position with a seat to move, with everything known since `begin`."""

    def values(self, position: Position, nodes: int) -> Cells:
        """[seat]: the values of a position with a seat to move, from it and the nodes alone."""
        return self.search(position, nodes).values

    def play_out(self, position: Position, nodes: int) -> Position:
        """Where best play leads until something is drawn or the game is over."""
        found = self.outcome(SizedSearch(position, nodes, out=True))
        if found is not None:
            return position.after(found.line)
        end = position.copy()
        while end.to_move >= 0:
            end.play(self.search(end, nodes).line[0])
        return end

    def over_deals(self, position: Position, *, deals: int, nodes: int, seed: int = 0) -> Cells:
        """[deal, seat, 2]: outlooks after sampled deals. Equal numbers draw equal tiles from equal bags, so
        the differences between two positions have less spread than the outlooks themselves."""
        if not position.is_chance:
            return np.tile(self.fresh_outlook(position, nodes), (deals, 1, 1))
        found = dealt(position, deals, seed)
        self.look_up(SizedSearch(each, nodes, fresh=True) for each in found)
        return np.array([self.fresh_outlook(each, nodes) for each in found])

    def fresh_outlook(self, position: Position, nodes: int) -> Cells:
        """The outlook of a position with a seat to move or at the end, from it and the nodes alone."""
        if position.is_over:
            return final_outlook(position)
        return self.meaning(self.values(position, nodes), position)

    def meaning(self, values: Cells, position: Position) -> Cells:
        """The outlook for the values of all seats."""
        return np.array([self.scale.outlook_at(float(value), position) for value in values])

    # --- searches elsewhere ----------------------------------------------------------------------------

    @abstractmethod
    def glanced(self, after: Position) -> SizedSearch:
        """What `points` asks about a position with a seat to move."""

    def foresee(self, afters: Iterable[Position]) -> None:
        """The points of these positions will be asked for."""
        self.look_up(question for after in afters for question in self._foreseen(after))

    def _foreseen(self, after: Position) -> Iterable[SizedSearch]:
        if not after.is_chance:
            return [self.glanced(after)]
        deals = dealt(after, self.effort.deals, self._seed)
        return [SizedSearch(each, self.effort.deal_nodes, fresh=True) for each in deals]

    def look_up(self, questions: Iterable[SizedSearch]) -> None:
        """These questions will be asked: if somebody else searches, they are sent together, because each
        journey takes its time."""
        if self.elsewhere is None:
            return
        asked = {question.key: question for question in questions
                 if question.position.to_move >= 0 and question.key not in self._outcomes}
        if not asked:
            return
        left = list(asked.items())
        while left and self.elsewhere is not None:
            part, left = left[:AT_ONCE], left[AT_ONCE:]
            searches = tuple(_wanted(question) for _, question in part)
            try:
                found = self.elsewhere(WantedSearches(anew=self._anew, searches=searches))
                for (key, question), outcome in zip(part, found, strict=True):
                    self._outcomes[key] = _checked(question, outcome)
            except (NobodySearches, ValueError):
                self.elsewhere = None
            self._anew = False

    def outcome(self, question: SizedSearch) -> FoundBest | None:
        """What somebody else finds; None if nobody does."""
        self.look_up([question])
        return self._outcomes.get(question.key)

    # --- verdicts --------------------------------------------------------------------------------------

    def _judgement(
        self, before: Position, played: Line, better: Line, kind: Kind, lost: Cells, variance: Cells
    ) -> Judgement:
        """A judged turn. One that is not worse than the judge's own choice lost nothing: without this, what
        the judge chose wrongly counts as won, and unforeseen is 13 points (rms in 6 games) instead of 8."""
        seat = before.to_move
        lost = np.where(lost[seat] > 0, lost, 0.0)
        error = quantile(self.effort.deals) * np.sqrt(variance)
        verdict = Verdict(
            kind, Margin.within(float(lost[seat, MARGIN]), float(error[seat, MARGIN])),
            Chance.within(float(lost[seat, CHANCE_TO_WIN]), float(error[seat, CHANCE_TO_WIN])),
        ) if lost.any() else nothing_lost(kind)
        effect = tuple(
            Margin.within(-float(points), float(doubt))
            for points, doubt in zip(lost[:, MARGIN], error[:, MARGIN], strict=True)
        )
        turn = JudgedTurn(
            ply=before.ply, round=int(before.state.round), seat=Seat(seat),
            choices=len(before.legal_actions()), played=played, better=better if lost.any() else None,
            verdict=verdict, effect=effect,
        )
        return Judgement(turn=turn, lost=lost, variance=variance)

    def _nothing_lost(self, before: Position, played: Line, kind: Kind) -> Judgement:
        zero = np.zeros((before.players, 2))
        return self._judgement(before, played, played, kind, zero, zero)


def judge_for(position: Position) -> Judge:
    from azulejos.insight.solver_judge import SolverJudge
    from azulejos.insight.tree_judge import TreeJudge

    return SolverJudge(position) if is_solvable(position) else TreeJudge(position)


def dealt(position: Position, deals: int, seed: int) -> list[Position]:
    """A position before a draw after sampled deals."""
    found = []
    for deal in range(deals):
        after, draw = position.copy(), random.Random(f"{seed}/{deal}").random
        after.deal(lambda n, draw=draw: int(draw() * n))
        found.append(after)
    return found


def _wanted(question: SizedSearch) -> Wanted:
    position, nodes, fresh, out = question
    seed = mixed(seed_of(position, None), 1)[0]
    return Wanted(row=position.packed, nodes=nodes, seed=str(seed), fresh=fresh, out=out)


def _checked(question: SizedSearch, outcome: FoundBest) -> FoundBest:
    """An answer that can be one; a ValueError if it cannot."""
    position = question.position
    end = position.after(outcome.line)
    if question.out and end.to_move >= 0:
        raise ValueError("best play goes on")
    seats = 0 if question.out or is_solvable(position) else position.players
    if not outcome.line and not question.fresh:
        raise ValueError("no turn was found")
    if len(outcome.means) != seats or not all(0 <= mean <= 1 for mean in outcome.means):
        raise ValueError("there is a mean for every seat")
    return outcome


# --- what needs no search ------------------------------------------------------------------------------


def final_outlook(position: Position) -> Cells:
    """The result of a game that is over."""
    outcome = position.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    return np.array([
        (margin_of(outcome.scores, seat), share) for seat, share in enumerate(outcome.shares())
    ], float)


def margin_of(scores: Sequence[int], seat: int) -> int:
    """Points ahead of the best other seat."""
    return scores[seat] - max(score for other, score in enumerate(scores) if other != seat)


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
