"""A small network as a value: sparse inputs, two hidden layers, compiled with the search.

Both sides go through the same weights, the side of the seat that moves first; what belongs to no side has
weights of its own. Beside the layers every input has a straight weight to the output, so that a network is
never less than a linear value.

All weights are integers, fixed-point numbers made by `quantised`: sums of integers may be taken in any
order, so the compiler uses vectors, and every machine gives the same value. Rows of 64 narrow weights cost
as much as rows of 32, and a third of what 32-bit floats cost (docs/bots.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from azulejos.core.jit import rule, twin_of
from azulejos.core.layout import Cells
from azulejos.core.verbs import MAX_INPUTS, State, side_inputs, table_inputs, viewpoint

WIDTH: Final = 64
"""Units of the first layer for a side, and for the table."""
NARROW: Final = 16
"""Units of the second layer."""
PARTS: Final = 3
"""The first side, the second side, the table."""

ONE: Final = 512
"""1.0 of the first layer: where its units are full. Sums up to 64.0 have room."""
SECOND_ONE: Final = 512
"""1.0 of the second layer's weights."""
LAST_ONE: Final = 16
"""One hundredth of the last weights."""

SCALES: Final = {
    "side": ONE, "table": ONE, "bias": ONE, "second": SECOND_ONE, "second_bias": ONE * SECOND_ONE,
    "last": LAST_ONE, "straight": LAST_ONE, "straight_table": LAST_ONE, "straight_bias": LAST_ONE,
}
"""The weights by name, and what stands for 1.0 in each (for 1 hundredth in those that make the output)."""
NARROW_ONES: Final = ("side", "table", "bias", "second")
"""These have 16 bits, the others 32."""


class Network(NamedTuple):
    """Weights of a game's networks, and room for notes."""

    side: Cells
    """[network, input, WIDTH]"""
    table: Cells
    """[network, input, WIDTH]"""
    bias: Cells
    """[network, PARTS * WIDTH]"""
    second: Cells
    """[network, NARROW, PARTS * WIDTH]"""
    second_bias: Cells
    """[network, NARROW]"""
    last: Cells
    """[network, NARROW]"""
    straight: Cells
    """[network, input of a side]"""
    straight_table: Cells
    """[network, input of the table]"""
    straight_bias: Cells
    """[network]"""
    ready: Cells
    """[network]: 1 if it was trained; else `evaluate` judges."""
    inputs: Cells
    amounts: Cells
    sums: Cells
    """[PARTS, WIDTH]: the first layer."""
    units: Cells
    """[PARTS * WIDTH]: the same cells in a row."""


