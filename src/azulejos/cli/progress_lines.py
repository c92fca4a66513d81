"""Progress where there is no terminal: in a log, a notebook or a job on another machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import click

SOON: Final = 10.0
"""Seconds: what takes no longer needs no line."""
RARELY: Final = 600.0
"""Seconds between two lines at most; until then each comes after twice the time of the one before."""


def duration(seconds: float) -> str:
    """About so long, as one says it."""
    if seconds < 101:
        return f"{seconds:.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def say_aloud(line: str) -> None:
    click.echo(line, err=True)


@dataclass
class _Task:
    description: str
    total: float | None
    began: float
    completed: float = 0.0
    before: float = 0.0
    """What an earlier run had done."""
    said: float = 0.0


@dataclass
class ProgressLines:
    """What `rich.progress.Progress` does, as few lines: the first one says how long it will take in all."""

    clock: Callable[[], float] = time.monotonic
    tell: Callable[[str], None] = say_aloud
    _tasks: list[_Task] = field(default_factory=list)

    def __enter__(self) -> ProgressLines:
        return self

    def __exit__(self, *ignored: object) -> None:
        pass

    def add_task(self, description: str, *, total: float | None = None, completed: float = 0) -> Any:
        self._tasks.append(_Task(description, total, self.clock(), completed, before=completed))
        return len(self._tasks) - 1

    def advance(self, task_id: Any, advance: float = 1) -> None:
        self.update(task_id, advance=advance)

    def update(
        self, task_id: Any, *, advance: float = 0, completed: float | None = None,
        total: float | None = None, description: str | None = None,
    ) -> None:
        task = self._tasks[task_id]
        task.completed = task.completed + advance if completed is None else completed
        task.total = total or task.total
        task.description = description or task.description
        spent = self.clock() - task.began
        wait = min(task.said, RARELY) or SOON
        if spent - task.said >= wait and task.completed > task.before and task.completed != task.total:
            self.tell(_line(task, spent))
            task.said = spent


def _line(task: _Task, spent: float) -> str:
    done = f"{task.description}: {task.completed:g}"
    if task.total is None:
        return f"{done} after {duration(spent)}"
    left = spent * (task.total - task.completed) / (task.completed - task.before)
    in_all = "" if task.said else f", {duration(spent + left)} in all"
    return f"{done} of {task.total:g}, about {duration(left)} left{in_all}"
