"""A term is translated in one way: where English has it, the other languages have one of its stems."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Message

from azulejos.i18n import LANGUAGES
from azulejos.i18n.catalogue import FOLDER, read, terms

OTHERS = [language for language in LANGUAGES if language != "en"]


@functools.cache
def stems() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("stems.toml").read_text("utf-8"))


@functools.cache
def entries(language: str) -> list[Message]:
    """Those of a catalogue; reading it takes a second."""
    return [entry for entry in read(FOLDER / f"{language}.po") if entry.id]


def forms(text: object) -> list[str]:
    return [str(form) for form in text] if isinstance(text, (tuple, list)) else [str(text)]


def is_said(name: str, entry: Message) -> bool:
    """Whether an English sentence, from the sources that count, has the term."""
    stem = stems()[name]
    said = stem.get("said") or rf"\b{terms()[name].words['en']}s?\b"
    return bool(re.search(said, re.sub(r"{\w+}", "", forms(entry.id)[0]))) and any(
        fnmatch(source, pattern) for source, _ in entry.locations for pattern in stem.get("where", ["*"])
    )


def exceptions(name: str, language: str) -> list[str]:
    """Beginnings of the English sentences that do without the word."""
    return [other["sentence"] for other in stems()[name].get("otherwise", [])
            if language in other["languages"]]


def without(name: str, language: str) -> Iterator[str]:
    """English sentences with the term whose translation has none of its stems."""
    for entry in entries(language):
        if is_said(name, entry) and not all(
            re.search(stems()[name][language], form) for form in forms(entry.string)
        ):
            yield forms(entry.id)[0]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", stems())
def test_a_term_is_translated_in_one_way(name: str, language: str) -> None:
    excepted = tuple(exceptions(name, language))
    assert not [text for text in without(name, language) if not (excepted and text.startswith(excepted))]


@pytest.mark.parametrize("language", OTHERS)
def test_every_exception_is_needed_and_says_why(language: str) -> None:
    for name in stems():
        missing = list(without(name, language))
        assert not [text for text in exceptions(name, language)
                    if not any(sentence.startswith(text) for sentence in missing)], name
    assert all(other["because"] for stem in stems().values() for other in stem.get("otherwise", []))


@pytest.mark.parametrize("name", stems())
def test_the_term_has_its_own_stem_and_occurs(name: str) -> None:
    for language in OTHERS:
        assert re.search(stems()[name][language], terms()[name].words[language]), language
    assert any(is_said(name, entry) for entry in entries(OTHERS[0]))
