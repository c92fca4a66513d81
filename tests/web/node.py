"""What tests/node.sh installs, if there is npm."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

MODULES = Path(sys.prefix) / "node" / "node_modules"
TSC = shutil.which("tsc", path=f"{MODULES / '.bin'}{os.pathsep}{os.environ['PATH']}")
AXE = MODULES / "axe-core" / "axe.min.js"
