"""Games in a file: records, or plain lists of moves as CSV or JSON (docs/data.md).

    game,move          [["@1", "+b", "+r", …, "2r4"],
    1,@1                {"players": 3, "options": {"wall": "grey"}, "moves": ["@2", …]}]
    1,+b
"""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from azulejos.core.position import Position, new
from azulejos.core.record import Record

IS_RECORD: Final = re.compile(r'\s*(\{"record"|\[[A-Za-z])')
"""The beginning of a record, in JSON and as text."""


def read_moves(path: Path, start: Position) -> Iterator[Position]:
    """The games of a file; `start` supplies the game and options where the file does not.

    Raises ValueError naming the game and the move that cannot be read or played.
    """
    text = read_text(path)
    if IS_RECORD.match(text):
        yield from (record.replay() for record in Record.read_each(text.split("\n")))
        return
    found = _from_json(text, start) if ".json" in path.suffixes else _from_csv(text, start)
    for name, position, moves in found:
        yield _played(name, position, moves)


def read_text(path: Path) -> str:
    """The text of a file, which may be compressed (.gz)."""
    if path.suffix != ".gz":
        return path.read_text("utf-8-sig")
    try:
        return gzip.decompress(path.read_bytes()).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{path.name} is not a gzip file, or damaged: {error}") from None


def _played(name: str, start: Position, moves: list[Any]) -> Position:
    position = start.copy()
    for number, move in enumerate(moves, 1):
        try:
            position.play(_move(move))
        except ValueError as error:
            raise ValueError(f"game {name}, move {number} ({move}): {error}") from None
    return position


def _move(move: Any) -> str | int:
    """A move in notation, or the number of an action."""
    text = str(move).strip()
    return int(text) if text.isdecimal() else text


def _from_csv(text: str, start: Position) -> Iterator[tuple[str, Position, list[Any]]]:
    lines = csv.DictReader(text.splitlines())
    if not {"game", "move"} <= set(lines.fieldnames or ()):
        raise ValueError("a CSV of moves needs the columns game and move in its first line")
    games: dict[str, list[Any]] = {}
    for line in lines:
        games.setdefault(line["game"], []).append(line["move"])
    for name, moves in games.items():
        yield name, start, moves


def _from_json(text: str, start: Position) -> Iterator[tuple[str, Position, list[Any]]]:
    try:
        games = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"this is not JSON: {error}") from None
    if not isinstance(games, list):
        raise ValueError("a JSON of moves is a list of games")
    for number, game in enumerate(games, 1):
        head = game if isinstance(game, dict) else {"moves": game}
        if not isinstance(head.get("moves"), list):
            raise ValueError(f"game {number} needs a list of moves")
        yield str(number), _start(head, start), head["moves"]


def _start(head: dict[str, Any], start: Position) -> Position:
    if not {"game", "players", "options"} & head.keys():
        return start
    options = {**start.options, **head.get("options", {})}
    return new(head.get("game", start.preset.name), players=head.get("players", start.players), **options)
