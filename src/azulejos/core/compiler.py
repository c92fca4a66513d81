# mypy: allow-untyped-calls, allow-untyped-decorators, allow-subclassing-any
# (the compiler has hardly any types of its own)
"""Everything that azulejos knows about Numba. Only `core.jit` and `core.module_builder` import
this module, when they compile.

Numba links, optimises and emits every function separately, with everything it calls: the rules of Azul were
optimised some two hundred times, 110 s of processor time. Here two kinds of functions are compiled:

- *parts*, called by compiled code only: typed and lowered, then kept as modules;
- *roots*, called from Python: several of them and all of their parts are linked into one library, which is
  optimised, emitted and kept on disk (`core.code_cache`) once.

That needs private parts of Numba. Each assumption about them has a test in ``tests/core/test_compiler.py``
that says what broke.
"""

from __future__ import annotations

import contextlib
import functools
import pickle
import sys
import types as pytypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
from numba.core import cgutils, codegen, compiler, environment, serialize, sigutils, typed_passes, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

from azulejos.core import code_cache, jit

Arguments = tuple[Any, ...]
"""The compiler's types of the arguments of a call."""


def external(symbol: str, result: str, *arguments: str) -> Any:
    """A function of the C library; found by its name when the code is loaded, so the code can be cached."""
    kinds = [getattr(types, name) for name in (result, *arguments)]
    return types.ExternalFunction(symbol, kinds[0](*kinds[1:]))


# --- parts and roots ------------------------------------------------------------------------------------


def part(function: pytypes.FunctionType, *, allocates: bool) -> Any:
    """A function that only compiled code calls."""
    made = _private(function, allocates, no_cpython_wrapper=True)
    compile_exactly = made.compile
    made.compile = lambda signature: compile_exactly(widened(signature))
    return made


class Root:
    """A function that Python calls, by `call`. `mark`: the hash of everything it depends on."""

    def __init__(
        self, function: pytypes.FunctionType, *, allocates: bool, mark: str, name: str, nogil: bool = True
    ) -> None:
        self.mark = mark
        self.name = f"{name}-{function.__name__}"
        self.call = _private(function, allocates, nogil=nogil)
        self.call.compile = self._compile

    def entry(self, values: Iterable[Any]) -> Any:
        """What `call` calls for arguments of these kinds; it does not look at them, which saves 0.1 µs."""
        arguments = widened([numba.typeof(value) for value in values])
        if arguments not in self.call.overloads:
            self.call.compile(arguments)
        return self.call.overloads[arguments].entry_point

    def _compile(self, signature: Any) -> Any:
        """Called by Numba for arguments of new types."""
        arguments = widened(sigutils.normalize_signature(signature)[0])
        make_ready(self.name, [(self, arguments)])
        return self.call.overloads[arguments].entry_point


def compile_together(name: str, calls: Iterable[tuple[Root, Any]]) -> None:
    """Compile roots for arguments like these into one library."""
    make_ready(name, [(root, widened([numba.typeof(value) for value in values])) for root, values in calls])


_njit: Any = numba.njit


def _private(function: pytypes.FunctionType, allocates: bool, *, nogil: bool = True, **options: Any) -> Any:
    return _njit(
        nogil=nogil, boundscheck=jit.checks_bounds(), error_model="numpy", _nrt=allocates,
        no_cfunc_wrapper=True, pipeline_class=Compiler, **options,
    )(function)


def widened(signature: Iterable[Any]) -> Arguments:
    """Compile once for all integers: Numba would do it again for every width and constant.

    Narrow fields and literals are cast to int64 at the call. Compiling the search for Azul took 47 s
    without this, 21 s with it, and the code is as fast.
    """
    narrow = (types.int8, types.int16, types.int32)
    return tuple(
        types.int64 if isinstance(kind, types.IntegerLiteral) or kind in narrow else kind
        for kind in signature
    )


# --- libraries ------------------------------------------------------------------------------------------


class CodePart(codegen.JITCodeLibrary):
    """The code of one function, neither linked nor optimised nor emitted."""

    def finalize(self) -> None:
        self._finalized = True


class Whole(codegen.JITCodeLibrary):
    """The code of some roots and of all their parts."""

    def link(self, roots: Sequence[CodePart]) -> None:
        for root in roots:
            self._final_module.link_in(root._final_module, preserve=True)
        for library in callers_first(roots):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)

    def take_in(self, roots: Sequence[CodePart]) -> None:
        self.link(roots)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def environments(self) -> list[Any]:
        """Objects that the code refers to."""
        named = (gv.name for gv in self._final_module.global_variables)
        known = (environment.lookup_environment(name) for name in named if name.startswith("_ZN08NumbaEnv"))
        return [env for env in known if env is not None]


