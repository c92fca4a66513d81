"""The terms of the rulebooks in every language (terms.toml), for the glossaries of the rules pages."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass, field

from azulejos.i18n.catalogue import FOLDER, LANGUAGES


@dataclass(frozen=True, kw_only=True)
class Term:
    """A term by language. `official` lists the languages in which a rulebook uses the word."""

    words: dict[str, str]
    official: frozenset[str]
    wrong: dict[str, list[str]] = field(default_factory=dict)
    """Patterns of words to avoid instead of the term, by language."""


@functools.cache
def terms() -> dict[str, Term]:
    written = tomllib.loads((FOLDER / "terms.toml").read_text("utf-8"))
    return {
        name: Term(words={language: entry[language] for language in LANGUAGES},
                   official=frozenset(entry["official"]), wrong=entry.get("wrong", {}))
        for name, entry in written.items()
    }
