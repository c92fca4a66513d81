"""Which aspects carry the difference between the ends of two lines.

Aspects are exchanged one by one between the two ends, in many random orders, and the positions in between
are evaluated as in a search. The mean change when an aspect is exchanged is its part (its Shapley value);
the parts of all aspects add up to the difference.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from azulejos.bots.evaluation import network_of, weights_of
from azulejos.core import layout
from azulejos.core.game import Game
from azulejos.core.jit import loop
from azulejos.core.late import np
from azulejos.core.layout import Cells
from azulejos.core.position import Position
from azulejos.core.tell import Aspect, Future, Place
from azulejos.engine.workspace import Workspace, make_workspace, ply_value

ORDERS: Final = 64
"""Random orders; each is also used backwards."""


@loop
def values_of(d: Workspace, rows: Cells, seat: int, values: Cells) -> None:
    """Evaluate states for a seat, in hundredths of a point. `rows`: uint64 [state, word]."""
    for i in range(len(rows)):
        for word in range(rows.shape[1]):
            d.words[0, word] = rows[i, word]
        values[i] = ply_value(d, 0, seat)


class EndEvaluator:
    """Evaluates ends of lines without searching; one thread uses it at a time."""

    def __init__(self, position: Position) -> None:
        game, binding = position.game, position.game.engine
        self._workspace = make_workspace(
            binding, weights_of(game, ""), transposition_bits=0, network=network_of(position, "")
        )
        self._values_of = binding.bind(values_of)

    def values(self, rows: Cells, seat: int) -> Cells:
        """[state]: values in points. `rows`: uint8 [state, byte]."""
        words = np.zeros((len(rows), self._workspace.words.shape[1]), np.uint64)
        words.view(np.uint8)[:, : rows.shape[1]] = rows
        values = np.zeros(len(rows), np.int64)
        self._values_of(self._workspace, words, seat, values)
        return values / 100


def attributed(
    evaluator: EndEvaluator, aspects: Sequence[Aspect], better: Future, played: Future, seat: int
) -> dict[Aspect, float]:
    """By how many points each aspect makes the better line better for a seat; aspects that do not differ
    are left out."""
    exchange = Exchange(aspects, better, played)
    if not exchange.differing:
        return {}
    rng, parts = np.random.default_rng(1), np.zeros(len(exchange.differing))
    for _ in range(ORDERS):
        order = rng.permutation(len(exchange.differing))
        for each in (order, order[::-1]):
            parts[each] += np.diff(evaluator.values(exchange.rows(each), seat))
    return {aspects[i]: float(part) / (2 * ORDERS)
            for i, part in zip(exchange.differing, parts, strict=True)}


class Exchange:
    """Positions between the ends of two lines."""

    def __init__(self, aspects: Sequence[Aspect], better: Future, played: Future) -> None:
        game = played.end.game
        self._from, self._to = played.end.row, better.end.row
        self._dtype, self._least = layout.dtype_of(game.state), layout.fields_of(game.state)["score"].low
        self._masks = [mask_of(game, aspect.parts) for aspect in aspects]
        self._points = np.array([better.points(aspect) - played.points(aspect) for aspect in aspects])
        self._seats = [aspect.seat for aspect in aspects]
        other = self._from != self._to
        self.differing = [
            i for i, mask in enumerate(self._masks) if (other & mask).any() or self._points[i]
        ]

    def rows(self, order: Sequence[int] | Cells) -> Cells:
        """uint8 [state, byte]: the end of the played line, then with one aspect after the other
        exchanged."""
        row, found = self._from, [self._from]
        scores = self._score(row).astype(int)
        for i in (self.differing[each] for each in order):
            row = np.where(self._masks[i], self._to, row)
            scores[self._seats[i]] += self._points[i]
            self._score(row)[:] = np.maximum(scores, self._least)  # on the way it may be too low
            found.append(row)
        return np.array(found)

    def _score(self, row: Cells) -> Cells:
        score: Cells = row.view(self._dtype)["score"][0]
        return score


@functools.lru_cache(maxsize=1024)
def mask_of(game: Game, parts: tuple[Place, ...]) -> Cells:
    """bool [byte]: which bytes of a state belong to some parts."""
    mask: Cells = np.zeros(game.size, bool)
    for field, indices in parts:
        first, end = layout.bytes_of(game.state, field)
        for index, count in zip(indices, layout.fields_of(game.state)[field].shape, strict=False):
            width = (end - first) // count
            first, end = first + index * width, first + (index + 1) * width
        mask[first:end] = True
    return mask
