"""A table as one viewer sees it: drawn fragments for the page, and what a click may mean."""

from __future__ import annotations

import bisect
import functools
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from azulejos.core.message import Message, msg, nmsg, raw
from azulejos.core.notation import InvalidMove
from azulejos.core.position import Position
from azulejos.core.scene import Flight, Panel, Piece, Scene, Slot
from azulejos.i18n import translator
from azulejos.i18n.catalogue import Say
from azulejos.render import panel_svg
from azulejos.web import marking, points
from azulejos.web.drawing import Drawing, Terms, container, counted, move_html
from azulejos.web.pages.templates import fragment
from azulejos.web.tables.bots import offered
from azulejos.web.tables.saved import OPEN, now
from azulejos.web.tables.table_state import TableState

LOG_LINES = 40


@dataclass(frozen=True, kw_only=True)
class Viewer:
    """Who looks: the seats they hold, their language."""

    seats: frozenset[int]
    language: str

    @property
    def say(self) -> Say:
        return translator(self.language)


def frame(
    room: TableState, drawing: Drawing, viewer: Viewer, *, ply: int | None = None, passing: bool = False,
    since: Position | None = None, logged: int | None = None,
) -> dict[str, Any]:
    """Everything the page needs for one moment: now, or after `ply` actions.

    A `passing` moment is shown on the way to the present. `since` is the moment shown before, for flights.
    Of the log only what follows its first `logged` lines, if they are known already.
    """
    live = ply is None or ply >= room.ply
    position = room.seen_by(viewer.seats) if live else room.at(ply or 0)
    scene = drawing.scene(position)
    mine = live and room.turn_of(viewer.seats)
    complete = mine and room.turn_complete()
    moved = drawing.flights(since, position) if since is not None else []
    lines = room.timeline.decisions_before(position.ply) if passing else len(room.timeline.decisions)
    return {
        "type": "frame",
        "ply": room.ply + len(room.draft) if mine else position.ply,
        "live": live or passing,
        "mine": mine,
        "over": room.over and not passing,
        "confirm": complete,
        "undo": mine and bool(room.draft),
        "fragments": {
            **{f"panel-{p.id}": drawing.panel(p, scene.theme, viewer.language) for p in scene.panels},
            **_fragments(room, drawing, viewer, position, scene, live=live, passing=passing),
            **({"log": _log(room, drawing, viewer, lines)} if logged is None else {}),
        },
        "lines": [] if logged is None else _lines(room, drawing, viewer, range(logged, lines)),
        "logged": lines,
        "choices": _choices(scene, position) if mine and not complete else [],
        "effects": _effects(scene, position, (), viewer.say) if mine and not complete else {},
        "selection": marking.offered(scene, position, viewer.say) if mine and not complete else None,
        "slots": _slots(scene, viewer.say) if mine else {},
        "pale": [slot for slot, _ in scene.pale] if mine and not complete else [],
        "flights": [_flight(flight) for flight in moved],
        "scored": points.rising(since, position, viewer.say, explain=drawing.explain),
        "sums": points.sums(since, position),
        "told": [viewer.say(one) for one in points.told(since, position, room.names)],
        "thinking": _thinking(room) if live else None,
        "clocks": _clocks(room),
        "to_move": room.position.to_move,
        "title": _title(room, viewer, mine=mine),
        "walk": _walk(room, position.ply),
    }


def boards(panels: tuple[Panel, ...], viewer: Viewer, players: int) -> list[Panel]:
    """Own board first (at a shared screen that of whoever is to move), the others in turn order."""
    moving = [panel.seat for panel in panels if panel.active and panel.seat in viewer.seats]
    first = moving[0] if moving else min(viewer.seats, default=0)
    return sorted(
        (panel for panel in panels if panel.seat is not None),
        key=lambda panel: ((panel.seat or 0) - (first or 0)) % players,
    )


# --- fragments ---------------------------------------------------------------------------------------


