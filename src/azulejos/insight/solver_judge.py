"""The judge of two seats and rounds without chance: it solves rounds, backwards from their ends."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from azulejos.bots.evaluation import network_of, weights_of
from azulejos.bots.search import ratings
from azulejos.bots.workspaces import Workspaces
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import solver
from azulejos.engine.workspace import PROVED, VALUE, Workspace, for_nodes, make_workspace, put
from azulejos.insight.judge import (
    ENOUGH, ROUND_END_DOUBT, SHARED_DOUBT, SHOWN_TURNS, Effort, Findings, FoundTurn, Judge, Judgement,
    Known, RatedTurn, RatedTurns, SizedSearch, final_outlook, mean_variance,
)
from azulejos.insight.results import Kind, Line
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN
from azulejos.protocol.bot import Analysis, Limit, choices_of

TRANSPOSITION_BITS: Final = 21
SHARE: Final = 8
"""What follows a turn that somebody asks about is searched with this fraction (1/SHARE) of the nodes."""
NODES_TO_THE_END: Final = 300_000
"""With so many nodes, the end of the game that a search expects says as much about the margin as its
value does, and their mean is best: in 33 last rounds it was 2.4 points (rms) from strong play, the value
alone 3.0, the end alone 3.2 (with a million nodes 1.8, 2.4, 2.5). With 100,000 the end says little."""
FOLLOWING_NODES: Final = 20_000
"""For each decision after the line that a search noted."""
RATING_SHARE: Final = 0.6
"""Of the time for rating every turn; the rest is for deals after the turns that are proved."""


class SolverJudge(Judge):
    """What it has found in a round is kept until `begin`."""

    whole_turns = False

    @functools.cached_property
    def _workspace(self) -> Workspace:
        position = self._position
        return make_workspace(
            self._binding, weights_of(position.game, ""), transposition_bits=TRANSPOSITION_BITS,
            network=network_of(position, ""),
        )

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._position, self._binding = position, position.game.engine

    def begin(self, effort: Effort, *, seed: int = 0) -> None:
        super().begin(effort, seed=seed)
        self._binding.bind(solver.forget)(self._workspace)

    def search(self, position: Position, nodes: int) -> Known:
        found = self.outcome(SizedSearch(position, nodes))
        if found is not None:
            return Known(_values(position, found.value), found.line, found.proved)
        return self._search(self._workspace, position, nodes)

    def values(self, position: Position, nodes: int) -> Cells:
        found = self.outcome(SizedSearch(position, nodes, fresh=True))
        if found is not None:
            return _values(position, found.value)
        workspace = for_nodes(self._workspace, nodes)
        self._binding.bind(solver.forget)(workspace)
        return self._search(workspace, position, nodes).values

    def _search(self, workspace: Workspace, position: Position, nodes: int) -> Known:
        choices_of(position)
        put(workspace, position.row, limit=nodes)
        self._binding.bind(solver.deepen)(workspace)
        line = workspace.lines[0].tolist()
        return Known(
            values=_values(position, int(workspace.counters[VALUE])),
            line=tuple(line[: line.index(-1)]), proved=bool(workspace.counters[PROVED]),
        )

    def solved(self, position: Position, known: Known) -> Known:
        """The same with best play to the end of a round that is solved."""
        end = self.play_out(position.after(known.line), ENOUGH)
        return replace(known, line=end.history.actions[position.ply :], end=end)

    # --- turns -----------------------------------------------------------------------------------------

    def compare(
        self, before: Position, known: Known, after: Position, then: Known | None
    ) -> tuple[Judgement, Known]:
        """Every action is a decision. Judged backwards, what is proved later is known earlier."""
        action = int(after.history.step(-1).action)
        played = Line((action,), then.line if then else ())
        end = after if then is None else then.end
        if known.line[0] == action or (known.proved and _is_worth(then, known)):
            known_end = end if known.proved else None
            judgement = self._nothing_lost(before, played, _kind(known_end))
            return judgement, replace(known, line=played.actions, end=known_end)
        if known.proved and end is not None:
            known = self.solved(before, known)
            better = Line(known.line[:1], known.line[1:])
            return self._compared(before, played, better, known.end, end), known
        return self._estimated(before, played, known, then, end), known

    def _estimated(
        self, before: Position, played: Line, known: Known, then: Known | None, end: Position | None
    ) -> Judgement:
        """Search both turns to the same extent; both may turn out to be solved."""
        child = before.after(known.line[:1])
        other = self.search(child, self.effort.nodes)
        if end is not None and other.proved:
            other = self.solved(child, other)
            return self._compared(before, played, Line(known.line[:1], other.line), other.end, end)
        better = Line(known.line[:1], other.line)
        if self.effort.nodes >= NODES_TO_THE_END:
            ends = [before.after(line.actions) for line in ([better] if end else [better, played])]
            self.look_up(SizedSearch(each, FOLLOWING_NODES, out=True) for each in ends)
        lost = self.after_turn(before, better, other.values, None) - self.after_turn(
            before, played, known.values if then is None else then.values, end)
        doubt = np.tile(self.scale.doubt_of(self.effort.nodes) ** 2, (2, 1))
        return self._judgement(before, played, better, Kind.ESTIMATE, lost, doubt)

    def after_turn(self, before: Position, line: Line, values: Cells, end: Position | None) -> Cells:
        """The outlook after a turn by its values. If the game is expected to end with the round, the margin
        at that end counts as well; it alone counts if the end is proved."""
        outlook = self.meaning(values, before.after(line.turn))
        expected = end
        if end is None and self.effort.nodes >= NODES_TO_THE_END:
            expected = self.play_out(before.after(line.actions), FOLLOWING_NODES)
        if expected is not None and expected.is_over:
            margin = final_outlook(expected)[:, MARGIN]
            outlook[:, MARGIN] = margin if end is not None else (margin + outlook[:, MARGIN]) / 2
        return outlook

    def _compared(
        self, before: Position, played: Line, better: Line, best_end: Position | None, end: Position
    ) -> Judgement:
        """Both turns are solved: the difference over the deals that follow."""
        assert best_end is not None
        kind, differences = _kind(best_end, end), self.samples(best_end) - self.samples(end)
        variance = mean_variance(differences)
        if kind is not Kind.EXACT:
            variance += (SHARED_DOUBT * self.scale.doubt_of(self.effort.deal_nodes)) ** 2
        return self._judgement(before, played, better, kind, differences.mean(0), variance)

    def glanced(self, after: Position) -> SizedSearch:
        return SizedSearch(after, self.effort.nodes // SHARE)

    def glance(self, position: Position) -> Known | None:
        if position.to_move < 0:
            return None
        known = self.search(*self.glanced(position)[:2])
        return self.solved(position, known) if known.proved else known

    def points(self, after: Position, seat: int) -> float:
        if after.to_move < 0:
            return float(self.outlook(after)[seat, MARGIN])
        if after.key not in self._known:
            self._known[after.key] = self.search(*self.glanced(after)[:2])
        return float(self._known[after.key].values[seat])

    def chance(self, before: Position, known: Known) -> float:
        return float(self.meaning(known.values, before)[before.to_move, CHANCE_TO_WIN])

    def kind_of(self, position: Position, known: Known) -> Kind:
        return _kind(self.solved(position, known).end) if known.proved else Kind.ESTIMATE

    # --- all turns of a position -----------------------------------------------------------------------

    def refined(self, position: Position, limit: Limit, workspaces: Workspaces) -> Iterator[RatedTurns]:
        seconds = limit.time_limit
        share = limit if seconds is None else replace(limit, seconds=RATING_SHARE * seconds)
        for analysis in ratings(workspaces, position, share, every=True):
            yield self.rated(position, _findings(position, analysis))

    def rated(self, position: Position, found: Findings) -> RatedTurns:
        doubt = self.scale.doubt_of(max(1, found.nodes // len(position.legal_actions())))
        turns = tuple(_rated_turn(position, turn, doubt) for turn in found.turns[:SHOWN_TURNS])
        best = turns[0]
        if best.end is not None and best.end.is_over:
            outlook, doubt = final_outlook(best.end), np.zeros(2)
        else:
            margin, win = self.scale.outlook_at(best.value, position)
            outlook = np.array([(margin, win), (-margin, 1 - win)])
            outlook = outlook if position.to_move == 0 else outlook[::-1]
            doubt = (np.maximum if best.proved else np.hypot)(doubt, ROUND_END_DOUBT)
        return RatedTurns(outlook, doubt, turns, found.nodes)


def _findings(position: Position, analysis: Analysis) -> Findings:
    number = position.game.moves.number
    return Findings(analysis.nodes, tuple(
        FoundTurn(tuple(map(number, move.line)), move.value or 0.0, proved=move.proved)
        for move in analysis.moves[:SHOWN_TURNS]
    ))


def _rated_turn(position: Position, turn: FoundTurn, doubt: Cells) -> RatedTurn:
    end = position.after(turn.line) if turn.proved else None
    return RatedTurn(turn.line[:1], turn.line, turn.value, doubt, turn.proved,
                     end if end is None or end.to_move < 0 else None)


def _values(position: Position, value: int) -> Cells:
    """[seat]: in points, from the value for the seat to move."""
    return both(value if position.to_move == 0 else -value)


def both(value: int) -> Cells:
    """The values of two seats in points, from that of the first in hundredths."""
    return np.array([value, -value]) / 100


def _is_worth(then: Known | None, known: Known) -> bool:
    """Whether it is proved that a position is worth as much as the best turn."""
    return then is not None and then.end is not None and then.values[0] == known.values[0]


def _kind(*ends: Position | None) -> Kind:
    """The kind of a verdict about turns after which best play ends there; None: that is not proved."""
    if None in ends:
        return Kind.ESTIMATE
    return Kind.EXACT if all(end and end.is_over for end in ends) else Kind.PROVED
