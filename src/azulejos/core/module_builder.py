# mypy: allow-untyped-calls
# (the compiler has hardly any types of its own)
"""Builds a game's WebAssembly module: the same functions, typed and lowered by the same compiler.

What the compiler makes for this machine is linked and retargeted before anything is optimised: the cheap
optimisations that come earlier already write the offsets of 64-bit pointers into the code. Whoever calls
this should do so in a new process, so that names are numbered alike and nothing optimised is left from
before. Needed for building only: Numba, and a linker (``wasm-ld``, of the system or of `ziglang`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, Final, cast

import llvmlite.binding as llvm
import numpy as np
from numba.core import codegen, types
from numba.core.registry import cpu_target

from azulejos.core import compiler, layout
from azulejos.core.fingerprint import Sources
from azulejos.core.game import Game
from azulejos.core.jit import Binding, Call
from azulejos.core.module import CALL, DESCRIPTION, MODULE, ArgumentKind, Description, Export, name_of

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
STACK: Final = 1 << 20
"""Bytes of the stack; it lies below everything else, so that overflowing it is an error."""
CLOCK: Final = ("wasi_snapshot_preview1", "clock_time_get")
"""All that a module imports: a clock."""
FLAGS: Final = (
    "--no-entry", "--export=__heap_base", "--gc-sections", "--strip-all", "--stack-first", "-O2",
    "-z", f"stack-size={STACK}",
)
PICKLED: Final = re.compile(r'^(@\.const\.pickle\w+\.\S+ = .*\[\d+ x i8\]) c".*"', re.MULTILINE)
"""Texts of exceptions, with paths of this machine: a host asks only whether there was one."""

PROVIDED: Final = {
    "clock_gettime": f"""
declare i32 @clock_time_get(i32, i64, ptr) "wasm-import-module"="{CLOCK[0]}" "wasm-import-name"="{CLOCK[1]}"
define internal i32 @clock_gettime(i32 %which, i64 %out) {{
  %seconds = inttoptr i64 %out to ptr
  %nanoseconds = getelementptr i8, ptr %seconds, i32 8
  %failed = call i32 @clock_time_get(i32 %which, i64 1, ptr %nanoseconds)
  store i64 0, ptr %seconds
  ret i32 %failed
}}""",
    "sqrt": """
declare double @llvm.sqrt.f64(double)
define internal double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}""",
    "floor": """
declare double @llvm.floor.f64(double)
define internal double @floor(double %x) {
  %whole = call double @llvm.floor.f64(double %x)
  ret double %whole
}""",
    # one thread uses a module, so there is nothing to lock
    "pthread_mutex_trylock": "define internal i32 @pthread_mutex_trylock(i64 %lock) { ret i32 0 }",
    "pthread_mutex_lock": "define internal i32 @pthread_mutex_lock(i64 %lock) { ret i32 0 }",
    "pthread_mutex_unlock": "define internal i32 @pthread_mutex_unlock(i64 %lock) { ret i32 0 }",
    "sched_yield": "define internal i32 @sched_yield() { ret i32 0 }",
}
"""What the system's library does for native code, by name."""


