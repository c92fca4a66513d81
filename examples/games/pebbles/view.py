"""Pebbles as a scene: the bowl with the bag beside it, and the pebbles that each player has taken.

    bowl.red    the red pebbles in the bowl; clicking them takes them
    bag.red     those in the bag            seat1.red   those of a player
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from azulejos.core.contract import View
from azulejos.core.layout import Cells
from azulejos.core.message import Message, msg, raw
from azulejos.core.position import Position
from azulejos.core.scene import WIDE, Choice, Label, Panel, Piece, Plan, Scene, Slot, by_slot

from .layout import State
from .moves import KINDS, LETTERS, NAMES, TAKE

WIDTH = 5.4


# --- what is the same in every game --------------------------------------------------------------------


def plan(position: Position, form: str = WIDE) -> Plan:
    """The same in every form: the table is small enough for a phone."""
    return _plan(position.preset.theme, position.players)


@functools.cache
def _plan(theme: str, players: int) -> Plan:
    titles = tuple(
        Label(text, 0.6, y, 0.4, "start", "quiet") for text, y in ((msg("bowl"), 0.3), (msg("bag"), 2.0))
    )
    slots = (*_row("bowl", 1.1), *_row("bag", 2.8))
    bowl = Panel("bowl", msg("Bowl"), WIDTH, 3.5, slots, (), titles)
    return Plan((bowl, *map(_board, range(players))), theme, dict(zip(KINDS, NAMES, strict=True)))


def _row(name: str, y: float) -> tuple[Slot, ...]:
    """Three slots, one for each colour."""
    return tuple(
        Slot(f"{name}.{kind}", 1.1 + 1.6 * colour, y, NAMES[colour], shape="circle", mark=kind,
             key=LETTERS[colour] if name == "bowl" else "")
        for colour, kind in enumerate(KINDS)
    )


def _board(seat: int) -> Panel:
    labels = (Label(raw(""), 0.4, 0.7, 0.6, "start", "strong", id=f"name{seat + 1}"), _score(seat, 0))
    return Panel(f"seat{seat + 1}", raw(""), WIDTH, 2.9, _row(f"seat{seat + 1}", 2.0), (), labels, seat)


def _score(seat: int, points: int) -> Label:
    return Label(raw(str(points)), WIDTH - 0.4, 0.7, 0.7, "end", "score", id=f"score{seat + 1}")


# --- what a position adds ------------------------------------------------------------------------------


def scene(position: Position, names: Sequence[str]) -> Scene:
    s: State = position.state
    seats = range(s.players)
    rows = {"bowl": s.bowl, "bag": s.bag, **{f"seat{seat + 1}": s.taken[seat] for seat in seats}}
    return Scene(
        plan=plan(position), lies=by_slot(*(piece for row in rows.items() for piece in _pieces(*row))),
        labels={f"score{seat + 1}": _score(seat, int(s.score[seat])) for seat in seats},
        names=tuple(map(raw, names)), to_move=s.to_move, choices=_choices(position),
        status=_status(position, names), prompt=msg("Take the pebbles of one colour."),
    )


def _pieces(row: str, counts: Cells) -> list[Piece]:
    """The pebbles of a colour as a stack with its count."""
    return [Piece(kind, f"{row}.{kind}", count=int(n)) for kind, n in zip(KINDS, counts, strict=True) if n]


def slot_of(seat: int, place: int) -> str:
    """The slot that earned points: the taken pebbles of a colour."""
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


VIEW: View[State] = View(plan=plan, scene=scene, slot_of=slot_of)
