"""SVG -> PNG with Chromium or the package cairosvg (extra `png`), whichever this machine has."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

BROWSERS: Final = ("chromium", "chromium-browser", "google-chrome", "chrome", "microsoft-edge")
PATIENCE: Final = 60
"""Seconds to wait for a browser before giving up."""


class CannotDraw(RuntimeError):
    """Nothing on this machine can make a PNG."""


def svg_to_png(svg: str, *, scale: float = 2) -> bytes:
    """Render a picture at its own size times `scale`."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is not None:
        return _with_browser(browser, svg, scale)
    if importlib.util.find_spec("cairosvg") is not None:
        return _with_cairo(svg, scale)
    raise CannotDraw(
        "a PNG needs Chromium (or the package cairosvg), and neither was found; draw an .svg instead"
    )


def _with_cairo(svg: str, scale: float) -> bytes:
    try:
        cairosvg = importlib.import_module("cairosvg")
    except OSError as error:  # the package is installed, but the system library libcairo is missing
        raise CannotDraw(f"the package cairosvg cannot be used: {error}") from None
    return bytes(cairosvg.svg2png(bytestring=svg.encode(), scale=scale))


def _with_browser(browser: str, svg: str, scale: float) -> bytes:
    root = ElementTree.fromstring(svg)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "picture.svg"), Path(folder, "picture.png")
        source.write_text(svg, "utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            f"--user-data-dir={Path(folder, 'profile')}", f"--force-device-scale-factor={scale:g}",
            f"--window-size={root.get('width')},{root.get('height')}", f"--screenshot={target}",
            source.as_uri(),
        ]
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        if not target.exists():
            raise CannotDraw(f"{browser} drew nothing (exit code {done.returncode}); draw an .svg instead")
        return target.read_bytes()
