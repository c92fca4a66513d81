"""Gradients of a theme: faces of pieces, boards, plates. Their colours are variables of the theme."""

from __future__ import annotations

from azulejos.parts.shapes import LIGHTS
from azulejos.render.themes import themes

Stops = tuple[tuple[float, str], ...]


def paints(theme: str, *kinds: str) -> str:
    """Definitions for a picture that shows pieces and boards of the theme, or only some kinds of pieces."""
    look = themes()[theme]
    if kinds:
        bases = dict.fromkeys(kind.partition(".")[0] for kind in kinds)
        return LIGHTS + "".join(face_paint(theme, base) for base in bases)
    faces = "".join(face_paint(theme, kind) for kind in look.pieces)
    return (
        f"{LIGHTS}{faces}"
        + _linear(f"{theme}-board", "0 0 0 1", ((0, "board"), (1, "board-low")))
        + _linear(f"{theme}-recess", "0 0 0 1", ((0, "board-side"), (0.035, "recess"), (1, "recess")))
        + _linear(f"{theme}-plate", ".2 0 .8 1", ((0, "plate-lit"), (0.45, "plate-rim"), (1, "plate-dim")))
        + _linear(f"{theme}-well", ".2 .05 .75 1",
                  ((0, "plate-deep"), (0.22, "plate-well"), (0.7, "plate-well"), (1, "plate-lit")))
    )


def face_paint(theme: str, kind: str) -> str:
    """The light on the face of a piece: from the top left, or through its middle if it is glass."""
    stops = ((0.0, f"{kind}-lit"), (0.5, f"{kind}-face"), (1.0, f"{kind}-deep"))
    if themes()[theme].through:
        return _gradient("radial", f'id="{theme}-{kind}" cx=".42" cy=".36" r=".72"', stops)
    return _linear(f"{theme}-{kind}", ".2 0 .8 1", stops)


def _linear(name: str, axis: str, stops: Stops) -> str:
    x1, y1, x2, y2 = axis.split()
    return _gradient("linear", f'id="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"', stops)


def _gradient(form: str, attributes: str, stops: Stops) -> str:
    drawn = "".join(f'<stop offset="{at:g}" stop-color="var(--{role})"/>' for at, role in stops)
    return f"<{form}Gradient {attributes}>{drawn}</{form}Gradient>"
