"""What comes from elsewhere when the folder is made: Python for browsers, and msgspec for it.

Both are fetched once by `npm` and `pip`, from wherever these are told to fetch, and kept beside the
compiled code of games. What is not exactly what it should be is not used.
"""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from azulejos.core.code_cache import cache_root

PYODIDE: Final = "pyodide@314.0.7"
PYODIDE_FILE: Final = "pyodide-314.0.7.tgz"
PYODIDE_HASH: Final = "ZreUnloMuiJQtYbX42i/EvtIKAB0jRgsRhglS2hf+qA="
MSGSPEC: Final = "msgspec==0.22.0"
MSGSPEC_FILE: Final = "msgspec-0.22.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
MSGSPEC_HASH: Final = "pmsXZjEeQjceUJyZbDkzsWHHrg6r3zYa9TFt7Bl+ECI="
PLATFORM: Final = (
    "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14", "--abi", "cp314",
)
NEEDED: Final = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)


class Missing(ValueError):
    """Something could not be fetched; the text says what helps."""


def pyodide() -> dict[str, bytes]:
    """The files of Python for browsers."""
    archive = _kept(PYODIDE_FILE, PYODIDE_HASH, ["npm", "pack", "--silent", PYODIDE])
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        found = {name: tar.extractfile(f"package/{name}") for name in NEEDED}
        return {name: file.read() for name, file in found.items() if file is not None}


def shortened(archive: bytes, python: dict[str, bytes]) -> bytes:
    """An archive of sources without their comments and documentation (`shorten.mjs`)."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, content in python.items():
            (folder / name).write_bytes(content)
        (folder / "given.zip").write_bytes(archive)
        _run(["node", str(Path(__file__).parent / "shell" / "shorten.mjs"), ".", "given.zip", "short.zip"],
             place, "short.zip")
        return (folder / "short.zip").read_bytes()


def msgspec() -> bytes:
    """The wheel."""
    return _kept(MSGSPEC_FILE, MSGSPEC_HASH, [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
        *PLATFORM, MSGSPEC,
    ])


def _kept(name: str, expected: str, command: list[str]) -> bytes:
    """A file of this name and hash, fetched by a command if it is not there yet."""
    path = cache_root() / "fetched" / name
    if not path.exists():
        with tempfile.TemporaryDirectory() as folder:
            _run(command, folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes((Path(folder) / name).read_bytes())
    content = path.read_bytes()
    found = base64.b64encode(hashlib.sha256(content).digest()).decode()
    if found != expected:
        path.unlink()
        raise Missing(f"{name} is not what it should be: its hash is {found}, not {expected}")
    return content


def _run(command: list[str], folder: str, name: str) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Missing(f"{command[0]} is needed for {name} (it comes with Node.js)") from error
    if done.returncode or not (Path(folder) / name).exists():
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise Missing(f"{name} could not be made or fetched, is there a connection? {said[0]}")
