"""Draws the icons of the installed app from the logo: python tools/icons.py (needs azulejos[web])."""

from __future__ import annotations

from pathlib import Path

from azulejos.render.drawings import logo_svg
from azulejos.render.pixels import svg_to_png

TARGET = Path(__file__).parents[1] / "src/azulejos/web/static"
DRAWN = 64
MARGINS = {"icon": 12, "maskable": 70}
"""Room around the tiles: systems crop a maskable icon to a circle of four fifths of its width."""


def main() -> None:
    for name, margin in MARGINS.items():
        for size in (192, 512):
            picture = svg_to_png(logo_svg(margin=margin), scale=size / DRAWN)
            (TARGET / f"{name}-{size}.png").write_bytes(picture)


if __name__ == "__main__":
    main()
