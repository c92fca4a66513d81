"""Hand-made positions of Azul, described as a person would describe the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import azulejos
from azulejos import Position
from azulejos.games.azul.layout import CAUGHT, MARKER, OFFER, OPEN_DISC
from azulejos.games.azul.moves import EFFECT_LETTERS, LETTERS

COLOURED_WALL = ("byrkw", "wbyrk", "kwbyr", "rkwby", "yrkwb")


def table(
    *,
    factories: Sequence[str] = (),
    centre: str = "",
    lines: Mapping[int, Mapping[int, str]] | None = None,
    walls: Mapping[int, Sequence[str]] | None = None,
    floors: Mapping[int, str] | None = None,
    discs: Mapping[int, str] | None = None,
    effects: Mapping[int, str] | None = None,
    bag: str | None = None,
    players: int = 2,
    preset: str = "azul",
    options: Mapping[str, str] | None = None,
    **fields: Any,
) -> Position:
    """A position in the offer, seat 1 to move. Tiles are letters b y r k w, the marker is m.

    Seats, lines and places count from 1, as at the table. ``walls={1: ["b...."]}`` gives rows from the
    top, dots are free. All tiles that are not mentioned are in the lid if `bag` is given, else in the bag.
    """
    data = azulejos.new(preset, players=players, **{"start": "1", **(options or {})}).to_json()
    state = data["state"]
    state.update(to_move=0, stage=OFFER, round=1, laid=0)
    used: Counter[str] = Counter(centre + "".join(factories))
    for place, tiles in enumerate(factories):
        state["factories"][place] = counts(tiles)
    state["centre"] = counts(centre)
    for seat, row_tiles in (lines or {}).items():
        for line, tiles in row_tiles.items():
            state["line_colour"][seat - 1][line - 1] = LETTERS.index(tiles[0])
            state["line_tiles"][seat - 1][line - 1] = len(tiles)
            used.update(tiles)
    for seat, rows in (walls or {}).items():
        for row, tiles in enumerate(rows):
            state["wall"][seat - 1][row] = [piece(tile) for tile in tiles]
            used.update(tiles)
    for seat, pieces in (floors or {}).items():
        state["floor"][seat - 1][: len(pieces)] = [piece(letter) for letter in pieces]
        used.update(pieces)
    for seat, caught in (discs or {}).items():
        state["disc"][seat - 1] = CAUGHT + piece(caught) if caught else OPEN_DISC
        used.update(caught)
    for place, letter in (effects or {}).items():
        state["effects"][place - 1] = EFFECT_LETTERS.index(letter) + 1
    rest = {letter: 20 - used[letter] for letter in LETTERS}
    drawn = Counter(bag) if bag is not None else Counter(rest)
    state["bag"] = [drawn[letter] for letter in LETTERS]
    state["lid"] = [rest[letter] - drawn[letter] for letter in LETTERS]
    state.update(fields)
    return Position.from_json(data)


def counts(tiles: str) -> list[int]:
    return [tiles.count(letter) for letter in LETTERS]


def piece(letter: str) -> int:
    return 0 if letter == "." else MARKER if letter == "m" else 1 + LETTERS.index(letter)


def tiles(numbers: Any) -> str:
    """Counts per colour, back in letters."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, numbers, strict=True))
