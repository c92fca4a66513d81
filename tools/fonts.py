"""Makes the fonts that the pages serve: Latin and Latin Extended-A of two variable fonts, one weight axis.

Digits are lining figures without being asked: every `font:` of a style sheet would ask for old-style ones again.

    python tools/fonts.py FOLDER

FOLDER holds the unpacked npm packages `@fontsource-variable/alegreya` and
`@fontsource-variable/figtree`, as alegreya/ and figtree/. Needs fonttools and brotli. Writes
src/azulejos/web/static/fonts/ and prints the sizes.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from fontTools import subset, ttLib
from fontTools.varLib import instancer

TARGET = Path(__file__).parents[1] / "src/azulejos/web/static/fonts"
WEIGHTS = {"alegreya": (500, 800), "figtree": (400, 800)}
RANGES = {
    "latin": "U+0020-007E,U+00A0-00FF,U+2009,U+2013,U+2014,U+2018-201E,U+2022,U+2026,U+202F,U+2032,"
    "U+2190-2193,U+2212,U+00D7",
    "latin-ext": "U+0100-017F,U+0218-021B,U+20AC",
}
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum", "pnum"]


def made(folder: Path, name: str, part: str) -> int:
    """Write one file; its size in bytes."""
    font = ttLib.TTFont(folder / name / "files" / f"{name}-{part}-wght-normal.woff2")
    font = instancer.instantiateVariableFont(font, {"wght": WEIGHTS[name]})
    options = subset.Options(layout_features=FEATURES, flavor="woff2", hinting=False, desubroutinize=True)
    maker = subset.Subsetter(options)
    maker.populate(unicodes=subset.parse_unicodes(RANGES[part]))
    maker.subset(font)
    use_lining_figures(font)
    target = TARGET / f"{name}-{part}.woff2"
    subset.save_font(font, str(target), options)
    return target.stat().st_size


def use_lining_figures(font: ttLib.TTFont) -> None:
    """Let the digits show the glyphs that the feature `lnum` puts in their place."""
    table = font["GSUB"].table
    lining: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == "lnum":
            for index in record.Feature.LookupListIndex:
                for each in table.LookupList.Lookup[index].SubTable:
                    lining |= getattr(each, "ExtSubTable", each).mapping
    for characters in font["cmap"].tables:
        for digit in map(ord, "0123456789"):
            if digit in characters.cmap:
                characters.cmap[digit] = lining.get(characters.cmap[digit], characters.cmap[digit])


def main() -> None:
    folder = Path(sys.argv[1])
    TARGET.mkdir(exist_ok=True)
    for name in WEIGHTS:
        shutil.copy(folder / name / "LICENSE", TARGET / f"{name}-OFL.txt")
        for part in RANGES:
            print(f"{name}-{part}: {made(folder, name, part)} bytes")


if __name__ == "__main__":
    main()
