"""Training the networks of a game on self-play of the search. Needs PyTorch: azulejos[train].

The target for a state between rounds is what the search finds after some deals, mixed with a little of the
result of its game. The target for a state within a round is what the search finds there, mixed with the
value at the end of the round. These values come from the evaluation that played the games: each generation
of networks learns to see at once what the one before had to search for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np

from azulejos.bots.evaluation import evaluation_of
from azulejos.core.contract import Factors, Features
from azulejos.core.game import Game
from azulejos.core.jit import loop, rule
from azulejos.core.layout import Cells
from azulejos.core.verbs import STATE, network_for, side_inputs, table_inputs, viewpoint
from azulejos.engine.network import (
    HEADS, MARGIN, NARROW, PARTS, SCALES, UNITS, WIDTH, WIN, Network, no_network, quantised, shapes,
    with_own_notes, write_units,
)
from azulejos.engine.seatplay import LATER
from azulejos.engine.selfplay import NO_RESULT, PlayedStates
from azulejos.engine.value import BIG_MARGIN, WIN as BONUS

# --- margin and chance to win apart -----------------------------------------------------------------------
#
# Two outputs that searches do not use. The value of a network mixes both, which is what a search needs.
# These are fitted afterwards to the results of games, from the units of the second layer, so that
# evaluations in a search cost nothing more. `bots.outlook` reads them.



HEADS_PENALTY: Final = 3.0
"""Ridge penalty of both fits, in states."""
STEPS: Final = 12
"""Newton steps of the logistic fit."""


@loop
def units_of_states(rows: Cells, n: Network, units: Cells, which: Cells, seats: Cells) -> None:
    """Write the units of every state; with two seats for the one that moves first, given in `seats`."""
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        which[i] = network_for(s)
        if which[i] >= 0:
            if s.players == 2:
                seats[i] = viewpoint(s)
            write_units(s, n, which[i], seats[i], units[i])


def with_heads(game: Game, network: Network, games: Iterable[PlayedStates]) -> Network:
    """The same networks with outputs for the margin and the win."""
    found = [_units(game, network, data) for data in games]
    units, which, results = (np.concatenate(parts) for parts in zip(*found, strict=True))
    heads = np.zeros((len(network.ready), HEADS, UNITS))
    for each in np.flatnonzero(network.ready):
        seen = which == each
        if seen.any():
            heads[each, MARGIN] = least_squares(units[seen], margins(results[seen]))
            heads[each, WIN] = logistic(units[seen], (1 + np.sign(results[seen])) / 2)
    return network._replace(heads=heads.astype(np.float32))


def _units(game: Game, network: Network, data: PlayedStates) -> tuple[Cells, Cells, Cells]:
    """The units, networks and results of the states from which a game was played."""
    own, spread = with_own_notes(network, game), game.compiled.bind(units_of_states)
    players, found = data.values.shape[1], []
    for seat in range(players if players > 2 else 1):
        units, which = np.zeros((len(data.rows), UNITS)), np.zeros(len(data.rows), np.int64)
        seats = np.full(len(data.rows), seat)
        spread(data.rows, own, units, which, seats)
        results = data.results[np.arange(len(seats)), seats]
        kept = (which >= 0) & (results != NO_RESULT)
        found.append((units[kept], which[kept], results[kept]))
    units, which, results = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return units, which, results


def margins(results: Cells) -> Cells:
    """Points, from `outcome_value`."""
    margin = results - BONUS * np.sign(results)
    beyond = np.maximum(np.abs(margin) - BIG_MARGIN, 0)
    points: Cells = (margin + 9 * beyond * np.sign(margin)) / 100
    return points


def least_squares(x: Cells, y: Cells) -> Cells:
    found: Cells = np.linalg.solve(x.T @ x + HEADS_PENALTY * np.eye(x.shape[1]), x.T @ y)
    return found


def logistic(x: Cells, y: Cells) -> Cells:
    """The weights for which 1 / (1 + exp(-x @ weights)) is closest to y."""
    weights: Cells = np.zeros(x.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
        slope = x.T @ (y - chance) - HEADS_PENALTY * weights
        bend = (x * (chance * (1 - chance))[:, None]).T @ x + HEADS_PENALTY * np.eye(x.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return weights


UNIT: Final = 2000.0
"""Hundredths of a point that are 1.0 in training: about the spread of the targets."""
BATCH: Final = 256
HELD_OUT: Final = 20
"""Every 20th block of a file's states is held out; these states decide which epoch was best."""
BLOCK: Final = 200
"""Consecutive states, from several games: states of one game are too similar to be split at random. Files
with fewer than 4,000 states have shorter blocks."""
RESULT: Final = 0.1
"""Share of the game's result in the target of a state between rounds with two seats; the rest is searches
after deals. With more seats it is `seatplay.LATER`, and the value passes on the result."""
END: Final = 0.4
"""Share of the round's end in the target of a state within a round; the rest is the search of the
state."""
TURNS: Final = 0.9
"""Share of later turns in the target where rounds have chance and there are more than two seats: there a
short search finds little more than the evaluation that it uses (docs/lab/networks.md)."""
PENALTY: Final = 1e-3
"""Ridge penalty for the direct weights with which training begins."""
SECOND_BIAS: Final = 0.5
"""Units of the second layer begin above zero. A unit that is zero for every state learns nothing, and many
still end so (docs/lab/networks.md)."""
LIMIT: Final = 1.5
"""Weights of the first layer stay below this, so that its sums fit into 16 bits."""
FINER: Final = 4
"""Trained with others of its stage first, a network is then trained alone at a quarter of the rate."""


