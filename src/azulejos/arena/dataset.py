"""Played games as a table for machine learning, one row per decision, and lists of moves (docs/data.md)."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from azulejos import bots
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg
from azulejos.core.position import Position, new
from azulejos.core.record import Record
from azulejos.core.writing import header
from azulejos.insight.puzzles.packs import pack
from azulejos.protocol.bot import Limit


@dataclass(frozen=True, slots=True)
class TableColumn:
    """One column; `shape` is the shape of one row's entry, in words if it depends on the game."""

    name: str
    dtype: str
    shape: str
    doc: Message


COLUMNS: Final = (
    TableColumn("game", "int32", "", msg("number of the game, from 0")),
    TableColumn("ply", "int32", "", msg("actions played before, chance included")),
    TableColumn("round", "int16", "", msg("round of the game, from 1")),
    TableColumn("seat", "int8", "", msg("seat to move, from 0")),
    TableColumn("action", "int32", "", msg("the action played")),
    TableColumn("legal", "int16", "", msg("how many actions were legal")),
    TableColumn("scores", "int16", "seats", msg("points of each seat before the action")),
    TableColumn("final_scores", "int16", "seats", msg("points of each seat at the end")),
    TableColumn("share", "float32", "", msg("the mover's share of the win: 1, 0, or a part of a tie")),
    TableColumn("state", "uint8", "bytes", msg("the position; the game's layout.py names its fields")),
    TableColumn("mask", "uint8", "actions / 8", msg("legal actions as bits (np.packbits)")),
    TableColumn("observation", "float32", "features", msg("what the seat to move saw (docs/learning.md)")),
)


@dataclass(frozen=True)
class SelfPlay:
    """Games of bots; `words` are the bots by seat, and they move on by one seat after each game.

    A game depends on the seed and its number alone, so that processes may share the games.
    """

    start: Position
    words: Sequence[str]
    limit: Limit
    seed: int

    def play(self, number: int) -> Position:
        """One game, played to its end."""
        rng = random.Random(f"{self.seed}/{number}")
        position = self.start.copy()
        position.deal(rng)
        with ExitStack() as opened:
            players = [opened.enter_context(bots.open(word, commands=True)) for word in self.words]
            while not position.is_over:
                bot = players[(position.to_move + number) % len(players)]
                position.play(bot.play(position, self.limit, rng=rng).move)
                position.deal(rng)
        return position

    def rows(self, number: int) -> tuple[int, Rows]:
        """The number of a game and its rows."""
        return number, rows([self.play(number)], first=number)


Rows = dict[str, Cells]


def joined(games: Iterable[tuple[int, Rows]]) -> Rows:
    """The rows of several games in the order of their numbers."""
    parts = [part for _, part in sorted(games, key=lambda game: game[0])]
    return {column.name: np.concatenate([part[column.name] for part in parts]) for column in COLUMNS}


def rows(games: Iterable[Position], *, first: int = 0) -> Rows:
    """The columns for finished games of one kind, numbered from `first`; a ValueError names any other."""
    found: dict[str, list[Any]] = {column.name: [] for column in COLUMNS}
    kind = None
    for number, position in enumerate(games, first):
        kind = kind or header(position)
        if header(position) != kind:
            raise ValueError(f"game {number} has another box, other options or seats than the first")
        for row in _decisions(position, number):
            for name, value in row.items():
                found[name].append(value)
    return {column.name: np.array(found[column.name], column.dtype) for column in COLUMNS}


def _decisions(end: Position, number: int) -> Iterator[dict[str, Any]]:
    outcome = end.outcome()
    if outcome is None:
        raise ValueError(f"game {number} is not over")
    for ply, action in enumerate(end.history.actions):
        position = end.at(ply)
        if not position.is_chance:
            legal = position.legal_actions()
            yield {
                "game": number, "ply": ply, "round": position.state.round, "seat": position.to_move,
                "action": action, "legal": len(legal), "scores": position.scores,
                "final_scores": outcome.scores, "share": outcome.shares()[position.to_move],
                "state": position.row, "mask": _bits(legal, position.game.decisions),
                "observation": position.observation(position.to_move),
            }


def _bits(legal: list[int], decisions: int) -> Cells:
    mask = np.zeros(decisions, np.bool_)
    mask[legal] = True
    return np.packbits(mask)


# --- puzzles -----------------------------------------------------------------------------------------


PUZZLE_COLUMNS: Final = {
    "id": "name of the puzzle", "box": "of the game", "goal": "win, points or safe (docs/puzzles.md)",
    "position": "as text, for Position.from_text",
    "turn": "moves of the answer; of goal safe, the turn asked about",
    "best": "after the best turn: points ahead at the end of the round, won+3 if the game is over",
    "other": "after the best other answer; of goal safe, after the turn asked about",
    "difficulty": "skill of a bot that finds the answer in half of its tries", "themes": "what decides",
}


def puzzle_rows(boxes: Sequence[str]) -> tuple[Rows, dict[str, Any]]:
    """The puzzles of some boxes, proved answers included, and the metadata of a file of them."""
    found = [puzzle for box in boxes for puzzle in pack(box)]
    text = {
        "id": [each.id for each in found], "box": [each.box for each in found],
        "goal": [str(each.goal) for each in found], "position": [each.position for each in found],
        "turn": [" ".join(each.turn) for each in found], "best": [str(each.best) for each in found],
        "other": [str(each.other) for each in found],
        "themes": [" ".join(each.themes) for each in found],
    }
    columns = {name: np.array(values, np.str_) for name, values in text.items()}
    columns["difficulty"] = np.array([each.difficulty for each in found], np.float32)
    facts = {"boxes": list(boxes), "rows": "puzzle", "columns": dict(PUZZLE_COLUMNS)}
    return {name: columns[name] for name in PUZZLE_COLUMNS}, facts


