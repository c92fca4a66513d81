"""Running the real command line, inside this process and as a separate program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from azulejos.cli import main
from patience import PATIENCE

SOURCES = Path(__file__).resolve().parents[2] / "src"
Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """``run("play", "azul", input="quit\\n")``: the result has exit_code, stdout, stderr."""

    def runner(*words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main, list(words), input=typed, prog_name="azulejos")

    return runner


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "azulejos", *words]


def environment(**extra: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCES), "AZULEJOS_JIT": "0", **extra}


def piped(*words: str, typed: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
    """The program with its output in a pipe; `extra` are variables of its environment."""
    return subprocess.run(program(*words), input=typed, capture_output=True, text=True, check=False,
                          env=environment(FORCE_COLOR="", COLUMNS="100", **extra), timeout=PATIENCE)
