"""The parts of the rules that the evaluation restates for speed agree with the rules."""

from __future__ import annotations

import numpy as np
import pytest

from azulejos.conformance.random_positions import boxes_and_players, decisions, writable
from azulejos.games.queens_garden import evaluate, prospects, scoring
from azulejos.games.queens_garden.components import HEXAGONS, ROUNDS
from azulejos.games.queens_garden.layout import EMPTY
from azulejos.games.queens_garden.storage import can_afford

every_table = pytest.mark.parametrize(("name", "players"), boxes_and_players("queens_garden"))


@every_table
def test_a_last_round_that_ended_now_would_score_as_evaluation_says(name: str, players: int) -> None:
    """The wheel, pavilions, groups with their bonuses, jokers, and what is left in the storage."""
    for position in decisions(name, players):
        s = writable(position)
        s.round, s.passed[:players], s.held = ROUNDS, 1, 0
        terms = np.zeros((4, evaluate.NOTED + 200), np.int64)
        evaluate.terms_of(s, terms)
        scoring.score_round(s)
        scoring.score_end(s)
        assert [int(points) for points in s.score[:players]] == terms[:players, evaluate.POINTS].tolist()


@every_table
def test_the_wheel_pays_what_the_prospects_say(name: str, players: int) -> None:
    for position in decisions(name, players):
        s = writable(position)
        expected = [
            sum(prospects.wheel_now(s, int(number) - 1) for number in s.garden[seat] if number != EMPTY)
            for seat in range(players)
        ]
        before = s.score.copy()
        for seat in range(players):
            for field in range(len(s.wheel_round)):
                if s.wheel_round[field] == s.round:
                    scoring.score_field(s, seat, field)
        assert (s.score - before)[:players].tolist() == expected


@every_table
def test_what_lacks_nothing_can_be_paid(name: str, players: int) -> None:
    for position in decisions(name, players):
        s = position.state
        for seat in range(players):
            kinds, jokers = prospects.kinds_stored(s, seat), int(s.jokers[seat])
            for hexagon in range(HEXAGONS):
                if kinds >> hexagon & 1:
                    assert (prospects.lacking(kinds, jokers, hexagon) <= 0) == can_afford(s, seat, hexagon)
