"""Languages: `say`, which turns messages into sentences; dates and spans; the terms of the rulebooks."""

from __future__ import annotations

import functools
import gettext
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from azulejos.core.message import Message, english

if TYPE_CHECKING:
    from babel.messages import Catalog

Say = Callable[[Message], str]

FOLDER = Path(__file__).parent

KEPT_SENTENCES = 16_384
"""Most sentences of a table recur after every move; formatting them took a third of the drawing time."""

NAMES = {"en": "English", "pl": "Polski", "cs": "Čeština", "et": "Eesti", "zh_Hant": "繁體中文"}
"""The name of each language in the language itself."""

LANGUAGES = tuple(NAMES)

SIMPLIFIED = ("zh-cn", "zh-sg", "zh-my", "zh-hans")
"""Beginnings of the tags of readers of simplified Chinese, for whom there is no catalogue."""
ONLY_TRADITIONAL = "目前只有繁体中文界面，暂时没有简体中文版。"
"""What they are told: the interface is in traditional Chinese only. In no catalogue: only they see it."""

TAGS = {
    "zh-hant": "zh_Hant", "zh-tw": "zh_Hant", "zh-hk": "zh_Hant", "zh-mo": "zh_Hant", "zh": "zh_Hant",
    **{language: language for language in LANGUAGES if "_" not in language},
}


@functools.cache
def translator(language: str) -> Say:
    """`say(message)` for a language; messages missing from its catalogue are said in English."""
    path = FOLDER / f"{language}.po"
    if language not in NAMES or not (path.exists() or path.with_suffix(".json").exists()):
        return functools.lru_cache(maxsize=KEPT_SENTENCES)(str)
    catalogue = sentences(path)
    plural = gettext.c2py(catalogue.plural)
    written = functools.partial(number, language=language)

    def template(message: Message) -> str:
        entry = catalogue.entries.get((message.context or "", message.text))
        if entry is None or not entry.forms[0]:
            return english(message)
        if entry.many is not None:
            return entry.forms[plural(message.n)] or english(message)
        return entry.forms[0]

    return functools.lru_cache(maxsize=KEPT_SENTENCES)(lambda message: message.render(template, written))


class Entry(NamedTuple):
    """A message of a catalogue: its English plural, if it has one, and its forms in the language."""

    many: str | None
    forms: Sequence[str]


class Sentences(NamedTuple):
    """What is said in a language, by context and English text."""

    plural: str
    """Which form a number takes, as catalogues write it."""
    entries: Mapping[tuple[str, str], Entry]


@functools.cache
def sentences(path: Path) -> Sentences:
    """A catalogue, from its file or from what `compiled` made of it."""
    made = path.with_suffix(".json")
    if made.exists():
        plural, rows = json.loads(made.read_bytes())
        return Sentences(plural, {(row[0], row[1]): Entry(row[2], row[3]) for row in rows})
    catalogue = read(path)
    return Sentences(catalogue.plural_expr, {
        (entry.context or "", one): Entry(many, forms)
        for entry in catalogue if entry.id
        for one, many, forms in [_parts(entry.id, entry.string)]
    })


def _parts(
    id_: str | Sequence[str], string: str | Sequence[str] | None
) -> tuple[str, str | None, Sequence[str]]:
    forms = (string or "",) if string is None or isinstance(string, str) else tuple(string)
    return (id_, None, forms) if isinstance(id_, str) else (id_[0], id_[1], forms)


def compiled(path: Path) -> bytes:
    """A catalogue as it is read most quickly: a tenth of the time."""
    found = sentences(path)
    rows = [[*key, entry.many, list(entry.forms)] for key, entry in sorted(found.entries.items())]
    return json.dumps([found.plural, rows], ensure_ascii=False).encode()


def read(path: Path) -> Catalog:
    """Read a catalogue file. Babel is imported only here, because English does not need it."""
    from babel.messages.pofile import read_po

    with path.open("rb") as file:
        return read_po(file, locale=path.stem, abort_invalid=True)


LONGEST_ARGUMENT = 100
DEEPEST = 5


def is_ours(message: Message, *, depth: int = 0) -> bool:
    """Whether a message that comes from a file may be said: its templates are in our catalogues, so their
    placeholders are harmless, and its arguments are short."""
    entry = sentences(FOLDER / f"{LANGUAGES[1]}.po").entries.get((message.context or "", message.text))
    known = message.text == "{raw}" or (entry is not None and message.many == entry.many)
    return known and depth <= DEEPEST and all(
        is_ours(value, depth=depth + 1) if isinstance(value, Message)
        else len(str(value)) <= LONGEST_ARGUMENT
        for _, value in message.args
    )


def number(value: float, language: str) -> str:
    """A decimal fraction in the format of a language: 2.3, or 2,3 in Polish, Czech and Estonian."""
    from babel.numbers import format_decimal

    return format_decimal(value, format="0.0##", locale=language)


def html_tag(language: str) -> str:
    return language.replace("_", "-")


def negotiate(accept_language: str) -> str:
    """The language that a browser prefers among ours, by the weights of its header."""
    tag = _preferred(accept_language)
    return _language(tag) or "en"


def reads_simplified(accept_language: str) -> bool:
    """Whether a browser gets traditional Chinese although it asks for simplified Chinese."""
    return _preferred(accept_language).startswith(SIMPLIFIED)


def _preferred(accept_language: str) -> str:
    """The tag that decides the language; empty if there is none of ours."""
    wanted = []
    for index, part in enumerate(accept_language.lower()[:400].split(",")):
        tag, _, parameter = part.strip().partition(";")
        wanted.append((-_quality(parameter), index, tag.strip()))
    return next((tag for _, _, tag in sorted(wanted) if _language(tag)), "")


def _language(tag: str) -> str | None:
    return TAGS.get(tag) or TAGS.get(tag.partition("-")[0])


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0


# --- dates and spans of time, as each language writes them ------------------------------------------------

MINUTE = 60


def long_date(day: date, language: str) -> str:
    """A day with its weekday: "Tuesday, 17 November 2026"."""
    from babel.dates import format_date

    return format_date(day, format="full", locale="en_GB" if language == "en" else language)


def ago(seconds: float, language: str) -> str:
    """How long ago something happened: "5 minutes ago", "yesterday" as the language says it."""
    from babel.dates import format_timedelta

    rounded = -max(MINUTE, int(seconds))
    return format_timedelta(rounded, add_direction=True, locale=language, threshold=1.2)


def day_and_month(day: date, language: str) -> str:
    """"17 November", as the language writes it."""
    from babel.dates import format_skeleton

    return format_skeleton("MMMMd", day, locale=language)


# --- the terms of the rulebooks (terms.toml), for the glossaries of the rules pages -----------------------


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
