"""Writes the folder: the application for Python in a browser, and everything that its pages need.

    index.html, host.js, sw.js     the window, and the service worker (`shell/`)
    python.js, pyodide/            the worker, and Python for it
    azulejos.zip                   this package and those it needs, as they are installed here
    static/                        files of pages
    early/                         the home page and lessons, for the time until Python runs
    data/                          networks and lessons, fetched when they are needed
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import files as files_of
from pathlib import Path
from typing import Any, Final

from azulejos.core import registry
from azulejos.core.message import Message, msg
from azulejos.core.module import DESCRIPTION
from azulejos.i18n import LANGUAGES, translator
from azulejos.i18n.catalogue import FOLDER as CATALOGUES, compiled
from azulejos.insight.puzzles.packs import packs
from azulejos.insight.review import NOTED, weights_version
from azulejos.web.alone import early, fetched
from azulejos.web.alone.fetched_files import FETCHED
from azulejos.web.guard.doors import POLICY
from azulejos.web.pages.app_files import STATIC
from azulejos.web.pages.guides import LESSONS, courses, lesson_file

SHELL: Final = Path(__file__).parent / "shell"
PACKAGE: Final = SHELL.parents[2]
PACKAGES: Final = (
    "starlette", "anyio", "idna", "typing_extensions", "jinja2", "markupsafe", "itsdangerous", "sqlalchemy",
    "segno", "fsrs", "babel", "python-multipart",
)
"""Distributions of pure Python that the application needs."""
LEFT_OUT: Final = (
    "sqlalchemy/orm/", "sqlalchemy/ext/", "sqlalchemy/testing/", "sqlalchemy/future/",
    "sqlalchemy/dialects/mysql/", "sqlalchemy/dialects/oracle/", "sqlalchemy/dialects/mssql/",
    "sqlalchemy/dialects/postgresql/",
    "babel/messages/", "anyio/_backends/_trio.py", "anyio/pytest_plugin.py",
)
"""Parts of them that nothing here loads."""
LOCALES: Final = ("root", *LANGUAGES, "zh")
OWN_LEFT_OUT: Final = (
    "cli/", "conformance/", "envs/", "learning/", "arena/", "web/static/", "web/alone/shell/",
    "web/alone/export.py", "web/alone/fetched.py", "web/store/postgresql.py",
    "core/compiler.py", "core/module_builder.py",
)
OWN_FILES: Final = frozenset({".py", ".toml", ".html", ".css", ".txt", ".npz", ".wasm"})
EARLY: Final = "early/"
TEXTS: Final = (".css", ".js")
LATER: Final = ".npz"
"""Networks are kept when their box is opened, everything else before."""
NOT_SERVED: Final = ("*.md", "*.d.ts", "tsconfig.json")
STDLIB_LEFT_OUT: Final = (
    "_pyrepl/", "multiprocessing/", "unittest/", "xmlrpc/", "wsgiref/", "pdb.py", "doctest.py",
    "pydoc.py", "pydoc_data/", "pickletools.py", "imaplib.py", "mailbox.py", "poplib.py", "ftplib.py",
    "optparse.py", "turtle", "idlelib/", "tkinter/", "ensurepip/", "venv/", "cProfile", "profile.py",
    "pstats.py", "bdb.py", "cmd.py", "xml/dom/", "xml/etree/", "_pyio.py", "curses/", "dbm/",
    "trace.py", "tabnanny.py", "wave.py", "zipapp.py", "this.py", "antigravity.py",
)
"""Parts of Python's library that nothing here loads."""
ENCODINGS: Final = frozenset({
    "__init__", "aliases", "ascii", "cp437", "idna", "iso8859_1", "latin_1", "punycode",
    "raw_unicode_escape", "undefined", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32",
    "utf_7", "utf_8", "utf_8_sig",
})
PACKED: Final = frozenset({
    "pyodide/pyodide.asm.wasm", "pyodide/pyodide.asm.mjs", "pyodide/python_stdlib.zip", "azulejos.zip",
})
"""Files that are written compressed, for web spaces that do not compress: sw.js reads them."""

