"""The faces of bots, from sixteen tiles in the pigment that each is named after."""

from __future__ import annotations

import functools

from markupsafe import Markup

PIGMENTS = {
    "level:1": "#ded6c8", "level:2": "#e0a636", "level:3": "#c8663d", "level:4": "#7b5138",
    "level:5": "#5fa79a", "level:6": "#2f8a57", "level:7": "#2d5fc0",
}
OTHERS = "#9a938a"
EYES = '<g fill="#fff"><circle cx="23" cy="30" r="6"/><circle cx="41" cy="30" r="6"/></g>' \
       '<g fill="#26202a"><circle cx="24" cy="31" r="3"/><circle cx="40" cy="31" r="3"/></g>'
MOUTH = '<path d="M22 47q10 8 20 0" fill="none" stroke="#26202a" stroke-width="3" stroke-linecap="round"/>'


@functools.cache
def face(word: str) -> Markup:
    """The face of a bot, by its word; the time that it takes does not change it."""
    pigment = PIGMENTS.get(word.partition("@")[0], OTHERS)
    tiles = "".join(
        f'<rect x="{2 + 15 * column}" y="{2 + 15 * row}" width="14" height="14" rx="3"/>'
        for row in range(4) for column in range(4)
    )
    return Markup('<svg class="face" viewBox="0 0 64 64" aria-hidden="true">'
                  f'<g fill="{pigment}">{tiles}</g>{EYES}{MOUTH}</svg>')