def callers_first(roots: Sequence[Any]) -> list[Any]:
    """Everything that the roots need, each after everything that calls it.

    The linker drops a function that is not referenced yet.
    """
    seen: set[int] = {id(root) for root in roots}
    finished: list[Any] = []

    def visit(library: Any) -> None:
        if isinstance(library, CodePart):  # others contain what they call
            for called in library._linking_libraries:
                if id(called) not in seen:
                    seen.add(id(called))
                    visit(called)
                    finished.append(called)

    for root in reversed(roots):
        visit(root)
    return finished[::-1]


class _Lowering(typed_passes.NativeLowering):
    """Lowers a function into a `CodePart`. Its placeholder is never called: it only has to be unique."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = CodePart(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        state.targetctx.get_executable = lambda library, description, env: [description.qualname].remove
        return bool(super().run_pass(state))


register_pass(mutates_CFG=True, analysis_only=False)(_Lowering)


class Compiler(compiler.CompilerBase):
    """Numba's steps without the type annotations, which are not used, into our libraries."""

    def define_pipelines(self) -> list[Any]:
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (_Lowering if step is typed_passes.NativeLowering else step, about)
            for step, about in manager.passes if step is not typed_passes.AnnotateTypes
        ]
        manager.finalize()
        return [manager]


# --- making roots ready ---------------------------------------------------------------------------------

Wanted = Sequence[tuple[Root, Arguments]]
_loaded: dict[str, Any] = {}
"""What is in memory, by its key: `CompileResult`s."""


def make_ready(name: str, wanted: Wanted) -> None:
    """Load roots from disk; link, optimise and keep those that are not there in one library."""
    with global_compiler_lock:
        cpu_target.target_context.refresh()
        missing = []
        for root, arguments in wanted:
            if arguments in root.call.overloads:
                continue
            key = _key(root, arguments)
            if key not in _loaded and (data := code_cache.load(key)) is not None:
                with contextlib.suppress(ImportError):  # of a version with a module that is no more
                    _loaded.update(_rebuilt(data))
            if key in _loaded:
                root.call._cache_hits[arguments] += 1
                root.call.add_overload(_loaded[key])
            else:
                missing.append((root, arguments))
        if missing:
            _build(name, missing)


def _build(name: str, missing: Wanted) -> None:
    with _remembered_operators():
        lowered = [root.call._compiler.compile(arguments, None) for root, arguments in missing]
    whole = Whole(cpu_target.target_context.codegen(), name)
    whole.enable_object_caching()
    whole.take_in([result.library for result in lowered])
    environments = whole.environments()
    made = {}
    for (root, arguments), result in zip(missing, lowered, strict=True):
        root.call._cache_misses[arguments] += 1
        made[_key(root, arguments)] = _entry(whole, result.fndesc, result.environment, result.signature)
        root.call.add_overload(made[_key(root, arguments)])
    for env in environments:
        whole.codegen.set_env(env.env_name, env)
    _loaded.update(made)
    if all(env.can_cache() for env in environments):  # no other process could import array expressions
        code_cache.save(name, made, _serialised(whole, made, environments))


@dataclass(frozen=True, kw_only=True)
class Lowered:
    """Some functions with everything that they call, linked and not optimised."""

    text: str
    """In LLVM's assembly language."""
    results: list[Any]
    """The compiler's result for each function."""


def lowered(name: str, parts: Iterable[Any], calls: Iterable[Sequence[Any]]) -> Lowered:
    """Parts, lowered for arguments like these; for `core.module_builder`."""
    with global_compiler_lock, _remembered_operators():
        cpu_target.target_context.refresh()
        results = [part._compiler.compile(widened([numba.typeof(value) for value in values]), None)
                   for part, values in zip(parts, calls, strict=True)]
        whole = Whole(cpu_target.target_context.codegen(), name)
        whole.link([result.library for result in results])
    return Lowered(text=str(whole._final_module), results=results)


@contextlib.contextmanager
def _remembered_operators() -> Iterator[None]:
    """Resolve each operator on plain numbers only once.

    For every ``a + b`` Numba tries dozens of templates, for lists and strings and others, and records why
    each of them does not match: two fifths of the time for typing.
    """
    function: Any = types.Function
    resolve = function.get_call_type

    def remember(operator: Any, context: Any, arguments: Any, options: Any) -> Any:
        plain = all(isinstance(kind, types.Number | types.Boolean | types.Literal) for kind in arguments)
        if options or not plain:
            return resolve(operator, context, arguments, options)
        known = operator.__dict__.setdefault("_known_signatures", {})
        if arguments in known:
            return known[arguments]
        signature = resolve(operator, context, arguments, options)
        if operator.get_impl_key(signature) is operator.typing_key:  # not compiled for its caller's options
            known[arguments] = signature
        return signature

    function.get_call_type = remember
    try:
        yield
    finally:
        function.get_call_type = resolve


