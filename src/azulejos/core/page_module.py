"""A game's module run by the browser in which Python runs (Pyodide): what `core.portable` needs of it.

The module's memory is another one than Python's, so what lies in it is read and written by copying.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from azulejos.core.arrays import new_base


def maker(code: bytes) -> Callable[[], PageMachine]:
    """What starts a module."""
    import js  # type: ignore[import-not-found]  # the browser, in Pyodide

    room = js.Uint8Array.new(len(code))
    room.assign(code)
    make: Any = js.moduleOf(room)  # web/alone/shell/module.js
    return lambda: PageMachine(make())


class PageMachine:
    """An instance of a module."""

    def __init__(self, instance: Any) -> None:
        self._instance, self.base = instance, new_base()
        self.end = int(instance.end)
        self._part, self._call = instance.part, instance.call
        self.size = int(instance.size())

    def grow(self, pages: int) -> None:
        self._instance.grow(pages)
        self.size = int(self._instance.size())

    def read(self, start: int, size: int) -> bytes:
        found: bytes = self._part(start, start + size).to_bytes()
        return found

    def write(self, start: int, content: bytearray | bytes) -> None:
        self._part(start, start + len(content)).assign(content)

    def call(self, name: str, at: int) -> int:
        return int(self._call(name, at))
