"""Marking pieces in any order (`core.scene.Selection`): what a page shows of it, and what a set means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from azulejos.core.message import msg
from azulejos.core.position import Position
from azulejos.core.scene import Piece, Scene
from azulejos.i18n.catalogue import Say
from azulejos.web.tables.refused import Refused


def offered(scene: Scene, position: Position, say: Say) -> dict[str, Any] | None:
    """What may be marked, and what the table proposes; None while moves are chosen one by one."""
    if scene.selection is None:
        return None
    units = [_unit(scene, slot, say) for slot in scene.selection.slots]
    return {"units": units, **judged(scene, position, scene.selection.marked, say)}


def judged(scene: Scene, position: Position, marked: Sequence[str], say: Say) -> dict[str, Any]:
    """The game's word on some marked pieces; `move` is the text of the moves that they make, if any."""
    view = position.game.view
    if scene.selection is None or not Counter(marked) <= Counter(scene.selection.slots):
        raise Refused(msg("You cannot choose these pieces now."))
    if view is None or view.judge is None:
        raise TypeError(f"the view of {position.game.name} has a selection but no judge")
    verdict = view.judge(position, marked)
    return {
        "marked": list(marked),
        "said": say(verdict.text),
        "problem": say(verdict.problem) if verdict.problem is not None else "",
        "move": " ".join(position.game.moves.text(action) for action in verdict.actions),
    }


def _unit(scene: Scene, slot: str, say: Say) -> dict[str, str]:
    piece = _piece(scene, slot)
    return {"slot": slot, "kind": piece.kind, "name": say(piece.name), "key": scene.slots()[slot].key}


def _piece(scene: Scene, slot: str) -> Piece:
    return next(piece for panel in scene.panels for piece in panel.pieces if piece.slot == slot)
