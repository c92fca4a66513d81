"""Play a match: continue from earlier results, and stop early if a test allows it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from azulejos.arena.match import Log, Match, Result, missing, play, record_of
from azulejos.arena.statistics import Sprt, first_shares
from azulejos.arena.workers import Workers


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
    if _decided(sprt, results):
        return results
    for result in workers.map(functools.partial(play, match), missing(match, deals, results)):
        results.append(result)
        if book is not None:
            book.add(result)
        if records is not None:
            with records.open("a", encoding="utf-8") as file:
                file.write(record_of(match, result).write_json())
        after(results)
        if _decided(sprt, results):
            break
    return results


def _decided(sprt: Sprt | None, results: list[Result]) -> bool:
    return sprt is not None and sprt.verdict(first_shares(results)) is not None
