"""The examples of the documentation are true."""

from __future__ import annotations

import re
from pathlib import Path

from azulejos import Record
from core.test_record import EXAMPLE

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(name: str, language: str = "") -> list[str]:
    text = (DOCS / name).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for kind, block in found if kind == language]


def test_the_record_of_the_documentation_is_the_one_that_is_tested() -> None:
    assert EXAMPLE in blocks("records.md")


def test_the_json_lines_of_the_documentation() -> None:
    header, draw, step = blocks("records.md", "json")[0].splitlines()
    written = Record.read(EXAMPLE).write_json().splitlines()
    assert written[0] == header
    assert written[1] == draw
    assert written[21] == step
