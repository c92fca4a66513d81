"""OpenSpiel's own simulation test on every box, and its search as a player."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts
from open_spiel.python.observation import make_observation

import azulejos
from azulejos.envs import openspiel
from boxes import BOXES


def load(name: str, players: int = 2) -> Any:
    _, preset = azulejos.presets()[name]
    return pyspiel.load_game(f"{openspiel.short_name(preset)}(players={players})")


def played(game: Any, actions: int, seed: int = 1) -> Any:
    rng, state = random.Random(seed), game.new_initial_state()
    for _ in range(actions):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("name", "players"), BOXES)
def test_the_simulation_test_passes(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=1, serialize=True, verbose=False)


def test_chance_has_the_odds_of_the_bag() -> None:
    state = played(load("azul"), 10)
    outcomes = dict(state.chance_outcomes())
    odds = state.position.odds()
    assert sum(outcomes.values()) == pytest.approx(1)
    assert list(outcomes.values()) == [weight / sum(odds.values()) for weight in odds.values()]


def test_options_are_parameters() -> None:
    state = pyspiel.load_game("azulejos_azul(wall=grey,players=4)").new_initial_state()
    assert state.position.options["wall"] == "grey"
    assert state.position.players == 4


def test_options_that_look_like_numbers_are_quoted() -> None:
    game = pyspiel.load_game("azulejos_azul(start='2')")
    assert game.new_initial_state().position.options["start"] == "2"
    assert pickle.loads(pickle.dumps(game)).new_initial_state().position.options["start"] == "2"


def test_legal_actions_are_those_that_openspiel_finds_by_itself() -> None:
    """The state answers Python without asking C++, which goes by `_legal_actions` and `chance_outcomes`."""
    state, rng = load("azul", 3).new_initial_state(), random.Random(1)
    for _ in range(120):
        for player in (None, 0, 1, 2):
            own = state.legal_actions() if player is None else state.legal_actions(player)
            theirs = pyspiel.State.legal_actions
            assert own == (theirs(state) if player is None else theirs(state, player))
        assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
        state.apply_action(rng.choice(state.legal_actions()))


def test_structs_and_pickles_bring_the_position_back() -> None:
    game = load("azul", 3)
    state = played(game, 60)
    again = game.new_initial_state(state.to_struct())
    assert again.position == state.position
    assert pickle.loads(pickle.dumps(game)).num_players() == 3
    action = state.legal_actions()[0]
    struct = state.action_to_struct(state.current_player(), action)
    assert state.struct_to_actions(struct) == [action]


def test_observers_name_the_planes() -> None:
    game = load("azul")
    observation = make_observation(game)
    state = played(game, 40)
    observation.set_from(state, 0)
    assert observation.dict["wall.0"].shape == (5, 5)
    assert np.count_nonzero(observation.tensor) > 10


def test_their_search_plays() -> None:
    game = load("azul")
    state = played(game, 21)
    rng = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 3, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    action = bot.step(state)
    assert action in state.legal_actions()


def test_the_returns_are_those_of_the_outcome() -> None:
    state = played(load("azul", 3), 5000)
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0)
    assert max(state.returns()) == 1.0
