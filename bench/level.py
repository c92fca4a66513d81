"""Is the level of a bot found again? ``python -m bench.level BOX PLAYERS GAMES LOG [FIRST]``.

Plays games between two levels chosen at random, judges them, and appends to LOG what each seat lost in each
turn and what the bots asked there would have lost: a line of JSON for each seat. Then prints how well sets
of five games of one level are estimated. A later run with the same LOG goes on from there; with GAMES 0 it
only prints. FIRST is the first seed, so that several runs can write different logs.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from pathlib import Path

import msgspec

import azulejos
from azulejos import bots, new
from azulejos.bots.levels import NAMES
from azulejos.bots.workspaces import is_solvable
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.judge import Effort, efforts_for
from azulejos.insight.level import GameLosses, LevelEstimate, estimate, losses
from azulejos.insight.review import review
from azulejos.protocol.bot import Limit

SET = 5
"""Games of one estimate."""
MOST_NODES = 200_000
"""Of the strongest level."""
EFFORT = Effort(nodes=50_000, deals=1, deal_nodes=100)
"""Of the review that finds the best turns where rounds are solved; elsewhere the quick pass finds them."""


class Observed(msgspec.Struct):
    """A seat of a game between bots."""

    level: int
    seed: int
    losses: GameLosses


def played(start: Position, levels: list[int], seed: int) -> Record:
    position, rng = start.copy(), random.Random(seed)
    players = {level: bots.open(f"level:{level}") for level in set(levels)}
    position.deal(rng)
    while not position.is_over:
        bot = players[levels[position.to_move]]
        position.play(bot.play(position, Limit(nodes=MOST_NODES), rng=rng).move)
        position.deal(rng)
    return Record.from_position(position)


def observed(start: Position, seed: int) -> list[Observed]:
    rng = random.Random(f"levels {seed}")
    levels = [rng.randint(1, len(NAMES)) for _ in range(start.players)]
    efforts = (EFFORT,) if is_solvable(start) else efforts_for(start).review[:1]
    found = review(played(start, levels, seed), efforts=efforts)
    return [Observed(level, seed, losses(found, seat)) for seat, level in enumerate(levels)]


def tell(games: list[Observed]) -> None:
    by_level: dict[int, list[GameLosses]] = defaultdict(list)
    for game in games:
        by_level[game.level].append(game.losses)
    near = covered = sets = 0
    for level, known in sorted(by_level.items()):
        found = [made for made in map(estimate, disjoint(known)) if made is not None]
        near += sum(is_near(made, level) for made in found)
        covered += sum(is_covered(made, level) for made in found)
        sets += len(found)
        whole = estimate(known)
        assert whole is not None
        print(f"level {level}: {len(known)} games, all: {told(whole)}; fives: "
              + ", ".join(f"{made.level:.1f} ({made.low:.1f}-{made.high:.1f})" for made in found))
    if sets:
        print(f"{sets} sets of {SET}: within 1 level {near / sets:.0%}, covered {covered / sets:.0%}")


def disjoint(games: list[GameLosses]) -> list[list[GameLosses]]:
    return [games[i : i + SET] for i in range(0, len(games) - SET + 1, SET)]


def is_near(made: LevelEstimate, level: int) -> bool:
    return abs(round(made.level) - level) <= 1


def is_covered(made: LevelEstimate, level: int) -> bool:
    return made.low <= level <= made.high


def told(made: LevelEstimate) -> str:
    return f"{made.level:.2f} ({made.low:.2f} to {made.high:.2f}), {made.given:.2f} points a turn"


def main() -> None:
    box, players, count, name, *rest = sys.argv[1:]
    log, start = Path(name), new(box, players=int(players))
    games = [msgspec.json.decode(line, type=Observed) for line in log.read_bytes().splitlines()] \
        if log.exists() else []
    first = int(rest[0]) if rest else 0
    begin = max([first, *(game.seed + 1 for game in games)])
    if begin < first + int(count):
        azulejos.compile(box)
    for seed in range(begin, first + int(count)):
        made = observed(start, seed)
        games += made
        with log.open("ab") as file:
            file.writelines(msgspec.json.encode(each) + b"\n" for each in made)
    tell(games)


if __name__ == "__main__":
    main()