@dataclass(frozen=True)
class Examples:
    """States as inputs of networks, and their targets."""

    first: Cells
    """uint8 [state, factor]: the side for which the target is meant."""
    others: Cells
    """uint8 [state, other, factor]: the other sides; zeros where a table has fewer than the largest."""
    present: Cells
    """uint8 [state, other]: 1 where there is such a side."""
    table: Cells
    which: Cells
    """[state]: the network that evaluates it."""
    targets: Cells
    """[state]: hundredths."""
    held_out: Cells
    """[state]: True if it is not used for training."""

    def of(self, kept: Cells) -> Examples:
        return Examples(*(array[kept] for array in self._arrays()))

    @staticmethod
    def together(parts: Sequence[Examples]) -> Examples:
        most = max(part.others.shape[1] for part in parts)
        columns = zip(*(part._with_room(most)._arrays() for part in parts), strict=True)
        return Examples(*(np.concatenate(arrays) for arrays in columns))

    def _with_room(self, others: int) -> Examples:
        """The same with room for this many other sides."""
        more = others - self.others.shape[1]
        if more == 0:
            return self
        return replace(self, others=np.pad(self.others, ((0, 0), (0, more), (0, 0))),
                       present=np.pad(self.present, ((0, 0), (0, more))))

    def _arrays(self) -> tuple[Cells, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))


@loop
def spread_inputs(
    rows: Cells, n: Network, of_sides: Cells, of_table: Cells, sides: Cells, table: Cells, which: Cells,
    views: Cells,
) -> None:
    """Write the inputs of every state as factors: sides[state, seat, factor], table[state, factor]."""
    for i in range(len(rows)):
        s = rows[i].view(STATE)[0]
        which[i] = network_for(s)
        if which[i] < 0:
            continue
        views[i] = viewpoint(s)
        for seat in range(s.players):
            add_factors(n, side_inputs(s, seat, n.inputs, n.amounts), of_sides, sides[i, seat])
        add_factors(n, table_inputs(s, n.inputs, n.amounts), of_table, table[i])


@rule
def add_factors(n: Network, count: int, factors: Cells, found: Cells) -> None:
    """Add the factors of some inputs. `factors`: [input, i, 2], the factor and its amount, ended by -1."""
    for j in range(count):
        for i in range(factors.shape[1]):
            factor = factors[n.inputs[j], i, 0]
            if factor < 0:
                break
            found[factor] = min(found[factor] + n.amounts[j] * factors[n.inputs[j], i, 1], 255)


