"""Writes a bill of materials (CycloneDX 1.6, JSON): what the image installs, and the files in the wheel
that no reader can check by eye, each with its SHA-256.

    python tools/sbom.py [--base python:3.11-slim@sha256:…] > sbom.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "deploy" / "requirements.txt"
OPAQUE = ("*.wasm", "*.npz", "*.woff2", "*.ttf")
"""Engine modules, networks, fonts."""


def requirements(file: Path = REQUIREMENTS) -> dict[str, list[str]]:
    """The pinned packages of a file, as "name==version", with the hashes of their distributions."""
    found: dict[str, list[str]] = {}
    for line in file.read_text("utf-8").splitlines():
        if not line.startswith(" "):
            found[line.partition(" ")[0]] = []
        else:
            found[next(reversed(found))] += re.findall(r"sha256:([0-9a-f]{64})", line)
    return found


def components(base: str) -> Iterator[dict[str, Any]]:
    for pinned, hashes in requirements().items():
        name, _, version = pinned.partition("==")
        references = [{"type": "distribution", "url": f"pkg:pypi/{name}@{version}",
                       "hashes": [_hash(digest) for digest in hashes]}]
        yield {"type": "library", "name": name, "version": version, "purl": f"pkg:pypi/{name}@{version}",
               "externalReferences": references}
    source = ROOT / "src" / "azulejos"
    for file in sorted(file for pattern in OPAQUE for file in source.rglob(pattern)):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        name = file.relative_to(source.parent).as_posix()
        yield {"type": "file", "name": name, "hashes": [_hash(digest)]}
    if base:
        name, _, digest = base.partition("@sha256:")
        yield {"type": "container", "name": name, "hashes": [_hash(digest)]}


def _hash(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--base", default="", help="base image, by digest")
    given = asked.parse_args()
    version = re.search(r'__version__ = "(.+)"', (ROOT / "src/azulejos/__init__.py").read_text("utf-8"))
    assert version is not None
    about = {"component": {"type": "application", "name": "azulejos", "version": version[1]}}
    print(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": about,
        "components": list(components(given.base)),
    }, indent=1))


if __name__ == "__main__":
    main()
