"""Writes the protocol for people and for the client's type checker, from `messages.py`.

    python -m azulejos.web.wire.written          writes static/messages.d.ts
    python -m azulejos.web.wire.written --page   prints the page that the site shows
"""

from __future__ import annotations

import ast
import functools
import inspect
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from azulejos.web.wire import messages, plan

STATIC = Path(__file__).parents[1] / "static"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}
LYING = "[kind: number, spot?: number, count?: number, turn?: number, name?: string]"
OPENING = """\
# What travels between a page and the server
Made from `web/wire/messages.py` when the site is built.

A page reads its plan once (`GET /plan/{digest}/{language}`: every place, kind and label of this box, which
browsers keep for ever) and its sprite (`GET /sprite/{digest}`: every piece as a symbol). Then it opens a
WebSocket at `/t/{id}/live` and says hello with the digest of its plan and the version of this protocol,
which is a digest of the messages themselves. If either is not what the server speaks, the page is told to
load itself again. A study board does the same at `/study/{id}/live`, with its own messages. After that
every message is one JSON object. Places, kinds and labels are numbers: their
index in the plan. Fields in *italics* may be left out.
"""


class MessageField(msgspec.Struct):
    name: str
    type: str
    required: bool
    about: str


def fields(struct: type[msgspec.Struct]) -> Iterator[MessageField]:
    about = _texts(struct)
    config = struct.__struct_config__
    if config.tag is not None:
        yield MessageField(str(config.tag_field), f'"{config.tag}"', True, "")
    for field in msgspec.structs.fields(struct):
        required = field.required or not config.omit_defaults
        yield MessageField(field.name, typescript(field.type), required, about.get(field.name, ""))


def typescript(kind: Any) -> str:
    if kind is messages.Lying or kind == messages.Lying:
        return "Lying"
    if kind in PLAIN:
        return PLAIN[kind]
    origin, args = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        return " | ".join(typescript(one) for one in args if one is not msgspec.UnsetType)
    if origin is list:
        inner = typescript(args[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is Literal:
        return " | ".join(f'"{one}"' for one in args)
    if origin is dict:
        return f"Record<string, {typescript(args[1])}>"
    if origin is tuple:
        return f"[{', '.join(map(typescript, args))}]"
    return str(kind.__name__)


@functools.cache
def _classes(module: ModuleType) -> dict[str, ast.ClassDef]:
    tree = ast.parse(inspect.getsource(module))
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _texts(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The docstring below each field in the source."""
    found: dict[str, str] = {}
    body = _classes(sys.modules[struct.__module__])[struct.__name__].body
    for before, after in itertools.pairwise(body):
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name) and \
                isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[before.target.id] = " ".join(str(after.value.value).split())
    return found


# --- for the type checker ----------------------------------------------------------------------------


def declarations() -> str:
    parts = [
        "// Made from web/wire/messages.py and web/wire/plan.py: python -m azulejos.web.wire.written",
        f"export type Lying = {LYING};",
        *map(_interface, _structs()),
        *(f"export type {name} = {typescript(getattr(messages, name))};"
          for name in ("FromTable", "ToTable", "FromStudy", "ToStudy")),
    ]
    return "\n".join(parts) + "\n"


def _structs() -> list[type[msgspec.Struct]]:
    """Every part, message and piece of the plan, in source order."""
    bases = (messages.MessagePart, messages.Command, messages.ServerMessage)
    known = vars(messages).values()
    spoken = [one for one in known if isinstance(one, type) and issubclass(one, bases)]
    planned: list[type[msgspec.Struct]] = [plan.PlanPanel, plan.PlanSlot, plan.PlanLabel, plan.PlanFile]
    return [*(one for one in spoken if one not in bases), *planned]


def _interface(struct: type[msgspec.Struct]) -> str:
    inside = "; ".join(f"{one.name}{'' if one.required else '?'}: {one.type}" for one in fields(struct))
    return f"export interface {struct.__name__} {{ {inside} }}"


# --- for people --------------------------------------------------------------------------------------


def page() -> str:
    chapters = (
        _chapter("What a page says", messages.Command),
        _chapter("What the server says", messages.ServerMessage),
        _chapter("Parts of messages", messages.MessagePart),
    )
    return "\n".join((OPENING, *chapters))


def _chapter(title: str, base: type[msgspec.Struct]) -> str:
    found = (_described(struct) for struct in _structs() if issubclass(struct, base))
    return "\n".join((f"## {title}\n{_sentence(base)}\n", *found))


def _described(struct: type[msgspec.Struct]) -> str:
    rows = "".join(map(_row, fields(struct)))
    return f"### {struct.__name__}\n{_sentence(struct)}\n\n| | | |\n|---|---|---|\n{rows}"


def _row(field: MessageField) -> str:
    name = field.name if field.required else f"*{field.name}*"
    kind = field.type.replace("|", "\\|")
    return f"| {name} | `{kind}` | {field.about} |\n"


def _sentence(struct: type) -> str:
    return " ".join((struct.__doc__ or "").split())


def main() -> None:
    if "--page" in sys.argv[1:]:
        sys.stdout.write(page())
    else:
        (STATIC / "messages.d.ts").write_text(declarations(), "utf-8")


if __name__ == "__main__":
    main()