def build(game: Game, calls: Sequence[Call], folder: Path | None = None) -> Description:
    """Write the module of a game with these functions, and its description, into a folder (its own)."""
    folder = folder or game.folder
    binding = Binding(game, compiled=True, allocates=False)
    known = {name_of(function): (function, arguments) for function, arguments in calls}
    functions = [cast(FunctionType, known[name][0]) for name in sorted(known)]
    sources = Sources(map(binding.own, functions), binding.globals_of)
    text, files = sources.code(), sources.files()
    with _not_optimised():
        lowered = compiler.lowered(game.name, [binding.part(function) for function, _ in known.values()],
                                   [arguments for _, arguments in known.values()])
    described = _Described(binding)
    exports = {
        name: Export(function.__module__, tuple(map(described.kind, result.signature.args)),
                     described.result(result.signature.return_type))
        for (name, (function, _)), result in zip(known.items(), lowered.results, strict=True)
    }
    natives = {name: result.fndesc for name, result in zip(known, lowered.results, strict=True)}
    code = _linked(_retargeted(lowered.text, natives), list(known))
    description = Description(
        game=game.name, values=sources.values, code=text, sources=files,
        sha256=hashlib.sha256(code).hexdigest(), exports=exports,
        built_with={
            "python": ".".join(map(str, sys.version_info[:3])), "numba": version("numba"),
            "llvmlite": version("llvmlite"), "numpy": np.__version__, "linker": _linker()[1],
        },
        tuples=described.tuples, records=described.records,
        constants={"MAX_LEGAL": game.max_legal, "NUM_ACTIONS": game.num_actions,
                   "DECISIONS": game.decisions, "SIZE": game.size},
    )
    (folder / MODULE).write_bytes(code)
    (folder / DESCRIPTION).write_text(description.write(), encoding="utf-8")
    return description


@contextlib.contextmanager
def _not_optimised() -> Iterator[None]:
    library: Any = codegen.CPUCodeLibrary
    before = library._optimize_functions, library._optimize_final_module
    library._optimize_functions = lambda self, module: None
    library._optimize_final_module = lambda self: None
    try:
        yield
    finally:
        library._optimize_functions, library._optimize_final_module = before


# --- what the description says ---------------------------------------------------------------------------


class _Described:
    """The compiler's types, as a description has them."""

    def __init__(self, binding: Binding) -> None:
        self.tuples: dict[str, tuple[tuple[str, ArgumentKind], ...]] = {}
        self.records: dict[str, Any] = {}
        self._names = {str(_fields(binding.record)): "State"}
        self._state = binding.game.state

    def kind(self, kind: Any) -> ArgumentKind:
        if isinstance(kind, compiler.Reference):
            name = kind.whole.instance_class.__name__
            fields = zip(kind.whole.fields, kind.whole.types, strict=True)
            self.tuples[name] = tuple((field, self._named(field, each)) for field, each in fields)
            return ArgumentKind(name, is_tuple=True)
        return self._named("", kind)

    def result(self, kind: Any) -> ArgumentKind:
        if kind == types.none:
            return ArgumentKind("none")
        return ArgumentKind("int") if kind in types.signed_domain else self._named("", kind)

    def _named(self, field: str, kind: Any) -> ArgumentKind:
        if isinstance(kind, compiler.Reference):
            return self.kind(kind)
        if isinstance(kind, types.Array):
            return ArgumentKind(self._items(field, kind.dtype), kind.ndim)
        names = {types.int64: "int", types.boolean: "bool", types.float64: "float"}
        if kind not in names:
            raise TypeError(f"a module's function cannot take {kind}")
        return ArgumentKind(names[kind])

    def _items(self, field: str, kind: Any) -> str:
        if not isinstance(kind, types.Record):
            return str(np.dtype(_numpy_of(kind)).str)
        dtype = _numpy_of(kind)
        name = self._names.setdefault(str(_fields(dtype)), field)
        self.records[name] = {"size": dtype.itemsize, "fields": _fields(dtype)}
        if name == "State":
            for which, about in layout.fields_of(self._state).items():
                self.records[name]["fields"][which].append([about.low, about.high])
        return name


def _numpy_of(kind: Any) -> np.dtype[Any]:
    from numba.np.numpy_support import as_dtype

    return as_dtype(kind)


def _fields(dtype: np.dtype[Any]) -> dict[str, list[Any]]:
    """By name: where the field lies, its type and shape."""
    return {name: [int(place), kind.base.str, list(kind.shape)]
            for name, (kind, place, *_) in (dtype.fields or {}).items()}


# --- code -----------------------------------------------------------------------------------------------


