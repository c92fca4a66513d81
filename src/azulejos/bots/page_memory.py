"""What a page needs to think as our bots do: the memory of its searches, in one file.

A page has the module of a game (`core.module`), which says how functions are called, and this file for a
box and a number of seats: weights, networks, the sizes of tables, and what each level is.
`static/engine.js` lays it out, `static/searches.js` calls the functions. The file is

    4 bytes     how long the header is
    header      JSON: blocks, memories, levels, numbers
    contents    the bytes of all blocks that are not zero, each at a multiple of 8

A *block* is [bytes, where its content begins, or -1 for zeros]; an array is [block, offset, shape,
strides], a memory a tuple of arrays and tuples. Arrays that share bytes share a block.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from typing import Any, Final

from azulejos.bots.evaluation import evaluation_of, network_of, seen_weights, weights_of
from azulejos.bots.levels import standards
from azulejos.bots.skill import nonsense_of, thousandths
from azulejos.bots.workspaces import UNBOUNDED, is_solvable
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.engine import ahead, choice, clock, solver, tree_memory, workspace
from azulejos.engine.turns import ROOM, make_turns
from azulejos.engine.workspace import MAX_PLIES, make_workspace

TREE_BITS: Final = 16
"""62 MB. What a search by nodes finds does not depend on it, as long as all nodes fit."""
TABLE_BITS: Final = 20
"""16 MB."""
PROOF_BITS: Final = (2 * choice.WINNING).bit_length()
EMPTY: Final = ("transpositions", "nodes", "edges", "slots", "notes", "keys")
"""Fields that hold zeros, too large to look through."""
LENGTH: Final = struct.Struct("<I")


def memory_file(position: Position, *, searches: bool = True) -> bytes:
    """The file for the box and seats of a position; without `searches` for the levels that do not search,
    which need no networks."""
    contents = _Contents(_memories(position, searches=searches))
    header = json.dumps({
        "memories": contents.laid, "levels": dict(_levels(position, contents)),
        "numbers": _numbers(position), "blocks": contents.blocks,
    }, separators=(",", ":")).encode()
    header += b" " * (-(LENGTH.size + len(header)) % 8)
    return b"".join((LENGTH.pack(len(header)), header, *contents.parts))


def _memories(position: Position, *, searches: bool) -> dict[str, tuple[Any, ...]]:
    """By name; they share weights and networks."""
    game = position.game
    binding, weights = game.interpreted, weights_of(game, "")
    turns = make_turns(binding, np.zeros_like(weights))
    if not searches:
        return {"turns": turns}
    network = network_of(position, "")
    if not is_solvable(position):
        tree = tree_memory.make_tree(binding, weights, node_bits=TREE_BITS, network=network)
        return {"turns": turns, "tree": tree}
    search, proof = (
        make_workspace(binding, weights, transposition_bits=bits, network=network)
        for bits in (TABLE_BITS, PROOF_BITS)
    )
    for each in (search, proof):
        each.clock[clock.WALL :] = clock.IN_MODULES
    return {"turns": turns, "search": search, "proof": proof, "outlook": ahead.make_outlook(game)}


def _levels(position: Position, contents: _Contents) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each level does (`bots.skill`); one without a skill searches as long as it may."""
    levels = standards(position.game, position.players, position.options)
    for number, standard in enumerate(levels, start=1):
        if math.isinf(standard.skill):
            yield f"level:{number}", {}
            continue
        skill = thousandths(standard.skill)
        yield f"level:{number}", {
            "skill": skill, "nodes": choice.nodes_of(skill) if skill >= choice.SEARCHES else 0,
            "weights": contents.block(seen_weights(position.game, skill).tobytes()),
        }


def _numbers(position: Position) -> dict[str, Any]:
    """Where counters and columns lie, and the constants of a search."""
    evaluation = evaluation_of(position.game)
    own: dict[str, Any] = {
        "solvable": is_solvable(position), "nonsense": nonsense_of(position), "swing": evaluation.swing,
        "through_chance": not evaluation.chance_free_rounds, "unbounded": UNBOUNDED, "room": ROOM,
        "winning": choice.WINNING, "provable": choice.PROVABLE, "searches": choice.SEARCHES,
        "line": MAX_PLIES + 2, "path": tree_memory.MAX_PATH, "columns": solver.COLUMNS,
    }
    for prefix, module, names in (
        ("search", workspace, ("NODES", "LIMIT", "STOP", "DEPTH", "VALUE", "PROVED")),
        ("clock", clock, ("BUDGET", "BEGAN", "WHICH", "WALL")),
        ("tree", tree_memory, ("SIMULATIONS", "LIMIT", "NODES", "EDGES", "THROUGH_CHANCE", "LONGEST",
                               "SWING", "THREADS")),
        ("rating", solver, ("ACTION", "RATING", "RATED_DEPTH", "RATED_PROVED")),
    ):
        own[prefix] = {name.lower(): getattr(module, name) for name in names}
    return own


# --- blocks ---------------------------------------------------------------------------------------------


class _Contents:
    """Blocks of bytes, and the memories whose arrays lie in them."""

    def __init__(self, memories: dict[str, tuple[Any, ...]]) -> None:
        self.blocks: list[tuple[int, int]] = []
        self.parts: list[bytes] = []
        self._end = 0
        self._bounds: list[tuple[int, int]] = []
        found = [pair for memory in memories.values() for pair in _arrays(memory)]
        for name, array in sorted(found, key=lambda pair: -pair[1].nbytes):
            low, high = np.lib.array_utils.byte_bounds(array)
            if not any(first <= low and high <= last for first, last in self._bounds):
                self._bounds.append((low, high))
                self.block(b"" if name in EMPTY else _bytes_of(array), size=high - low)
        self.laid = {name: self._laid(memory) for name, memory in memories.items()}

    def block(self, content: bytes, *, size: int = 0) -> int:
        """The number of a new block; without content it holds zeros."""
        self.blocks.append((size or len(content), self._end if any(content) else -1))
        if any(content):
            padded = content + bytes(-len(content) % 8)
            self.parts.append(padded)
            self._end += len(padded)
        return len(self.blocks) - 1

    def _laid(self, memory: Any) -> Any:
        """The arrays of a memory, by field."""
        if not isinstance(memory, np.ndarray):
            fields = zip(memory._fields, memory, strict=True)
            laid = {name: self._laid(each) for name, each in fields}
            return {"class": type(memory).__name__, "fields": laid}
        low, high = np.lib.array_utils.byte_bounds(memory)
        number, start = next((number, first) for number, (first, last) in enumerate(self._bounds)
                             if first <= low and high <= last)
        return [number, int(memory.__array_interface__["data"][0]) - start, memory.shape, memory.strides]


def _bytes_of(array: Cells) -> bytes:
    """All bytes between the first and the last item."""
    if array.flags.c_contiguous:
        return array.tobytes()
    base = array.base
    assert isinstance(base, np.ndarray)
    return _bytes_of(base)


def _arrays(memory: Any) -> Iterator[tuple[str, Cells]]:
    for name, value in zip(memory._fields, memory, strict=True):
        if isinstance(value, np.ndarray):
            yield name, value
        else:
            yield from _arrays(value)
