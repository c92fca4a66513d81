"""Hand-made positions of Queen's Garden, described as a person would describe the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from azulejos.core.position import Position
from azulejos.games.queens_garden.components import CELLS, COPIES, EXPANSIONS, HEXAGONS, MAX_STACK, STACK
from azulejos.games.queens_garden.layout import ACTING, TAKEN
from azulejos.games.queens_garden.moves import cell_text, hexagon_text

HEXAGON = {hexagon_text(hexagon): hexagon for hexagon in range(HEXAGONS)}
CELL = {cell_text(cell): cell for cell in range(CELLS)}


@dataclass(kw_only=True)
class Player:
    """`storage` "b3 b3 y1", `expansions` "g1", `garden` {cell: hexagon}, `backs` "13": face-down expansions
    at places 1 and 3, `faces` {cell: hexagon printed there}."""

    storage: str = ""
    expansions: str = ""
    jokers: int = 3
    score: int = 15
    garden: Mapping[str, str] = field(default_factory=dict)
    backs: str = ""
    faces: Mapping[str, str] = field(default_factory=dict)
    passed: bool = False


def table(
    *players: Player, round: int = 1, side: str = "standard", seat: int = 0,  # noqa: A002 - the field's name
    marker: int | None = None, display: Sequence[str] = (), top: int | None = None, tower: str = "",
    bag: str | None = None,
) -> Position:
    """A position in which `seat` is to move.

    `display` lists the expansions from the first of the stack on: tiles "y2 y3", face up "!g1", "taken";
    the last one is the top of the stack unless `top` says otherwise. Without `display` nothing is left on
    offer. All other tiles are in the bag; if `bag` lists its tiles, the others are in the other players'
    gardens.
    """
    people = [*players, *(Player() for _ in range(2 - len(players)))]
    display = display or ["taken"] * STACK[len(people)]
    seats = [*people, *(Player() for _ in range(4 - len(people)))]
    state: dict[str, Any] = {
        "round": round, "stage": ACTING, "to_move": seat, "seat": seat,
        "marker": -1 if marker is None else marker,
        "score": [player.score for player in people] + [0] * (4 - len(people)),
        "jokers": [player.jokers for player in people] + [0] * (4 - len(people)),
        "passed": [int(player.passed) for player in seats],
        "stored": [_counts(player.storage.split()) for player in seats],
        "slots": [_numbers(player.expansions.split(), 2) for player in seats],
        "garden": [_garden(player) for player in seats],
        "places": [_places(player) for player in seats],
        "tiles": [_numbers(_tiles(source), 4) for source in _padded(display)],
        "face": [_face(source) for source in _padded(display)],
        "top": _top(display) if top is None else top,
        "tower": _counts(tower.split()),
    }
    _add_bag(state, bag)
    _add_expansions(state, len(people))
    return Position.from_json(
        {"game": "garden", "players": len(people), "options": {"side": side}, "state": state}
    )


def turns(position: Position, text: str = "") -> Iterator[str]:
    """Every complete turn that begins with `text`."""
    for move in position.legal_moves:
        line = move.text
        if not (f"{line} ".startswith(f"{text} ") or f"{text} ".startswith(f"{line} ") or not text):
            continue
        after = position.copy()
        after.play(line)
        rest = text[len(line) :].strip()
        if after.in_turn:
            yield from (f"{line} {more}" for more in turns(after, rest))
        elif not rest:
            yield line


def refusal(position: Position, text: str) -> str:
    """Why the last move of a text is refused; the moves before it are played."""
    *before, last = text.split()
    reason = position.after(before).why_not(last)
    assert reason is not None, f"{text} is legal"
    return str(reason)


def storage(position: Position, seat: int = 0) -> str:
    stored = position.state.stored[seat]
    return " ".join(name for name, hexagon in HEXAGON.items() for _ in range(stored[hexagon]))


def expansions(position: Position, seat: int = 0) -> str:
    return " ".join(hexagon_text(int(number) - 1) for number in position.state.slots[seat] if number)


def _numbers(names: Sequence[str], length: int) -> list[int]:
    return sorted(1 + HEXAGON[name] for name in names) + [0] * (length - len(names))


def _counts(names: Sequence[str]) -> list[int]:
    counts = Counter(names)
    return [counts[name] for name in HEXAGON]


def _garden(player: Player) -> list[int]:
    lying = {**player.garden, **player.faces}
    return [1 + HEXAGON[lying[name]] if name in lying else 0 for name in CELL]


def _places(player: Player) -> list[int]:
    places = [int(str(place) in player.backs) for place in range(1, 7)]
    for cell in player.faces:
        places[int(cell[0]) - 1] = 1 + int(cell[1])
    return places


def _top(display: Sequence[str]) -> int:
    return len(display) - bool(_tiles(display[-1]))


def _padded(display: Sequence[str]) -> list[str]:
    return [*display, *[""] * (MAX_STACK - len(display))]


def _tiles(source: str) -> list[str]:
    return [] if source == "taken" or source.startswith("!") else source.split()


def _face(source: str) -> int:
    if source == "taken":
        return TAKEN
    return 1 + HEXAGON[source[1:]] if source.startswith("!") else 0


def _add_bag(state: dict[str, Any], bag: str | None) -> None:
    """Put all tiles that are nowhere else into the bag."""
    elsewhere: Counter[int] = Counter()
    for stored in [state["tower"], *state["stored"]]:
        elsewhere.update(dict(enumerate(stored)))
    elsewhere.update(number - 1 for source in state["tiles"] for number in source if number)
    for garden, places in zip(state["garden"], state["places"], strict=True):
        printed = {6 + 7 * place + lying - 1 for place, lying in enumerate(places) if lying > 1}
        elsewhere.update(n - 1 for cell, n in enumerate(garden) if n and cell not in printed)
    rest = [COPIES - elsewhere[hexagon] for hexagon in range(HEXAGONS)]
    if bag is None:
        state["bag"] = rest
        return
    state["bag"] = _counts(bag.split())
    buried = [1 + h for h in range(HEXAGONS) for _ in range(rest[h] - state["bag"][h])]
    for seat in range(1, 4):
        if not any(state["garden"][seat]) and buried:
            state["places"][seat] = [1] * 6
            state["garden"][seat] = (buried[:CELLS] + [0] * CELLS)[:CELLS]
            del buried[:CELLS]
    assert not buried, "no room for the other tiles"


def _add_expansions(state: dict[str, Any], players: int) -> None:
    """The remaining expansions form the supply; those not visible were never turned up."""
    faces = {n - 1 for n in state["face"] if 0 < n < TAKEN}
    faces |= {n - 1 for slots in state["slots"] for n in slots if n}
    for garden, places in zip(state["garden"], state["places"], strict=True):
        faces |= {garden[6 + 7 * place + lying - 1] - 1 for place, lying in enumerate(places) if lying > 1}
    backs = sum(lying == 1 for places in state["places"] for lying in places)
    fresh = (4 - state["round"]) * STACK[players] + state["face"][: STACK[players]].count(0)
    state["supply"] = EXPANSIONS - fresh - backs - len(faces)
    state["unseen"] = [int(hexagon not in faces) for hexagon in range(HEXAGONS)]
