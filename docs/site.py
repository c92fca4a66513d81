"""What the site does beyond Markdown: a page of `games/` is the README of the game's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def on_page_markdown(markdown: str, *, page: Any, config: Any, files: Any) -> str:
    name = Path(page.file.src_uri)
    if name.parent != Path("games"):
        return markdown
    folder = ROOT / "src" / "azulejos" / "games" / name.stem.replace("-", "_")
    return (folder / "README.md").read_text("utf-8").replace("../../../../docs/", "../")
