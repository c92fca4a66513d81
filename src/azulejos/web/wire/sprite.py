"""Every piece, mark and material of a plan as one SVG file, which browsers cache for ever.

A page embeds the file and places its symbols with ``<use>`` (render/symbols.py).
"""

from __future__ import annotations

from azulejos.core.scene import Plan
from azulejos.render.css import digest
from azulejos.render.symbols import of_plan

__all__ = ["digest", "sprite"]


def sprite(plan: Plan) -> bytes:
    start = f'<svg xmlns="http://www.w3.org/2000/svg" class="sprite theme-{plan.theme}">'
    return f"{start}<defs>{of_plan(plan)}</defs></svg>".encode()
