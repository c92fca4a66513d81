"""One word for one thing, in every language: terms.toml against the catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from azulejos.i18n import LANGUAGES, extract
from azulejos.i18n.catalogue import FOLDER, read, terms


def said(language: str) -> Iterator[str]:
    """All texts of the program in a language."""
    for entry in extract.sentences() if language == "en" else read(FOLDER / f"{language}.po"):
        forms = (entry.id if language == "en" else entry.string) or ""
        yield from [forms] if isinstance(forms, str) else forms


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_wrong_word_comes_back(language: str) -> None:
    wrong = [(name, re.compile(pattern)) for name, term in terms().items()
             for pattern in term.wrong.get(language, [])]
    found = [(name, text) for text in said(language) for name, pattern in wrong if pattern.search(text)]
    assert not found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_used(language: str) -> None:
    """The stem of each term occurs in the catalogue: an unused term has no place in terms.toml."""
    everything = "\n".join(said(language)).casefold()
    unused = [name for name, term in terms().items()
              if not all(word[:4].casefold() in everything for word in term.words[language].split())]
    assert not unused


def test_a_wrong_word_would_be_found() -> None:
    for name, term in terms().items():
        for language, patterns in term.wrong.items():
            assert language in LANGUAGES, name
            assert not any(re.search(pattern, term.words[language]) for pattern in patterns), name
