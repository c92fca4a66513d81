"""Every page in every language, in a real Chromium: no English is left over."""

from __future__ import annotations

import functools
import re

import pytest
from playwright.sync_api import Browser, expect

from azulejos.i18n import LANGUAGES
from azulejos.i18n.catalogue import FOLDER, html_tag, read
from samples import sampled
from web.guests import Guest
from web.server import Server

TEXTS = """
() => [
  ...[...document.querySelectorAll("body *:not(script, template)")].flatMap((e) => [...e.childNodes])
    .filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()),
  ...[...document.querySelectorAll("[aria-label], [title], [placeholder], [alt]")].flatMap((e) =>
    ["aria-label", "title", "placeholder", "alt"].map((name) => (e.getAttribute(name) ?? "").trim())),
  document.title,
].filter(Boolean)
"""
"""All texts of a page that can be read or heard."""
OTHERS = [language for language in LANGUAGES if language != "en"]


@functools.cache
def english_only(language: str) -> list[re.Pattern[str]]:
    """Sentences of the program whose translation differs: whole ones, with at least two words."""
    found = []
    for entry in read(FOLDER / f"{language}.po"):
        for form in [entry.id] if isinstance(entry.id, str) else entry.id:
            words = re.findall(r"[A-Za-z]{3,}", re.sub(r"{\w+}", "", form))
            if len(words) > 1 and form not in (entry.string, *(entry.string or ())):
                found.append(re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(form))))
    return found


def untranslated(guest: Guest, language: str) -> list[str]:
    """Texts on the page that are English sentences."""
    texts: list[str] = guest.page.evaluate(TEXTS)
    return [text for text in texts if any(form.fullmatch(text) for form in english_only(language))]


@pytest.mark.parametrize("language", sampled(OTHERS, quick=["zh_Hant"]))
def test_pages_speak_the_language_of_the_browser(browser: Browser, server: Server, language: str) -> None:
    guest = Guest(browser, server, language=html_tag(language))
    guest.page.goto(server.url)
    expect(guest.page.locator("html")).to_have_attribute("lang", html_tag(language))
    assert untranslated(guest, language) == []
    guest.open_table("you", "bot:random")
    guest.ready()
    guest.page.locator(".offer .piece.can").first.click()
    expect(guest.page.locator("#sheet .target .effect").first).not_to_be_empty()
    assert untranslated(guest, language) == []
    guest.check()
    guest.context.close()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("box", ["chocolatier", "sintra-a", "garden"])
@pytest.mark.parametrize("language", OTHERS)
def test_a_whole_game_in_every_language(browser: Browser, server: Server, language: str, box: str) -> None:
    """The page is checked after every turn."""
    guest = Guest(browser, server, language=html_tag(language))
    guest.open_table("you", "bot:random", box=box)
    found = set()
    while guest.play("roam", 1):
        found |= {*untranslated(guest, language)}
    assert found == set()
    expect(guest.page.locator("html")).to_have_attribute("lang", html_tag(language))
    guest.check(name=f"language-{language}-{box}")
    guest.context.close()
