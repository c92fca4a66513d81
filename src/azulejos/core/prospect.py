"""What a legal move would do, as data: pieces that would lie somewhere else, and points by slot.

Worked out from the scenes before and after the move; a game adds what only the end of the round or of
the game brings (`Preview.ahead`). One move costs about as much as drawing two scenes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from azulejos.core.contract import needed
from azulejos.core.position import Position, Scored, before_round_end, play_forced
from azulejos.core.scene import Lying, Piece, Prospect, Scene


def prospect(position: Position, action: int, scene: Scene, path: Sequence[str]) -> Prospect:
    """What an action would do; `scene` shows the position, `path` are the slots clicked for the action."""
    part = position.game.preview
    ahead = part.ahead(position, action) if part and part.ahead else Prospect()
    panels = _panels(scene, position.to_move, path)
    points, pieces = Counter(dict(ahead.points)), list(ahead.pieces)
    before, last = scene, position
    for last in _steps(position, action):
        after = _scene(last)
        pieces += [piece for piece in arrivals(before, after) if scene.plan.panel_of[piece.slot] in panels]
        before = after
    for slot, gained in _points(position, last, path[-1]):
        points[slot] += gained
    return Prospect(tuple(pieces), tuple((slot, n) for slot, n in points.items() if n))


def _steps(position: Position, action: int) -> Iterator[Position]:
    """The position after the action, and after the forced steps that follow it, without the round's end."""
    ahead = position.copy()
    ahead.play(action)
    first = ahead.copy()
    play_forced(ahead, position.to_move)
    if ahead.ply > first.ply:
        yield first
    yield before_round_end(ahead)


def _scene(position: Position) -> Scene:
    names = [""] * position.players
    return needed(position.game, position.game.view, "view.py").scene(position, names)


def _panels(scene: Scene, seat: int, path: Sequence[str]) -> set[str]:
    """Where pieces are shown: on the mover's board and where the last click was."""
    return {panel.id for panel in scene.plan.panels if panel.seat == seat} | {scene.plan.panel_of[path[-1]]}


def arrivals(before: Scene, after: Scene) -> Iterator[Piece]:
    """The pieces that came to a slot. Those that only moved within it are not among them."""
    for slot, pieces in after.lies.items():
        was = before.lies.get(slot, ())
        if pieces is not was:
            yield from _more(was, pieces)


def _more(was: Lying, now: Lying) -> Iterator[Piece]:
    """By kind, as many pieces as there are more; they lie on spots that were free, if there are such."""
    there = {(piece.kind, piece.spot): piece.count for piece in was}
    more = Counter({piece.kind: 0 for piece in now})
    for piece in now:
        more[piece.kind] += piece.count
    for piece in was:
        more[piece.kind] -= piece.count
    for piece in sorted(now, key=lambda one: (one.kind, one.spot) in there):
        count = min(more[piece.kind], piece.count)
        if count > 0:
            more[piece.kind] -= count
            yield replace(piece, count=count)


def _points(before: Position, after: Position, clicked: str) -> Iterator[tuple[str, int]]:
    """Points that the mover scores at once, by slot; those without a slot count for the last click."""
    seat = before.to_move
    gained = after.scores[seat] - before.scores[seat]
    if gained:
        for ply in range(before.ply, after.ply):
            for scored in after.explain(ply):
                if scored.seat == seat:
                    gained -= scored.points
                    yield _slot(before, after, scored) or clicked, scored.points
        yield clicked, gained  # by the last step, if the round ends with it: it is not in the history


def _slot(before: Position, after: Position, scored: Scored) -> str | None:
    view = needed(before.game, before.game.view, "view.py")
    lit = view.scored_slots(before.state, after.state, scored)
    return view.slot_of(scored.seat, scored.place) or next(iter(lit), None)
