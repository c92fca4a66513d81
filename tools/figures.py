"""How large the house is: the same count for any version of it.

    python tools/figures.py                    # this tree
    python tools/figures.py a5bb0ae HEAD       # versions beside each other
"""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
Files = Mapping[str, str]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def tree() -> Files:
    """Python and JavaScript of this tree, by path."""
    paths = (path for folder in ("src", "tests", "bench") for path in (ROOT / folder).rglob("*.[pj]*"))
    return {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in paths if _is_read(path.name)}


def version(name: str) -> Files:
    command = ["git", "archive", name, "src", "tests", "bench"]
    archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as found:
        return {member.name: file.read().decode() for member in found
                if _is_read(member.name) and (file := found.extractfile(member)) is not None}


def _is_read(name: str) -> bool:
    return name.endswith((".py", ".js"))


def figures(files: Files) -> Iterator[tuple[str, float | str]]:
    sources = {path: text for path, text in files.items() if path.startswith("src/") and path[-3:] == ".py"}
    trees = {path: ast.parse(text) for path, text in sources.items()}
    nodes = [node for each in trees.values() for node in ast.walk(each)]
    lines = sum(_lines(text) for text in sources.values())
    imports = sum(_height(node) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom))
    docstrings = sum(_height(node) for node in nodes
                     if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                     and isinstance(node.value.value, str))
    blank = sum(not line.strip() for text in sources.values() for line in text.splitlines())
    comments = sum(line.strip().startswith("#") for text in sources.values() for line in text.splitlines())
    yield "Python files in src", len(sources)
    yield "lines of Python in src", lines
    yield "lines of code alone", lines - imports - docstrings - blank - comments
    yield "imports, % of all lines", round(100 * imports / lines, 1)
    yield "files of at most 60 lines", sum(_lines(text) <= 60 for text in sources.values())
    yield "files of more than 500 lines", sum(_lines(text) > 500 for text in sources.values())
    functions = [node for node in nodes if isinstance(node, FUNCTIONS)]
    sizes = sorted(_height(node) for node in functions)
    yield "functions", len(functions)
    most = f"{median(sizes):g} / {sizes[len(sizes) * 95 // 100]} / {sizes[-1]}"
    yield "lines of a function, median / 95 % / most", most
    private, once = 0, 0
    for each in trees.values():
        used = Counter(_uses(each))
        named = (node.name for node in ast.walk(each) if isinstance(node, FUNCTIONS))
        own = [name for name in named if name.startswith("_") and not name.endswith("__")]
        private, once = private + len(own), once + sum(used[name] == 1 for name in own)
    yield "private functions (used once in their file)", f"{private} ({once})"
    classes = Counter(node.name for path, each in trees.items() if "/games/" not in path
                      for node in each.body if isinstance(node, ast.ClassDef) and node.name[0] != "_")
    twice = sum(number > 1 for number in classes.values())
    yield "names of public classes outside games (used twice)", f"{len(classes)} ({twice})"
    scripts = {path: text for path, text in files.items() if path.startswith("src/") and path[-3:] == ".js"}
    yield "JavaScript files in src", len(scripts)
    yield "lines of JavaScript in src", sum(map(_lines, scripts.values()))
    for folder in ("tests", "bench"):
        inside = (path for path in files if path.startswith(f"{folder}/") and path.endswith(".py"))
        yield f"lines of Python in {folder}", sum(_lines(files[path]) for path in inside)


def _lines(text: str) -> int:
    return text.count("\n")


def _height(node: ast.stmt | ast.expr) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _uses(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def main() -> None:
    names = sys.argv[1:]
    columns = [dict(figures(version(name))) for name in names] or [dict(figures(tree()))]
    print("| |", " | ".join(names or ["this tree"]), "|")
    print("|---|" + "--:|" * len(columns))
    for what in columns[0]:
        print(f"| {what} |", " | ".join(str(column[what]) for column in columns), "|")


if __name__ == "__main__":
    main()
