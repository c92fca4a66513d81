"""The README names functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

from azulejos.games.stained_glass import rules

README = Path(rules.__file__).with_name("README.md").read_text(encoding="utf-8")


def test_every_function_of_the_rule_table_exists() -> None:
    table = README.partition("## The rule book and the code")[2].partition("##")[0]
    names = re.findall(r"`([a-z_]+)`", table)
    assert len(names) > 25
    missing = [name for name in names if not callable(getattr(rules, name, None))]
    assert missing == []
