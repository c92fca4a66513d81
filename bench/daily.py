"""Do honest games of the daily deal count? ``python -m bench.daily [--games 10] [BOX ...]``

Plays games of new deals against the opponent of the day, each as a table would write it, checks them as a
server does, and finds par: how many count, and the processor time of a check and of par.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

from azulejos.bots import open as open_bot
from azulejos.core import registry
from azulejos.web.learn.daily import OPPONENT, OTHER, PAR_PLAYER, RANKED, SEAT, DailyDeal, day_of, new_deal
from azulejos.web.learn.daily_check import ParPlayer, examine, play_out, played_by_bot
from azulejos.web.store.saved import FINISHED, SavedAction, SavedTable
from azulejos.web.tables.boxes import playable
from azulejos.web.tables.table_record import record_of

PERSON = "level:3"
PERSON_NODES = 2000


def deal_of(box: str) -> DailyDeal:
    return replace(new_deal(day_of(time.time())), box=box, rules_version=registry.find(box)[0].version)


def played(deal: DailyDeal, person: ParPlayer, opponent: ParPlayer) -> SavedTable:
    table = deal.table(name="", opponent="", ranked=True)
    position = table.start()
    seats = {SEAT: person, OTHER: opponent}
    play_out(position, deal.seed, [seats[seat] for seat in sorted(seats)])
    at, moves = round(table.created * 1000), position.game.moves
    actions = [position.history.step(ply).action for ply in range(position.ply)]
    log = tuple(
        SavedAction(action=action, seat=position.at(ply).to_move, at=at, move=moves.text(action))
        for ply, action in enumerate(actions)
    )
    return replace(table, actions=log, state=FINISHED)


def measure(box: str, games: int) -> None:
    person, opponent = ParPlayer(open_bot(PERSON), PERSON_NODES), ParPlayer(open_bot(OPPONENT), 20_000)
    counted, spent = 0, 0.0
    for _ in range(games):
        deal = deal_of(box)
        record = record_of(played(deal, person, opponent), with_secrets=True).write_json()
        began = time.process_time()
        counted += examine(record, deal).verdict == RANKED
        spent += time.process_time() - began
    began = time.process_time()
    par = played_by_bot(deal, PAR_PLAYER).margin or 0
    print(f"{box}: {counted} of {games} count, {spent / games:.1f} s a check; par {par:+d} in "
          f"{time.process_time() - began:.0f} s", flush=True)


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    given.add_argument("boxes", nargs="*")
    given.add_argument("--games", type=int, default=10)
    asked = given.parse_args()
    for box in asked.boxes or playable():
        measure(box, asked.games)


if __name__ == "__main__":
    main()
