"""Our assumptions about the compiler's private parts: each test says what broke."""

from __future__ import annotations

import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from azulejos.core import code_cache, compiler

cage: Any = compiler
numba = cage.numba


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZULEJOS_CACHE", str(tmp_path))
    monkeypatch.setattr(compiler, "_loaded", {})


def with_names(function: Callable[..., Any], **names: Any) -> types.FunctionType:
    """A copy of a function with these names in its globals."""
    assert isinstance(function, types.FunctionType)
    return types.FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)


def part(function: Callable[..., Any], **names: Any) -> Any:
    return compiler.part(with_names(function, **names), allocates=False)


def root(function: Callable[..., Any], mark: str = "", **names: Any) -> compiler.Root:
    bound = with_names(function, **names)
    return compiler.Root(bound, allocates=False, mark=mark or function.__name__, name="t")


def twice(n: Any) -> Any:
    return 2 * n


def six_times(n: Any) -> Any:
    return 3 * twice(n)


def and_one(n: Any) -> Any:
    return six_times(n) + twice(1) - 1


def linked(result: Any) -> list[str]:
    """The parts that would be linked, in order."""
    found = compiler.callers_first([result.library])
    return [library.name for library in found if isinstance(library, compiler.CodePart)]


def test_parts_are_never_emitted() -> None:
    inner = part(twice)
    assert root(six_times, twice=inner).call(7) == 42
    (compiled,) = inner.overloads.values()
    assert isinstance(compiled.library, compiler.CodePart), "Numba makes its libraries elsewhere"
    assert compiled.library._compiled_object is None, "Numba emits a library that refuses to be"


def test_callers_are_linked_before_what_they_call() -> None:
    inner = part(twice)
    outer = part(six_times, twice=inner)
    called = root(and_one, twice=inner, six_times=outer)
    lowered = called.call._compiler.compile((numba.int64,), None)
    assert linked(lowered) == ["six_times", "twice"]
    assert called.call(7) == 43


def test_the_linker_drops_what_nobody_has_asked_for_yet() -> None:
    """The reason for the link order: if this test fails, any order will do."""
    inner = part(twice)
    lowered = root(six_times, twice=inner).call._compiler.compile((numba.int64,), None)
    whole = cage.Whole(cage.cpu_target.target_context.codegen(), "wrong order")
    (compiled,) = inner.overloads.values()
    whole._final_module.link_in(compiled.library._get_module_for_linking(), preserve=True)
    whole._final_module.link_in(lowered.library._final_module, preserve=True)
    function = whole._final_module.get_function(compiled.fndesc.mangled_name)
    assert function.is_declaration


def test_the_placeholder_of_a_part_is_unique_and_is_not_called() -> None:
    one, other = part(twice), part(twice)
    both = root(and_one, six_times=one, twice=other)
    assert both.call(7) == 15
    points = [compiled.entry_point for inner in (one, other) for compiled in inner.overloads.values()]
    assert points[0] != points[1], "Numba would take one part for the other"
    with pytest.raises(ValueError, match="not in list"):
        points[0](7)


def test_the_pipeline_has_the_steps_that_are_replaced() -> None:
    flags = types.SimpleNamespace(auto_parallel=types.SimpleNamespace(enabled=False), no_rewrites=False,
                                  enable_ssa=True)
    state = types.SimpleNamespace(flags=flags, func_ir=None)
    steps = cage.compiler.DefaultPassBuilder.define_nopython_pipeline(state).passes
    for step in (cage.typed_passes.NativeLowering, cage.typed_passes.AnnotateTypes):
        assert step in [found for found, _ in steps], f"Numba has no step {step.__name__} any more"


def test_all_integers_are_one_kind_for_python_and_for_compiled_callers() -> None:
    inner = part(twice)
    outer = root(six_times, twice=inner)
    assert [outer.call(np.int8(1)), outer.call(np.int32(2)), outer.call(3)] == [6, 12, 18]
    assert list(outer.call.overloads) == [(numba.int64,)], "Python's calls do not pass through `compile`"
    assert list(inner.overloads) == [(numba.int64,)], "compiled calls do not pass through `compile`"


def test_several_roots_are_one_library() -> None:
    inner = part(twice)
    one, other = root(six_times, twice=inner), root(twice)
    compiler.compile_together("both", [(one, (1,)), (other, (1,))])
    libraries = {id(each.call.overloads[numba.int64,].library) for each in (one, other)}
    assert len(libraries) == 1
    assert (one.call(7), other.call(7)) == (42, 14)
    assert len(list(code_cache.cache_root().glob("both-*.code"))) == 1


def test_kept_code_is_loaded_and_damaged_code_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert root(twice).call(21) == 42
    monkeypatch.setattr(compiler, "_loaded", {})
    loaded = root(twice)
    assert loaded.call(21) == 42
    assert not loaded.call.stats.cache_misses, "what was kept is not found"
    (code,) = code_cache.cache_root().glob("*.code")
    code.write_bytes(code.read_bytes()[:-1] + b"?")
    monkeypatch.setattr(compiler, "_loaded", {})
    again = root(twice)
    assert again.call(21) == 42
    assert again.call.stats.cache_misses


def test_a_library_of_a_version_with_other_modules_counts_as_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A library has all that a game needs; what is the same in two versions has one key in both."""
    gone = root(six_times, twice=part(twice, __name__="azulejos.gone"))
    compiler.compile_together("whole", [(root(twice), (1,)), (gone, (1,))])
    monkeypatch.setattr(compiler, "_loaded", {})
    monkeypatch.setattr(numba.core.environment.Environment, "_memo", {})
    again = root(twice)
    assert again.call(21) == 42
    assert again.call.stats.cache_misses


def differ(these: Any, those: Any) -> Any:
    return (these != those).any()


def test_code_that_another_process_could_not_load_is_not_kept(tmp_path: Path) -> None:
    """For an expression of arrays Numba makes a function that belongs to no module."""
    compared = compiler.Root(with_names(differ), allocates=True, mark="differ", name="t")
    assert compared.call(np.zeros(2), np.ones(2))
    assert list(tmp_path.iterdir()) == []


def test_other_functions_and_other_arguments_have_other_keys() -> None:
    one = compiler._key(root(twice, "1"), (numba.int64,))
    assert one == compiler._key(root(twice, "1"), (numba.int64,))
    assert one != compiler._key(root(twice, "2"), (numba.int64,))
    assert one != compiler._key(root(twice, "1"), (numba.float64,))


class Pair(NamedTuple):
    left: Any
    right: Any


class Riap(NamedTuple):
    right: Any
    left: Any


def left_of(pair: Any) -> Any:
    return pair.left[0]


def test_tuples_go_by_reference_and_are_known_by_the_names_of_their_fields() -> None:
    compiler.pass_by_reference({Pair, Riap})
    cells = np.zeros(1, np.int64), np.ones(1, np.int64)
    inner = root(left_of)
    assert [inner.call(Pair(*cells)), inner.call(Riap(*cells))] == [0, 1]
    kinds = [str(numba.typeof(cls(*cells))) for cls in (Pair, Riap)]
    assert all("left" in kind and "right" in kind for kind in kinds), kinds


def factorial(n: Any) -> Any:
    if n < 2:
        return 1
    return n * factorial(n - 1)


def test_a_function_may_call_itself() -> None:
    namespace = {**factorial.__globals__}
    inner = compiler.part(types.FunctionType(factorial.__code__, namespace, "factorial"), allocates=False)
    namespace["factorial"] = inner
    assert root(six_times, twice=inner).call(4) == 72
