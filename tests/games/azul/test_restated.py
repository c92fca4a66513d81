"""The parts of the rules that evaluation and networks restate for speed agree with the rules."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import azulejos
from azulejos.conformance.random_positions import boxes_and_players, decisions, writable
from azulejos.core.verbs import LEGAL
from azulejos.games.azul import boards, evaluate, features
from azulejos.games.azul.layout import COLOUR_BONUS, COLUMN_BONUS, EMPTY, LINES, ROW_BONUS, WALL_COLUMN
from azulejos.parts.offer import COLOURS
from azulejos.parts.offer_inputs import SIZES

every_table = pytest.mark.parametrize(("name", "players"), boxes_and_players("azul"))


def random_walls(seed: int) -> list[Any]:
    """States whose first wall has from a few tiles to nearly all of them."""
    rng, states = random.Random(seed), []
    for tiles in range(25):
        s = writable(azulejos.new("azul"))
        spaces = [(row, colour) for row in range(LINES) for colour in range(COLOURS)]
        for row, colour in rng.sample(spaces, tiles):
            s.wall[0, row, WALL_COLUMN[row][colour]] = 1 + colour
        states.append(s)
    return states


@pytest.mark.parametrize("seed", range(10))
def test_a_tile_scores_what_the_rules_give_it(seed: int) -> None:
    for s in random_walls(seed):
        rows, columns, _ = evaluate.read_wall(s, 0)
        for row in range(LINES):
            for column in range(LINES):
                if s.wall[0, row, column] == EMPTY:
                    points = evaluate.cell_points(rows, columns, row, column)
                    assert points == boards.tile_points(s, 0, row, column)


@pytest.mark.parametrize("seed", range(10))
def test_the_bonuses_of_a_wall_are_those_of_the_rules(seed: int) -> None:
    for s in random_walls(seed):
        terms = np.zeros(evaluate.TERMS, np.int64)
        evaluate.wall_terms(*evaluate.read_wall(s, 0), terms)
        bonus = ROW_BONUS * boards.complete_rows(s, 0) + COLUMN_BONUS * boards.complete_columns(s, 0)
        bonus += COLOUR_BONUS * boards.complete_colours(s, 0)
        assert evaluate.last_weights() @ terms == 150 * bonus


def has_twins(s: Any, seat: int) -> bool:
    complete = [int(s.line_colour[seat, r]) for r in range(LINES) if s.line_tiles[seat, r] == r + 1]
    return len(complete) > len(set(complete))


@every_table
def test_a_round_that_ended_now_would_score_as_evaluation_says(name: str, players: int) -> None:
    """Complete lines are tiled, on a grey wall in the evaluation's column; then the floor line counts.

    Positions in which two complete lines of a grey wall have the same colour are left out: the evaluation
    looks at the wall before tiling, so it may choose one column for both.
    """
    for position in decisions(name, players):
        s = writable(position)
        for seat in range(players):
            if s.grey and has_twins(s, seat):
                continue
            expected = evaluate.tile_now(s, seat, *evaluate.read_wall(s, seat))
            after = writable(position)
            for line in range(LINES):
                if after.line_tiles[seat, line] == line + 1:
                    rows, columns, _ = evaluate.read_wall(after, seat)
                    colour = int(after.line_colour[seat, line])
                    column = evaluate.target_column(after, seat, line, colour, rows, columns)
                    assert column >= 0 or not boards.has_open_column(after, seat, line)
                    if column >= 0:
                        assert boards.refused_column(after, seat, line, column) == LEGAL
                        boards.set_tile(after, seat, line, column)
            boards.charge_floor(after, seat)
            assert (*evaluate.read_wall(after, seat), after.score[seat]) == expected, position.text()


@every_table
def test_networks_see_the_lines_that_the_rules_allow(name: str, players: int) -> None:
    for position in decisions(name, players):
        s = position.state
        for seat in range(players):
            for line in range(LINES):
                homes, allowed = features.homes_of(s, seat, line), boards.colours_for(s, seat, line)
                assert [homes >> colour * SIZES & 1 for colour in range(COLOURS)] == [
                    allowed >> colour & 1 for colour in range(COLOURS)
                ]
