"""Catalogues are read correctly and contain exactly the sentences of the program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import PoFileError

from azulejos.core.message import msg, nmsg, pmsg
from azulejos.i18n import LANGUAGES, catalogue, extract, negotiate, translator
from azulejos.i18n.catalogue import FOLDER, number, read

POLISH = r'''
# a comment
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "line {n}"
msgstr "linia "
"{n}"

msgctxt "side of a strip"
msgid "back"
msgstr "rewers"

msgid "back"
msgstr "wstecz"

msgid "{n} tile"
msgid_plural "{n} tiles"
msgstr[0] "{n} płytka"
msgstr[1] "{n} płytki"
msgstr[2] "{n} płytek"
'''


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one catalogue."""
    path = tmp_path / "pl.po"
    path.write_text(POLISH, "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)
    translator.cache_clear()
    yield path
    translator.cache_clear()


@pytest.mark.usefixtures("polish")
def test_plurals_follow_the_rule_of_the_language() -> None:
    say = translator("pl")
    assert say(msg("line {n}", n=1)) == "linia 1"
    assert [say(nmsg("{n} tile", "{n} tiles", n=n)) for n in (1, 3, 5, 22)] == [
        "1 płytka", "3 płytki", "5 płytek", "22 płytki",
    ]
    assert say(msg("unknown")) == "unknown"


@pytest.mark.usefixtures("polish")
def test_a_context_tells_two_meanings_apart() -> None:
    say = translator("pl")
    assert say(msg("back")) == "wstecz"
    assert say(pmsg("side of a strip", "back")) == "rewers"
    assert str(pmsg("side of a strip", "back")) == "back"


@pytest.mark.parametrize(("language", "written"), [
    ("en", "2.3"), ("pl", "2,3"), ("cs", "2,3"), ("et", "2,3"), ("zh_Hant", "2.3"),
])
def test_a_fraction_is_written_as_the_language_writes_it(language: str, written: str) -> None:
    assert number(2.3, language) == written
    sentence = msg("With {n} players it loses about {points} points per turn compared with best play.",
                   n=2, points=2.3)
    assert written in translator(language)(sentence)
    assert "2" in translator(language)(msg("line {n}", n=2))


def test_a_whole_price_keeps_its_decimal() -> None:
    assert [number(2.0, language) for language in ("en", "pl")] == ["2.0", "2,0"]


def test_what_cannot_be_read_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "pl.po"
    path.write_text('msgid "a"\nmsgstr "b"\nmsgid a\n', "utf-8")
    with pytest.raises(PoFileError, match="on 2"):
        read(path)


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
    found = extract.sentences()
    assert "Change game or opponent" in found  # a template
    assert "It is not your turn." in found  # a source


def keys(known: Catalog) -> set[tuple[str | None, object]]:
    return {(entry.context, entry.id) for entry in known if entry.id}


others = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])


@others
def test_catalogues_know_every_sentence_and_no_other(language: str) -> None:
    """``python -m azulejos.i18n.extract`` updates the catalogues."""
    assert keys(read(FOLDER / f"{language}.po")) == keys(extract.sentences())


@others
def test_catalogues_say_every_sentence_with_the_same_holes(language: str) -> None:
    for entry in read(FOLDER / f"{language}.po"):
        for form in texts(entry.string if entry.id else "-"):
            assert form, entry.id
            assert holes(form) <= holes("".join(texts(entry.id))), entry.id


@others
def test_no_sentence_is_in_the_letters_of_another_language(language: str) -> None:
    """Chinese characters in the Chinese catalogue only."""
    for entry in read(FOLDER / f"{language}.po"):
        for form in texts(entry.string if entry.id else ""):
            chinese = re.search(r"[\u4e00-\u9fff]", form)
            assert not chinese or language == "zh_Hant", entry.id


def texts(value: str | Sequence[str] | None) -> Sequence[str]:
    return (value or "",) if value is None or isinstance(value, str) else value


def holes(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_translators_are_told_who_says_a_sentence_and_what_its_placeholders_hold() -> None:
    """notes.toml describes every placeholder."""
    entries = [entry for entry in extract.sentences() if entry.id]
    assert not [entry.id for entry in entries if any(note.endswith(": ?") for note in entry.auto_comments)]
    button = next(entry for entry in entries if entry.id == "Go")
    assert button.context == "typed move"
    assert button.auto_comments[-1] == "Button: play the move that was typed."


def test_a_completed_catalogue_keeps_what_was_translated(tmp_path: Path) -> None:
    path = tmp_path / "pl.po"
    known = 'msgid "Change game or opponent"\nmsgstr "kept"\n\nmsgid "gone"\nmsgstr "gone"\n'
    path.write_text(known, "utf-8")
    path.write_text(extract.completed(read(path)), "utf-8")
    new = read(path)
    assert new["Change game or opponent"].string == "kept"
    assert "gone" not in new
    assert extract.completed(new) == path.read_text("utf-8")
