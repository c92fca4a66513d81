"""A table of Pebbles as a scene: the bowl with the bag beside it, and what each player has taken.

    bowl.red    the red pebbles in the bowl; clicking them takes them
    bag.red     those in the bag            seat1.red   those of a player
"""

from __future__ import annotations

from collections.abc import Sequence

from azulejos.core.contract import View
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.scene import Choice, Label, Panel, Piece, Scene, Slot
from azulejos.games.pebbles.layout import State
from azulejos.games.pebbles.moves import KINDS, LETTERS, NAMES, TAKE

WIDTH = 5.4


def scene(position: Position, names: Sequence[str]) -> Scene:
    s = position.state
    labels = tuple(
        Label(text, 0.6, y, 0.4, "start", "quiet") for text, y in ((msg("bowl"), 0.3), (msg("bag"), 2.0))
    )
    bowl = _panel("bowl", msg("Bowl"), (("bowl", s.bowl, 1.1), ("bag", s.bag, 2.8)), 3.5, labels)
    seats = (_seat(s, seat, name) for seat, name in enumerate(names))
    return Scene(
        panels=(bowl, *seats), choices=_choices(position), theme=position.preset.theme,
        status=_status(position, names), prompt=msg("Take the pebbles of one colour."),
    )


def slot_of(seat: int, place: int) -> str:
    """Where points were earned: with the pebbles of a colour."""
    return f"seat{seat + 1}.{KINDS[place]}"


def _choices(position: Position) -> tuple[Choice, ...]:
    if position.is_chance:
        return ()
    return tuple(Choice(action, (f"bowl.{KINDS[action - TAKE]}",)) for action in position.legal_actions())


def _status(position: Position, names: Sequence[str]) -> Message:
    if position.is_over:
        return msg("The game is over.")
    if position.is_chance:
        return msg("Pebbles are drawn.")
    return msg("To move: {name}", name=raw(names[position.to_move]))


def _seat(s: State, seat: int, name: str) -> Panel:
    id_ = f"seat{seat + 1}"
    labels = (
        Label(raw(name), 0.4, 0.7, 0.6, "start", "strong"),
        Label(raw(str(s.score[seat])), WIDTH - 0.4, 0.7, 0.7, "end", "score"),
    )
    return _panel(id_, raw(name), ((id_, s.taken[seat], 2.0),), 2.9, labels, seat, s.to_move == seat)


def _panel(
    id_: str, title: Message, rows: Sequence[tuple[str, Cells, float]], height: float,
    labels: tuple[Label, ...] = (), seat: int | None = None, active: bool = False,
) -> Panel:
    """Rows of three places, one for each colour; pebbles of a colour are a stack with its number."""
    slots, pieces = [], []
    for row, counts, y in rows:
        for colour, kind in enumerate(KINDS):
            slot, x = f"{row}.{kind}", 1.1 + 1.6 * colour
            key = LETTERS[colour] if row == "bowl" else ""
            slots.append(Slot(slot, x, y, NAMES[colour], shape="circle", mark=kind, key=key))
            if counts[colour]:
                pieces.append(Piece(kind, slot, NAMES[colour], count=int(counts[colour])))
    return Panel(id_, title, WIDTH, height, tuple(slots), tuple(pieces), labels, seat, active)


VIEW = View(scene=scene, slot_of=slot_of)
