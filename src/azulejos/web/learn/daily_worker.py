"""A process that checks one game of the daily deal, or finds par, at the lowest priority.

It reads a job from its standard input and writes the answer, each as one line of JSON.
"""

from __future__ import annotations

import os
import signal
import sys

import msgspec

from azulejos.bots.compiled import warm
from azulejos.core import jit, registry
from azulejos.web.learn.daily import DailyDeal
from azulejos.web.learn.daily_check import Finding, examine, find_par
from azulejos.web.work.one_question import question


class Job(msgspec.Struct):
    deal: DailyDeal
    record: str = ""
    """The game to check; empty: find par."""


def answer(job: Job) -> Finding | int:
    if jit.enabled():
        warm(registry.find(job.deal.box)[0])
    return examine(job.record, job.deal) if job.record else find_par(job.deal)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers
    if hasattr(os, "nice"):
        os.nice(15)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb", 0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a bot prints is taken for an answer
    job = msgspec.json.decode(question(), type=Job)
    answers.write(msgspec.json.encode(answer(job)) + b"\n")


if __name__ == "__main__":
    main()
