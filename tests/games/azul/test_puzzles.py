"""Puzzles of Azul against the oracle, and in their symmetric forms."""

from __future__ import annotations

import copy
import random
from dataclasses import replace

import pytest

from azulejos.core import layout
from azulejos.core.grid import fill
from azulejos.core.position import Position
from azulejos.core.tell import changed
from azulejos.games.azul.layout import State
from azulejos.games.azul.moves import LETTERS
from azulejos.insight.puzzles import Goal, Puzzle, pack, tree_of
from azulejos.insight.puzzles.exact import canonical_key
from azulejos.parts.offer import FACTORIES
from games.azul.oracle import Board, Oracle

PIECES = ("", *LETTERS, "m")
SMALL = 8
"""Tiles on offer."""


def oracle_of(position: Position) -> Oracle:
    """The oracle in the same position, with plain factories."""
    s, oracle = position.state, Oracle(2, wall=position.options["wall"], start="1")
    oracle.bag, oracle.lid, oracle.centre = tiles(s.bag), tiles(s.lid), tiles(s.centre)
    oracle.factories = [tiles(pile) for pile in s.factories[: FACTORIES[2]]]
    oracle.boards = [board(s, seat) for seat in range(2)]
    oracle.round, oracle.starter, oracle.seat, oracle.phase = s.round, s.starter, s.to_move, "offer"
    oracle.marker_holder = s.marker if s.marker >= 0 else None
    oracle.barren_rounds, oracle.draws_due = s.dry_rounds, []
    return oracle


def tiles(counts: layout.Cells) -> list[str]:
    return [letter for letter, count in zip(LETTERS, counts, strict=True) for _ in range(int(count))]


def board(s: State, seat: int) -> Board:
    lines = zip(s.line_colour[seat].tolist(), s.line_tiles[seat].tolist(), strict=True)
    return Board(
        score=int(s.score[seat]), lines=[[LETTERS[colour]] * count for colour, count in lines],
        wall=[[PIECES[piece] for piece in row] for row in s.wall[seat].tolist()],
        floor=[PIECES[piece] for piece in s.floor[seat].tolist() if piece],
    )


def minimax(oracle: Oracle, seat: int, round_: int) -> int:
    """The best margin at the end of the round."""
    if oracle.to_move < 0 or oracle.round > round_:
        scores = oracle.scores
        return scores[seat] - scores[1 - seat]
    best = max if oracle.to_move == seat else min
    return best(minimax(after(oracle, text), seat, round_) for text in oracle.legal())


def after(oracle: Oracle, *texts: str) -> Oracle:
    twin = copy.deepcopy(oracle)
    for text in texts:
        twin.play(text)
    return twin


def small(box: str) -> list[Puzzle]:
    return [
        puzzle for puzzle in pack(box) if puzzle.goal is Goal.POINTS
        and int(puzzle.start().state.factories.sum() + puzzle.start().state.centre.sum()) <= SMALL
        and _piles(puzzle.start()) <= 3
    ]


def _piles(position: Position) -> int:
    return sum(tiles > 0 for tiles in (*position.state.factories.cells, *position.state.centre))


def test_small_puzzles_are_proved_by_the_oracle_alone() -> None:
    chosen = random.Random(1).sample(small("azul"), 2)
    for puzzle in chosen:
        start, oracle = puzzle.start(), oracle_of(puzzle.start())
        margins = {
            text: minimax(after(oracle, text), start.to_move, oracle.round) for text in oracle.legal()
        }
        right = {text for text, margin in margins.items() if margin == max(margins.values())}
        assert max(margins.values()) == puzzle.best.margin
        assert set(puzzle.turn) <= right
        tree = tree_of(puzzle)
        assert right == {start.game.moves.text(a.actions[0]) for a in tree.answers if a.right}


@pytest.mark.parametrize("box", ["azul", "azul-grey"])
def test_the_answer_is_accepted_in_every_order_of_the_factories(box: str) -> None:
    for puzzle in random.Random(2).sample(pack(box), 5):
        start = puzzle.start()
        order = random.Random(puzzle.id).sample(range(5), 5)

        def shuffled(s: State, order: list[int] = order) -> None:
            piles = s.factories.tolist()
            for place, other in enumerate(order):
                fill(s.factories[place], piles[other])

        other = changed(start, shuffled)
        assert canonical_key(other) == canonical_key(start)
        mirrored, tree = tree_of(replace(puzzle, position=other.text())), tree_of(puzzle)
        assert mirrored.best == tree.best
        right = {canonical_key(other.after(a.actions)) for a in mirrored.answers if a.right}
        assert right == {canonical_key(start.after(a.actions)) for a in tree.answers if a.right}


def test_a_mirrored_grey_wall_is_the_same_position() -> None:
    start = pack("azul-grey")[0].start()

    def mirrored(s: State) -> None:
        for row, tiles in enumerate(start.state.wall[0].tolist()):
            for column, tile in enumerate(reversed(tiles)):
                s.wall[0, row, column] = tile

    assert canonical_key(changed(start, mirrored)) == canonical_key(start)
