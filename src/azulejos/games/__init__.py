"""One folder per game, and nothing about a game anywhere else.

``AZULEJOS_GAMES`` names further directories whose folders are games too (docs/fifth-game.md).
"""

import os

__path__ += [path for path in os.environ.get("AZULEJOS_GAMES", "").split(os.pathsep) if path]
