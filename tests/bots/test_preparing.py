"""While the code of a bot is being compiled, those who wait are told how long."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
from azulejos.bots.preparing import preparing
from azulejos.core.message import raw
from azulejos.core.registry import find
for word in ("level:3", "random"):
    print(preparing(find("azul")[0], word, raw("Brick")))
"""


def said(**environment: str) -> list[str]:
    """In a process of its own: whether to compile is decided once per process."""
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True,
                          env={**os.environ, "AZULEJOS_JIT": "1", **environment})
    return done.stdout.splitlines()


def test_with_nothing_compiled_a_searching_bot_says_when(tmp_path: Path) -> None:
    searching, random = said(AZULEJOS_CACHE=str(tmp_path))
    assert searching.startswith("Brick plays at full strength in about ")
    assert random == "None"


def test_where_nothing_is_ever_compiled_nobody_waits(tmp_path: Path) -> None:
    assert said(AZULEJOS_CACHE=str(tmp_path), AZULEJOS_JIT="0") == ["None", "None"]
