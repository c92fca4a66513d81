"""Change a module in small ways, one at a time, and count how many of the changes its tests notice:

    python -m bench.mutate src/azulejos/web/tables/fair_deal.py tests/web/tables/test_fair_deal.py …

`--only NAME` mutates the functions and classes of these names alone, `--every N` takes every n-th change.
The package is copied; nothing here is changed. A test that does not end in time counts as one that noticed.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

for library in ("hypothesis", "msgspec", "numpy", "sqlalchemy", "starlette.testclient", "wasmtime"):
    importlib.import_module(library)

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}

Change = tuple[str, Callable[[], None]]


def changes(tree: ast.AST) -> Iterator[Change]:
    """What can be changed in a tree, in words, each with what changes it. Annotations do nothing."""
    types = {id(part) for node in ast.walk(tree) for name in ("annotation", "returns")
             for part in ast.walk(getattr(node, name, None) or ast.Pass())}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if id(node) in types:
            continue
        if isinstance(node, ast.Compare):
            for at, operator in enumerate(node.ops):
                if type(operator) in SWAPPED:
                    yield f"{line}: {ast.unparse(node)}", _set_item(node.ops, at, SWAPPED[type(operator)]())
        elif isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in SWAPPED:
            yield f"{line}: {ast.unparse(node)}", _set(node, "op", SWAPPED[type(node.op)]())
        elif isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
            yield f"{line}: not {ast.unparse(node.test)}", _set(
                node, "test", ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
            value = not node.value if isinstance(node.value, bool) else node.value + 1
            yield f"{line}: {node.value} → {value}", _set(node, "value", value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not _is_text(node, tree):
            yield f"{line}: {node.value!r} changed", _set(node, "value", f"{node.value}x")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for at, statement in enumerate(node.body):
                if isinstance(statement, ast.Expr | ast.AugAssign) and not _is_docstring(statement):
                    yield f"{statement.lineno}: without {ast.unparse(statement)[:60]}", \
                        _set_item(node.body, at, ast.Pass())


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_text(node: ast.Constant, tree: ast.AST) -> bool:
    """Whether a string is a docstring or a sentence for people: the wording is for other tests."""
    for parent in ast.walk(tree):
        if isinstance(parent, ast.Expr) and parent.value is node:
            return True
        if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) \
                and parent.func.id in ("msg", "nmsg") and node in parent.args:
            return True
    return False


def _set(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _set_item(items: list[ast.stmt] | list[ast.cmpop], at: int, value: ast.AST) -> Callable[[], None]:
    return lambda: items.__setitem__(at, value)  # type: ignore[call-overload]


def parts(tree: ast.Module, only: list[str]) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if getattr(node, "name", None) in only] if only else [tree]


def mutants(source: str, only: list[str], every: int) -> Iterator[tuple[str, str]]:
    """Each change in words, and the source with it."""
    count = sum(1 for part in parts(ast.parse(source), only) for _ in changes(part))
    for number in range(0, count, every):
        tree = ast.parse(source)
        what, change = [one for part in parts(tree, only) for one in changes(part)][number]
        change()
        yield what, ast.unparse(ast.fix_missing_locations(tree))


def passes(folder: Path, tests: list[str], seconds: float) -> bool:
    """In a process of its own, forked from this one, which has imported what others have written."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.environ |= {"PYTHONPATH": str(folder / "src"), "AZULEJOS_JIT": "0"}
        sys.path[:0] = [str(folder / "src"), str(folder / "tests")]
        options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not slow", "-W", "ignore:Module already"]
        os._exit(pytest.main([*options, *tests]))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module", type=Path)
    parser.add_argument("tests", nargs="+")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--every", type=int, default=1)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("src", "tests", "docs", "pyproject.toml", "bench"):
            (shutil.copytree if Path(part).is_dir() else shutil.copy)(part, folder / part)
        begun = time.perf_counter()
        assert passes(folder, wish.tests, 3600), "the tests fail without any change"
        longest = 10 + 5 * (time.perf_counter() - begun)
        source, noticed, survived = wish.module.read_text("utf-8"), 0, []
        for what, changed in mutants(source, wish.only, wish.every):
            (folder / wish.module).write_text(changed, "utf-8")
            shutil.rmtree((folder / wish.module).parent / "__pycache__", ignore_errors=True)
            if passes(folder, wish.tests, longest):
                survived.append(what)
                print(f"not noticed: {what}", flush=True)
            else:
                noticed += 1
        total = noticed + len(survived)
        print(f"{wish.module}: {noticed} of {total} changes noticed, {noticed / max(1, total):.0%}")


if __name__ == "__main__":
    main()
