"""Are mistakes mistakes? ``python -m bench.confirm BOX PLAYERS BOT NODES GAMES LOG [SEED [PASS]]``

Plays games of a bot against itself, judges their turns as a review does (PASS: 0 quick, 1 thorough, the
default), and judges again with thirty times the nodes and other deals: every turn that was graded as a
mistake, and every other one that could be a blunder by the upper end of its interval. A line of JSON for
each game is appended to LOG, and a later run goes on from there.
"""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.insight import CLEAR, played

import azulejos
from azulejos import new
from azulejos.core.position import Position
from azulejos.insight.calibrate import lost_again
from azulejos.insight.judge import Effort, Judge, Judgement, efforts_for, judge_for
from azulejos.insight.ledger import stretches_of
from azulejos.insight.results import BLUNDER_POINTS, BLUNDER_WIN, Kind
from azulejos.insight.review import findings, finished_game
from azulejos.insight.scale import CHANCE_TO_WIN, MARGIN

DEEPER = 30
DEALS = 12
"""Other deals of the deeper judge."""


def judged(game: Position, effort: Effort, seed: int) -> list[dict[str, Any]]:
    """The turns of a game that are mistakes, or could be blunders."""
    judge = judge_for(game)
    found = (findings(judge, game, stretch, effort) for stretch in stretches_of(game))
    steps = [step for each in found for step in each.judgements if _matters(step)]
    return [_again(judge, game, step, effort, seed) for step in steps]


def _matters(step: Judgement) -> bool:
    verdict = step.turn.verdict
    return step.turn.better is not None and (
        step.turn.grade.is_mistake or verdict.points.high > BLUNDER_POINTS or verdict.win.high > BLUNDER_WIN
    )


def _again(judge: Judge, game: Position, step: Judgement, effort: Effort, seed: int) -> dict[str, Any]:
    turn, verdict, began = step.turn, step.turn.verdict, time.process_time()
    points, win = verdict.points.value, verdict.win.value
    if verdict.kind is not Kind.EXACT:
        deeper, other = replace(effort.times(DEEPER), deals=DEALS), random.Random(f"{seed}/{turn.ply}")
        lost = lost_again(judge, game, turn, deeper, seed=other.getrandbits(30))
        points, win = float(lost[turn.seat, MARGIN]), float(lost[turn.seat, CHANCE_TO_WIN])
    return {"ply": turn.ply, "round": turn.round, "kind": verdict.kind, "grade": turn.grade,
            "points": [verdict.points.value, verdict.points.low],
            "win": [verdict.win.value, verdict.win.low],
            "again": [points, win], "seconds": time.process_time() - began}


def is_confirmed(turn: dict[str, Any]) -> bool:
    """Whether the deeper judge finds at least half of what was lost, in points or chance to win."""
    points, win = turn["again"]
    return bool(points >= CLEAR * turn["points"][0] > 0 or win >= CLEAR * turn["win"][0] > 0)


def tell(games: list[list[dict[str, Any]]]) -> None:
    turns = [turn for game in games for turn in game]
    mistakes = [turn for turn in turns if turn["grade"] in ("mistake", "blunder")]
    searched = [turn for turn in mistakes if turn["kind"] != "exact"]
    blunders = [
        turn for turn in turns if turn["again"][0] > BLUNDER_POINTS or turn["again"][1] > BLUNDER_WIN
    ]
    print(f"{len(games)} games: {len(mistakes) / len(games):.2f} mistakes a game; "
          f"{sum(map(is_confirmed, mistakes))} of {len(mistakes)} are confirmed "
          f"({sum(map(is_confirmed, searched))} of {len(searched)} that are not exact); "
          f"{sum(turn in mistakes for turn in blunders)} of {len(blunders)} blunders are found", flush=True)


def main() -> None:
    box, players, word, nodes, count, log, *rest = sys.argv[1:]
    path, first = Path(log), int(rest[0]) if rest else 0
    start = new(box, players=int(players))
    effort = efforts_for(start).review[int(rest[1]) if rest[1:] else -1]
    games = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    azulejos.compile(box)
    for seed in range(first + len(games), first + int(count)):
        game = finished_game(played(start, word, int(nodes), seed))
        games.append(judged(game, effort, seed))
        with path.open("a") as file:
            file.write(json.dumps(games[-1]) + "\n")
        tell(games)


if __name__ == "__main__":
    main()
