"""Who sits at a table, and the summary at the end of the game."""

from __future__ import annotations

from azulejos.core.message import Message, msg
from azulejos.web.store.saved import BOT, OPEN, SavedSeat
from azulejos.web.tables.live_table import LiveTable
from azulejos.web.wire.account import FREE
from azulejos.web.wire.messages import Breakdown, GameEnd, Seat
from azulejos.web.wire.viewer import Viewer
from azulejos.web.work.bots import offered


def seats(table: LiveTable, viewer: Viewer) -> list[Seat]:
    strengths = {bot.word: bot.strength for bot in offered(table.position.game)}
    say = viewer.say
    return [
        Seat(
            name=say(FREE) if seat.kind == OPEN else seat.guest or seat.name, kind=seat.kind,
            role=say(_role(seat, own=seat.seat in viewer.seats)), bot=seat.bot,
            strength=say(strengths[seat.bot]) if seat.bot in strengths else "",
            own=seat.seat in viewer.seats, back=bool(seat.bot or seat.guest) and seat.seat in viewer.own,
        )
        for seat in table.seats
    ]


def _role(seat: SavedSeat, *, own: bool) -> Message:
    if seat.kind == OPEN:
        return msg("waiting")
    if seat.kind == BOT:
        return msg("bot")
    if seat.bot:
        return msg("a bot plays for them")
    if seat.guest:
        return msg("plays for {name}", name=seat.name)
    return msg("you") if own else msg("player")


def ending(table: LiveTable, breakdown: Breakdown) -> GameEnd:
    rematch = f"t/{table.saved.rematch}" if table.saved.rematch else ""
    outcome = table.position.outcome()
    winners = [] if outcome is None else [int(seat) for seat in outcome.winners]
    seed = table.saved.seed if table.saved.shows_seed else ""
    return GameEnd(seed=seed, rematch=rematch, breakdown=breakdown, winners=winners)
