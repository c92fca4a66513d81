"""The table in words, for typed questions: l last move, f offer, b my board, o2 opponent 2, s scores."""

from __future__ import annotations

from azulejos.core.message import Message, msg, raw
from azulejos.core.scene import Panel, Piece, Scene
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire.account import Account, Counted, account_of, container, counted


def answer(table: LiveTable, seats: frozenset[int], question: str) -> list[Message] | None:
    """The answer to a typed question; None if the text is not a question."""
    word = question.strip().lower()
    account = account_of(table)
    scene = account.scene(table.seen_by(seats))
    own = min(seats, default=0)
    if word == "l":
        return _last_move(table, account)
    if word == "f":
        return [line for panel in scene.panels if panel.seat is None for line in _panel(scene, panel)]
    if word == "b":
        return _board(scene, own)
    if word == "s":
        return _scores(table)
    if word in _opponents(table, own):
        return _board(scene, _opponents(table, own)[word])
    return None


def _opponents(table: LiveTable, own: int) -> dict[str, int]:
    players = table.saved.players
    found = {f"o{i}": (own + i) % players for i in range(1, players)}
    return {**found, "o": (own + 1) % players}


def _last_move(table: LiveTable, account: Account) -> list[Message]:
    decisions = table.log.decisions
    if not decisions:
        return [msg("Nothing has been played yet.")]
    turn = account.turn(decisions[-1])
    parts = [part for step in turn.steps for part in (*map(_counted, step.pieces), step.name)]
    name = table.names[turn.seat]
    return [msg("{name} played {move}: {places}.", name=name, move=turn.text, places=_listed(parts))]


def _scores(table: LiveTable) -> list[Message]:
    return [
        msg("{name}: {points}", name=name, points=points)
        for name, points in zip(table.names, table.position.scores, strict=True)
    ]


def _board(scene: Scene, seat: int) -> list[Message]:
    panel = next((panel for panel in scene.panels if panel.seat == seat), None)
    return [] if panel is None else _panel(scene, panel)


def _panel(scene: Scene, panel: Panel) -> list[Message]:
    """Each place that is not empty: its name and its contents."""
    found: dict[str, tuple[Message, list[Piece]]] = {}
    slots = scene.slots()
    for piece in panel.pieces:
        around = container(scene, slots[piece.slot])
        found.setdefault(around.id, (around.name, []))[1].append(piece)
    lines = [msg("{place}: {what}", place=name, what=_pieces(pieces)) for name, pieces in found.values()]
    return [msg("{title}.", title=panel.title), *(lines or [msg("There is nothing there.")])]


def _pieces(pieces: list[Piece]) -> Message:
    return _listed([_counted(one) for one in counted(pieces)])


def _counted(pieces: Counted) -> Message:
    return msg("{count} {piece}", count=pieces.number, piece=pieces.name)


def _listed(parts: list[Message]) -> Message:
    said = raw("")
    for part in parts:
        said = msg("{first}, {second}", first=said, second=part) if str(said) else part
    return said
