"""Every piece, mark and sign of a plan as symbols of one SVG file, which browsers cache for ever.

A page embeds the file and places the symbols with ``<use>``. They are one tile wide and centred on 0, 0.
CSS selectors match only the content of the symbol; variables are inherited from the place of use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from html import escape

from azulejos.core.scene import Plan, Slot
from azulejos.render.svg import BADGE, empty_sign, piece_drawing


def symbol_of(slot: Slot, kind: str) -> str:
    """The symbol that a place shows while it is empty."""
    return f"{'sign' if slot.shape == BADGE else 'mark'}-{kind}"


def sprite(plan: Plan) -> bytes:
    rules = f"sprite-{plan.theme}"
    drawn = "".join(
        f'<symbol id="{escape(name)}" overflow="visible"><g class="{rules}">{shape}</g></symbol>'
        for name, shape in _symbols(plan)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="sprite"><defs>{drawn}</defs></svg>'.encode()


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]


def _symbols(plan: Plan) -> Iterator[tuple[str, str]]:
    for kind in plan.kinds:
        yield f"piece-{kind}", piece_drawing(kind, theme=plan.theme)
    planned = [slot for slot in plan.slots.values() if slot.mark is not None]
    marks = {**dict.fromkeys(plan.marks), **{s.mark or "": None for s in planned if s.shape != BADGE}}
    signs = {**dict.fromkeys(plan.signs), **{s.mark or "": None for s in planned if s.shape == BADGE}}
    for kind in marks:
        yield f"mark-{kind}", empty_sign(kind, "", theme=plan.theme)
    for kind in signs:
        yield f"sign-{kind}", empty_sign(kind, BADGE, theme=plan.theme)
