"""Which edition this is: that of a server, or the one that runs in its visitor's browser (`web/alone`)."""

from __future__ import annotations

import os
import sys
from typing import Final

ALONE: Final = sys.platform == "emscripten" or os.environ.get("AZULEJOS_EDITION") == "alone"
"""Without a server: everybody sits at this device."""