def _entry(whole: Any, description: Any, env: Any, signature: Any) -> Any:
    context = cpu_target.target_context
    return compiler.compile_result(
        typing_context=cpu_target.typing_context, target_context=context, library=whole,
        entry_point=context.get_executable(whole, description, env), fndesc=description, environment=env,
        signature=signature, objectmode=False, lifted=(), reload_init=(), referenced_envs=(),
    )


def _serialised(whole: Any, made: dict[str, Any], environments: list[Any]) -> bytes:
    entries = {}
    for key, result in made.items():
        result.fndesc.typemap = result.fndesc.calltypes = None  # large, and not used by callers
        entries[key] = (result.fndesc, result.environment, result.signature)
    names = [each.name for each in (*whole._final_module.functions, *whole._final_module.global_variables)
             if not each.is_declaration]
    code = (whole.name, whole._get_compiled_object(), names)
    return bytes(serialize.dumps((code, entries, environments)))


def _rebuilt(data: bytes) -> dict[str, Any]:
    (name, code, names), entries, environments = pickle.loads(data)
    whole = Whole(cpu_target.target_context.codegen(), name)
    whole.enable_object_caching()
    whole._set_compiled_object(code)
    whole._finalize_final_module()
    whole.codegen._engine._defined_symbols.update(names)
    made = {key: _entry(whole, *entry) for key, entry in entries.items()}
    for env in environments:
        whole.codegen.set_env(env.env_name, env)
    return made


def _key(root: Root, arguments: Arguments) -> str:
    kinds = [str(kind) for kind in arguments]
    return code_cache.key_of(root.mark, kinds, _surroundings(), jit.checks_bounds())


@functools.cache
def _surroundings() -> tuple[object, ...]:
    """The compiler, the interpreter, the processor, and how we use them."""
    ours = [Path(str(module.__file__)).read_bytes() for module in (sys.modules[__name__], jit)]
    processor = cpu_target.target_context.codegen().magic_tuple()
    return (*code_cache.versions(), processor, *(code_cache.key_of(text) for text in ours))


# --- large tuples of arrays, by reference ---------------------------------------------------------------


class Reference(types.Type):
    """A pointer to a named tuple.

    Numba passes an array as seven to nine words on the stack, and a tuple as all of its arrays: 134 ns a
    call for 40 of them, as long as a search takes to evaluate a position. Here the wrapper that Python
    calls stores those words once, and compiled functions pass a pointer to them.
    """

    def __init__(self, whole: Any) -> None:
        self.whole = whole
        super().__init__(f"Reference({whole.name}: {', '.join(whole.fields)})")

    def place_of(self, field: str) -> int:
        return list(self.whole.fields).index(field)


@register_model(Reference)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Reference) -> None:
        super().__init__(manager, kind, manager.lookup(kind.whole).get_value_type().as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):
    key = Reference

    def generic_resolve(self, kind: Reference, field: str) -> Any:  # type: ignore[override]
        return kind.whole.types[kind.place_of(field)] if field in kind.whole.fields else None


@lower_getattr_generic(Reference)
def _read_field(context: Any, builder: Any, kind: Reference, pointer: Any, field: str) -> Any:
    """The words never change while compiled code runs, so they may be read early and once."""
    place = kind.place_of(field)
    words = builder.load(cgutils.gep_inbounds(builder, pointer, 0, place))
    words.set_metadata("invariant.load", builder.module.add_metadata([]))
    return impl_ret_borrowed(context, builder, kind.whole.types[place], words)


@unbox(Reference)
def _write_down(kind: Reference, value: Any, wrapper: Any) -> Any:
    """On the stack of the wrapper, which outlives the call."""
    whole = wrapper.unbox(kind.whole, value)
    place = cgutils.alloca_once_value(wrapper.builder, whole.value)
    return NativeValue(place, is_error=whole.is_error, cleanup=whole.cleanup)


_registered: set[type] = set()


def pass_by_reference(classes: Iterable[type]) -> None:
    """Compiled functions get tuples of these classes by reference from now on."""
    for cls in set(classes) - _registered:
        typeof_impl.register(cls)(_kind_of)
        _registered.add(cls)


def _kind_of(value: Any, context: Any) -> Reference:
    kinds = [typeof_impl(item, context) for item in value]
    return Reference(types.BaseTuple.from_types(kinds, type(value)))
