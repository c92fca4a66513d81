"""The Python examples on the pages of docs/ run as shown."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"
GUESTS = ("torch", "jax")
"""Libraries that a page may use and that need not be installed."""


@pytest.mark.parametrize("name", ["playing", "batch", "learning", "bots"])
def test_examples_run(name: str) -> None:
    pieces = re.findall(r"```python\n(.*?)```", (DOCS / f"{name}.md").read_text("utf-8"), re.DOTALL)
    known: dict[str, object] = {}
    run = [piece for piece in pieces if not _needs_a_guest(piece)]
    assert run
    for piece in run:
        exec(compile(piece, f"{name}.md", "exec"), known)


def _needs_a_guest(piece: str) -> bool:
    return any(
        f"import {guest}" in piece and importlib.util.find_spec(guest) is None for guest in GUESTS
    )
