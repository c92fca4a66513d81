"""Collects every sentence of the program: ``python -m azulejos.i18n.extract`` completes the catalogues.

Sources name sentences with ``msg("…")`` and ``nmsg("one", "many")``, templates with ``_("…")`` and
``_n("one", "many")``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from azulejos.i18n import po
from azulejos.i18n.catalogue import FOLDER, LANGUAGES

PACKAGE = FOLDER.parent
_STRING = r"\"((?:[^\"\\]|\\.)*)\""
_CALL = re.compile(rf"\b_(n?)\(\s*{_STRING}(?:\s*,\s*{_STRING})?", re.DOTALL)

PLURALS = {
    "en": "nplurals=2; plural=(n != 1);",
    "pl": "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    "cs": "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;",
    "et": "nplurals=2; plural=(n != 1);",
    "zh_Hant": "nplurals=1; plural=0;",
}

Key = tuple[str, str | None]


def sentences() -> dict[Key, str]:
    """Every sentence (with its plural) and the file where it stands first."""
    found: dict[Key, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for key in _in_source(path.read_text("utf-8")):
            found.setdefault(key, str(path.relative_to(PACKAGE)))
    for path in sorted(PACKAGE.rglob("*.html")):
        for key in _in_template(path.read_text("utf-8")):
            found.setdefault(key, str(path.relative_to(PACKAGE)))
    return found


def _in_source(source: str) -> Iterator[Key]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        texts = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        if name == "msg" and len(texts) == 1:
            yield texts[0], None
        elif name == "nmsg" and len(texts) == 2:
            yield texts[0], texts[1]


def _in_template(source: str) -> Iterator[Key]:
    for counts, one, many in _CALL.findall(source):
        yield ast.literal_eval(f'"{one}"'), ast.literal_eval(f'"{many}"') if counts else None


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def written(language: str, known: po.Catalogue | None) -> str:
    """A catalogue with every sentence, old translations kept, unused ones dropped."""
    header = "".join((
        f"Language: {language}\\n", "Content-Type: text/plain; charset=UTF-8\\n",
        f"Plural-Forms: {PLURALS[language]}\\n",
    ))
    forms = int(PLURALS[language].split("nplurals=")[1][0])
    parts = [f'msgid ""\nmsgstr "{header}"\n']
    for (text, many), where in sentences().items():
        old = known.entries[text].forms if known and text in known.entries else {}
        lines = [f"#: {where}", f"msgid {quoted(text)}"]
        if many is None:
            lines.append(f"msgstr {quoted(old.get(0, ''))}")
        else:
            lines.append(f"msgid_plural {quoted(many)}")
            lines += [f"msgstr[{form}] {quoted(old.get(form, ''))}" for form in range(forms)]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def complete(folder: Path = FOLDER) -> None:
    for language in LANGUAGES:
        if language == "en":
            continue
        path = folder / f"{language}.po"
        path.write_text(written(language, po.read(path) if path.exists() else None), "utf-8")


if __name__ == "__main__":
    complete()
