"""Refusals restate the rules for people: an action has a reason exactly when the rules forbid it."""

from __future__ import annotations

import pytest

from positions_at_random import boxes_and_players, decisions


@pytest.mark.parametrize(("name", "players"), boxes_and_players())
def test_a_refusal_has_a_reason_exactly_when_the_rules_refuse(name: str, players: int) -> None:
    for position in decisions(name, players):
        legal, state, moves = set(position.legal_actions()), position.state, position.game.moves
        for action in range(position.game.num_actions):
            reason = position.game.rules.why_not(state, action)
            assert (reason is None) == (action in legal), (position.text(), moves.text(action), reason)