def listed(factors: Cells) -> Cells:
    """[input, i, 2]: the factors of an input and their amounts, ended by -1."""
    found = np.full((len(factors), 1 + int((factors > 0).sum(axis=1).max()), 2), -1, np.int64)
    for row, amounts in zip(found, factors, strict=True):
        (there,) = np.nonzero(amounts)
        row[: len(there), 0], row[: len(there), 1] = there, amounts[there]
    return found


def examples(game: Game, data: PlayedStates, networks: Iterable[int]) -> Examples:
    """The states that the given networks evaluate, as factors of their inputs.

    With two seats a state is one example, for the seat that moves first; with more, one for each seat.
    """
    (_, factors), (states, seats) = parts(game), data.values.shape
    sides = np.zeros((states, seats, factors.side.shape[1]), np.uint8)
    table = np.zeros((states, factors.table.shape[1]), np.uint8)
    which, views = np.zeros(states, np.int64), np.zeros(states, np.int64)
    game.compiled.bind(spread_inputs)(
        data.rows, no_network(), listed(factors.side), listed(factors.table), sides, table, which, views
    )
    within = END if seats == 2 or evaluation_of(game).chance_free_rounds else TURNS
    share = np.where(data.within == 1, within, RESULT if seats == 2 else LATER)[:, None]
    worth = (share * data.values + (1 - share) * data.searched).astype(np.float32)
    block = max(1, min(BLOCK, states // HELD_OUT))
    held_out = np.arange(states) // block % HELD_OUT == HELD_OUT - 1
    seen = np.isin(which, list(networks))
    found = []
    for seat in range(seats):
        kept = seen if seats > 2 else seen & (views == seat)
        others = [other for other in range(seats) if other != seat]
        found.append(Examples(
            first=sides[kept, seat], others=sides[kept][:, others],
            present=np.ones((kept.sum(), len(others)), np.uint8), table=table[kept], which=which[kept],
            targets=worth[kept, seat], held_out=held_out[kept],
        ))
    return Examples.together(found)


# --- the network as PyTorch sees it -----------------------------------------------------------------------

Weights = dict[str, Any]
"""Tensors by the names of `engine.network.SCALES`, of one network; amounts up to 1, values in UNIT."""


def torch() -> Any:
    """PyTorch, imported on first use; one thread, so that the same data give the same network."""
    try:
        import torch as loaded
    except ModuleNotFoundError:
        raise ValueError("training needs PyTorch: pip install 'azulejos[train]'") from None
    loaded.set_num_threads(1)
    return loaded


def check(game: Game) -> None:
    """Raise a ValueError if the game has no networks or PyTorch is missing."""
    parts(game)
    torch()


def parts(game: Game) -> tuple[Features[Any], Factors]:
    """The inputs of a game's networks; a ValueError if it has none."""
    if game.features is None or game.factors is None:
        raise ValueError(f"{game.name} has no networks: its folder has no features.py or factors.py")
    return game.features, game.factors


def new_weights(side: int, table: int, seed: int) -> Weights:
    """Small random layers; the direct weights are zero."""
    t = torch()
    chance = t.Generator().manual_seed(seed)
    sizes = shapes(1, side, table)
    weights = {name: t.zeros(sizes[name][1:]) for name in SCALES}
    for name, spread in (("side", 0.15), ("table", 0.15), ("second", 0.1), ("last", 0.2)):
        weights[name] = t.randn(weights[name].shape, generator=chance) * spread
    weights["bias"] = t.full((PARTS * WIDTH,), 0.3)
    weights["second_bias"] = t.full((NARROW,), SECOND_BIAS)
    return {name: weight.requires_grad_() for name, weight in weights.items()}


def predicted(w: Weights, first: Any, others: Any, present: Any, table: Any) -> Any:
    """The same network as `engine.network.network_value`, in floating point."""
    bias = w["bias"].reshape(PARTS, WIDTH)
    of_others = (others @ w["side"] + bias[1]).clamp(0, 1)
    units = (
        (first @ w["side"] + bias[0]).clamp(0, 1), (of_others * present[:, :, None]).sum(1),
        (table @ w["table"] + bias[2]).clamp(0, 1),
    )
    deep = (torch().cat(units, 1) @ w["second"].T + w["second_bias"]).clamp(min=0)
    ahead = inputs_ahead(first, others, present)
    return ahead @ w["straight"] + table @ w["straight_table"] + w["straight_bias"] + deep @ w["last"]


def inputs_ahead(first: Any, others: Any, present: Any) -> Any:
    """The inputs of a side minus the mean of the others'."""
    return first - others.sum(1) / present.sum(1, keepdim=True)


@dataclass(frozen=True)
class Amounts:
    """The largest amount of each input, which scales inputs to at most 1."""

    side: Cells
    table: Cells


def largest_amounts(data: Examples) -> Amounts:
    side = np.maximum(data.first.max(axis=0), data.others.max(axis=(0, 1)))
    return Amounts(*(np.maximum(most, 1).astype(np.float32) for most in (side, data.table.max(axis=0))))


@dataclass(frozen=True)
class Batches:
    """States as tensors, in batches of a few hundred."""

    data: Examples
    amounts: Amounts

    def __len__(self) -> int:
        return len(self.data.which)

    def each(self, rng: np.random.Generator | None = None) -> Iterator[list[Any]]:
        """Batches of first side, other sides, which of them are present, table and target; in random order
        if there is an `rng`."""
        order = np.arange(len(self)) if rng is None else rng.permutation(len(self))
        for begin in range(0, len(order), BATCH):
            yield self._at(order[begin : begin + BATCH])

    def _at(self, index: Cells) -> list[Any]:
        arrays = (
            self.data.first[index] / self.amounts.side, self.data.others[index] / self.amounts.side,
            self.data.present[index], self.data.table[index] / self.amounts.table,
            self.data.targets[index] / UNIT,
        )
        return [torch().from_numpy(array.astype(np.float32)) for array in arrays]


def with_straight(w: Weights, data: Examples, amounts: Amounts) -> Weights:
    """Start with the direct weights that alone explain the data best, and layers that add nothing yet."""
    learned = Batches(data.of(~data.held_out), amounts)
    size = len(amounts.side) + len(amounts.table) + 1
    gram, moment = np.zeros((size, size)), np.zeros(size)
    for first, others, present, table, target in learned.each():
        ahead = inputs_ahead(first, others, present).numpy()
        x = np.hstack([ahead, table.numpy(), np.ones((len(target), 1), np.float32)])
        gram += x.T @ x
        moment += x.T @ target.numpy()
    gram += PENALTY * len(learned) * np.eye(size)
    parts = np.split(np.linalg.solve(gram, moment), [len(amounts.side), size - 1])
    t, begun = torch(), copied(w)
    for name, part in zip(("straight", "straight_table", "straight_bias"), parts, strict=True):
        begun[name] = t.tensor(part.reshape(begun[name].shape), dtype=t.float32).requires_grad_()
    begun["last"] = t.zeros(begun["last"].shape).requires_grad_()
    return begun


def without_unseen(w: Weights, data: Examples) -> Weights:
    """Factors that no state has get no weight: what training never sees must not matter in a search."""
    kept = copied(w)
    unseen = {"side": (data.first.max(axis=0) == 0) & (data.others.max(axis=(0, 1)) == 0),
              "table": data.table.max(axis=0) == 0}
    with torch().no_grad():
        for name, rows in unseen.items():
            kept[name][torch().from_numpy(rows)] = 0
    return kept


def error(w: Weights, batches: Batches) -> float:
    """The root of the mean squared error, in points."""
    with torch().no_grad():
        total = sum(
            float(((predicted(w, *inputs) - target) ** 2).sum()) for *inputs, target in batches.each()
        )
    return math.sqrt(total / max(len(batches), 1)) * UNIT / 100


def learn(
    w: Weights, learned: Batches, held_out: Batches, *, epochs: int, rate: float, seed: int,
    report: Callable[[int, float], None],
) -> Weights:
    """Train by Adam with a falling rate; return the weights of the epoch with the least held-out error.

    Without held-out states these are the weights of the last epoch.
    """
    t, rng = torch(), np.random.default_rng(seed)
    adam = t.optim.AdamW(list(w.values()), lr=rate, weight_decay=0.01)
    fall = t.optim.lr_scheduler.CosineAnnealingLR(adam, epochs, eta_min=rate / 50)
    best, lowest = copied(w), error(w, held_out)
    report(0, lowest)
    for epoch in range(1, epochs + 1):
        for *inputs, target in learned.each(rng):
            adam.zero_grad()
            ((predicted(w, *inputs) - target) ** 2).mean().backward()
            adam.step()
            with t.no_grad():
                for name in ("side", "table", "bias"):
                    w[name].clamp_(-LIMIT, LIMIT)
        fall.step()
        now = error(w, held_out)
        report(epoch, now)
        if now <= lowest:
            best, lowest = copied(w), now
    return best


def copied(w: Weights) -> Weights:
    return {name: weight.detach().clone().requires_grad_() for name, weight in w.items()}


def train(
    game: Game, games: Sequence[PlayedStates], *, epochs: int, seed: int, rate: float,
    report: Callable[[str, int, float], None],
) -> Network:
    """All networks of a game: those of a group together first, then each alone.

    `report` receives what is being trained, the epoch and the error on held-out states in points.
    """
    features, factors = parts(game)
    sizes = shapes(features.networks, features.side_size, features.table_size)
    found = {name: np.zeros(shape) for name, shape in sizes.items()}
    for name, networks in features.groups.items():
        group = Examples.together([examples(game, data, networks) for data in games])
        if len(group.which) == 0:
            continue
        amounts = largest_amounts(group)
        begun = new_weights(group.first.shape[1], group.table.shape[1], seed)
        begun = without_unseen(with_straight(begun, group, amounts), group)
        common = _learned(begun, group, amounts, name, epochs, rate, seed, report)
        for network in np.unique(group.which):
            part = group.of(group.which == network)
            alone = _learned(common, part, amounts, f"{name} {network}", max(1, epochs // FINER),
                             rate / FINER, seed, report)
            found["ready"][network] = 1
            real = for_inputs(in_hundredths(alone, amounts), factors.side, factors.table)
            for weight, values in real.items():
                found[weight][network] = values
    found["seats"] = np.array(games[0].values.shape[1])
    return with_heads(game, quantised(found), games)


def _learned(
    w: Weights, data: Examples, amounts: Amounts, name: str, epochs: int, rate: float, seed: int,
    report: Callable[[str, int, float], None],
) -> Weights:
    return learn(
        copied(w), Batches(data.of(~data.held_out), amounts), Batches(data.of(data.held_out), amounts),
        epochs=epochs, rate=rate, seed=seed, report=lambda epoch, now: report(name, epoch, now),
    )


def in_hundredths(w: Weights, amounts: Amounts) -> dict[str, Cells]:
    """Floating-point weights for whole amounts of factors."""
    real: dict[str, Cells] = {name: weight.detach().numpy().astype(float) for name, weight in w.items()}
    real["side"] /= amounts.side[:, None]
    real["table"] /= amounts.table[:, None]
    real["straight"] *= UNIT / amounts.side
    real["straight_table"] *= UNIT / amounts.table
    real["straight_bias"] *= UNIT
    real["last"] *= UNIT
    return real


def for_inputs(real: dict[str, Cells], side_factors: Cells, table_factors: Cells) -> dict[str, Cells]:
    """Weights of inputs: the weight of an input is the sum of those of its factors."""
    weights = dict(real)
    for name in ("side", "straight"):
        weights[name] = side_factors.astype(float) @ real[name]
    for name in ("table", "straight_table"):
        weights[name] = table_factors.astype(float) @ real[name]
    return weights
