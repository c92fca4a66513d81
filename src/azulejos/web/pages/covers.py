"""The picture on the cover of a box."""

from __future__ import annotations

import functools

from markupsafe import Markup

from azulejos.render import piece_svg, themes


@functools.cache
def cover_art(theme: str) -> Markup:
    """Some pieces of a box."""
    return Markup("").join(
        Markup(piece_svg(kind, theme=theme)) for kind in list(themes()[theme].pieces)[:5]
    )
