"""How long reviews take: ``python -m bench.review_time RECORD...``. Wall-clock time on two cores.

The processor time is printed as well: half of it is what two free cores would need at least."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import azulejos
from azulejos.core.record import Record
from azulejos.insight import Review, reviews

CORES = 2
FIRST = 3
"""Verdicts on turns with a choice that somebody can read while the judge goes on."""


def timed(record: Record) -> str:
    began, spent, reached = time.perf_counter(), time.process_time(), dict[str, float]()
    for found in reviews(record, cores=CORES):
        for stage in stages(found):
            reached.setdefault(stage, time.perf_counter() - began)
    said = ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in reached.items())
    return f"{said}; processor time {time.process_time() - spent:.1f} s"


def stages(found: Review) -> list[str]:
    verdicts = sum(turn.choices > 1 for turn in found.turns)
    passed = {"first three": verdicts >= FIRST, "quick pass": found.judged == found.stretches,
              "whole": found.finished}
    return [stage for stage, is_passed in passed.items() if is_passed]


def main() -> None:
    for name in sys.argv[1:]:
        record = Record.read(Path(name).read_text(encoding="utf-8"))
        azulejos.compile(record.start.preset.name)
        print(f"{record.start.preset.name}, {record.start.players} seats: {timed(record)}", flush=True)


if __name__ == "__main__":
    main()