WORDS: Final[dict[str, Message]] = {
    "starting": msg("The table is being laid. The first time this takes a while."),
    "failed": msg("This could not be started. Your games are kept; try again."),
    "noLine": msg("There is no connection, and not everything was loaded before."),
    "again": msg("Try again"),
    "cannot": msg("This browser keeps no files here, as in a private window, so the table cannot be laid. "
                  "Open an ordinary window, or another browser."),
    "elsewhere": msg("The table is open in another window. Only one of them can keep your games."),
    "here": msg("Play here"),
    "offline": msg("Ready to be played without a connection ({size}).", size="{size}"),
    "update": msg("There is a new version."),
    "reload": msg("Load it"),
    "unsaved": msg("Your browser has no room for your games, so the last change is not kept."),
}
"""What the window itself says."""


def export(folder: Path) -> int:
    """Write everything into an empty folder or one that was written before; returns the bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()) and not (folder / "azulejos.zip.gz").exists():
        raise ValueError(f"{folder} holds other files; name an empty folder")
    python, wheel = fetched.pyodide(), fetched.msgspec()  # before anything is replaced
    shutil.rmtree(folder)
    folder.mkdir()
    for path in sorted(STATIC.rglob("*")):
        if path.is_file() and not any(map(path.match, NOT_SERVED)):
            _write(folder, f"static/{path.relative_to(STATIC).as_posix()}", path.read_bytes())
    _write_python(folder, python)
    later = dict(_fetched_later())
    for name, content in later.items():
        _write(folder, f"{FETCHED}/{name}", content)
    _write(folder, "azulejos.zip", fetched.shortened(_application(wheel, later), python))
    told = _write_early(folder)
    for name in ("host.js", "python.js", "module.js", "shell.css"):
        shutil.copy(SHELL / name, folder / name)
    (folder / "index.html").write_text(_page(), "utf-8")
    (folder / "manifest.webmanifest").write_text(json.dumps(_manifest()), "utf-8")
    (folder / "sw.js").write_text(_service_worker(folder, told), "utf-8")
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _write_python(folder: Path, python: dict[str, bytes]) -> None:
    (folder / "pyodide").mkdir()
    lock = json.loads(python["pyodide-lock.json"])
    written = {
        **python,
        "pyodide-lock.json": json.dumps({**lock, "packages": {}}).encode(),  # those need another host
        "python_stdlib.zip": fetched.shortened(_library(python["python_stdlib.zip"]), python),
    }
    for name, content in written.items():
        _write(folder, f"pyodide/{name}", content)


def _library(archive: bytes) -> bytes:
    """Python's own library, as far as it is needed."""
    with zipfile.ZipFile(io.BytesIO(archive)) as given:
        return _archive({
            name: given.read(name) for name in given.namelist()
            if not name.startswith(STDLIB_LEFT_OUT)
            and (not name.startswith("encodings/") or Path(name).stem in ENCODINGS)
        })


