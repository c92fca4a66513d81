"""Collects every sentence of the program: ``python -m azulejos.i18n.extract`` updates the catalogues.

Sources mark sentences with ``msg("…")``, ``nmsg("one", "many")`` and ``pmsg("context", "…")``, templates
with ``_("…")``, ``_n("one", "many")`` and ``_p("context", "…")``. Notes beside each sentence tell
translators where it appears and what its placeholders hold (notes.toml).
"""

from __future__ import annotations

import functools
import io
import re
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from azulejos.i18n.catalogue import FOLDER, LANGUAGES, read

PACKAGE = FOLDER.parent
METHODS = [("**.py", "python"), ("**.html", "jinja2")]
KEYWORDS = {
    "msg": None, "nmsg": (1, 2), "pmsg": ((1, "c"), 2), "_": None, "_n": (1, 2), "_p": ((1, "c"), 2),
}
PLACEHOLDER = re.compile(r"{(\w+)}")
HEADER = re.compile(r'^"(?!Language:|Plural-Forms:|Content-Type:)[\w-]+: .*\n', re.MULTILINE)
"""Header lines that carry no information here or would change with every run."""


def sentences() -> Catalog:
    """Every sentence with its context, its plural, its first location, and notes for translators."""
    notes = tomllib.loads((FOLDER / "notes.toml").read_text("utf-8"))
    found = Catalog()
    for name, _, text, _, context in sorted(_extracted(), key=lambda item: item[:2]):
        if found.get(text, context) is None:
            comments = tuple(_comments(notes, name, text))
            found.add(text, locations=[(name, 0)], auto_comments=comments, context=context)
    return found


@functools.cache
def _extracted() -> tuple[tuple[str, int, str | tuple[str, ...], list[str], str | None], ...]:
    return tuple(extract_from_dir(PACKAGE, METHODS, keywords=KEYWORDS))


def _comments(notes: dict[str, dict[str, str]], name: str, text: str | tuple[str, ...]) -> Iterator[str]:
    """Where a sentence appears, its meaning if it is short, and the contents of its placeholders."""
    yield notes["where"][max((where for where in notes["where"] if fnmatch(name, where)), key=len)]
    one = text if isinstance(text, str) else text[0]
    if one in notes["sentences"]:
        yield notes["sentences"][one]
    for placeholder in dict.fromkeys(PLACEHOLDER.findall(one)):
        yield f"{{{placeholder}}}: {_held(notes['placeholders'], name, placeholder)}"


def _held(known: dict[str, str], name: str, placeholder: str) -> str:
    special = (text for key, text in known.items() if fnmatch(f"{name} {placeholder}", key))
    return next(special, "") or known.get(placeholder, "?")


def completed(known: Catalog) -> str:
    """A catalogue with every sentence: existing translations are kept, unused ones dropped."""
    known.update(sentences(), no_fuzzy_matching=True, keep_user_comments=True)
    known.header_comment = ""
    out = io.BytesIO()
    write_po(out, known, width=0, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    head, blank, rest = out.getvalue().decode("utf-8").partition("\n\n")
    return (HEADER.sub("", head + "\n") + blank[1:] + rest).strip() + "\n"


def complete(folder: Path = FOLDER) -> None:
    for language in LANGUAGES:
        if language != "en":
            path = folder / f"{language}.po"
            path.write_text(completed(read(path) if path.exists() else Catalog(language)), "utf-8")


if __name__ == "__main__":
    complete()
