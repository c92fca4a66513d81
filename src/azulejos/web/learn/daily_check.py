"""Whether a game of the daily deal counts: it is replayed, with its draws and its opponent's answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from azulejos.bots import open as open_bot
from azulejos.bots.compiled import warm
from azulejos.core import jit, registry
from azulejos.core.record import Record
from azulejos.web.learn.daily import (
    FORGED,
    LATE,
    OTHER,
    OTHER_BOT,
    PAR_NODES,
    PAR_PLAYER,
    RANKED,
    SEAT,
    DailyDeal,
    day_of,
)
from azulejos.web.learn.repeated import Player, answer, margin, play_out
from azulejos.web.store.saved import BOT, FINISHED, HUMAN, PLAYED, SavedTable, Unreplayable, replayed
from azulejos.web.tables import fair_deal
from azulejos.web.tables.table_record import table_of
from azulejos.web.work.thinker import BaseThinker, Limits


class Check(msgspec.Struct, frozen=True):
    """What a worker gets: a game to check."""

    deal: DailyDeal
    record: str = ""
    """Empty: par is wanted."""


class Finding(msgspec.Struct, frozen=True):
    """The verdict about a game; margin and points of the person if it counts."""

    verdict: str
    margin: int | None = None
    points: int | None = None


def examine(record: str, deal: DailyDeal) -> Finding:
    """Replay a game and compare it with what the deal determines."""
    try:
        table = table_of(Record.read(record))
        position = replayed(table).position
    except (ValueError, Unreplayable):
        return Finding(FORGED)
    verdict = fault(table, deal)
    if verdict:
        return Finding(verdict)
    return Finding(RANKED, margin(position, SEAT), int(position.scores[SEAT]))


def fault(table: SavedTable, deal: DailyDeal) -> str:
    """Why a game that replays does not count; empty if it does."""
    if is_late(table, deal):
        return LATE
    if not _is_of_deal(table, deal) or not _is_dealt(table, deal):
        return FORGED
    return "" if _is_answered(table, deal) else OTHER_BOT


def is_late(table: SavedTable, deal: DailyDeal) -> bool:
    last = max((entry.at for entry in table.actions), default=0)
    return day_of(table.created) != deal.day or last / 1000 >= deal.closes.timestamp()


def _is_of_deal(table: SavedTable, deal: DailyDeal) -> bool:
    """Whether it is a whole game of the deal, by a person against the bot, with nothing taken back."""
    usual = deal.table(name=table.seats[SEAT].name, opponent="", ranked=True)
    same = ("box", "players", "options", "rules_version", "start_position", "dealt_from", "nodes", "ranked",
            "contest", "minutes")
    person, bot = table.seats[SEAT], table.seats[OTHER]
    return (
        all(getattr(table, name) == getattr(usual, name) for name in same) and table.state == FINISHED
        and (person.kind, person.bot, person.guest) == (HUMAN, "", "")
        and (bot.kind, bot.bot) == (BOT, deal.bot)
        and all(entry.event == PLAYED for entry in table.actions) and table.replay().is_over
    )


def _is_dealt(table: SavedTable, deal: DailyDeal) -> bool:
    actions = [entry.action for entry in table.actions]
    promised = fair_deal.commitment(deal.seed)
    return fair_deal.verify(table.start(), actions, seed=deal.seed, promised=promised).honest


def _is_answered(table: SavedTable, deal: DailyDeal) -> bool:
    """Whether the bot played what it always plays there."""
    player, position = Player(open_bot(deal.bot), deal.nodes), table.start()
    for entry in table.actions:
        if position.to_move == OTHER and answer(player, position, deal.seed) != entry.action:
            return False
        position.play(entry.action)
    return True


def find_par(deal: DailyDeal) -> int:
    """The margin of the strongest level on the seat of the person."""
    table = deal.table(name="", opponent="", ranked=True)
    position = table.start()
    players = {SEAT: Player(open_bot(PAR_PLAYER), PAR_NODES), OTHER: Player(open_bot(deal.bot), deal.nodes)}
    play_out(position, deal.seed, [players[seat] for seat in sorted(players)])
    return margin(position, SEAT)


class Thinker(BaseThinker):
    question = Check

    def answers(self, question: Check, limits: Limits) -> Iterator[Any]:
        if jit.enabled():
            warm(registry.find(question.deal.box)[0])
        yield examine(question.record, question.deal) if question.record else find_par(question.deal)
