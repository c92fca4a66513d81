"""The puzzles that are shipped: one file for each box, beside the rules of its game."""

from __future__ import annotations

import datetime
import functools
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from azulejos.core import registry, stored_files
from azulejos.core.message import Problem, msg
from azulejos.insight.puzzles.puzzle import Puzzle, read_line, write_line

FOLDER: Final = "puzzles"
HEADING: Final = "# azulejos puzzles 1"
"""The first line of a file: what it is, and the version of its format."""
EPOCH: Final = datetime.date(2026, 1, 1)
"""The day of the first puzzle of the permutation."""


def packs() -> dict[str, Path]:
    """The boxes that have puzzles, with their files."""
    found = {
        name: game.folder / FOLDER / f"{name}.txt" for name, (game, _) in registry.presets().items()
    }
    return {name: path for name, path in found.items() if path.exists()}


@functools.cache
def pack(box: str) -> tuple[Puzzle, ...]:
    """The puzzles of a box; none if nobody has mined any. A ValueError says what is wrong with a file.

    Positions are not read: thousands take seconds, and the tests have read them."""
    registry.find(box)
    path = packs().get(box)
    return () if path is None else read_pack(path, box, check=False)


def read_pack(path: Path, box: str, *, check: bool = True) -> tuple[Puzzle, ...]:
    heading, *lines = stored_files.read(path).decode().splitlines() or [""]
    if heading != HEADING:
        raise ValueError(f"{path.name} does not begin with {HEADING!r}")
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(lines, 2):
        try:
            puzzle = read_line(line, box, check=check)
            if puzzle.id in found:
                raise ValueError(f"the puzzle {puzzle.id} is there twice")
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from error
        found[puzzle.id] = puzzle
    return tuple(found.values())


def write_pack(path: Path, puzzles: Iterable[Puzzle]) -> None:
    """Replace a file at once: an interrupted program leaves the old one."""
    lines = [HEADING, *(write_line(puzzle) for puzzle in puzzles)]
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    fresh.replace(path)


def find(box: str, id_: str) -> Puzzle:
    """A puzzle by its name; a Problem if there is none."""
    found = _by_id(box).get(id_)
    if found is None:
        raise Problem(msg("{box} has no puzzle {id}", box=box, id=id_))
    return found


@functools.cache
def _by_id(box: str) -> dict[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in pack(box)}


def daily(box: str, date: datetime.date) -> Puzzle:
    """The puzzle of a day: the pack in a fixed order at random, one a day, again and again."""
    order = _order(box)
    if not order:
        raise Problem(msg("there are no puzzles for {box}", box=box))
    return pack(box)[order[(date - EPOCH).days % len(order)]]


@functools.cache
def _order(box: str) -> tuple[int, ...]:
    numbers = list(range(len(pack(box))))
    random.Random(f"daily/{box}").shuffle(numbers)
    return tuple(numbers)
