"""Workflows and forms for contributors are well formed and agree with pyproject.toml."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import azulejos
from package.lowest import constraints, lowest

ROOT = Path(__file__).resolve().parents[2]
GITHUB = ROOT / ".github"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
FORMS = [form for form in sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")) if form.name != "config.yml"]


@pytest.mark.parametrize(("schema", "files"), [
    ("github-workflows", sorted((GITHUB / "workflows").glob("*.yml"))),
    ("github-issue-forms", FORMS),
    ("github-issue-config", [GITHUB / "ISSUE_TEMPLATE" / "config.yml"]),
])
def test_files_fit_their_schema(schema: str, files: list[Path]) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, check=False)
    assert files
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflows_run_every_python_that_is_claimed() -> None:
    claimed = re.findall(r":: (3\.\d+)$", "\n".join(PROJECT["classifiers"]), re.MULTILINE)
    jobs = yaml.safe_load((GITHUB / "workflows" / "tests.yml").read_text())["jobs"]
    assert jobs["portable"]["strategy"]["matrix"]["python"] == claimed
    assert PROJECT["requires-python"] == f">={claimed[0]}"


def test_workflows_name_tests_that_exist() -> None:
    environment = yaml.safe_load((GITHUB / "workflows" / "tests.yml").read_text())["env"]
    for path in environment["PORTABLE"].split():
        assert (ROOT / path).exists(), path


def test_every_dependency_has_a_lowest_version() -> None:
    bounds = constraints()
    assert any(line.startswith("numpy==") for line in bounds)
    names = [line.partition("==")[0] for line in bounds]
    assert len(set(names)) == len(names), "two lowest versions of one package"


@pytest.mark.parametrize(("requirement", "bound"), [
    ("numba>=0.61,<0.69", "numba==0.61"),
    ("sqlalchemy[asyncio]>=2.0", "sqlalchemy==2.0"),
    ("pgserver>=0.1.4; python_version < '3.13'", "pgserver==0.1.4"),
])
def test_the_lowest_version_of_a_requirement(requirement: str, bound: str) -> None:
    assert lowest(requirement) == bound


def test_a_requirement_without_a_lowest_version_is_refused() -> None:
    with pytest.raises(ValueError, match="names no lowest version"):
        lowest("numpy")


def test_the_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == azulejos.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"]
