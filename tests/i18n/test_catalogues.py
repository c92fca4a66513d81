"""Languages: catalogues are read as written, and know exactly the sentences of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from azulejos.core.message import msg, nmsg
from azulejos.i18n import LANGUAGES, extract, negotiate, po, translator
from azulejos.i18n.catalogue import FOLDER

POLISH = r'''
# a comment
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "line {n}"
msgstr "linia "
"{n}"

msgid "{n} tile"
msgid_plural "{n} tiles"
msgstr[0] "{n} płytka"
msgstr[1] "{n} płytki"
msgstr[2] "{n} płytek"
'''


def catalogue(tmp_path: Path, text: str) -> po.Catalogue:
    path = tmp_path / "pl.po"
    path.write_text(text, "utf-8")
    return po.read(path)


def test_plurals_follow_the_rule_of_the_language(tmp_path: Path) -> None:
    polish = catalogue(tmp_path, POLISH)
    assert polish.look_up("line {n}", 1) == "linia {n}"
    assert [polish.look_up("{n} tile", n) for n in (1, 3, 5, 22)] == [
        "{n} płytka", "{n} płytki", "{n} płytek", "{n} płytki",
    ]
    assert polish.look_up("unknown", 1) is None


def test_what_cannot_be_read_names_its_line(tmp_path: Path) -> None:
    with pytest.raises(po.Unreadable, match="line 3"):
        catalogue(tmp_path, 'msgid "a"\nmsgstr "b"\nmsgid a\n')


@pytest.mark.parametrize(("wish", "language"), [
    ("", "en"), ("pl", "pl"), ("de-DE,de;q=0.9,cs;q=0.8,en;q=0.7", "cs"), ("zh-TW", "zh_Hant"),
    ("en;q=0.1, et;q=0.9", "et"), ("xx", "en"), ("pl;q=nonsense,et;q=0.2", "et"), ("," * 5000, "en"),
])
def test_the_browser_chooses_the_language(wish: str, language: str) -> None:
    assert negotiate(wish) == language


def test_what_a_catalogue_lacks_is_said_in_english() -> None:
    assert translator("xx")(nmsg("{n} tile", "{n} tiles", n=2)) == "2 tiles"
    assert translator("pl")(msg("No catalogue has {this}.", this="this")) == "No catalogue has this."


def test_sentences_of_sources_and_templates_are_found() -> None:
    texts = {text for text, _ in extract.sentences()}
    assert "Open the table" in texts  # a template
    assert "It is not your turn." in texts  # a source


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_catalogues_know_every_sentence_and_no_other(language: str) -> None:
    """``python -m azulejos.i18n.extract`` brings them up to date."""
    known = po.read(FOLDER / f"{language}.po").entries
    assert {(entry.text, entry.many) for entry in known.values()} == set(extract.sentences())


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_catalogues_say_every_sentence_with_the_same_holes(language: str) -> None:
    for entry in po.read(FOLDER / f"{language}.po").entries.values():
        assert entry.forms
        for form in entry.forms.values():
            assert form, entry.text
            assert holes(form) <= holes(entry.text) | holes(entry.many or ""), entry.text


def holes(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_a_completed_catalogue_keeps_what_was_translated(tmp_path: Path) -> None:
    text, _ = next(key for key in extract.sentences() if key[1] is None)
    lines = (f"msgid {extract.quoted(text)}", 'msgstr "kept"', 'msgid "gone"', 'msgstr "gone"')
    old = catalogue(tmp_path, "\n".join(lines))
    new = catalogue(tmp_path, extract.written("pl", old))
    assert new.entries[text].forms == {0: "kept"}
    assert "gone" not in new.entries
