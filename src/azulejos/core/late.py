"""NumPy, imported when something is first looked up in it: people's side of the package needs none.

Whoever calculates with arrays uses it as ever; who shows positions, plays them by interpreted rules or
reads records never causes the import, so all that works where NumPy does not exist (a page without a
server), and `import azulejos` takes half the time.
"""

from __future__ import annotations

import importlib
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:

    class _Late(types.ModuleType):
        def __getattr__(self, name: str) -> Any:
            value = getattr(importlib.import_module("numpy"), name)
            setattr(self, name, value)
            return value

    np = _Late("numpy")

__all__ = ["np"]
