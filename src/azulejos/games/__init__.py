"""One folder per game; no other part of the program knows anything about a particular game.

``AZULEJOS_GAMES`` lists further directories to search for games (docs/fifth-game.md).
"""

import os

__path__ += [path for path in os.environ.get("AZULEJOS_GAMES", "").split(os.pathsep) if path]
