"""Reads catalogues as translators write them (gettext's .po files), without a build step."""

from __future__ import annotations

import ast
import gettext
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Entry:
    """One message: its English text, its English plural, and the forms of the translation."""

    text: str = ""
    many: str | None = None
    forms: dict[int, str] = field(default_factory=dict)


class Unreadable(ValueError):
    """A line of a catalogue that is not .po."""


@dataclass(frozen=True)
class Catalogue:
    entries: dict[str, Entry]
    plural: Callable[[int], int]

    def look_up(self, text: str, n: int) -> str | None:
        """The translation of a text; None if it is missing or not yet filled."""
        entry = self.entries.get(text)
        if entry is None:
            return None
        return entry.forms.get(self.plural(n) if entry.many is not None else 0) or None


def read(path: Path) -> Catalogue:
    entries = {entry.text: entry for entry in _entries(path)}
    header = entries.pop("", Entry())
    return Catalogue(entries, _plural_rule(header.forms.get(0, "")))


def _entries(path: Path) -> Iterator[Entry]:
    entry, key, seen = Entry(), "", False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if not line.startswith('"'):
            key, _, line = line.partition(" ")
            if key == "msgid":
                if seen:
                    yield entry
                entry, seen = Entry(), True
        try:
            _put(entry, key, ast.literal_eval(line.strip()))
        except (ValueError, SyntaxError) as error:
            raise Unreadable(f"{path.name}, line {number}: {line!r} cannot be read") from error
    if seen:
        yield entry


def _put(entry: Entry, key: str, text: str) -> None:
    if key == "msgid":
        entry.text += text
    elif key == "msgid_plural":
        entry.many = (entry.many or "") + text
    elif key == "msgstr":
        entry.forms[0] = entry.forms.get(0, "") + text
    elif key.startswith("msgstr[") and key.endswith("]"):
        form = int(key[7:-1])
        entry.forms[form] = entry.forms.get(form, "") + text
    else:
        raise ValueError(key)


def _plural_rule(header: str) -> Callable[[int], int]:
    for line in header.splitlines():
        name, _, value = line.partition(":")
        if name == "Plural-Forms":
            rule: Callable[[int], int] = gettext.c2py(value.split("plural=")[1].strip(" ;"))
            return rule
    return lambda n: int(n != 1)
