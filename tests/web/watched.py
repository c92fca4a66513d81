"""In which threads a function runs."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest


def threads_of(
    monkeypatch: pytest.MonkeyPatch, where: str, what: Callable[..., Any]
) -> list[str]:
    """The names of the threads in which a function is called from now on."""
    found: list[str] = []

    def noted(*args: Any, **names: Any) -> Any:
        found.append(threading.current_thread().name)
        return what(*args, **names)

    monkeypatch.setattr(where, noted)
    return found