def _fragments(
    room: TableState, drawing: Drawing, viewer: Viewer, position: Position, scene: Scene, *,
    live: bool, passing: bool,
) -> dict[str, str]:
    say, language, names = viewer.say, viewer.language, room.names
    headline, detail = (scene.status, None) if passing else _headline(room, viewer, scene, live=live)
    decided = room.timeline.decisions_before(position.ply if passing else room.ply)
    last = drawing.line(room.timeline.decisions[decided - 1]) if decided and (live or passing) else None
    move = None if last is None else move_html(last, scene.theme, say)
    tally = drawing.tally(min(position.ply, room.ply))
    sitting = (room.seats, room.over, room.table.rematch)
    return {
        "icons": _icons(tuple(sorted(drawing.kinds)), scene.theme),
        "band": fragment(
            "_band.html", say, headline=headline, detail=detail, last=last, room=room, names=names,
            move=move, notice=scene.notice if live and not room.over else None,
        ),
        "tally": drawing.kept(
            ("tally", language), (len(tally), names), lambda: _tally(drawing, viewer, tally, names)
        ),
        "breakdown": _breakdown(room, drawing, viewer) if room.over and live and not passing else "",
        "seats": drawing.kept(
            ("seats", language, viewer.seats, position.to_move), sitting,
            lambda: fragment("_seats.html", say, room=room, viewer=viewer, position=position, OPEN=OPEN,
                             strengths={bot.word: bot.strength for bot in offered(position.game)}),
        ),
    }


def _tally(drawing: Drawing, viewer: Viewer, tally: list[tuple[Terms, ...]], names: list[str]) -> str:
    """Part by part: those of earlier rounds stay as they are."""
    if not tally:
        return fragment("_tally.html", viewer.say, tally=[], names=names)
    return "".join(
        drawing.kept(
            ("tally", viewer.language, len(tally) - i), names,
            functools.partial(fragment, "_tally.html", viewer.say, tally=[part], names=names),
        )
        for i, part in enumerate(tally)
    )


def _log(room: TableState, drawing: Drawing, viewer: Viewer, count: int) -> str:
    """The end of the log, newest first."""
    shown = range(max(0, count - LOG_LINES), count)
    lines = [Markup(line) for line in _lines(room, drawing, viewer, shown)]
    return fragment("_log.html", viewer.say, lines=lines[::-1], more=shown.start)


def _lines(room: TableState, drawing: Drawing, viewer: Viewer, which: range) -> list[str]:
    """The turns that these decisions belong to. A page puts one that goes on in place of its beginning."""
    theme = room.position.preset.theme
    turns = {(line := drawing.line(room.timeline.decisions[i])).first: line.ply for i in which}
    return [drawing.line_html(ply, viewer.language, theme) for ply in turns.values()]


@functools.lru_cache(maxsize=256)
def _icons(kinds: tuple[str, ...], theme: str) -> str:
    """A small drawing of every kind of piece seen at the table, for the log, the sheet and flights."""
    return fragment("_icons.html", str, icons=[(kind, icon(kind, theme)) for kind in kinds], theme=theme)


def icon(kind: str, theme: str) -> str:
    slot = Slot("i", 0.5, 0.5, raw(""), shape="area")
    svg = panel_svg(
        Panel("icon", raw(""), 1, 1, (slot,), (Piece(kind, "i", raw("")),)), theme=theme, say=str
    )
    body = svg[svg.index('<g class="piece') : svg.rindex("</svg>")]
    return body.replace("<title></title>", "")


def _headline(
    room: TableState, viewer: Viewer, scene: Scene, *, live: bool
) -> tuple[Message, Message | None]:
    position = room.position
    free = sum(seat.kind == OPEN for seat in room.seats)
    if free:
        return nmsg("Waiting for {n} more player.", "Waiting for {n} more players.", n=free), \
            msg("Send them the link to this page.")
    if not live:
        return msg("You are looking at an earlier position."), scene.status
    outcome = position.outcome()
    if outcome is not None:
        return points.result(outcome, room.names, viewer.seats), outcome.reason
    if room.turn_of(viewer.seats):
        if room.turn_complete():
            return msg("Your turn is complete: confirm or undo it."), None
        if len(viewer.seats) > 1:
            return msg("{name}, it is your turn.", name=room.names[position.to_move]), scene.prompt
        return msg("Your turn."), scene.prompt
    if room.thinking is not None:
        return msg("{name} is thinking.", name=room.names[room.thinking.seat]), None
    return scene.status, None


def _breakdown(room: TableState, drawing: Drawing, viewer: Viewer) -> str:
    scored = [term for ply in range(room.ply) for term in drawing.scored(ply)]
    found = points.breakdown(room.at(0).scores, scored)
    return fragment("_breakdown.html", viewer.say, found=found, names=room.names)


# --- data for the dialogue ---------------------------------------------------------------------------


