"""Random games through every interface of ours and of others, in one process, in turn.

    pip install pgx open_spiel catanatron chess 'pettingzoo[classic]'
    python -m bench.peers [SECONDS] [ROUNDS]

Each contestant plays for SECONDS of processor time, ROUNDS times; the median counts. A step is a decision
of a player, and chance is part of its time. What is not installed is left out and named.
"""

from __future__ import annotations

import importlib
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import azulejos
from azulejos.core.chance import seeded
from azulejos.engine.playout import random_games
from azulejos.envs.vector import SelfPlayEnv

Contestant = Callable[[], int]
"""Plays a game, or a stretch of many, and counts its steps."""
rng = random.Random(1)


def playouts(name: str = "azul") -> Contestant:
    start = azulejos.new(name)
    seeds = iter(range(10**9))

    def play() -> int:
        played = random_games(start.game, 2, start.options, seed=next(seeds), count=200)
        return int(played.lengths.sum())

    return play


def position(name: str = "azul") -> Contestant:
    def play() -> int:
        now, steps = azulejos.new(name), 0
        while True:
            now.deal(rng)
            if now.is_over:
                return steps
            now.play(rng.choice(now.legal_actions()))
            steps += 1

    return play


def vector(name: str = "azul", games: int = 1024) -> Contestant:
    envs = SelfPlayEnv(games, name, threads=1, observation="uint8", copy=False)
    envs.reset(seed=1)
    key = seeded(2, games)

    def play() -> int:
        for _ in range(10):
            envs.step(envs.batch.random_actions(envs.action_masks(), key))
        return 10 * games

    return play


def aec(make: Callable[[], Any]) -> Contestant:
    """Any turn-based environment of PettingZoo."""
    env = make()

    def play() -> int:
        env.reset(seed=rng.randrange(10**6))
        steps = 0
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                steps += 1
        return steps

    return play


def openspiel(name: str) -> Contestant:
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("azulejos.envs.openspiel")
    game = pyspiel.load_game(name)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


def pgx(name: str, games: int = 1024) -> Contestant:
    jax, made = importlib.import_module("jax"), importlib.import_module("pgx").make(name)

    def run(state: Any, key: Any) -> Any:
        def step(carry: Any, _: Any) -> Any:
            state, key = carry
            key, choice, chance = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            action = jax.random.categorical(choice, logits, axis=1)
            auto = importlib.import_module("pgx.experimental.wrappers").auto_reset(made.step, made.init)
            return (jax.vmap(auto)(state, action, jax.random.split(chance, games)), key), None

        return jax.lax.scan(step, (state, key), None, length=20)[0]

    compiled = jax.jit(run)
    now = [jax.vmap(made.init)(jax.random.split(jax.random.PRNGKey(1), games)), jax.random.PRNGKey(2)]
    now[:] = compiled(*now)

    def play() -> int:
        now[:] = compiled(*now)
        now[1].block_until_ready()
        return 20 * games

    return play


def chess() -> Contestant:
    package = importlib.import_module("chess")

    def play() -> int:
        board = package.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return int(board.ply())

    return play


def catanatron() -> Contestant:
    package = importlib.import_module("catanatron")

    def play() -> int:
        game = package.Game([package.RandomPlayer(colour) for colour in package.Color])
        game.play()
        return int(game.state.num_turns)

    return play


def classic(name: str) -> Contestant:
    return aec(importlib.import_module(f"pettingzoo.classic.{name}").env)


def our_aec() -> Contestant:
    package = importlib.import_module("azulejos.envs.pettingzoo")
    return aec(lambda: package.env("azul"))


CONTESTANTS: dict[str, Callable[[], Contestant]] = {
    "azulejos, compiled playouts": playouts,
    "azulejos, vector environment, 1,024 games": vector,
    "azulejos, `Position` in a Python loop": position,
    "azulejos, `Position` of Queen's Garden": lambda: position("garden"),
    "azulejos, OpenSpiel": lambda: openspiel("azulejos_azul"),
    "azulejos, PettingZoo": our_aec,
    **{f"pgx {name}, 1,024 games": partial(pgx, name) for name in ("tic_tac_toe", "connect_four", "2048")},
    **{f"OpenSpiel {name}": partial(openspiel, name)
       for name in ("tic_tac_toe", "connect_four", "chess", "backgammon", "hanabi")},
    "python-chess": chess,
    "catanatron, four random players": catanatron,
    **{f"PettingZoo {name}": partial(classic, name)
       for name in ("tictactoe_v3", "connect_four_v3", "chess_v6", "texas_holdem_v4")},
}


def main(seconds: str = "1", rounds: str = "3") -> None:
    contestants: dict[str, Contestant] = {}
    for name, make in CONTESTANTS.items():
        try:
            contestants[name] = make()
            contestants[name]()
        except Exception as error:  # of any of these libraries
            reason = f"{type(error).__name__}: {error}".splitlines()[0]
            print(f"left out: {name}: {reason[:100]}", flush=True)
            contestants.pop(name, None)
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(int(rounds)):
        for name, play in contestants.items():
            steps, began = 0, time.process_time()
            while (spent := time.process_time() - began) < float(seconds):
                steps += play()
            rates[name].append(steps / spent)
    medians = {name: statistics.median(found) for name, found in rates.items()}
    own = medians["azulejos, `Position` in a Python loop"]
    print("\n| contestant | steps/s | ratio |\n|---|--:|--:|")
    for name, rate in sorted(medians.items(), key=lambda pair: -pair[1]):
        print(f"| {name} | {rate:,.0f} | {rate / own:.3g} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
