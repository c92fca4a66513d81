"""Which files of the package run during a move, a click at a table, or a bot's turn: how far to read.

    python tools/walk.py move
    python tools/walk.py click [FOLDER]     # of another version of the repository, with the same helpers
    python tools/walk.py bot

Only the process of the server is watched. Rules are interpreted, so that calls are seen.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = {"move": "none", "click": "you", "bot": "bot:random"}
"""Who sits opposite."""


class Walk:
    """The files of a package in which functions were called, in the order of their first call."""

    def __init__(self, package: Path) -> None:
        self.package = f"{package}{os.sep}"
        self.files: list[str] = []
        self.calls = self.changes = 0
        self._latest: dict[int, str] = {}
        self._watched = False
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def during(self, work: Callable[[], object]) -> None:
        self._watched = True
        work()
        self._watched = False

    def _called(self, frame: Any, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if not self._watched or event != "call" or not file.startswith(self.package):
            return
        self.calls += 1
        if self._latest.get(threading.get_ident()) != file:
            self._latest[threading.get_ident()] = file
            self.changes += 1
        if (name := file.removeprefix(self.package)) not in self.files:
            self.files.append(name)

    def __str__(self) -> str:
        web = sum(name.startswith("web/") for name in self.files)
        files = f"{len(self.files)} files ({web} of web/)"
        head = f"{files}, {self.calls} calls, {self.changes} changes of file"
        return "\n".join([head, *self.files])


def move(walk: Walk) -> None:
    import azulejos

    position = azulejos.new("azul")
    while position.to_move < 0:
        position.play(position.legal_actions()[0])
    position.play(position.legal_actions()[0])
    text = position.game.moves.text(position.legal_actions()[0])
    walk.during(lambda: position.play(text))


def turn(walk: Walk, opponent: str) -> None:
    from starlette.testclient import TestClient

    from azulejos.web.app import Settings, create_app
    from azulejos.web.guard import UNLIMITED
    from web.people import open_table, seated

    database = f"sqlite:///{tempfile.mkdtemp()}/games.sqlite"
    app = create_app(Settings(database=database, limits=UNLIMITED, seconds=0.01))
    with (
        TestClient(app, headers={"origin": "http://testserver"}) as client,
        seated(client, open_table(client, seat1=opponent)) as page,
    ):
        while not page.frame["mine"]:
            page.hear()
        chosen = random.Random(1).choice(page.frame["choices"])["text"]

        def play() -> None:
            page.play(chosen)
            ply = page.until("done")["ply"]
            while page.frame["ply"] < ply or not page.frame["mine"]:
                page.hear()

        walk.during(play)


def main() -> None:
    kind, *folder = sys.argv[1:]
    root = Path(*folder or [Path(__file__).parents[1]]).resolve()
    sys.path[:0] = [str(root / "src"), str(root / "tests")]
    os.environ |= {"AZULEJOS_JIT": "0", "AZULEJOS_DATA": tempfile.mkdtemp(), "PYTHONPATH": sys.path[0]}
    walk = Walk(root / "src" / "azulejos")
    move(walk) if kind == "move" else turn(walk, KINDS[kind])
    print(walk)


if __name__ == "__main__":
    main()