def _retargeted(text: str, natives: dict[str, Any]) -> bytes:
    """The object file for these functions: by the name of an export what the compiler made."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE).create_target_machine(
        opt=3, features=FEATURES, reloc="static", codemodel="default")
    text = re.sub(r'target triple = ".*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = ".*"', f'target datalayout = "{target.target_data}"', text)
    text = PICKLED.sub(r"\1 zeroinitializer", text)
    for name, definition in PROVIDED.items():
        text, count = re.subn(rf"declare \S+ @{name}\(.*\n", "\n", text)
        text += definition + "\n" if count else ""
    text += "".join(_entry(name, native) for name, native in natives.items())
    module = llvm.parse_assembly(text)
    for symbol in (*module.functions, *module.global_variables):
        if not symbol.is_declaration and symbol.name not in natives:
            symbol.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    missing = sorted(each.name for each in module.functions
                     if each.is_declaration and not each.name.startswith("llvm.") and each.name != CLOCK[1])
    if missing:
        raise ValueError(f"a module cannot call {', '.join(missing)}")
    return bytes(target.emit_object(module))


def _entry(name: str, native: Any) -> str:
    """An export: it reads its arguments from one call (`core.module`)."""
    context = cpu_target.target_context
    lines, given, place = [], ["ptr %call", "ptr %failure"], CALL
    for argument in native.argtypes:
        place = -(-place // 8) * 8
        for leaf in _leaves(context.data_model_manager[argument].get_argument_type()):
            word = "ptr" if str(leaf).endswith("*") or str(leaf) == "ptr" else str(leaf)
            size = {"ptr": 4, "i1": 8}.get(word, 8)
            place = -(-place // size) * size
            at = len(given)
            lines.append(f"  %p{at} = getelementptr inbounds i8, ptr %call, i32 {place}")
            if word == "i1":
                lines.append(f"  %w{at} = load i64, ptr %p{at}")
                lines.append(f"  %v{at} = icmp ne i64 %w{at}, 0")
            else:
                lines.append(f"  %v{at} = load {word}, ptr %p{at}")
            given.append(f"{word} %v{at}")
            place += size
    body = "\n".join(lines)
    return f"""
define i32 @"{name}"(ptr %call) {{
  %failure = getelementptr inbounds i8, ptr %call, i32 8
{body}
  %status = call i32 @{native.llvm_func_name}({', '.join(given)})
{_widened(native.restype)}  ret i32 %status
}}
"""


def _widened(result: Any) -> str:
    """Make a narrow result fill its 8 bytes."""
    if result not in types.signed_domain or result == types.int64:
        return ""
    bits = int(result.bitwidth)
    return f"""\
  %narrow = load i{bits}, ptr %call
  %wide = sext i{bits} %narrow to i64
  store i64 %wide, ptr %call
"""


def _leaves(kind: Any) -> Iterator[Any]:
    """Arguments that the compiler passes for one, which may be nested tuples."""
    if isinstance(kind, tuple | list):
        for each in kind:
            yield from _leaves(each)
    else:
        yield kind


def _linked(code: bytes, names: Iterable[str]) -> bytes:
    command, _ = _linker()
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "game.o"), Path(folder, "game.wasm")
        source.write_bytes(code)
        exports = [f"--export={name}" for name in names]
        done = subprocess.run([*command, *FLAGS, *exports, "-o", str(result), str(source)],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"the linker failed: {done.stderr.strip()}")
        return result.read_bytes()


@functools.cache
def _linker() -> tuple[tuple[str, ...], str]:
    """The linker's command, and its version; an ImportError says how to get one."""
    with contextlib.suppress(ImportError):
        import ziglang

        command = (sys.executable, "-m", ziglang.__name__, "wasm-ld")
        return command, _version_of(command)
    for name in ("wasm-ld", *(f"wasm-ld-{n}" for n in range(30, 13, -1))):
        if shutil.which(name):
            return (name,), _version_of((name,))
    raise ImportError("a module needs a linker: pip install 'azulejos[build]', or Debian's package lld")


def _version_of(command: tuple[str, ...]) -> str:
    said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"LLD \d+[.\d]*", said)
    return found[0] if found else "unknown"
