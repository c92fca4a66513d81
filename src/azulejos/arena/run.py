"""Play a match: continue from earlier results, and stop early if a test allows it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from azulejos.arena.match import Log, Match, Result, forget_bots, missing, play, record_of
from azulejos.arena.statistics import Sprt, Trial
from azulejos.arena.workers import Workers


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a match; `results` are those of the games that had ended."""

    def __init__(self, results: list[Result]) -> None:
        super().__init__()
        self.results = results


def run(
    match: Match,
    *,
    deals: int,
    workers: Workers,
    log: Path | None = None,
    records: Path | None = None,
    sprt: Sprt | None = None,
    after: Callable[[list[Result]], None] = lambda results: None,
) -> list[Result]:
    """Play every deal in every seat order; `after` gets all results each time a game ends.

    Results are appended to `log`, from which a later match can continue, and the games to `records`.
    """
    book = None if log is None else Log(log, match)
    results = [] if book is None else book.read()
    trial = Trial(check_test(match, sprt)) if sprt is not None else None
    if _decided(trial, results):
        return results
    try:
        jobs = workers.map(functools.partial(play, match), missing(match, deals, results))
        with closing(jobs) as answers:
            for result in answers:
                results.append(result)
                if book is not None:
                    book.add(result)
                if records is not None:
                    with records.open("a", encoding="utf-8") as file:
                        file.write(record_of(match, result).write_json())
                after(results)
                if _decided(trial, [result]):
                    break
    except KeyboardInterrupt:
        forget_bots()
        raise Interrupted(results) from None
    return results


def check_test(match: Match, sprt: Sprt) -> Sprt:
    """The test, or a ValueError if it cannot decide this match."""
    if len(set(match.words)) != 2 or len(match.bots) != 2:
        raise ValueError("a sequential test (--sprt) compares two different bots")
    return sprt


def _decided(trial: Trial | None, results: list[Result]) -> bool:
    if trial is None:
        return False
    trial.take(results)
    return trial.verdict is not None
