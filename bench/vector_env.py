"""Environment steps per second with masks and observations, actions chosen beforehand and not timed.

    python -m bench.vector_env [BOX] [PLAYERS] [GAMES]

Kinds of environments take turns, so that other load meets all of them. Rates are those of the best slice of
STEPS steps; nanoseconds are the CPU time of the process for a step of one game.
"""

from __future__ import annotations

import sys
import time

from azulejos.core.chance import seeded
from azulejos.envs.vector import BatchEnv, SeatVectorEnv, SelfPlayEnv

STEPS = 5
ROUNDS = 100


class Measured:
    """An environment with its best times so far."""

    def __init__(self, name: str, envs: BatchEnv) -> None:
        self.name, self.envs = name, envs
        self.wall = self.cpu = float("inf")
        self._key = seeded(2, envs.num_envs)
        envs.reset(seed=1)

    def measure(self) -> None:
        wall = cpu = 0.0
        for _ in range(STEPS):
            actions = self.envs.batch.random_actions(self.envs.action_masks(), self._key)
            before, before_cpu = time.perf_counter(), time.process_time()
            self.envs.step(actions)
            wall += time.perf_counter() - before
            cpu += time.process_time() - before_cpu
        games = STEPS * self.envs.num_envs
        self.wall, self.cpu = min(self.wall, wall / games), min(self.cpu, cpu / games)

    def row(self) -> str:
        return f"| {self.name} | {1 / self.wall:,.0f} | {self.cpu * 1e9:,.0f} |"


def kinds(name: str, players: int, games: int) -> list[Measured]:
    def self_play(what: str, **settings: object) -> Measured:
        return Measured(f"self-play, {what}", SelfPlayEnv(games, name, players=players, **settings))  # type: ignore[arg-type]

    def seat(opponent: str) -> Measured:
        envs = SeatVectorEnv(games, name, players=players, opponent=opponent, threads=1, copy=False,
                             observation="uint8")
        return Measured(f"one seat against {opponent}, uint8", envs)

    return [
        self_play("uint8, without copies", threads=1, copy=False, observation="uint8"),
        self_play("uint8, without copies, 2 threads", threads=2, copy=False, observation="uint8"),
        self_play("uint8", threads=1, observation="uint8"),
        self_play("float32, without copies", threads=1, copy=False),
        self_play("float32", threads=1),
        self_play("masks alone, without copies", threads=1, copy=False, observation="none"),
        seat("random"), seat("greedy"),
    ]


def main(name: str = "azul", players: str = "2", games: str = "1024") -> None:
    measured = kinds(name, int(players), int(games))
    for _ in range(ROUNDS):
        for each in measured:
            each.measure()
    print(f"{name}, {players} players, {games} games\n")
    print("| environment | steps/s | ns CPU a step |\n|---|--:|--:|")
    for each in measured:
        print(each.row())


if __name__ == "__main__":
    main(*sys.argv[1:])
