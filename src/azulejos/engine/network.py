"""A small network as evaluation: sparse inputs, two hidden layers, compiled with the search.

All sides use the same weights; the side for which the value is meant comes first. Inputs of the table,
which belong to no side, have separate weights. Besides the layers every input has a direct ("straight")
weight to the output, so that a network is never worse than a linear evaluation. With two seats there is
one value, for the seat that moves first. With more, every seat is evaluated against the others together.

All weights are integers, fixed-point numbers made by `quantised`: integers can be added in any order, so
the compiler uses vector instructions, and every machine gives the same value. Rows of 64 narrow weights
cost as much as rows of 32, and a third of what 32-bit floats cost (docs/lab/networks.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from azulejos.core import layout
from azulejos.core.contract import needed
from azulejos.core.game import Game
from azulejos.core.jit import by_reference, rule, twin_of, wrapping
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.verbs import (
    MAX_INPUTS, MAX_SEATS, MAX_TERMS, State, side_context, side_inputs, table_context, table_inputs,
    viewpoint,
)

WIDTH: Final = 64
"""Units of the first layer for a side, and for the table."""
NARROW: Final = 16
"""Units of the second layer."""
PARTS: Final = 3
"""The side for which the value is meant, another side, the table."""
TABLE: Final = 2
NOBODY: Final = MAX_SEATS
"""The owner of the table; sides are owned by their seats."""
SLOTS: Final = 1 << 13
"""Cache entries for each part; 1.8 MB in all."""

ONE: Final = 512
"""1.0 in the first layer, at which its units saturate. Sums up to 64.0 fit."""
SECOND_ONE: Final = 512
"""1.0 in the weights of the second layer."""
LAST_ONE: Final = 16
"""One hundredth of a point in the last weights."""

SCALES: Final = {
    "side": ONE, "table": ONE, "bias": ONE, "second": SECOND_ONE, "second_bias": ONE * SECOND_ONE,
    "last": LAST_ONE, "straight": LAST_ONE, "straight_table": LAST_ONE, "straight_bias": LAST_ONE,
}
"""The weights by name, with the integer for 1.0 (for 1 hundredth of a point in those of the output)."""
NARROW_ONES: Final = ("side", "table", "bias", "second")
"""Weights of 16 bits; the others have 32."""


# Outputs that no search uses: what the units say about the end of the game.
MARGIN: Final = 0
"""Points ahead of the best other seat."""
WIN: Final = 1
"""The logarithm of the odds to win."""
HEADS: Final = 2
UNITS: Final = NARROW + 2
"""The second layer, the value in points, and 1."""

BESIDES: Final = ("ready", "heads", "seats")
"""What a file holds besides weights."""
BY_INPUT: Final = ("side", "table", "straight", "straight_table")
"""Weights with a row, or a number, for each input."""


@by_reference
class Network(NamedTuple):
    """Weights of a game's networks, and a cache of parts ("notes")."""

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
    """[network]: 1 if it was trained; otherwise `evaluate` is used."""
    heads: Cells
    """[network, MARGIN or WIN, UNITS]: further outputs; all zero if they were not fitted."""
    seats: Cells
    """[0]: for how many seats they were trained."""
    bias_of: Cells
    """[network, part, WIDTH]: `bias` part by part."""
    second_of: Cells
    """[network, part, NARROW, WIDTH]: `second` part by part."""
    inputs: Cells
    amounts: Cells
    sums: Cells
    """[WIDTH]: units of the first layer for one part."""
    spare: Cells
    """[WIDTH]: the same of a side as seen by the others."""
    own: Cells
    """[seat, NARROW + 1]: what each side adds to its own value, ..."""
    other: Cells
    """[seat, NARROW + 1]: ... and to that of the others. With more than two seats."""
    common: Cells
    """[NARROW + 1]: what the table and all sides, each as seen by the others, add to the second layer; what
    the sides add directly."""
    direct: Cells
    """[0]: what the table adds directly."""
    where: Cells
    """[owner, i]: the words of a state on which this part depends ..."""
    masks: Cells
    """[owner, i]: ... and which bits of them."""
    keys: Cells
    """[part, slot]: the key of the cache entry."""
    notes: Cells
    """[part, slot, NARROW + 1]: what a part adds to the second layer, and directly to the output."""