def shapes(networks: int, side: int, table: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights for so many networks and inputs."""
    return {
        "side": (networks, side, WIDTH), "table": (networks, table, WIDTH),
        "bias": (networks, PARTS * WIDTH), "second": (networks, NARROW, PARTS * WIDTH),
        "second_bias": (networks, NARROW), "last": (networks, NARROW),
        "straight": (networks, side), "straight_table": (networks, table), "straight_bias": (networks,),
        "ready": (networks,),
    }


def make_network(weights: Mapping[str, Cells]) -> Network:
    """From fixed-point weights, by the names of `SCALES`, and `ready`."""
    return Network(
        **{name: np.ascontiguousarray(weights[name], _width(name)) for name in SCALES},
        ready=np.ascontiguousarray(weights["ready"], np.int8), **_notes(),
    )


def with_own_notes(network: Network) -> Network:
    """The same weights for another search, which may run at the same time."""
    return network._replace(**_notes())


def _notes() -> dict[str, Cells]:
    sums = np.zeros((PARTS, WIDTH), np.int16)
    return {
        "inputs": np.zeros(MAX_INPUTS, np.int64), "amounts": np.zeros(MAX_INPUTS, np.int64),
        "sums": sums, "units": sums.reshape(-1),
    }


def quantised(weights: Mapping[str, Cells]) -> Network:
    """From real weights; what does not fit is cut off."""
    fixed = {"ready": weights["ready"]}
    for name, scale in SCALES.items():
        limits = np.iinfo(_width(name))
        fixed[name] = np.clip(np.rint(weights[name] * float(scale)), limits.min, limits.max)
    return make_network(fixed)


def _width(name: str) -> type[np.signedinteger]:
    return np.int16 if name in NARROW_ONES else np.int32


def no_network() -> Network:
    """For games and searches without: `evaluate` judges everything."""
    return make_network({name: np.zeros(shape) for name, shape in shapes(0, 0, 0).items()})


def is_network(path: Path) -> bool:
    with np.load(path) as file:
        return "ready" in file.files


def read_network(path: Path) -> Network:
    with np.load(path) as file:
        return make_network({name: file[name] for name in (*SCALES, "ready")})


def write_network(path: Path, network: Network) -> None:
    np.savez_compressed(path, **{name: getattr(network, name) for name in (*SCALES, "ready")})


@rule
def is_ready(n: Network, which: int) -> bool:
    return 0 <= which < len(n.ready) and bool(n.ready[which])


@rule
def network_value(s: State, n: Network, which: int, seat: int) -> int:
    """What a network thinks a position is worth to a seat, in hundredths."""
    first = viewpoint(s)
    inputs = n.inputs
    amounts = n.amounts
    units = n.units
    bias = n.bias[which]
    for i in range(len(units)):
        units[i] = bias[i]
    value = int(n.straight_bias[which])
    count = side_inputs(s, first, inputs, amounts)
    value += add_inputs(inputs, amounts, count, n.side[which], n.straight[which], n.sums[0])
    count = side_inputs(s, 1 - first, inputs, amounts)
    value -= add_inputs(inputs, amounts, count, n.side[which], n.straight[which], n.sums[1])
    count = table_inputs(s, inputs, amounts)
    value += add_inputs(inputs, amounts, count, n.table[which], n.straight_table[which], n.sums[2])
    value = (value + deep_value(n.second[which], n.second_bias[which], n.last[which], units)) // LAST_ONE
    return value if seat == first else -value


@rule
def add_inputs(
    inputs: Cells, amounts: Cells, count: int, weights: Cells, straight: Cells, sums: Cells
) -> int:
    """Add the weights of the inputs to the sums; what the inputs are worth straight away.

    The inner loop counts by the length of an array: with a constant it is unrolled and not vectorised.
    """
    value = 0
    for i in range(count):
        row = weights[inputs[i]]
        amount = np.int16(amounts[i])
        for j in range(len(sums)):
            sums[j] += amount * row[j]
        value += int(amounts[i]) * int(straight[inputs[i]])
    return value


@twin_of(add_inputs)
def add_inputs_at_once(
    inputs: Cells, amounts: Cells, count: int, weights: Cells, straight: Cells, sums: Cells
) -> int:
    which, much = inputs[:count], amounts[:count]
    sums += (much @ weights[which].astype(np.int64)).astype(np.int16)
    return int(much @ straight[which])


@rule
def deep_value(second: Cells, second_bias: Cells, last: Cells, units: Cells) -> int:
    """What the layers add: units between 0 and ONE, then the second layer, cut off below 0.

    32 bits are enough for a row of `second`, and three times as fast as 64.
    """
    for i in range(len(units)):
        units[i] = min(max(units[i], 0), ONE)
    value = 0
    for j in range(NARROW):
        row = second[j]
        total = np.int32(second_bias[j])
        for i in range(len(units)):
            total = np.int32(total + np.int32(units[i]) * np.int32(row[i]))
        value += max(int(total), 0) * int(last[j])
    return value // (ONE * SECOND_ONE)


@twin_of(deep_value)
def deep_value_at_once(second: Cells, second_bias: Cells, last: Cells, units: Cells) -> int:
    totals = second.astype(np.int64) @ np.clip(units, 0, ONE) + second_bias
    return int(np.maximum(totals, 0) @ last.astype(np.int64)) // (ONE * SECOND_ONE)
