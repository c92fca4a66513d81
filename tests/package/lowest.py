"""The oldest versions that pyproject.toml allows, as constraints for pip.

``python tests/package/lowest.py > lowest.txt && pip install -c lowest.txt -e '.[web]'``
It pins only our direct dependencies, without the tools for tests and documentation; pip finds matching
versions of the others.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

TOOLS = {"dev", "docs"}
PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def lowest(requirement: str) -> str:
    """``numba>=0.61,<0.69`` becomes ``numba==0.61``; constraints cannot have extras and need no markers."""
    found = re.match(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)", requirement)
    if found is None:
        raise ValueError(f"{requirement!r} names no lowest version")
    return "==".join(found.groups())


def constraints() -> list[str]:
    project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].items()
    groups = [project["dependencies"], *(lines for name, lines in extras if name not in TOOLS)]
    asked = [line for group in groups for line in group if not line.startswith("azulejos[")]
    return sorted({lowest(line) for line in asked})


if __name__ == "__main__":
    print(*constraints(), sep="\n")
