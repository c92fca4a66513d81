"""From a language to `say`: the function that turns messages into its sentences."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from azulejos.core.message import Message, english
from azulejos.i18n import po

Say = Callable[[Message], str]

FOLDER = Path(__file__).parent

KEPT_SENTENCES = 16_384
"""A table says much the same after every move: a third of the time to draw it went into filling in."""

NAMES = {"en": "English", "pl": "Polski", "cs": "Čeština", "et": "Eesti", "zh_Hant": "繁體中文"}
"""Every language under its own name, as a person who speaks it looks for it."""

LANGUAGES = tuple(NAMES)

TAGS = {
    "zh-hant": "zh_Hant", "zh-tw": "zh_Hant", "zh-hk": "zh_Hant", "zh-mo": "zh_Hant", "zh": "zh_Hant",
    **{language: language for language in LANGUAGES if "_" not in language},
}


@functools.cache
def translator(language: str) -> Say:
    """`say(message)` in a language; what a catalogue lacks is said in English."""
    path = FOLDER / f"{language}.po"
    if language not in NAMES or not path.exists():
        return functools.lru_cache(maxsize=KEPT_SENTENCES)(str)
    catalogue = po.read(path)

    def template(message: Message) -> str:
        return catalogue.look_up(message.text, message.n if message.many else 1) or english(message)

    return functools.lru_cache(maxsize=KEPT_SENTENCES)(lambda message: message.render(template))


def html_tag(language: str) -> str:
    return language.replace("_", "-")


def negotiate(accept_language: str) -> str:
    """The first of our languages that a browser asks for, by its weights."""
    wishes = []
    for index, part in enumerate(accept_language.lower()[:400].split(",")):
        tag, _, parameter = part.strip().partition(";")
        wishes.append((-_quality(parameter), index, tag.strip()))
    for _, _, tag in sorted(wishes):
        found = TAGS.get(tag) or TAGS.get(tag.partition("-")[0])
        if found:
            return found
    return "en"


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
