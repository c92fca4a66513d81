"""Pages that are shown before Python runs: the home page and the lessons with what they show, rendered when
the folder is made. `python -m azulejos.web.alone.early FOLDER` (in a process of its own, as this edition).

    early.json      by language, the files of pages; and those that are the same in all languages
    0, 1, 2, ...    their contents, with HERE where the folder's own address belongs
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from azulejos.i18n import LANGUAGES
from azulejos.web.alone.site import Site
from azulejos.web.app import Settings, create_app
from azulejos.web.guard import UNLIMITED
from azulejos.web.pages.guides import courses

HERE: Final = "/__here__/"
"""In the place of the folder's path."""
BASE: Final = f"{HERE}app"
PARTS: Final = re.compile(r"(?:plan|sprite|art|lesson|living|face)/[\w./-]+(?:\?[\w=&;%-]*)?")
"""Addresses of what pages show, from the application's on. They hold digests, so they stay as they are."""
FORM: Final = {"content-type": "application/x-www-form-urlencoded"}


class EarlyPages:
    """What was rendered, one file for each content."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.pages: dict[str, dict[str, str]] = {}
        self.parts: dict[str, list[str]] = {}

    async def add(self, site: Site, language: str, path: str) -> None:
        content, _ = await _get(site, path)
        self.pages.setdefault(language, {})[path] = self._write(content)
        await self._add_parts(site, content.decode())

    async def _add_parts(self, site: Site, text: str) -> None:
        """What a text names, and what that names."""
        for path in sorted(set(PARTS.findall(text.replace("&amp;", "&"))) - self.parts.keys()):
            content, kind = await _get(site, path)
            if content:
                self.parts[path] = [self._write(content), kind]
                if kind == "application/json":
                    await self._add_parts(site, content.decode())

    def _write(self, content: bytes) -> str:
        name = str(len(list(self._folder.iterdir())))
        (self._folder / name).write_bytes(content)
        return name


async def _get(site: Site, path: str) -> tuple[bytes, str]:
    """A page, or nothing if there is none."""
    status, headers, content = await site.request("GET", f"{BASE}/{path}", {}, b"")
    return (content if status == 200 else b""), dict(headers).get("content-type", "")


async def render(folder: Path) -> None:
    found = EarlyPages(folder)
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as place:
            app = create_app(Settings(database=f"sqlite:///{place}/games.sqlite", secret="s" * 32,
                                      base_path=BASE, limits=UNLIMITED))
            site = Site(app, "https://localhost", Path(place) / "cookies.json", language.replace("_", "-"))
            await site.start()
            wish = urlencode({"language": language}).encode()
            await site.request("POST", f"{BASE}/wishes", {**FORM, "content-length": str(len(wish))}, wish)
            lessons = sorted({f"learn/{box.name}" for box, _ in courses().values()})
            for path in ("", "learn", *lessons):
                await found.add(site, language, path)
            await site.end()
    told: dict[str, Any] = {"pages": found.pages, "parts": found.parts}
    (folder / "early.json").write_text(json.dumps(told), "utf-8")


if __name__ == "__main__":
    asyncio.run(render(Path(sys.argv[1])))
