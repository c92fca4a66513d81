"""The judge of any game: whole turns, each searched by a tree with a value for each seat."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from azulejos.bots.deadline import deadline
from azulejos.bots.evaluation import evaluation_of
from azulejos.bots.search import FIRST_GROWTH
from azulejos.bots.workspaces import Workspaces, node_limit
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import tree, tree_memory
from azulejos.engine.value import points_of
from azulejos.insight.judge import (
    ROUND_END_DOUBT, SHOWN_TURNS, Findings, FoundTurn, Judge, Judgement, Known, RatedTurn, RatedTurns,
    SizedSearch, mean_variance,
)
from azulejos.insight.results import Kind, Line
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN
from azulejos.protocol.bot import Limit


class TreeJudge(Judge):
    """Grows a tree of whole turns for each position."""

    whole_turns = True

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._binding, self._workspaces = position.game.engine, Workspaces()

    def search(self, position: Position, nodes: int) -> Known:
        """`nodes`: simulations. The line ends with the next draw."""
        found = self.outcome(SizedSearch(position, nodes))
        if found is not None:
            return Known(_values(position, found.means), found.line)
        t = self._workspaces.tree(position, Limit(nodes=nodes), self._binding)
        t.flag[0] = 0
        self._binding.bind(tree.grow)(t)
        means = t.worth[: position.players] / int(t.counters[tree_memory.SIMULATIONS])
        edges = np.zeros(tree_memory.MAX_PATH, np.int64)
        length = self._binding.bind(tree.best_line)(t, edges)
        line = tuple(
            int(action) for edge in t.edges[edges[:length]] for action in edge["actions"][: edge["length"]]
        )
        return Known(_values(position, means), line)

    def values(self, position: Position, nodes: int) -> Cells:
        found = self.outcome(SizedSearch(position, nodes, fresh=True))
        return self.search(position, nodes).values if found is None else _values(position, found.means)

    def glanced(self, after: Position) -> SizedSearch:
        return SizedSearch(after, self.effort.nodes)

    # --- turns -----------------------------------------------------------------------------------------

    def best(self, position: Position) -> Known:
        if position.key not in self._known:
            self._known[position.key] = self.search(position, self.effort.nodes)
        return self._known[position.key]

    def compare(
        self, before: Position, known: Known, after: Position, then: Known | None
    ) -> tuple[Judgement, Known]:
        played = Line(after.history.actions[before.ply :], then.line if then else ())
        turn = before.first_turn(known.line)
        child = before.after(turn)
        if child.key == after.key:
            return self._nothing_lost(before, played, Kind.ESTIMATE), known
        differences = self.samples(child) - self.samples(after)
        variance = mean_variance(differences) + self.scale.doubt_of(self.effort.nodes) ** 2
        better = Line(turn, known.line[len(turn) :])
        lost = differences.mean(0)
        return self._judgement(before, played, better, Kind.ESTIMATE, lost, variance), known

    def glance(self, position: Position) -> Known | None:
        return self.best(position) if position.to_move >= 0 else None

    def points(self, after: Position, seat: int) -> float:
        return float(self.outlook(after)[seat, MARGIN])

    def chance(self, before: Position, known: Known) -> float:
        after = before.after(before.first_turn(known.line))
        return float(self.outlook(after)[before.to_move, CHANCE_TO_WIN])

    def kind_of(self, position: Position, known: Known) -> Kind:
        return Kind.ESTIMATE

    # --- all turns of a position -----------------------------------------------------------------------

    def refined(self, position: Position, limit: Limit, workspaces: Workspaces) -> Iterator[RatedTurns]:
        """One tree; an answer whenever it has doubled."""
        binding, most = position.game.engine, node_limit(limit)
        t = workspaces.tree(position, limit, binding, fresh=True)
        grow, simulations, began = binding.bind(tree.grow), FIRST_GROWTH, time.perf_counter()
        with deadline(limit, t.flag):
            while True:
                t.counters[tree_memory.LIMIT] = min(simulations, most)
                grow(t)
                yield self.rated(position, _findings(position, t))
                late = limit.time_limit is not None and time.perf_counter() - began > limit.time_limit
                if simulations >= most or late or t.flag[0] != 0 or tree_memory.is_crowded(t):
                    return
                simulations *= 2

    def rated(self, position: Position, found: Findings) -> RatedTurns:
        swing = evaluation_of(position.game).swing
        values = _values(position, found.means)
        doubt = np.hypot(self.scale.doubt_of(found.nodes), ROUND_END_DOUBT)
        turns = self._turns(position, found.turns, swing)
        return RatedTurns(self.meaning(values, position), doubt, turns, found.nodes)

    def _turns(
        self, position: Position, turns: Sequence[FoundTurn], swing: int
    ) -> tuple[RatedTurn, ...]:
        """The turn that the search tried most, then others by value; those that lead to the same position
        are one."""
        fewest, found = float(self.scale.doubt[0, 0]), dict[bytes, RatedTurn]()
        for tried in turns:
            turn = position.first_turn(tried.line)
            doubt = self.scale.doubt_of(tried.visits) * max(1.0, fewest / tried.visits) ** 0.5
            rated = RatedTurn(turn, turn, points_of(tried.value, swing), doubt)
            found.setdefault(position.after(turn).key, rated)
        best, *others = found.values()
        return (best, *sorted(others, key=lambda each: -each.value)[: SHOWN_TURNS - 1])


def _values(position: Position, means: Iterable[float]) -> Cells:
    """[seat]: in points, from mean results."""
    swing = evaluation_of(position.game).swing
    return np.array([points_of(mean, swing) for mean in means])


def _findings(position: Position, t: tree_memory.Tree) -> Findings:
    count, root = max(1, int(t.counters[tree_memory.SIMULATIONS])), t.nodes[0]
    edges = [edge for edge in t.edges[root["first"] : root["first"] + root["count"]] if edge["visits"]]
    edges.sort(key=lambda edge: -int(edge["visits"]))
    turns = tuple(
        FoundTurn(tuple(int(each) for each in edge["actions"][: edge["length"]]),
                  float(edge["total"] / edge["visits"]), visits=int(edge["visits"]))
        for edge in edges[: 4 * SHOWN_TURNS]
    )
    return Findings(count, turns, tuple(float(mean) for mean in t.worth[: position.players] / count))
