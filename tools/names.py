"""One word, one thing: fails if a public class or a module has the name of another one.

    python tools/names.py

`names.toml` lists the names that may occur more than once, with the reason. Files that every game brings
have the same names in each of them (`core.contract`), and so may what they define.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src" / "azulejos"
ALLOWED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
GAMES = "games/*"


def named() -> Iterator[tuple[str, str, str]]:
    """Each kind of name, the name, and where it is; all games are one place."""
    for path in sorted(SOURCES.rglob("*.py")):
        room = path.relative_to(SOURCES).parts
        place = "/".join((GAMES, *room[2:]) if room[0] == "games" and len(room) > 2 else room)
        if path.stem not in ("__init__", "__main__"):
            yield "modules", path.stem, place
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield "classes", node.name, GAMES if place.startswith(GAMES) else place


def main() -> int:
    places: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for kind, name, place in named():
        places[kind, name].add(place)
    wrong = 0
    for (kind, name), where in places.items():
        if len(where) > 1 and name not in ALLOWED[kind]:
            print(f"{name}: one of the {kind} in {', '.join(sorted(where))}")
            wrong += 1
    for kind, names in ALLOWED.items():
        for name in names:
            if len(places[kind, name]) < 2:
                print(f"{name}: names.toml allows it twice among the {kind}, but it occurs once")
                wrong += 1
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
