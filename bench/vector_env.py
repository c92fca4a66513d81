"""Environment steps per second with masks and observations, random actions: self-play, and one seat.

    python bench/vector_env.py [BOX] [PLAYERS] [GAMES]

`step` is the environment alone; `loop` also chooses random legal actions. Rates are per second of
wall-clock time; CPU seconds are shown too, because other load slows the wall clock.
"""

from __future__ import annotations

import sys
import time

from azulejos.core.chance import seeded
from azulejos.envs.gymnasium import BatchEnv, SeatVectorEnv, SelfPlayEnv

STEPS = 200
ROUNDS = 5


def measure(envs: BatchEnv) -> tuple[float, float, float]:
    """Wall-clock seconds in steps and in the whole loop, and CPU seconds of the process in steps."""
    key = seeded(2, envs.num_envs)
    envs.reset(seed=1)
    stepping = cpu = 0.0
    begin = time.perf_counter()
    for _ in range(STEPS):
        actions = envs.batch.random_actions(envs.action_masks(), key)
        before, before_cpu = time.perf_counter(), time.process_time()
        envs.step(actions)
        stepping += time.perf_counter() - before
        cpu += time.process_time() - before_cpu
    return stepping, time.perf_counter() - begin, cpu


def main(name: str = "azul", players: str = "2", games: str = "4096") -> None:
    count = int(games)
    print(f"{name}, {players} players, {count} games, {STEPS} steps, best of {ROUNDS}")
    for threads in (1, 2):
        report("self-play", SelfPlayEnv(count, name, players=int(players), threads=threads))
        for opponent in ("random", "greedy"):
            envs = SeatVectorEnv(count, name, players=int(players), opponent=opponent, threads=threads)
            report(f"one seat against {opponent}", envs)


def report(what: str, envs: BatchEnv) -> None:
    measure(envs)
    rounds = [measure(envs) for _ in range(ROUNDS)]
    step, loop, cpu = (min(values) for values in zip(*rounds, strict=True))
    total = STEPS * envs.num_envs
    print(
        f"{what}, {envs.batch.threads} threads: step {total / step:,.0f}/s, loop {total / loop:,.0f}/s, "
        f"{cpu / total * 1e9:.0f} ns CPU a step"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
