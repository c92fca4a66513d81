"""A visitor's games for a list: a small picture, who, the score, when, and whose turn it is."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from azulejos.core.game import Outcome
from azulejos.core.message import Message, msg
from azulejos.i18n import translator
from azulejos.i18n.dates import ago
from azulejos.web.pages.small_picture import boards_picture
from azulejos.web.store.saved import OPEN, SavedTable, Unreplayable
from azulejos.web.tables.boxes import title_of
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.tables.lobby import Lobby
from azulejos.web.visitor import Visitor


@dataclass(frozen=True, kw_only=True)
class YourGame:
    """A line of the list."""

    id: str
    title: Message
    theme: str
    picture: Markup
    others: str
    """The names of the other players; empty if the visitor sits on all seats."""
    scores: str
    state: Message
    your_turn: bool
    over: bool
    when: str


async def your_games(lobby: Lobby, who: Visitor, tables: Sequence[SavedTable]) -> list[YourGame]:
    """Those that wait for the visitor come first; otherwise the order is kept."""
    games = [await _game(lobby, who, saved) for saved in tables]
    return sorted(games, key=lambda game: not game.your_turn)


async def _game(lobby: Lobby, who: Visitor, saved: SavedTable) -> YourGame:
    try:
        table = await lobby.table(saved.id)
    except Unreplayable:
        table = None
    if table is None:
        return _set_aside(saved, who)
    own = await lobby.store.seats_of(saved.id, who.key)
    return YourGame(
        id=saved.id, title=title_of(table.saved.box), theme=table.position.preset.theme,
        picture=Markup(boards_picture(table.position)), others=_others(table, own, who),
        scores=" : ".join(map(str, _own_first(table, own))), state=_state(table, own),
        your_turn=table.turn_of(own), over=table.over,
        when=ago(time.time() - table.saved.changed, who.language),
    )


def _set_aside(saved: SavedTable, who: Visitor) -> YourGame:
    """A table that these rules cannot show."""
    return YourGame(
        id=saved.id, title=title_of(saved.box), theme="", picture=Markup(""),
        others=", ".join(seat.name for seat in saved.seats), scores="", state=msg("set aside"),
        your_turn=False, over=True, when=ago(time.time() - saved.changed, who.language),
    )


def _others(table: LiveTable, own: frozenset[int], who: Visitor) -> str:
    free = translator(who.language)(msg("free seat"))
    return ", ".join(
        free if seat.kind == OPEN else seat.name for seat in table.seats if seat.seat not in own
    )


def _own_first(table: LiveTable, own: frozenset[int]) -> list[int]:
    scores = list(enumerate(table.position.scores))
    return [score for seat, score in sorted(scores, key=lambda pair: pair[0] not in own)]


def _state(table: LiveTable, own: frozenset[int]) -> Message:
    outcome = table.position.outcome()
    if outcome is not None:
        return _result(outcome, own)
    if any(seat.kind == OPEN for seat in table.seats):
        return msg("Waiting for players")
    if table.turn_of(own):
        return msg("Your turn")
    return msg("{name} is to move", name=table.names[max(0, table.position.to_move)])


def _result(outcome: Outcome, own: frozenset[int]) -> Message:
    if not own.intersection(outcome.winners):
        return msg("Lost")
    return msg("Won") if len(outcome.winners) == 1 else msg("Shared win")
