"""The imports in the sources match the dependencies in pyproject.toml, extra by extra."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from azulejos.core.extras import EXTRA_OF

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "azulejos"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ROOMS = {
    "web": ["web", "postgres", "push"], "cli/store.py": ["web"], "cli/serve.py": ["web"],
    "arena": ["data", "ray"], "plot.py": ["plot"], "insight/practice.py": ["web"],
    "render/svg.py": ["png"], "conformance": ["conformance"],
    "envs": ["rl", "openspiel", "sb3", "torchrl"], "core/compiler.py": ["fast"],
    "cli/engine.py": ["fast", "build"],
    "core/module_builder.py": ["fast", "build"],
}
"""Extras that a file or folder may use besides the core dependencies; learning may use `train`."""
NEVER_IMPORTED = {
    "websockets": "uvicorn speaks WebSocket with it",
    "python-multipart": "Starlette reads forms with it",
}
DISTRIBUTIONS = {"pyspiel": "open-spiel", "torch": "torch", "asyncpg": "asyncpg",
                 "stable_baselines3": "stable-baselines3", "torchrl": "torchrl", "tensordict": "tensordict"}
"""Import names that differ from the distribution, or that need not be installed for the tests."""
ELSEWHERE = {("sqlalchemy", "postgres"), ("resvg-py", "web"), ("torch", "torchrl")}
"""What another extra brings as well, which is the one that a missing package is told by."""
INSTALLED = packages_distributions()
OURS = {"azulejos", "js"}
"""The package, and the page around Python in a browser, which Pyodide brings."""

POSIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}


def asked_for(requirements: list[str]) -> set[str]:
    names = {re.split(r"[\[><=;~! ]", line)[0].lower().replace("_", "-") for line in requirements}
    return names - {"azulejos"}  # another extra


EXTRAS = {name: asked_for(lines) for name, lines in PROJECT["optional-dependencies"].items()}
CORE = asked_for(PROJECT["dependencies"])
FOR_USERS = sorted(EXTRAS.keys() - {"all", "dev", "docs"})


def imported(file: Path) -> Iterator[str]:
    """Names of all modules that a file imports, by statement or by `import_module`."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from (str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))


@cache
def packages(file: Path) -> set[str]:
    """Distributions that a file needs, without the standard library and azulejos."""
    tops = {name.partition(".")[0] for name in imported(file)} - sys.stdlib_module_names - OURS
    return {DISTRIBUTIONS.get(top, INSTALLED.get(top, [top])[0]).lower().replace("_", "-") for top in tops}


def allowed(file: Path) -> set[str]:
    name = file.relative_to(SOURCES).as_posix()
    extras = [extra for place, extras in ROOMS.items() if name.startswith(place) for extra in extras]
    if "train" in file.stem:
        extras.append("train")
    return CORE.union(*(EXTRAS[extra] for extra in extras))


def test_every_import_is_asked_for_where_it_is_used() -> None:
    missing = {
        str(file.relative_to(SOURCES)): packages(file) - allowed(file)
        for file in SOURCES.rglob("*.py") if packages(file) - allowed(file)
    }
    assert missing == {}


@pytest.mark.parametrize("extra", [*FOR_USERS, "core"])
def test_everything_asked_for_is_imported(extra: str) -> None:
    used = set[str]().union(*map(packages, SOURCES.rglob("*.py")))
    asked = CORE if extra == "core" else EXTRAS[extra]
    assert asked - used - NEVER_IMPORTED.keys() == set()


def test_nothing_that_windows_lacks_is_imported_unguarded() -> None:
    """Such an import fails at the top of a file; inside a `try` the file can do without it."""
    found = [
        f"{file.relative_to(SOURCES)}: {ast.unparse(node)}"
        for file in SOURCES.rglob("*.py") for node in ast.parse(file.read_text("utf-8")).body
        if (isinstance(node, ast.Import) and {alias.name for alias in node.names} & POSIX_ONLY)
        or (isinstance(node, ast.ImportFrom) and node.module in POSIX_ONLY)
    ]
    assert found == []


def test_the_table_of_extras_is_complete() -> None:
    names = {"multipart": "python-multipart", **DISTRIBUTIONS}
    brought = {(names.get(name, name).replace("_", "-"), extra) for name, extra in EXTRA_OF.items()}
    asked = {(name, extra) for extra in FOR_USERS for name in EXTRAS[extra]}
    assert brought == asked - ELSEWHERE


@pytest.mark.parametrize(("code", "missing", "extra"), [
    ("from azulejos.cli import main; main(['build', 'azul'])", "llvmlite", "build"),
    ("import azulejos.envs.gymnasium", "gymnasium", "rl"),
    ("import azulejos.envs.pettingzoo", "pettingzoo", "rl"),
    ("import azulejos.envs.stable_baselines", "stable_baselines3", "sb3"),
    ("import azulejos.envs.openspiel", "pyspiel", "openspiel"),
    ("from azulejos.cli import main; main(['serve', '--no-open', '--port', '0'])", "sqlalchemy", "web"),
    ("from azulejos.cli import main; main(['serve', '--no-open', '--port', '0'])", "uvicorn", "web"),
    ("from azulejos.cli import main; main(['store', 'export'])", "sqlalchemy", "web"),
    ("from azulejos.cli import main; main(['store', 'export', '--database', 'postgresql://x/y'])",
     "asyncpg", "postgres"),
])
def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, code: str, missing: str, extra: str
) -> None:
    """In a process where the package cannot be found."""
    hide = (
        "import sys, importlib.abc\n"
        "class Hidden(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {missing!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hidden())\n"
    )
    command = [sys.executable, "-c", hide + code]
    environment = {**os.environ, "AZULEJOS_JIT": "0", "AZULEJOS_DATA": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 1
    assert f"this needs {missing}: pip install 'azulejos[{extra}]'" in done.stderr


def test_all_means_all() -> None:
    [line] = PROJECT["optional-dependencies"]["all"]
    named = set(re.fullmatch(r"azulejos\[(.*)\]", line)[1].split(","))  # type: ignore[index]
    assert named == EXTRAS.keys() - {"all", "conformance", "dev", "sb3", "torchrl", "train", "build"}
