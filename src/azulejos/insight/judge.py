"""The judge: what a position is worth for each seat, as margin and chance to win.

An *outlook* is an array, float [seat, 2]: expected margin and chance to win. Searches are limited by nodes
alone, so the same position always gets the same outlook; that is what makes deals comparable.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from azulejos.bots.evaluation import network_of, weights_of
from azulejos.bots.workspaces import Workspaces, is_solvable
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import solver, tree, tree_memory
from azulejos.engine.value import points_of
from azulejos.engine.workspace import PROVED, VALUE, Workspace, for_nodes, make_workspace, put
from azulejos.insight.scale import OPENING, WITHIN, scale_of
from azulejos.protocol.bot import Limit, choices_of

VERSION: Final = 3
"""Of the judge's method; verdicts of different versions are not comparable."""
TRANSPOSITION_BITS: Final = 21
ENOUGH: Final = 1 << 40
"""Nodes for following a line that is already solved."""


class Judge(ABC):
    """Values positions; one thread uses it at a time."""

    def __init__(self, position: Position) -> None:
        self.scale = scale_of(position)

    @abstractmethod
    def values(self, position: Position, nodes: int) -> Cells:
        """[seat]: the search's values of a position with a seat to move, in points with the bonus."""

    def outlook(self, position: Position, nodes: int) -> Cells:
        """The outlook of a position with a seat to move."""
        return self.meaning(self.values(position, nodes), position)

    def meaning(self, values: Cells, position: Position) -> Cells:
        """The outlook for the values of all seats."""
        phase, round_ = phase_of(position), int(position.state.round)
        return np.array([self.scale.outlook(float(value), phase, round_) for value in values])


def judge_for(position: Position) -> Judge:
    return Solver(position) if is_solvable(position) else Grower(position)


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


def phase_of(position: Position) -> int:
    """Whether the round has just been dealt."""
    return OPENING if position.ply and position.at(position.ply - 1).is_chance else WITHIN


# --- two seats, rounds without chance ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found."""

    value: int
    """For the first seat, in hundredths of a point."""
    proved: bool
    line: tuple[int, ...]


class Solver(Judge):
    """Searches rounds of two seats; what it has found in a round is kept until `forget`."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        game = position.game
        binding = game.compiled
        self._deepen, self._forget = binding.bind(solver.deepen), binding.bind(solver.forget)
        self._workspace = make_workspace(
            binding, weights_of(game, ""), transposition_bits=TRANSPOSITION_BITS,
            network=network_of(position, ""),
        )

    def forget(self) -> None:
        self._forget(self._workspace)

    def search(self, position: Position, nodes: int) -> Found:
        """Search with everything found since `forget`."""
        return self._search(self._workspace, position, nodes)

    def values(self, position: Position, nodes: int) -> Cells:
        workspace = for_nodes(self._workspace, nodes)
        self._forget(workspace)
        return both(self._search(workspace, position, nodes).value)

    def solved_line(self, position: Position, line: Sequence[int]) -> tuple[int, ...]:
        """Best play to the end of a round that is solved, beginning with a line."""
        end, actions = position.copy(), list(line)
        for action in actions:
            end.play(action)
        while end.to_move >= 0:
            actions.append(self.search(end, ENOUGH).line[0])
            end.play(actions[-1])
        return tuple(actions)

    def _search(self, workspace: Workspace, position: Position, nodes: int) -> Found:
        choices_of(position)
        put(workspace, position.row, limit=nodes)
        self._deepen(workspace)
        line = workspace.lines[0].tolist()
        value = int(workspace.counters[VALUE])
        return Found(
            value=value if position.to_move == 0 else -value, proved=bool(workspace.counters[PROVED]),
            line=tuple(line[: line.index(-1)]),
        )


def both(value: int) -> Cells:
    """The values of two seats in points, from that of the first in hundredths."""
    return np.array([value, -value]) / 100


# --- any game: a tree with a value for each seat ---------------------------------------------------------


class Grower(Judge):
    """Grows a tree of whole turns for each position."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._binding = position.game.compiled
        self._workspaces = Workspaces()
        self._grow, self._best_line = self._binding.bind(tree.grow), self._binding.bind(tree.best_line)

    def values(self, position: Position, nodes: int) -> Cells:
        return self.grown(position, nodes)[0]

    def grown(self, position: Position, nodes: int) -> tuple[Cells, tuple[int, ...]]:
        """The values after `nodes` simulations, and the expected play to the next draw."""
        t = self._workspaces.tree(position, Limit(nodes=nodes), self._binding)
        t.flag[0] = 0
        self._grow(t)
        means = t.worth[: position.players] / int(t.counters[tree_memory.SIMULATIONS])
        swing, edges = int(t.counters[tree_memory.SWING]), np.zeros(tree_memory.MAX_PATH, np.int64)
        length = self._best_line(t, edges)
        line = tuple(
            int(action) for edge in t.edges[edges[:length]] for action in edge["actions"][: edge["length"]]
        )
        return np.array([points_of(mean, swing) for mean in means]), line


# --- beyond a deal -------------------------------------------------------------------------------------


def over_deals(judge: Judge, position: Position, *, deals: int, nodes: int, seed: int = 0) -> Cells:
    """[deal, seat, 2]: outlooks after sampled deals. Equal numbers draw equal tiles from equal bags, so the
    differences between two positions have less spread than the outlooks themselves."""
    if position.is_over:
        return np.tile(final_outlook(position), (deals, 1, 1))
    if not position.is_chance:
        return np.tile(judge.outlook(position, nodes), (deals, 1, 1))
    return np.array([_after_deal(judge, position, nodes, f"{seed}/{deal}") for deal in range(deals)])


def _after_deal(judge: Judge, position: Position, nodes: int, seed: str) -> Cells:
    dealt, rng = position.copy(), random.Random(seed)
    dealt.deal(lambda n: int(rng.random() * n))
    return final_outlook(dealt) if dealt.is_over else judge.outlook(dealt, nodes)
