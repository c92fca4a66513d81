"""The texts of the band and of the page title."""

from __future__ import annotations

from azulejos.core.message import Message, msg, nmsg
from azulejos.core.scene import Scene
from azulejos.web.frames import points
from azulejos.web.frames.viewer import Viewer
from azulejos.web.live.messages import Band
from azulejos.web.tables.saved import OPEN
from azulejos.web.tables.table_state import TableState, Thinking


def band(table: TableState, viewer: Viewer, scene: Scene, *, live: bool) -> Band:
    """What is going on, in words addressed to the viewer."""
    say = viewer.say
    headline, detail = _headline(table, viewer.seats, scene, live=live)
    return Band(
        headline=say(headline), detail="" if detail is None else say(detail),
        notice=say(scene.notice) if live and not table.over and scene.notice is not None else "",
    )


def _headline(
    table: TableState, seats: frozenset[int], scene: Scene, *, live: bool
) -> tuple[Message, Message | None]:
    position = table.position
    free = sum(seat.kind == OPEN for seat in table.seats)
    if free:
        return nmsg("Waiting for {n} more player.", "Waiting for {n} more players.", n=free), \
            msg("Send them the link to this page.")
    if not live:
        return msg("You are looking at an earlier position."), scene.status
    outcome = position.outcome()
    if outcome is not None:
        return points.result(outcome, table.names, seats), outcome.reason
    if table.turn_of(seats):
        if table.turn_complete():
            return msg("Your turn."), msg("Confirm or undo.")
        if len(seats) > 1:
            return msg("{name}, it is your turn.", name=table.names[position.to_move]), scene.prompt
        return msg("Your turn."), scene.prompt
    if table.thinking is not None:
        return _thinking(table.thinking, table.names[table.thinking.seat])
    return scene.status, None


def _thinking(thinking: Thinking, name: str) -> tuple[Message, Message | None]:
    if thinking.waiting:
        return msg("{name} is waiting to think.", name=name), msg("Many bots are thinking at the moment.")
    short = msg("Many bots are thinking at the moment, so each of them thinks less.")
    return msg("{name} is thinking.", name=name), short if thinking.shortened else None


def title(table: TableState, viewer: Viewer) -> str:
    game = table.position.preset.title
    return viewer.say(msg("● Your turn – {game}", game=game) if table.turn_of(viewer.seats) else game)
