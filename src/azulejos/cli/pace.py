"""How long a verb will take, said before its first piece is finished: by how long it took the last time.

The pace of each kind of work on this machine is noted in the cache; before its first time there is a guess.
"""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from azulejos.core.code_cache import cache_root

if TYPE_CHECKING:
    from rich.progress import Progress

    from azulejos.cli.common import ProgressLines

GUESSES: Final = {
    "simulate": 0.0001, "dataset": 0.1, "fit": 300.0, "ladder": 4.0, "judge": 1.0, "warm": 40.0,
    "build": 60.0, "mine": 5.0, "rate": 3.0, "prove": 2.0, "review": 30.0, "level": 60.0, "train": 600.0,
    "calibrate": 1800.0,
}
"""Seconds for a game, a round of fitting, a puzzle, ..., on two cores at 2.8 GHz with usual limits."""
DECIDES: Final = ("game", "name", "bots", "start", "players", "nodes", "seconds", "depth", "cores")
"""Options that decide how long a piece takes."""


class PacedBar:
    """A bar that first says how long its work may take, and at the end notes how long it took."""

    def __init__(self, bar: Progress | ProgressLines) -> None:
        self._bar = bar
        self._total: float | None = None
        self._began = self._before = self._done = 0.0
        self._first = True

    def __enter__(self) -> PacedBar:
        self._bar.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._bar.__exit__(*error)
        from azulejos.cli import common

        spent = time.monotonic() - self._began
        if self._done > self._before and spent > common.SOON:
            note(spent / (self._done - self._before))

    def add_task(self, description: str, *, total: float | None = None, completed: float = 0) -> Any:
        from azulejos.cli.common import foretell

        self._total, self._began = total, time.monotonic()
        self._before = self._done = completed
        pace = usual()
        if pace is not None:
            seconds, guessed = pace
            named = description or f"azulejos {_verb()}"
            foretell(f"{named}, {'at a guess' if guessed else 'as the last time'}",
                     ((total or 1) - completed) * seconds)
        return self._bar.add_task(description, total=total, completed=completed)  # type: ignore[arg-type]

    def advance(self, task: Any, advance: float = 1) -> None:
        self._done += advance
        self._count_from_here()
        self._bar.advance(task, advance)

    def update(self, task: Any, **what: Any) -> None:
        """Shares of a whole that is not known beforehand count as one piece."""
        done = what.get("completed", self._done + what.get("advance", 0))
        whole = what.get("total", self._total)
        self._done = done if self._total else done / whole if whole else self._done
        self._count_from_here()
        self._bar.update(task, **what)

    def _count_from_here(self) -> None:
        """The first of several pieces has the start in it, which would be no pace."""
        if self._first and self._total and self._total > 1 and self._done > self._before:
            self._first, self._before, self._began = False, self._done, time.monotonic()


def usual() -> tuple[float, bool] | None:
    """Seconds for a piece of what runs now, and whether that is a guess; None for what is never long."""
    verb = _verb()
    if verb not in GUESSES:
        return None
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        return float(json.loads(_file().read_text("utf-8"))[_kind()]), False
    return GUESSES[verb], True


def note(seconds: float) -> None:
    """What a piece took; a cache that cannot be written changes nothing."""
    if _verb() not in GUESSES:
        return
    with contextlib.suppress(OSError):
        try:
            known = json.loads(_file().read_text("utf-8"))
        except (OSError, ValueError):
            known = {}
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text(json.dumps({**known, _kind(): seconds}), "utf-8")


def _file() -> Path:
    return cache_root() / "paces.json"


def _verb() -> str:
    context = click.get_current_context(silent=True)
    return (context.info_name or "") if context else ""


def _kind() -> str:
    """What decides how long a piece takes, as one text."""
    params = click.get_current_context().params
    return " ".join([_verb(), *(f"{name}={params[name]}" for name in DECIDES if params.get(name))])