def _write_early(folder: Path) -> dict[str, Any]:
    """Pages for the time until Python runs; returns which they are (`early.py`)."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [sys.executable, "-m", early.__name__, place], check=True,
            env={**os.environ, "AZULEJOS_EDITION": "alone", "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        files = {path.name: path.read_bytes() for path in Path(place).iterdir()}
    told: dict[str, Any] = json.loads(files.pop("early.json"))
    for name, content in files.items():
        _write(folder, f"{EARLY}{name}", content)
    return told


def _write(folder: Path, name: str, content: bytes) -> None:
    packed = name in PACKED or name.endswith(TEXTS) or (
        name.startswith((FETCHED, EARLY)) and not name.endswith(LATER))
    path = folder / (f"{name}.gz" if packed else name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(content, mtime=0) if packed else content)


# --- the application --------------------------------------------------------------------------------------


def _fetched_later() -> Iterator[tuple[str, bytes]]:
    """Files of this package that are large, and not needed at once (`fetched_files.py`)."""
    for game in registry.games():
        if game.folder.is_relative_to(PACKAGE) and game.features is not None:
            for path in sorted(game.features.folder.glob("*.npz")):
                yield path.relative_to(PACKAGE).as_posix(), path.read_bytes()
    for path in packs().values():
        if path.is_relative_to(PACKAGE):
            yield path.relative_to(PACKAGE).as_posix(), path.read_bytes()
    for box in courses():
        for language in LANGUAGES:
            name = (LESSONS / f"{box}.{language}.json").relative_to(PACKAGE).as_posix()
            yield name, lesson_file(box, language).body


def _application(wheel: bytes, later: Iterable[str]) -> bytes:
    """Everything that Python reads, as one archive."""
    contents: dict[str, bytes] = {f"azulejos/{name}": content for name, content in _own_files()}
    for package in PACKAGES:
        contents.update(_files_of(package))
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        contents.update({name: archive.read(name) for name in archive.namelist()
                         if name.endswith((".py", ".so")) and "/_testing" not in name})
    for language in LANGUAGES:
        if (CATALOGUES / f"{language}.po").exists():
            contents[f"azulejos/i18n/{language}.json"] = compiled(CATALOGUES / f"{language}.po")
    for game in registry.games():
        if game.folder.is_relative_to(PACKAGE):
            name = (game.folder / NOTED).relative_to(PACKAGE).as_posix()
            contents[f"azulejos/{name}"] = weights_version(game).encode()
    contents.update({f"azulejos/{name}": b"" for name in later})
    return _archive(contents)


def _archive(contents: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _own_files() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        left_out = name.startswith(OWN_LEFT_OUT) and path.suffix != ".txt"  # the game of the living board
        wanted = path.suffix in OWN_FILES or path.name == DESCRIPTION
        if wanted and "__pycache__" not in name and not left_out:
            yield name, path.read_bytes()


def _files_of(package: str) -> dict[str, bytes]:
    found = {}
    for file in files_of(package) or ():
        name = file.as_posix()
        kept = name.endswith(".py") and not name.startswith(LEFT_OUT)
        locale = name.startswith("babel/locale-data/") and file.stem in LOCALES
        if (kept or locale or name == "babel/global.dat") and not name.startswith(".."):
            found[name] = Path(str(file.locate())).read_bytes()
    if not found:
        raise ValueError(f"{package} is not installed as files; pip install 'azulejos[web]'")
    return found


# --- the window -------------------------------------------------------------------------------------------


def _page() -> str:
    """The window's page, with its sentences in every language."""
    words = {language: {key: translator(language)(text) for key, text in WORDS.items()}
             for language in LANGUAGES}
    written = json.dumps(words, ensure_ascii=False).replace("<", "\\u003c")
    return (SHELL / "index.html").read_text("utf-8").replace("{}</script>", f"{written}</script>")


def _manifest() -> dict[str, Any]:
    return {
        "name": "azulejos", "short_name": "azulejos", "start_url": "./", "scope": "./",
        "display": "standalone",
        "background_color": "#efe9dd", "theme_color": "#14507c",
        "icons": [
            {"src": f"static/{name}-{size}.png", "sizes": f"{size}x{size}", "type": "image/png",
             "purpose": purpose}
            for name, purpose in (("icon", "any"), ("maskable", "maskable")) for size in (192, 512)
        ],
    }


def _service_worker(folder: Path, told: dict[str, Any]) -> str:
    names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + hashlib.sha256((folder / name).read_bytes()).digest())
    always = [name.removesuffix(".gz") for name in names if not name.endswith(LATER)]
    size = sum((folder / name).stat().st_size for name in names if not name.endswith(LATER))
    policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    head = {
        "VERSION": digest.hexdigest()[:16], "FILES": ["", *always], "SIZE": f"{size / 1e6:.0f} MB",
        "POLICY": policy, "EARLY": {**told, "here": early.HERE},
        "PACKED": [name.removesuffix(".gz") for name in names if name.endswith(".gz")],
    }
    text = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in head.items())
    return text + (SHELL / "sw.js").read_text("utf-8")
