"""Every piece of every theme, as pictures that a reviewer can look at: tests/render/pieces/.

After an intended change, ``python tests/render/test_snapshots.py`` draws them again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from azulejos.core.message import raw
from azulejos.core.scene import Panel, Piece, Plan, Scene, Slot, by_slot
from azulejos.render import scene_svg, themes

FOLDER = Path(__file__).parent / "pieces"
PATTERNS = ("tree", "bird", "butterflies", "flower", "plant", "bells")


def rows(theme: str) -> list[list[str]]:
    """Kinds of pieces, line by line; for a garden, one line per colour."""
    kinds = list(themes()[theme].pieces)
    if theme == "glass":  # the other side of a strip is shown as flat print
        return [kinds, [f"{kind}.back" for kind in kinds[:6]]]
    if theme != "garden":
        return [kinds]
    colours = [kind for kind in kinds if "-" in kind or kind == "yellow"]
    others = [kind for kind in kinds if kind not in colours]
    others.append("expansion.yellow.bird")
    return [[f"{colour}.{pattern}" for pattern in PATTERNS] for colour in colours] + [others]


def sheet(theme: str) -> str:
    """Each piece on the left, the empty place with its mark on the right."""
    shape = "hex" if theme == "garden" else "square"
    slots: list[Slot] = []
    pieces: list[Piece] = []
    for row, kinds in enumerate(rows(theme)):
        for column, kind in enumerate(kinds):
            x, y = 0.7 + column * 1.1, 0.7 + row * 1.25
            slots.append(Slot(f"{kind} piece", x, y, raw(kind), shape=shape))
            slots.append(Slot(f"{kind} place", x + 10, y, raw(kind), shape=shape,
                              mark=kind.removesuffix(".back")))
            pieces.append(Piece(kind, f"{kind} piece", raw(kind)))
    height = 0.2 + 1.25 * len(rows(theme))
    table = Panel("pieces", raw(theme), 20.2, height, tuple(slots), (), seat=0)
    plan = Plan((table,), theme, {piece.kind: raw(piece.kind) for piece in pieces})
    return scene_svg(Scene(plan, by_slot(*pieces), (), raw(theme), (raw(theme),), -1)) + "\n"


@pytest.mark.parametrize("theme", themes())
def test_pieces_look_as_they_did(theme: str) -> None:
    kept = (FOLDER / f"{theme}.svg").read_text("utf-8")
    assert sheet(theme) == kept


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for theme in themes():
        (FOLDER / f"{theme}.svg").write_text(sheet(theme), "utf-8")


if __name__ == "__main__":
    main()
