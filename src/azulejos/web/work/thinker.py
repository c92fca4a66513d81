"""What a kind of job brings for its workers, and what goes between them and the pool.

A kind is a module with a class `Thinker`. A worker makes one of it when the first job comes, and keeps it:
what it remembers serves the next job. It knows nothing of processes, so that a thread can have one, too.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec


class Lost(Exception):
    """A worker ended before it answered."""


class Task(msgspec.Struct, frozen=True):
    """A job, as a worker gets it."""

    kind: str
    seconds: float
    question: msgspec.Raw

    @classmethod
    def about(cls, kind: str, question: Any, seconds: float) -> Task:
        return cls(kind, seconds, msgspec.Raw(msgspec.json.encode(question)))


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of several; the last one holds nothing that was found."""

    used: float = 0.0
    """Seconds of processor time for this job so far."""
    found: msgspec.Raw = msgspec.Raw()
    asks: msgspec.Raw = msgspec.Raw()
    """Not an answer: what the worker asks of whoever gave it the job. It waits for a reply."""
    last: bool = False
    failed: str = ""
    """The traceback, if the job failed."""


@dataclass(frozen=True, kw_only=True)
class JobLimits:
    """How long a job may be thought about."""

    seconds: float
    stop: threading.Event
    """Set when the search that runs shall end: what it has found is the answer."""
    ask: Callable[[Any], bytes] = lambda _: b""
    """Asks whoever gave the job for something; nothing: nobody can."""


class BaseThinker(ABC):
    question: ClassVar[Any]
    """The type of its questions."""

    @abstractmethod
    def answers(self, question: Any, limits: JobLimits) -> Iterator[Any]:
        """Ever better answers."""

    def close(self) -> None:  # noqa: B027  (most have nothing to do)
        """The worker ends."""
