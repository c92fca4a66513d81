"""What the site does beyond Markdown: pages that are made from the code when the site is built.

A page of `games/` is the README of the game's folder; `web-protocol.md` is written from the messages themselves.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from azulejos.web.wire import written

ROOT = Path(__file__).resolve().parent.parent


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    name = Path(page.file.src_uri)
    if name == Path("web-protocol.md"):
        return written.page()
    if name.parent != Path("games"):
        return markdown
    folder = ROOT / "src" / "azulejos" / "games" / name.stem.replace("-", "_")
    return (folder / "README.md").read_text("utf-8").replace("../../../../docs/", "../")
