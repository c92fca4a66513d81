"""Saved tables for tests: played out, branched, waiting for somebody."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

from azulejos.games.stained_glass.components import STRIPS
from azulejos.web.store.database import open_database
from azulejos.web.store.saved import BACK, BOT, HUMAN, OPEN, SavedAction, SavedSeat, SavedTable, take_back
from azulejos.web.store.store import Store
from azulejos.web.tables import fair_deal
from azulejos.web.tables.live_table import LiveTable, new_table

PEOPLE = (SavedSeat(seat=0, kind=HUMAN, name="Ana"), SavedSeat(seat=1, kind=OPEN))
BOTS = tuple(SavedSeat(seat=i, kind=BOT, name=f"Sand {i}", bot="random") for i in range(2))


def entry(action: int, seat: int = 0) -> SavedAction:
    return SavedAction(action=action, seat=seat, at=1)


def played_out(seed: int = 1) -> SavedTable:
    """A whole game, played at random with a seed fixed at the start."""
    table = new_table("azul", BOTS, {})
    position, rng, entries = table.start(), random.Random(seed), []
    dealer, table_moves = fair_deal.Dealer(table.seed), position.game.moves
    while not position.is_over:
        seat = position.to_move
        action = dealer.draw(position) if seat < 0 else rng.choice(position.legal_actions())
        entries.append(replace(entry(int(action), seat), move=table_moves.text(int(action))))
        position.play(int(action))
    return replace(table, actions=tuple(entries), state="over")


def branched() -> SavedTable:
    """A running game against a bot that branched from another game, with times, clocks and a rematch."""
    begun = played_out().actions[:40]
    entries = tuple(replace(one, at=1_794_851_753_028 + 1_500 * (i // 3)) for i, one in enumerate(begun))
    seats = (SavedSeat(seat=0, kind=HUMAN, name='Ána "青"', bot="level:2"), BOTS[1])
    table = new_table("azul", seats, {"start": "2"}, listed=True, minutes=10)
    table = replace(table, options={}, dealt_from=40, branch_of="D7iFBL48kbXN", rematch="oDCHsehyOHOb")
    table = replace(table, contest="daily/2026-11-17", ranked=True, nodes=5000)
    return replace(table, actions=entries, state="playing")


def waiting() -> SavedTable:
    strips = STRIPS.replace("WWYYB", "WWYYO")
    return new_table("sintra-b", PEOPLE, {"start": "2", "strips": strips})


def wavering(seed: int, *, plies: int = 400, twice: bool = False) -> SavedTable:
    """A game at random in which the players take moves back again and again."""
    table = new_table("azul", BOTS, {}, seed=f"{seed:064x}")
    position, rng = table.start(), random.Random(seed)
    log: list[SavedAction] = []
    backs, at = 0, 1_794_851_753_028
    while not position.is_over and len(log) < plies:
        seat = position.to_move
        decided = [entry for entry in log if entry.seat >= 0]
        if seat >= 0 and decided and backs < 30 and rng.random() < 0.2:
            for _ in range(2 if twice else 1):
                ply = rng.randrange(20, position.ply) if position.ply > 20 else position.ply - 1
                log.append(SavedAction(action=ply, seat=position.to_move, at=at, event=BACK))
                take_back(position, ply)
                backs += 1
            continue
        dealer = fair_deal.dealer_of(position, table.seed) if seat < 0 else None
        action = int(dealer.draw(position)) if dealer else rng.choice(position.legal_actions())
        at += 7 if seat >= 0 else 0
        move = position.game.moves.text(action)
        log.append(SavedAction(action=action, seat=seat, at=at, move=move))
        position.play(action)
    state = "over" if position.is_over else "playing"
    return replace(table, actions=tuple(log), state=state)


def turns(entries: tuple[SavedAction, ...]) -> list[tuple[SavedAction, ...]]:
    """As a table commits them: a decision with the draws that follow."""
    starts = [0, *(ply for ply, entry in enumerate(entries) if entry.seat >= 0), len(entries)]
    return [entries[a:b] for a, b in itertools.pairwise(starts)]


def unstored(saved: SavedTable) -> LiveTable:
    """A table in memory, over a database in memory of which nothing is asked."""
    return LiveTable(Store(open_database("sqlite://")), saved)
