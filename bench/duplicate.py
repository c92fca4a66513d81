"""How much chance a duplicate removes: the variance of margins with the same deals and with different ones.

    python -m bench.duplicate --box azul --deals 300 --out duplicate.jsonl

*Teams*: two games of a stronger and a weaker bot, seats swapped; the result is the sum of both margins.
*Bot*: both play the same seat against the same third bot; the result is the difference of their margins.
With different deals the two margins would be independent, and their variances add up.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from pathlib import Path

import azulejos
from azulejos.bots import open as open_bot
from azulejos.web.learn.daily_check import ParPlayer, margin, play_out

SAMPLES = 2000


def play(box: str, seed: str, first: ParPlayer, second: ParPlayer) -> int:
    """The margin of the first seat."""
    position = azulejos.new(box, players=2)
    play_out(position, seed, (first, second))
    return margin(position, 0)


def measured(box: str, number: int, strong: ParPlayer, weak: ParPlayer, third: ParPlayer) -> dict[str, int]:
    """The margins of one deal, each for the player under test."""
    seed = f"bench {number}"
    return {
        "deal": number,
        "strong_first": play(box, seed, strong, weak), "strong_second": -play(box, seed, weak, strong),
        "strong_bot": play(box, seed, strong, third), "weak_bot": play(box, seed, weak, third),
    }


def ratio(first: list[int], second: list[int], *, sign: int) -> tuple[float, float, float]:
    """The variance of first + sign * second with the same deals and with different ones; their ratio."""
    count = len(first)
    same = statistics.pvariance([a + sign * b for a, b in zip(first, second, strict=True)])
    apart = statistics.pvariance(first) + statistics.pvariance(second)
    return same * count / (count - 1), apart * count / (count - 1), same / apart


def interval(first: list[int], second: list[int], *, sign: int) -> tuple[float, float]:
    """90 % of the ratio, by sampling the deals with replacement."""
    rng, pairs, found = random.Random(1), list(zip(first, second, strict=True)), []
    for _ in range(SAMPLES):
        chosen = rng.choices(pairs, k=len(pairs))
        found.append(ratio([a for a, _ in chosen], [b for _, b in chosen], sign=sign)[2])
    found.sort()
    return found[SAMPLES // 20], found[-SAMPLES // 20]


def report(deals: list[dict[str, int]]) -> None:
    forms = {"teams": ("strong_first", "strong_second", 1), "bot": ("strong_bot", "weak_bot", -1)}
    single = statistics.variance([d[side] for d in deals for side in ("strong_first", "strong_second")])
    print(f"{len(deals)} deals; variance of the margin of one game {single:.0f}")
    for form, (one, other, sign) in forms.items():
        first, second = ([d[side] for d in deals] for side in (one, other))
        same, apart, share = ratio(first, second, sign=sign)
        low, high = interval(first, second, sign=sign)
        mean = statistics.mean(a + sign * b for a, b in zip(first, second, strict=True))
        print(f"{form}: variance of the sum {same:.0f} with the same deals, {apart:.0f} with different "
              f"ones: {share:.0%} ({low:.0%} to {high:.0%}); of the mean margin {same / 4:.0f}, "
              f"{same / 4 / single:.0%} of one game; mean of the sum {mean:+.1f}")


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    given.add_argument("--box", default="azul")
    given.add_argument("--deals", type=int, default=300)
    given.add_argument("--bots", nargs=3, default=("level:5", "level:3", "level:4"),
                       help="the stronger, the weaker, and the one that both play against")
    given.add_argument("--nodes", type=int, default=20_000, help="positions searched for an action")
    given.add_argument("--out", type=Path, help="margins, one deal per line; an existing file is continued")
    asked = given.parse_args()
    lines = asked.out.read_text().splitlines() if asked.out and asked.out.exists() else []
    known = [json.loads(line) for line in lines]
    players = [ParPlayer(open_bot(word), asked.nodes) for word in asked.bots]
    began = time.perf_counter()
    for number in range(len(known), asked.deals):
        known.append(measured(asked.box, number, *players))
        if asked.out:
            with asked.out.open("a") as file:
                file.write(json.dumps(known[-1]) + "\n")
    print(f"{asked.box}, {' '.join(asked.bots)}, {asked.nodes} nodes, {time.perf_counter() - began:.0f} s")
    report(known)


if __name__ == "__main__":
    main()
