"""NumPy, imported when something is first looked up in it: people's side of the package needs none.

Whoever calculates with arrays uses it as ever; who shows positions, plays them by interpreted rules or
reads records never causes the import, so `import azulejos` takes half the time. Where NumPy does not exist
(a page without a server), `core.arrays` stands in for it.
"""

from __future__ import annotations

import functools
import importlib
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


@functools.cache
def is_numpy() -> bool:
    """Whether `np` is NumPy itself."""
    try:
        importlib.import_module("numpy")
    except ModuleNotFoundError:
        return False
    return True


if not TYPE_CHECKING:

    class _Late(types.ModuleType):
        def __getattr__(self, name: str) -> Any:
            place = "numpy" if is_numpy() else "azulejos.core.arrays"
            value = getattr(importlib.import_module(place), name)
            setattr(self, name, value)
            return value

    np = _Late("numpy")

__all__ = ["is_numpy", "np"]
