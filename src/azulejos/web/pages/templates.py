"""Templates: every page is in the visitor's language and contains no inline script or style."""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from azulejos.core.message import Message, msg, nmsg, pmsg, signed
from azulejos.i18n import LANGUAGES, NAMES
from azulejos.i18n.catalogue import Say, html_tag
from azulejos.web.pages.art import art

FONTS = ("figtree-latin", "alegreya-latin")
EXTENDED = {"cs": ("figtree-latin-ext",), "pl": ("figtree-latin-ext",)}
"""Fonts for letters that every page in a language has."""


def fonts_of(language: str) -> tuple[str, ...]:
    """The fonts to load before anything else, because a page does not use one that comes late."""
    return FONTS + EXTENDED.get(language, ())


@functools.cache
def environment() -> Environment:
    made = Environment(
        loader=PackageLoader("azulejos.web", "templates"), autoescape=True, trim_blocks=True,
        lstrip_blocks=True, undefined=StrictUndefined, auto_reload=False,
    )
    made.globals.update(LANGUAGES=LANGUAGES, NAMES=NAMES, html_tag=html_tag, signed=signed, art=art,
                        fonts_of=fonts_of)
    return made


@functools.cache
def _template(name: str) -> Template:
    template = environment().get_template(name)
    template.globals = dict(template.globals)  # a chain of maps would be searched at every rendering
    return template


def fragment(template: str, say: Say, /, **values: Any) -> str:
    """Render a template. `say` translates a message; in the template, ``_("…")``, ``_n("one", "many",
    n=…)`` and ``_p("context", "…")`` do."""

    def _(text: str, **args: Any) -> str:
        return say(msg(text, **args))

    def _p(context: str, text: str, **args: Any) -> str:
        return say(pmsg(context, text, **args))

    def _n(one: str, many: str, *, n: int, **args: Any) -> str:
        return say(nmsg(one, many, n=n, **args))

    def said(message: Message | str) -> str:
        return say(message) if isinstance(message, Message) else message

    values = {**values, "say": said}
    return _template(template).render(_=_, _n=_n, _p=_p, Markup=Markup, **values)
