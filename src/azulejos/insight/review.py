"""Review a finished game: every turn judged, every deal weighed, and a ledger that adds up.

    found = azulejos.insight.review(record)
    for turn in found.mattered():
        print(turn.ply, turn.grade, turn.verdict.points)

A game falls into stretches: a deal, then decisions until the next deal or the end. In games whose rounds
have no chance within, a stretch is a round. Stretches are judged separately, in any order and on several
cores.
"""

from __future__ import annotations

import functools
import hashlib
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, as_completed
from dataclasses import replace

from azulejos.bots.evaluation import weights_of
from azulejos.core.game import Game
from azulejos.core.layout import Cells
from azulejos.core.message import Problem, msg
from azulejos.core.notation import IllegalMove
from azulejos.core.position import Position
from azulejos.core.record import Record
from azulejos.insight.judge import VERSION, Effort, Judge, Judgement, efforts_for, judge_for
from azulejos.insight.ledger import GameOutlooks, Stretch, StretchFindings, stretches_of
from azulejos.insight.results import Grade, Review
from azulejos.insight.scale import FILE, scale_of
from azulejos.insight.why import Explainer

Report = Callable[[Review], None]


def review(
    record: Record, *, efforts: Sequence[Effort] | None = None, cores: int = 1, report: Report | None = None
) -> Review:
    """The review of a finished game. `report` gets every earlier version of it."""
    for found in reviews(record, efforts=efforts, cores=cores):
        if report is not None and not found.finished:
            report(found)
    return found


def reviews(
    record: Record, *, efforts: Sequence[Effort] | None = None, cores: int = 1
) -> Iterator[Review]:
    """Ever better reviews of a finished game: one whenever another stretch of it is judged.

    A Problem says why a record cannot be reviewed, before anything is searched.
    """
    game = finished_game(record)
    return _improving(record, game, tuple(efforts or efforts_for(game).review), cores)


def finished_game(record: Record) -> Position:
    """The last position of a record, with the whole game as its history."""
    position = record.start.copy()
    for number, action in enumerate(record.actions, start=1):
        try:
            position.play(action)
        except (IllegalMove, IndexError) as error:
            raise Problem(msg("Action {n} of this record is not legal: {reason}",
                              n=number, reason=str(error))) from error
    if not position.is_over:
        raise Problem(msg("This game is not finished. Only a finished game can be reviewed."))
    return position


def _improving(record: Record, game: Position, efforts: tuple[Effort, ...], cores: int) -> Iterator[Review]:
    stretches = stretches_of(game)
    known: dict[Stretch, StretchFindings] = {}
    with ThreadPoolExecutor(cores) as pool:
        judges = [judge_for(game) for _ in range(cores)]
        for passes_left, effort in zip(reversed(range(len(efforts))), efforts, strict=True):
            start = judges[0].over_deals(game.at(0), deals=effort.deals, nodes=effort.deal_nodes)
            left = len(stretches)
            for found in _judged(pool, judges, game, stretches, effort):
                known[found.stretch], left = found, left - 1
                yield _assembled(record, game, stretches, known, start, finished=passes_left + left == 0)


def _judged(
    pool: Executor, judges: list[Judge], game: Position, stretches: list[Stretch], effort: Effort
) -> Iterator[StretchFindings]:
    """Judge the stretches, the last ones first: they are the quickest and the most certain."""
    free: queue.SimpleQueue[Judge] = queue.SimpleQueue()
    for judge in judges:
        free.put(judge)

    def work(stretch: Stretch) -> StretchFindings:
        judge = free.get()
        try:
            return findings(judge, game, stretch, effort)
        finally:
            free.put(judge)

    waiting = [pool.submit(work, stretch) for stretch in reversed(stretches)]
    try:
        for future in as_completed(waiting):
            yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def findings(judge: Judge, game: Position, stretch: Stretch, effort: Effort) -> StretchFindings:
    """Judge a stretch of a game; `game` is its last position."""
    judge.begin(effort, seed=stretch.end + effort.nodes)  # so a deeper pass sees other deals
    judgements, then, end = list[Judgement](), None, stretch.end
    for ply in reversed(range(stretch.first, stretch.end)):  # what is proved later is known earlier
        before = game.at(ply)
        if ply == stretch.first or not (judge.whole_turns and before.in_turn):
            judgement, then = judge.compare(before, judge.best(before), game.at(end), then)
            judgements.append(judgement)
            end = ply
    explainer, first = Explainer(judge, game), game.at(stretch.first)
    explained = [
        each if each.turn.grade is Grade.EQUAL
        else replace(each, turn=replace(each.turn, reasons=explainer.reasons(each.turn, stretch.end)))
        for each in reversed(judgements)
    ]
    has_deal = stretch.deal < stretch.first and first.to_move >= 0
    return StretchFindings(
        stretch=stretch, dealt=judge.fresh_outlook(first, effort.deal_nodes) if has_deal else None,
        after=judge.samples(game.at(stretch.end)), judgements=tuple(explained),
    )


def _assembled(
    record: Record, game: Position, stretches: list[Stretch], known: dict[Stretch, StretchFindings],
    start: Cells, *, finished: bool,
) -> Review:
    found = [known[stretch] for stretch in stretches if stretch in known]
    account = GameOutlooks(game, start, found) if len(found) == len(stretches) else None
    return Review(
        record=record, judge=VERSION, weights=weights_version(game.game),
        calibrated=scale_of(game).measured, judged=len(found), stretches=len(stretches), finished=finished,
        turns=tuple(judgement.turn for each in found for judgement in each.judgements),
        deals=account.deals() if account else (), moments=account.moments() if account else (),
        ledgers=account.ledgers() if account else (),
    )


NOTED = "weights.version"
"""The file in which a folder without a server says it, which has no weights as arrays (web/alone)."""


@functools.cache
def weights_version(game: Game) -> str:
    """Identifies everything that the judge has learned."""
    if (noted := game.folder / NOTED).exists():
        return noted.read_text("utf-8")
    digest = hashlib.sha256(weights_of(game, "").tobytes())
    files = sorted(game.features.folder.glob("*.npz")) if game.features else []
    for path in (*files, game.folder / FILE):
        if path.exists():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
