"""Templates as source."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

import azulejos.web.pages

FOLDER = Path(azulejos.web.pages.__file__).parents[1] / "templates"
TEMPLATES = sorted(FOLDER.glob("*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_no_word_of_a_page_replaces_another(path: Path) -> None:
    tree = Environment(extensions=["jinja2.ext.i18n"]).parse(path.read_text("utf-8"))
    for words in tree.find_all(nodes.Dict):
        keys = [pair.key.value for pair in words.items if isinstance(pair.key, nodes.Const)]
        assert not [key for key, count in Counter(keys).items() if count > 1]