# --- files -------------------------------------------------------------------------------------------


ROUND_COLUMNS: Final = {
    "game": "number of the game, from 0", "round": "round of the game, from 1", "seat": "from 0",
    "decisions": "of this seat in this round", "points": "that this round brought the seat",
    "score": "of the seat when the round had ended", "margin": "score ahead of the best other seat",
}
GAME_COLUMNS: Final = {
    "game": "number of the game, from 0", "seat": "from 0", "rounds": "of the game",
    "decisions": "of this seat", "score": "at the end", "margin": "score ahead of the best other seat",
    "share": "of the win: 1, 0, or a part of a tie",
}
PER: Final[Mapping[str, Mapping[str, str]]] = {
    "move": {column.name: str(column.doc) for column in COLUMNS}, "round": ROUND_COLUMNS,
    "game": GAME_COLUMNS,
}
"""What a row may be, with the meaning of its columns."""


def summed(table: Rows, per: str) -> Rows:
    """Decisions as they are, or a row for each seat of each round or game, with plain numbers alone."""
    if per == "move":
        return table
    ends = _ends(table, *(("game", "round") if per == "round" else ("game",)))
    found: list[dict[str, float]] = []
    first, before = 0, np.zeros(table["scores"].shape[1:], np.int64)
    for end in ends:
        over = end + 1 == len(table["game"]) or table["game"][end + 1] != table["game"][end]
        after = (table["final_scores"][end] if over else table["scores"][end + 1]).astype(np.int64)
        final = table["final_scores"][end]
        movers = table["seat"][first : end + 1]
        for seat, score in enumerate(after):
            found.append({
                "game": table["game"][end], "round": table["round"][end], "rounds": table["round"][end],
                "seat": seat, "decisions": (movers == seat).sum(), "points": score - before[seat],
                "score": score, "margin": score - np.delete(after, seat).max(),
                "share": _share(table, first, end, seat, final),
            })
        first, before = end + 1, 0 * after if over else after
    return {
        name: np.array([row[name] for row in found], np.float32 if name == "share" else np.int32)
        for name in PER[per]
    }


def _ends(table: Rows, *names: str) -> Cells:
    """The last rows with the same values."""
    changes = np.zeros(max(0, len(table["game"]) - 1), np.bool_)
    for name in names:
        changes |= table[name][1:] != table[name][:-1]
    last: Cells = np.flatnonzero(np.append(changes, True)) if len(table["game"]) else np.empty(0, np.int64)
    return last


def _share(table: Rows, first: int, end: int, seat: int, final: Cells) -> float:
    """What the seat's own decisions say; ties are broken by more than points."""
    own = np.flatnonzero(table["seat"][first : end + 1] == seat)
    return float(table["share"][first + own[0]]) if len(own) else float(final[seat] == final.max())


def about(start: Position, *, per: str = "move", **more: Any) -> dict[str, Any]:
    """Metadata of a file: the game, the version of the rules, the meaning of the columns."""
    planes = start.game.planes(start.players, start.options) if per == "move" else []
    return {
        **header(start), "rules": start.game.version, "actions": start.game.decisions, **more,
        "rows": per, "columns": dict(PER[per]),
        "planes": [{"name": plane.name, "shape": list(plane.shape), "doc": plane.doc} for plane in planes],
    }


def check(path: Path) -> None:
    """Raises ValueError if the file cannot be written: unknown ending or missing package."""
    if path.suffix not in WRITERS:
        raise ValueError(f"{path.name} should end in {' or '.join(WRITERS)}")
    if WRITERS[path.suffix] is _write_parquet:
        _arrow()


def write(path: Path, table: dict[str, Cells], facts: dict[str, Any]) -> None:
    """Write NPZ or Parquet, depending on the ending of the name."""
    check(path)
    WRITERS[path.suffix](path, table, facts)


def _write_npz(path: Path, table: dict[str, Cells], facts: dict[str, Any]) -> None:
    np.savez_compressed(path, allow_pickle=False, about=np.array(json.dumps(facts)), **table)


def _write_parquet(path: Path, table: dict[str, Cells], facts: dict[str, Any]) -> None:
    arrow, parquet = _arrow()
    columns = {
        name: arrow.array(values) if values.ndim == 1
        else arrow.FixedSizeListArray.from_arrays(arrow.array(values.ravel()), values.shape[1])
        for name, values in table.items()
    }
    written = arrow.table(columns).replace_schema_metadata({"azulejos": json.dumps(facts)})
    parquet.write_table(written, path)


def read_parquet(path: Path, columns: Sequence[str]) -> dict[str, Cells]:
    """Columns of a Parquet file as arrays."""
    _, parquet = _arrow()
    found = parquet.read_table(path, columns=list(columns))
    return {name: np.array(found[name].to_pylist()) for name in columns}


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ValueError("a Parquet file needs the extra azulejos[data]; write an .npz instead") from None
    return pyarrow, parquet


WRITERS: Final = {".npz": _write_npz, ".parquet": _write_parquet}


# --- lists of moves -----------------------------------------------------------------------------------
#     game,move          [["@1", "+b", "+r", …, "2r4"],
#     1,@1                {"players": 3, "options": {"wall": "grey"}, "moves": ["@2", …]}]
#     1,+b


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
