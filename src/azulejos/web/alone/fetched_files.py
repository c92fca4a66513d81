"""Files of the folder that are fetched when something reads them: networks, and scripts of lessons.

In the archive of the application they are empty.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from azulejos.core import stored_files

PACKAGE: Final = Path(__file__).parents[2]
FETCHED: Final = "data"
"""Where they are in the folder, with their paths in this package."""


def fetch_from(root: str) -> None:
    """Fetch them from a folder, with whatever this worker has for that."""
    import js  # type: ignore[import-not-found]  # the browser, in Pyodide

    def read(path: Path) -> bytes:
        if path.stat().st_size:
            return path.read_bytes()
        request = js.XMLHttpRequest.new()
        request.open("GET", f"{root}{FETCHED}/{path.relative_to(PACKAGE).as_posix()}", False)
        request.responseType = "arraybuffer"
        request.send()
        if request.status != 200:
            raise FileNotFoundError(f"{path.name} could not be fetched")
        content: bytes = request.response.to_bytes()
        path.write_bytes(content)
        return content

    stored_files.fetch_by(read)
