"""Makes the fonts of pictures from those of the page: python tools/fonts.py (needs fonttools and brotli).

The program that makes pictures reads neither WOFF2 nor variable fonts.
"""

from __future__ import annotations

import io
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SOURCE = Path(__file__).parents[1] / "src/azulejos/web/static/fonts"
TARGET = Path(__file__).parents[1] / "src/azulejos/render/fonts"
WEIGHTS = {"alegreya": (500, 800), "figtree": (600,)}
"""Those of render/rules.css."""
PARTS = ("latin", "latin-ext")


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    for family, weights in WEIGHTS.items():
        for weight in weights:
            parts = []
            for part in PARTS:
                font = instantiateVariableFont(TTFont(SOURCE / f"{family}-{part}.woff2"), {"wght": weight},
                                               updateFontNames=False)
                font["OS/2"].usWeightClass = weight
                font.flavor = None
                parts.append(io.BytesIO())
                font.save(parts[-1])
            merged = Merger().merge(parts)
            merged["OS/2"].usWeightClass = weight
            merged["name"].setName(family.capitalize(), 1, 3, 1, 0x409)
            merged.save(TARGET / f"{family}-{weight}.ttf")


if __name__ == "__main__":
    main()
