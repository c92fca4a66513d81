"""Every Python example of docs/ runs alone, as shown, in a folder with the files that its page speaks of.

An excerpt of a file has that file as its title; those of fifth-game.md are compared with it.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import azulejos

DOCS = Path(__file__).parent.parent / "docs"
GUESTS = ("torch", "jax", "pyspiel")
"""Libraries that a page may use and that need not be installed."""
ELSEWHERE = {"web.md"}
"""Its example reads a record from standard input: tests/web/tables/test_numbers.py."""
LONG = ("insight.review(",)
FENCE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def examples() -> list[object]:
    found: list[object] = []
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text("utf-8")
        for match in FENCE.finditer(text) if page.name not in ELSEWHERE else ():
            line = text[: match.start()].count("\n") + 1
            slow = pytest.mark.slow if any(call in match[1] for call in LONG) else ()
            found.append(pytest.param(match[1], id=f"{page.stem}:{line}", marks=slow))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a game and a dataset."""
    made = tmp_path_factory.mktemp("page")
    position, rng = azulejos.new("azul"), random.Random(1)
    while not position.is_over:
        position.deal(rng)
        if not position.is_over:
            position.play(rng.choice(position.legal_actions()))
    (made / "game.txt").write_text(azulejos.Record.from_position(position).write(), "utf-8")
    words = ["dataset", "azul", "greedy", "--games", "2", "--out", "greedy.npz"]
    subprocess.run([sys.executable, "-m", "azulejos", *words], cwd=made, check=True)
    return made


@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("example", examples())
def test_an_example_runs_alone(example: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for guest in GUESTS:
        if f"import {guest}" in example:
            pytest.importorskip(guest)
    monkeypatch.chdir(folder)
    exec(compile(example, "example", "exec"), {"__name__": "example"})
