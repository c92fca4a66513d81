"""What image and CI install has hashes, as constraints.txt pins it; the bill of materials is whole."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
FILES = (DEPLOY / "requirements.txt", DEPLOY / "requirements-ci.txt")
ENTRY = re.compile(r"\S+==\S+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+")
AGAIN = "run tools/hashes.sh"


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(file: Path) -> dict[str, str]:
    found = re.findall(r"^([\w.-]+)(?:\[[\w,]+\])?==([^\s;]+)", file.read_text("utf-8"), re.MULTILINE)
    return {plain(name): version for name, version in found}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_package_has_hashes_and_the_version_of_the_constraints(file: Path) -> None:
    text = file.read_text("utf-8")
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert ENTRY.fullmatch(entry), entry[:80]
    assert "://" not in text, "the address of an index"
    known = pinned(ROOT / "constraints.txt")
    differ = {name for name, version in pinned(file).items() if known.get(name, version) != version}
    assert not differ, AGAIN


def test_nothing_that_is_required_is_missing() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]

    def names(lines: list[str]) -> set[str]:
        found = {plain(re.split(r"[\[<>=;~! ]", line)[0]) for line in lines}
        return found - {"azulejos"}

    image = names([*project["dependencies"], *extras["web"], *extras["postgres"], "setuptools"])
    assert image <= set(pinned(FILES[0])), AGAIN
    assert image | names(extras["dev"]) | names(extras["fast"]) <= set(pinned(FILES[1])), AGAIN


def test_the_image_and_the_jobs_that_prove_most_install_by_hash() -> None:
    container = (DEPLOY / "Containerfile").read_text()
    assert "--require-hashes -r /src/deploy/requirements.txt" in container
    assert "--no-deps --no-build-isolation --no-index /src" in container
    assert (ROOT / ".github/workflows/tests.yml").read_text().count("HASHES=1") == 2
    assert "--require-hashes -r deploy/requirements-ci.txt" in (ROOT / "Makefile").read_text()


def test_the_bill_of_materials_names_modules_networks_and_packages_by_hash() -> None:
    base = f"python:3.11-slim@sha256:{'ab' * 32}"
    done = subprocess.run([sys.executable, str(ROOT / "tools" / "sbom.py"), "--base", base],
                          capture_output=True, text=True, check=True)
    parts = {part["name"]: part for part in json.loads(done.stdout)["components"]}
    assert set(pinned(FILES[0])) <= {plain(name) for name in parts}
    source = ROOT / "src"
    opaque = [*source.rglob("engine.wasm"), *source.rglob("*.npz")]
    assert opaque
    for file in opaque:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        assert parts[file.relative_to(source).as_posix()]["hashes"][0]["content"] == digest
    assert parts["python:3.11-slim"]["hashes"][0]["content"] == "ab" * 32