def _choices(scene: Scene, position: Position) -> list[dict[str, Any]]:
    moves = position.game.moves
    return [{"text": moves.text(choice.action), "path": choice.path} for choice in scene.choices]


def previews(
    room: TableState, drawing: Drawing, viewer: Viewer, path: list[str], ply: int
) -> dict[str, Any]:
    """What the moves would do that go on from a path, and which places are blocked to them."""
    position = room.seen_by(viewer.seats)
    if position.ply != ply or not room.turn_of(viewer.seats):  # the table has moved on
        return {"effects": {}, "blocked": []}
    scene, say = drawing.scene(position), viewer.say
    return {
        "effects": _effects(scene, position, tuple(path), say),
        "blocked": _blocked(scene, position, path, say) if path else [],
    }


def meant(scene: Scene, position: Position, path: list[str]) -> int | None:
    """What clicks would mean if it were legal: the keys along the path are the text of a move."""
    pale, slots = dict(scene.pale), scene.slots()
    if len(path) == 1 and path[0] in pale:
        return pale[path[0]]
    try:
        return position.game.moves.parse("".join(slots[slot].key for slot in path if slot in slots))
    except InvalidMove:
        return None


def _blocked(scene: Scene, position: Position, path: list[str], say: Say) -> list[dict[str, str]]:
    """Places in reach of the player to which a path could go on, but for a rule: each with the reason."""
    reach = [panel for panel in scene.panels if panel.seat in (None, position.to_move)]
    found = []
    for slot in (slot for panel in reach for slot in panel.slots if slot.key):
        action = meant(scene, position, [*path, slot.id])
        reason = None if action is None else position.why_not(action)
        if reason is not None:
            found.append({"slot": slot.id, "name": say(slot.name), "reason": say(reason)})
    return found


def _effects(scene: Scene, position: Position, begun: tuple[str, ...], say: Say) -> dict[str, Any]:
    """What each move would do that one more click completes (or the only one left), by its text:
    in words, and the slots that it concerns."""
    below = [choice for choice in scene.choices if choice.path[: len(begun)] == begun]
    near = [choice for choice in below if len(choice.path) <= len(begun) + 1 or len(below) == 1]
    actions = {choice.action for choice in near}
    moves = position.game.moves
    preview = position.game.preview
    return {
        moves.text(action): {
            "said": say(position.preview(action)),
            "lights": list(preview.concerns(position, action)) if preview else [],
        }
        for action in sorted(actions)
    }


def _slots(scene: Scene, say: Say) -> dict[str, dict[str, Any]]:
    """Names, keys and contents of the places that a move can touch."""
    slots = scene.slots()
    touched = dict.fromkeys(slot for choice in scene.choices for slot in choice.path)
    return {slot: _slot(scene, slots[slot], say) for slot in touched if slot in slots}


def _slot(scene: Scene, slot: Slot, say: Say) -> dict[str, Any]:
    around = container(scene, slot)
    return {
        "name": say(slot.name),
        "around": say(around.name) if around is not slot else "",
        "key": slot.key,
        "pieces": [one[:2] for one in counted(scene.pieces_in(slot.id))] if around is not slot else [],
    }


def _flight(flight: Flight) -> dict[str, Any]:
    return {"kind": flight.kind, "from": flight.source, "to": flight.target, "count": flight.count}


def _thinking(room: TableState) -> dict[str, Any] | None:
    if room.thinking is None:
        return None
    thinking = room.thinking
    return {"seat": thinking.seat, "elapsed": now() - thinking.since, "budget": thinking.seconds * 1000}


def _clocks(room: TableState) -> list[int]:
    """Milliseconds left to each seat; empty without clocks."""
    if not room.table.minutes:
        return []
    return [room.table.minutes * 60_000 - used for used in room.used(now())]


def _title(room: TableState, viewer: Viewer, *, mine: bool) -> str:
    title = room.position.preset.title
    return viewer.say(msg("● Your turn – {game}", game=title) if mine else title)


def _walk(room: TableState, ply: int) -> dict[str, Any]:
    """Where we stand among the moments of the game."""
    stops = room.timeline.stops
    index = bisect.bisect_right(stops, ply) - 1
    return {
        "index": index, "last": len(stops) - 1,
        "back": stops[index - 1] if index else None,
        "on": stops[index + 1] if index + 1 < len(stops) else None,
    }
