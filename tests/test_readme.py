"""The examples of the README work as shown."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import azulejos

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_examples_of_the_readme() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 8
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_readme_shows_a_table_that_our_command_drew() -> None:
    drawn = ElementTree.parse(ROOT / "docs" / "table.svg").getroot()
    position = (ROOT / "docs" / "table.txt").read_text(encoding="utf-8").strip()
    assert drawn.findtext("{*}desc") == position == azulejos.Position.from_text(position).text()
    assert (ROOT / "docs" / "table.svg").stat().st_size < 150_000


def test_the_readme_begins_with_the_two_commands() -> None:
    commands = re.findall(r"make \w+", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert commands[:2] == ["make play", "make test"]
