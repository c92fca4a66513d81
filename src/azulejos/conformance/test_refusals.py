"""One statement of what is legal: a refusal is 0 exactly for what is listed; any other has a sentence."""

from __future__ import annotations

import pytest

from azulejos.conformance.random_positions import boxes_and_players, decisions
from azulejos.core import verbs


@pytest.mark.parametrize(("name", "players"), boxes_and_players())
def test_what_is_not_refused_is_what_is_listed_and_each_refusal_has_a_sentence(
    name: str, players: int
) -> None:
    for position in decisions(name, players):
        game, state, legal = position.game, position.state, set(position.legal_actions())
        refusal = game.interpreted.bind(verbs.refusal)
        for action in range(game.num_actions):
            refused, reason = refusal(state, action), game.why_not(state, action)
            where = position.text(), game.moves.text(action), refused
            assert (refused == verbs.LEGAL) == (action in legal), where
            assert (reason is None) == (action in legal), where
            assert not str(reason).endswith("}"), where
