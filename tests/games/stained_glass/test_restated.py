"""The parts of the rules that the evaluation restates for speed agree with the rules."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos.conformance.random_positions import boxes_and_players, decisions, writable
from azulejos.games.stained_glass import evaluate, rules
from azulejos.games.stained_glass.components import STRIP_SPACES, WINDOW_POINTS, WINDOWS
from azulejos.games.stained_glass.strips import has_strip, panes_on

every_table = pytest.mark.parametrize(("name", "players"), boxes_and_players("stained_glass"))
EXACT = [evaluate.POINTS, evaluate.BONUS, evaluate.LOSS, evaluate.LEFT_POINTS]


@every_table
def test_a_game_that_ended_now_would_score_as_evaluation_says(name: str, players: int) -> None:
    weights = evaluate.last_weights()[EXACT]
    for position in decisions(name, players):
        terms, after = np.zeros((4, evaluate.TERMS), np.int64), writable(position)
        evaluate.terms_of(position.state, terms)
        rules.end_game(after)
        for seat in range(players):
            if after.score[seat] > 0:  # a score cannot fall below zero
                assert terms[seat, EXACT] @ weights == 150 * int(after.score[seat]), position.text()


@every_table
def test_a_strip_is_worth_what_completing_it_would_score(name: str, players: int) -> None:
    for position in decisions(name, players):
        terms, s = np.zeros((4, evaluate.TERMS), np.int64), position.state
        evaluate.terms_of(s, terms)
        for seat in range(players):
            points = np.zeros(STRIP_SPACES, np.int64)
            for window in range(WINDOWS):
                panes = panes_on(s, seat, window)
                if has_strip(s, seat, window) and panes < STRIP_SPACES:
                    points[panes] += WINDOW_POINTS[window] + rules.window_points(s, seat, window + 1)
            found = terms[seat, evaluate.FILL_POINTS : evaluate.FILL_POINTS + STRIP_SPACES]
            assert (found == points).all(), position.text()
