"""Are the reasons in reviews true? ``python -m bench.explanations BOX PLAYERS BOT GAMES [SEED [TIMES]]``.

Judges games of a bot against itself with little effort, explains every turn that lost at least two points
by that judgement, and checks every claim with `tests/insight/claims.py`, which shares no code with what
made the claim. Claims must be true however weak the judge is. Also prints how many of the turns got
reasons, and of those that the judge itself, by the lower end of its interval, calls mistakes (`graded`).
With TIMES the judge searches as many times as much.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from bench.insight import played

import azulejos
from azulejos import new
from azulejos.bots.workspaces import is_solvable
from azulejos.core.position import Position
from azulejos.insight.judge import Effort, Judge, judge_for
from azulejos.insight.ledger import Stretch, stretches_of
from azulejos.insight.results import Margin, Verdict
from azulejos.insight.review import findings
from azulejos.insight.why import Explainer

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from insight.claims import false_claims

LOST = 2.0
SOLVER_EFFORT = Effort(nodes=3000, deals=2, deal_nodes=300)
TREE_EFFORT = Effort(nodes=60, deals=2, deal_nodes=30)


def explained(judge: Judge, game: Position, stretch: Stretch, times: int, counts: Counter[str]) -> None:
    """Explain and check the turns of a stretch that lost something."""
    effort = (SOLVER_EFFORT if is_solvable(game) else TREE_EFFORT).times(times)
    explainer = Explainer(judge, game)
    for step in findings(judge, game, stretch, effort).judgements:
        turn = step.turn
        points = turn.verdict.points.value
        if turn.better is None or points < LOST:
            continue
        sure = replace(turn, verdict=Verdict(turn.verdict.kind, Margin.exactly(points), turn.verdict.win))
        sure = replace(sure, reasons=explainer.reasons(sure, stretch.end))
        counts["mistakes"] += 1
        counts["explained"] += bool(sure.reasons)
        counts["graded"] += turn.grade.is_mistake
        counts["graded, explained"] += turn.grade.is_mistake and bool(sure.reasons)
        for reason in sure.reasons:
            counts["claims"] += 2 + (reason.gift is not None)
            counts[reason.played.mood.value] += 1
            counts["gifts"] += reason.gift is not None
        for fault in false_claims(game, sure, stretch.end):
            counts["false"] += 1
            print(f"FALSE ({game.preset.name}, ply {turn.ply}): {fault}")


def main() -> None:
    box, players, word, games, *rest = sys.argv[1:]
    first, times = (int(number) for number in (rest + ["0", "1"][len(rest) :]))
    start, counts = new(box, players=int(players)), Counter[str]()
    azulejos.compile(box)
    for seed in range(first, first + int(games)):
        record = played(start, word, 10, seed)
        game = record.start.copy()
        for action in record.actions:
            game.play(action)
        judge = judge_for(game)
        for stretch in stretches_of(game):
            explained(judge, game, stretch, times, counts)
        print(box, players, word, seed + 1, dict(counts), flush=True)


if __name__ == "__main__":
    main()