def shapes(networks: int, side: int, table: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights for a number of networks and inputs."""
    return {
        "side": (networks, side, WIDTH), "table": (networks, table, WIDTH),
        "bias": (networks, PARTS * WIDTH), "second": (networks, NARROW, PARTS * WIDTH),
        "second_bias": (networks, NARROW), "last": (networks, NARROW),
        "straight": (networks, side), "straight_table": (networks, table), "straight_bias": (networks,),
        "ready": (networks,),
    }


def make_network(weights: Mapping[str, Cells]) -> Network:
    """From fixed-point weights, by the names of `SCALES`, `ready`, and perhaps `heads` and `seats`."""
    fixed = {name: np.ascontiguousarray(weights[name], _width(name)) for name in SCALES}
    bias, second = fixed["bias"], fixed["second"].reshape(-1, NARROW, PARTS, WIDTH)
    heads = weights.get("heads", np.zeros((len(bias), HEADS, UNITS)))
    return Network(
        **fixed, ready=np.ascontiguousarray(weights["ready"], np.int8),
        heads=np.ascontiguousarray(heads, np.float32),
        seats=np.array(weights.get("seats", 2), np.int64).reshape(1),
        bias_of=bias.reshape(-1, PARTS, WIDTH), second_of=np.ascontiguousarray(second.swapaxes(1, 2)),
        **_notes(np.zeros((NOBODY + 1, 1), np.uint64), slots=1),
    )


def with_own_notes(network: Network, game: Game) -> Network:
    """The same weights with a separate cache, for another search that may run at the same time."""
    return network._replace(**_notes(masks_of(game), slots=SLOTS))


def _notes(masks: Cells, *, slots: int) -> dict[str, Cells]:
    words = np.argsort(masks == 0, axis=1, kind="stable")
    where = np.ascontiguousarray(words[:, : np.count_nonzero(masks, axis=1).max()])
    return {
        "inputs": np.zeros(MAX_INPUTS, np.int64), "amounts": np.zeros(MAX_INPUTS + MAX_TERMS, np.int64),
        "sums": np.zeros(WIDTH, np.int16), "spare": np.zeros(WIDTH, np.int16),
        "own": np.zeros((MAX_SEATS, NARROW + 1), np.int32),
        "other": np.zeros((MAX_SEATS, NARROW + 1), np.int32), "common": np.zeros(NARROW + 1, np.int64),
        "direct": np.zeros(1, np.int64),
        "where": where, "masks": np.take_along_axis(masks, where, axis=1),
        "keys": np.zeros((PARTS, slots), np.uint64),
        "notes": np.zeros((PARTS, slots, NARROW + 1), np.int32),
    }


def masks_of(game: Game) -> Cells:
    """[owner, word]: the bits on which the inputs of each side and of the table depend."""
    features = needed(game, game.features, "features.py")
    rows = np.zeros((NOBODY + 1, -(-game.size // 8) * 8), np.uint8)
    states = [row[: game.size].view(layout.dtype_of(game.state))[0] for row in rows]
    for name in features.side_fields:
        for seat in range(MAX_SEATS):
            states[seat][name][seat] = -1
    for name in features.table_fields:
        states[NOBODY][name] = -1
    return rows.view(np.uint64)


def quantised(weights: Mapping[str, Cells]) -> Network:
    """A network from floating-point weights; values that do not fit are clipped."""
    fixed = {name: weights[name] for name in BESIDES if name in weights}
    for name, scale in SCALES.items():
        limits = np.iinfo(_width(name))
        fixed[name] = np.clip(np.rint(weights[name] * float(scale)), limits.min, limits.max)
    return make_network(fixed)


def _width(name: str) -> type[np.signedinteger]:
    return np.int16 if name in NARROW_ONES else np.int32


def no_network() -> Network:
    """For games and searches without networks: `evaluate` is used for all positions."""
    return make_network({name: np.zeros(shape) for name, shape in shapes(0, 0, 0).items()})


def is_network(path: Path) -> bool:
    with np.load(path) as file:
        return "ready" in file.files


def read_network(path: Path) -> Network:
    with np.load(path) as file:
        return make_network(dict(file))


def padded(network: Network, sizes: Mapping[str, tuple[int, ...]]) -> Network:
    """The same networks with zeros for the last inputs of these shapes; a ValueError if others differ."""
    grown = {name: getattr(network, name) for name in BESIDES}
    for name in SCALES:
        weights = getattr(network, name)
        missing = np.array(sizes[name]) - weights.shape
        later = [0 if at != 1 or name not in BY_INPUT else int(missing[1]) for at in range(weights.ndim)]
        grown[name] = np.pad(weights, [(0, count) for count in later])
        if grown[name].shape != sizes[name]:
            raise ValueError(f"{name} has the shape {weights.shape}")
    return make_network(grown)


def write_network(path: Path, network: Network) -> None:
    np.savez_compressed(path, **{name: getattr(network, name) for name in (*SCALES, *BESIDES)})


@rule
def is_ready(n: Network, which: int) -> bool:
    return 0 <= which < len(n.ready) and bool(n.ready[which])


@rule
def network_value(s: State, n: Network, which: int, seat: int) -> int:
    """A network's value of a position for a seat, in hundredths of a point."""
    first = viewpoint(s)
    note_all(s, n, which, first)
    if s.players > 2:
        add_common(n, which, int(s.players), 0)
        return seat_value(n, which, int(s.players), seat)
    value = noted_value(n, which, 0, 0, 0)
    return value if seat == first else -value


@rule
def note_all(s: State, n: Network, which: int, first: int) -> None:
    """Compute every part anew, without the cache."""
    note_part(s, n, which, TABLE, NOBODY, 0)
    if s.players == 2:
        note_part(s, n, which, 0, first, 0)
        note_part(s, n, which, 1, 1 - first, 0)
        return
    for owner in range(s.players):
        note_side(s, n, which, owner, 0)
        copy_note(n.notes[0, 0], n.own[owner])
        copy_note(n.notes[1, 0], n.other[owner])


@rule
def write_units(s: State, n: Network, which: int, seat: int, units: Cells) -> None:
    """Write the UNITS for a seat; with two seats it must be the one that moves first."""
    units[NARROW] = network_value(s, n, which, seat) / 100
    units[NARROW + 1] = 1.0
    for j in range(NARROW):
        total = int(n.second_bias[which, j]) + int(n.notes[TABLE, 0, j])
        if s.players == 2:
            total += int(n.notes[0, 0, j]) + int(n.notes[1, 0, j])
        else:
            total += int(n.own[seat, j]) - int(n.other[seat, j])
            for other in range(s.players):
                total += int(n.other[other, j])
        units[j] = max(total, 0) / (ONE * SECOND_ONE)


@rule
def quick_value(s: State, words: Cells, n: Network, which: int, seat: int) -> int:
    """The same for two seats with the cache: a move changes only one side and the table, so most parts are
    found there.

    `words` are the state's bytes.
    """
    first = viewpoint(s)
    table = table_context(s)
    one = noted(s, words, n, which, 0, first, side_context(s, first, table))
    other = noted(s, words, n, which, 1, 1 - first, side_context(s, 1 - first, table))
    value = noted_value(n, which, one, other, noted(s, words, n, which, TABLE, NOBODY, table))
    return value if seat == first else -value


@rule
def quick_values(s: State, words: Cells, n: Network, which: int, values: Cells) -> None:
    """The values of all seats, with the cache."""
    if s.players == 2:
        values[0] = quick_value(s, words, n, which, 0)
        values[1] = -values[0]
        return
    context = table_context(s)
    for owner in range(s.players):
        slot = noted_side(s, words, n, which, owner, side_context(s, owner, context))
        copy_note(n.notes[0, slot], n.own[owner])
        copy_note(n.notes[1, slot], n.other[owner])
    add_common(n, which, int(s.players), noted(s, words, n, which, TABLE, NOBODY, context))
    for seat in range(s.players):
        values[seat] = seat_value(n, which, int(s.players), seat)


@rule
def copy_note(note: Cells, to: Cells) -> None:
    """Another side of the same part may need the place of this one."""
    for i in range(len(note)):
        to[i] = note[i]


@rule
def add_common(n: Network, which: int, players: int, table: int) -> None:
    """Add up the table and all sides as seen by the others."""
    common = n.common
    third = n.notes[TABLE, table]
    bias = n.second_bias[which]
    for j in range(len(bias)):
        common[j] = bias[j] + third[j]
    common[NARROW] = 0
    for other in range(players):
        note = n.other[other]
        for j in range(len(common)):
            common[j] += note[j]
    n.direct[0] = n.straight_bias[which] + third[NARROW]


@rule
def seat_value(n: Network, which: int, players: int, seat: int) -> int:
    """The value for one of several seats, after `add_common`: the others are added up, and their direct
    contributions averaged."""
    common = n.common
    own = n.own[seat]
    other = n.other[seat]
    last = n.last[which]
    deep = 0
    for j in range(len(last)):
        deep += max(int(common[j]) + int(own[j]) - int(other[j]), 0) * int(last[j])
    straight = int(n.direct[0]) + int(own[NARROW])
    straight -= (int(common[NARROW]) - int(other[NARROW])) // (players - 1)
    return (straight + deep // (ONE * SECOND_ONE)) // LAST_ONE


@wrapping
def part_key(words: Cells, n: Network, which: int, owner: int, context: int) -> Any:
    """A hash of everything on which a part depends; never 0. The owner counts: the bytes of another seat's
    side lie elsewhere in their words, so that another board could look the same.

    The last product mixes all bits of the context into the slot: without it a quarter of the entries of the
    second side collided with others (docs/lab/search.md).
    """
    where = n.where[owner]
    masks = n.masks[owner]
    key = np.uint64(context) * np.uint64(0xD1B54A32D192ED03)
    salt = np.uint64(which * (NOBODY + 1) + owner) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(where)):
        x = (words[where[i]] & masks[i] ^ salt) * np.uint64(0xBF58476D1CE4E5B9)
        salt += np.uint64(0x9E3779B97F4A7C16)
        key += (x ^ (x >> np.uint64(32))) * (salt | np.uint64(1))
    return (key ^ (key >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9) | np.uint64(1)


@rule
def slot_of(n: Network, key: Any) -> int:
    return int(np.int64(key >> np.uint64(32)) & n.keys.shape[1] - 1)


@rule
def noted(s: State, words: Cells, n: Network, which: int, part: int, owner: int, context: int) -> int:
    """The slot of a part in the cache; the entry is computed unless it is there."""
    key = part_key(words, n, which, owner, context)
    slot = slot_of(n, key)
    if n.keys[part, slot] != key:
        n.keys[part, slot] = key
        note_part(s, n, which, part, owner, slot)
    return slot


@rule
def noted_side(s: State, words: Cells, n: Network, which: int, owner: int, context: int) -> int:
    """The same for a side among several, as it sees itself and as the others see it: one slot for both."""
    key = part_key(words, n, which, owner, context)
    slot = slot_of(n, key)
    if n.keys[0, slot] != key:
        n.keys[0, slot] = key
        note_side(s, n, which, owner, slot)
    return slot


@rule
def note_side(s: State, n: Network, which: int, owner: int, slot: int) -> None:
    """Write both notes of a side: its units of the first layer differ only by their bias."""
    own = n.bias_of[which, 0]
    other = n.bias_of[which, 1]
    sums = n.sums
    spare = n.spare
    for i in range(len(sums)):
        sums[i] = own[i]
    count = side_inputs(s, owner, n.inputs, n.amounts)
    direct = add_inputs(n.inputs, n.amounts, count, n.side[which], n.straight[which], sums)
    for i in range(len(sums)):
        spare[i] = sums[i] - own[i] + other[i]
    add_units(n.second_of[which, 0], sums, n.notes[0, slot])
    add_units(n.second_of[which, 1], spare, n.notes[1, slot])
    n.notes[0, slot, NARROW] = direct
    n.notes[1, slot, NARROW] = direct


@rule
def note_part(s: State, n: Network, which: int, part: int, owner: int, slot: int) -> None:
    """Write what a part adds to the second layer, and directly to the output."""
    sums = n.sums
    bias = n.bias_of[which, part]
    for i in range(len(sums)):
        sums[i] = bias[i]
    inputs = n.inputs
    amounts = n.amounts
    notes = n.notes[part, slot]
    if owner == NOBODY:
        count = table_inputs(s, inputs, amounts)
        notes[NARROW] = add_inputs(inputs, amounts, count, n.table[which], n.straight_table[which], sums)
    else:
        count = side_inputs(s, owner, inputs, amounts)
        notes[NARROW] = add_inputs(inputs, amounts, count, n.side[which], n.straight[which], sums)
    add_units(n.second_of[which, part], sums, notes)


@rule
def noted_value(n: Network, which: int, one: int, other: int, table: int) -> int:
    """The value for the first side: the second layer, clipped below 0, and the direct contributions."""
    first = n.notes[0, one]
    second = n.notes[1, other]
    third = n.notes[TABLE, table]
    bias = n.second_bias[which]
    last = n.last[which]
    deep = 0
    for j in range(len(last)):
        deep += max(int(bias[j]) + int(first[j]) + int(second[j]) + int(third[j]), 0) * int(last[j])
    straight = int(n.straight_bias[which]) + int(first[NARROW]) - int(second[NARROW]) + int(third[NARROW])
    return (straight + deep // (ONE * SECOND_ONE)) // LAST_ONE


@rule
def add_inputs(
    inputs: Cells, amounts: Cells, count: int, weights: Cells, straight: Cells, sums: Cells
) -> int:
    """Add the weights of the inputs to the sums; returns their direct contribution to the output.

    The inner loop counts to the length of an array: with a constant it is unrolled and not vectorised.
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
def add_units(second: Cells, sums: Cells, notes: Cells) -> None:
    """A part's units, between 0 and ONE, times the weights of the second layer.

    32 bits are enough for a row of `second`, and three times as fast as 64.
    """
    for i in range(len(sums)):
        sums[i] = min(max(sums[i], 0), ONE)
    for j in range(NARROW):
        row = second[j]
        total = np.int32(0)
        for i in range(len(sums)):
            total = np.int32(total + np.int32(sums[i]) * np.int32(row[i]))
        notes[j] = total


@twin_of(add_units)
def add_units_at_once(second: Cells, sums: Cells, notes: Cells) -> None:
    notes[:NARROW] = second.astype(np.int32) @ np.clip(sums, 0, ONE).astype(np.int32)
