# mypy: allow-untyped-calls, allow-untyped-decorators, allow-subclassing-any
# (the compiler has hardly any types of its own)
"""Large tuples of arrays go to compiled functions by reference: one pointer.

The compiler hands over an array as seven to nine words on the stack, and a tuple as all of its arrays:
134 ns a call for 40 of them, as much as a search takes to judge a position. Here the wrapper that Python
calls writes those words down once, and compiled functions pass on where. Only `core.jit` imports this
module, when it compiles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox


class Reference(types.Type):
    """Where a named tuple stands."""

    def __init__(self, whole: Any) -> None:
        self.whole = whole
        super().__init__(f"Reference({whole.name})")

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


def register(classes: Iterable[type]) -> None:
    """Compiled functions get tuples of these classes by reference from now on."""
    for cls in set(classes) - _registered:
        typeof_impl.register(cls)(_kind_of)
        _registered.add(cls)


def _kind_of(value: Any, context: Any) -> Reference:
    kinds = [typeof_impl(item, context) for item in value]
    return Reference(types.BaseTuple.from_types(kinds, type(value)))
