"""Hand-made positions: describe the table, and all other panes go into the bag."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from azulejos import Position
from azulejos.games.stained_glass.components import LETTERS, PANES_PER_COLOUR, ROUNDS
from azulejos.games.stained_glass.layout import OFFER
from azulejos.parts.offer import COLOURS, FACTORIES, MAX_FACTORIES

ALL_FRONT = ("1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f")


@dataclass(frozen=True, kw_only=True)
class Board:
    """A seat's board. `strips[window]` "8b jy" is strip 8, back up, with panes on j and y; "" is none."""

    strips: tuple[str, ...] = ALL_FRONT
    windows: tuple[str, ...] = ("",) * 8
    glazier: int = 1
    """The window below the glazier, from 1."""
    score: int = 0
    broken: int = 0
    lost: int = 0

    def with_strip(self, window: int, strip: str) -> Board:
        strips = (*self.strips[: window - 1], strip, *self.strips[window:])
        fields = {**self.__dict__, "strips": strips}
        return Board(**fields)


def position(
    *boards: Board,
    side: str = "a",
    to_move: int = 0,
    round_: int = 3,
    bonus: str = "y",
    centre: str = "",
    factories: tuple[str, ...] = (),
    start_tile: int = -1,
    starter: int = 0,
    tower: str = "",
    players: int = 2,
    rest_to_tower: bool = False,
) -> Position:
    """A position in which a seat is to take panes; seats are numbered from 0 as in the state."""
    boards += (Board(),) * (players - len(boards))
    offer = [*factories, *[""] * (MAX_FACTORIES - len(factories))]
    track = [""] * (round_ - 1) + [bonus] + list("bpowy"[: ROUNDS - round_])
    used = Counter(centre + tower + "".join(offer) + "".join(track))
    for board in boards:
        used.update("".join(board.windows) + "".join(strip[2:].strip() for strip in board.strips))
    rest = [PANES_PER_COLOUR - used[letter] for letter in LETTERS]
    state: dict[str, Any] = {
        "to_move": to_move, "stage": OFFER, "round": round_, "starter": starter, "start_tile": start_tile,
        "laid": FACTORIES[players] * 4,
        "bag": [0] * COLOURS if rest_to_tower else rest,
        "tower": rest if rest_to_tower else counts(tower),
        "centre": counts(centre),
        "factories": [counts(panes) for panes in offer],
        "track": [1 + LETTERS.index(letter) if letter else 0 for letter in track],
    }
    empty = Board(strips=("",) * 8)
    seats = [*boards, *[empty] * (4 - len(boards))]
    state |= {
        "strip": [[int(strip[0]) if strip else 0 for strip in b.strips] for b in seats],
        "face": [[int(strip[1:2] == "b") for strip in b.strips] for b in seats],
        "panes": [[counts(strip[2:]) for strip in b.strips] for b in seats],
        "windows": [[[pane(w, 0), pane(w, 1)] for w in b.windows] for b in seats],
        "glazier": [b.glazier - 1 for b in seats],
        "score": [b.score for b in seats],
        "broken": [b.broken for b in seats],
        "lost": [b.lost for b in seats],
    }
    data = {"game": f"sintra-{side}", "players": players, "state": state}
    return Position.from_json(data)


def counts(panes: str) -> list[int]:
    return [panes.count(letter) for letter in LETTERS]


def pane(window: str, space: int) -> int:
    return 1 + LETTERS.index(window[space]) if len(window) > space else 0


def texts(position: Position) -> list[str]:
    return [move.text for move in position.legal_moves]


def scored(position: Position, seat: int | None = None) -> list[tuple[int, str]]:
    """The points of the last action, for one seat or for all."""
    last = position.explain(-1)
    return [(entry.points, str(entry.reason)) for entry in last if seat is None or entry.seat == seat]


def panes_on(position: Position, seat: int, window: int) -> str:
    numbers = position.state.panes[seat, window - 1].tolist()
    return "".join(letter * n for letter, n in zip(LETTERS, numbers, strict=True))


def window_of(position: Position, seat: int, window: int) -> str:
    return "".join(LETTERS[p - 1] for p in position.state.windows[seat, window - 1].tolist() if p)
