"""The memory of a searching bot: a table and a tree for each game, set up for a position."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass, field

from azulejos.bots.evaluation import evaluation_of, family_of, network_of, weights_of
from azulejos.core.chance import seeded
from azulejos.core.jit import Binding
from azulejos.core.position import Position
from azulejos.engine import ahead, mutex, solver, tree_memory
from azulejos.engine.ahead import Outlook, make_outlook
from azulejos.engine.tree_memory import Tree
from azulejos.engine.workspace import Workspace, for_nodes, make_workspace, put
from azulejos.protocol.bot import Limit

UNBOUNDED = 1 << 60


def is_solvable(position: Position) -> bool:
    """Whether the rest of the round can be solved: two seats, and no chance within a round."""
    return position.players == 2 and evaluation_of(position.game).chance_free_rounds


def node_limit(limit: Limit) -> int:
    return UNBOUNDED if limit.nodes is None else limit.nodes


def is_repeatable(limit: Limit) -> bool:
    """Whether nodes are the only limit: earlier searches must then not change the answer."""
    return limit.nodes is not None and limit.time_limit is None and limit.stop is None


Key = tuple[Binding, str]
"""Positions with the same functions and networks share a workspace."""


@dataclass
class Workspaces:
    """`weights` names a set of the game's evaluation; empty: the first."""

    weights: str = ""
    _workspaces: dict[Key, Workspace] = field(default_factory=dict, repr=False)
    _helpers: dict[Key, list[Workspace]] = field(default_factory=dict, repr=False)
    _outlooks: dict[str, Outlook] = field(default_factory=dict, repr=False)
    _trees: dict[Key, Tree] = field(default_factory=dict, repr=False)
    _tree_helpers: dict[Key, list[Tree]] = field(default_factory=dict, repr=False)

    def close(self) -> None:
        """Free the memory."""
        for kept in (
            self._workspaces, self._helpers, self._outlooks, self._trees, self._tree_helpers
        ):
            kept.clear()

    def workspace(self, position: Position, limit: Limit, binding: Binding) -> Workspace:
        """A workspace set up with the position."""
        key = binding, family_of(position)
        if key not in self._workspaces:
            weights, network = weights_of(position.game, self.weights), network_of(position, self.weights)
            self._workspaces[key] = make_workspace(binding, weights, network=network)
            self._load(position, self._workspaces[key], binding)
        workspace = self._workspaces[key]
        put(workspace, position.row, limit=node_limit(limit))
        if is_repeatable(limit):
            workspace = for_nodes(workspace, node_limit(limit))
            binding.bind(solver.forget)(workspace)
        return workspace

    def _load(self, position: Position, workspace: Workspace, binding: Binding) -> None:
        """Call everything that a search may need with no nodes, so that nothing is loaded during a
        search."""
        outlook = self.outlook(position, None)
        put(workspace, position.row, limit=0)
        binding.bind(solver.deepen)(workspace)
        binding.bind(ahead.candidates)(workspace, outlook)
        binding.bind(ahead.compare)(workspace, outlook, 0, 0, 0, 1)
        binding.bind(ahead.kept)(outlook, 0)
        binding.bind(ahead.choose)(workspace, outlook, 0, 1)
        binding.bind(ahead.decide)(workspace, outlook)

    def helpers(
        self, position: Position, limit: Limit, workspace: Workspace, binding: Binding
    ) -> list[Workspace]:
        """Workspaces for the other cores, with the same position and the same transpositions."""
        if not binding.native or is_repeatable(limit):
            return []
        known = self._helpers.setdefault((binding, family_of(position)), [])
        while len(known) < limit.cores - 1:
            network = network_of(position, self.weights)
            known.append(
                make_workspace(binding, workspace.weights, transposition_bits=0, network=network)
            )
        shared = workspace.transpositions
        found = [other._replace(transpositions=shared) for other in known[: limit.cores - 1]]
        for other in found:
            put(other, position.row, limit=UNBOUNDED)
        return found

    def outlook(self, position: Position, rng: random.Random | None) -> Outlook:
        """Memory for the search beyond the deal, with its own random deals."""
        game = position.game
        if game.name not in self._outlooks:
            self._outlooks[game.name] = make_outlook(game)
        self._outlooks[game.name].rng[1] = seeded(seed_of(position, rng))[0]
        return self._outlooks[game.name]

    def tree(
        self, position: Position, limit: Limit, binding: Binding, *,
        rng: random.Random | None = None, fresh: bool = False,
    ) -> Tree:
        """A tree with the position at its root."""
        key, bits = (binding, family_of(position)), tree_memory.bits_for(node_limit(limit))
        if key not in self._trees or len(self._trees[key].nodes) < 1 << bits:
            self._tree_helpers.pop(key, None)
            weights, network = weights_of(position.game, self.weights), network_of(position, self.weights)
            self._trees[key] = tree_memory.make_tree(binding, weights, node_bits=bits, network=network)
        t, evaluation = self._trees[key], evaluation_of(position.game)
        if fresh or is_repeatable(limit) or tree_memory.is_crowded(t):
            tree_memory.clear(t)
        tree_memory.put(t, position.row, limit=node_limit(limit))
        t.counters[tree_memory.THROUGH_CHANCE] = not evaluation.chance_free_rounds
        t.counters[tree_memory.SWING] = evaluation.swing
        t.rng[:] = seeded(seed_of(position, rng))
        return t

    def tree_helpers(self, position: Position, limit: Limit, binding: Binding, t: Tree) -> list[Tree]:
        """The same tree for the other cores, with other random numbers."""
        if not binding.native or is_repeatable(limit) or not mutex.EXISTS:
            return []
        known = self._tree_helpers.setdefault((binding, family_of(position)), [])
        while len(known) < limit.cores - 1:
            weights, network = weights_of(position.game, self.weights), network_of(position, self.weights)
            known.append(tree_memory.make_helper(binding, t, weights, network=network))
        found = known[: limit.cores - 1]
        for core, helper in enumerate(found, 1):
            helper.words[0] = t.words[0]
            helper.rng[:] = seeded(int(t.rng[0]) + core)
        return found


def seed_of(position: Position, rng: random.Random | None) -> int:
    """A seed from the generator, or without one from the position alone."""
    return zlib.crc32(position.row.tobytes()) if rng is None else rng.getrandbits(32)
