"""Tables as records and back: seeds that were promised, draws that follow from them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from azulejos import Player, Position, Record
from azulejos.web.store.saved import HUMAN, Unreplayable
from azulejos.web.tables import fair_deal
from azulejos.web.tables.table_record import record_of, table_of
from web.played import branched, played_out, waiting


def test_draws_follow_from_the_promised_seed() -> None:
    table = played_out()
    actions = [a.action for a in table.actions]
    verdict = fair_deal.verify(table.start(), actions, seed=table.seed, promised=table.promise)
    assert verdict.honest
    assert verdict.draws == sum(a.seat < 0 for a in table.actions)


def test_a_bent_draw_or_seed_is_found() -> None:
    table = played_out()
    other = fair_deal.new_seed()
    actions = [a.action for a in table.actions]
    assert not fair_deal.verify(table.start(), actions, seed=other, promised=table.promise).honest
    bent = fair_deal.verify(table.start(), actions, seed=other, promised=fair_deal.commitment(other))
    assert not bent.honest
    assert "does not follow from the seed" in str(bent.reason)


def test_a_table_comes_back_from_its_record() -> None:
    for table in (played_out(), branched(), waiting()):
        record = record_of(table, with_secrets=True)
        assert table_of(record) == table
        assert table_of(Record.read(record.write())) == table
        assert table_of(Record.read(record.write_json())) == table


def test_the_record_of_a_running_game_keeps_the_seed_secret() -> None:
    table = replace(played_out(), state="playing")
    assert table.seed not in record_of(table).write()
    assert table.seed not in record_of(table).write_json()


def test_a_table_without_its_seed_goes_on_with_a_new_promise() -> None:
    table = branched()
    again = table_of(record_of(table))
    assert again.seed != table.seed
    assert again.promise == fair_deal.commitment(again.seed)
    assert again.dealt_from == len(table.actions)
    assert again.actions == table.actions


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("Table", "../etc", "letters, digits"),
    ("SeatKinds", "human", "for each seat"),
    ("SeatKinds", "human dog", "for each seat"),
    ("Minutes", "ten", "is a number"),
    ("DealtFrom", "-1", "is a number"),
    ("Created", "yesterday", "yesterday"),
    ("State", "asleep", "nobody could go on"),
])
def test_a_record_with_wrong_tags_is_no_table(name: str, text: str, reason: str) -> None:
    record = record_of(branched(), with_secrets=True)
    record.tags[name] = text
    with pytest.raises(ValueError, match=reason):
        table_of(record)


def test_a_finished_game_from_elsewhere_becomes_a_table() -> None:
    played = played_out()
    record = Record.from_position(played.replay(), seats=["Ana", Player("Bo", bot="random 0.1.0")])
    table = table_of(record)
    assert table.state == "over"
    assert [(seat.kind, seat.name, seat.bot) for seat in table.seats] == [
        (HUMAN, "Ana", ""), (HUMAN, "Bo", "")]
    assert table.replay() == played.replay()
    with pytest.raises(ValueError, match="nobody could go on"):
        table_of(Record.from_position(branched().replay()))
    later = Record(Position.from_text(branched().replay().text()), record.seats)
    with pytest.raises(ValueError, match="nobody could go on"):
        table_of(later)


def test_a_table_of_other_rules_is_not_written_as_if_it_were_of_these() -> None:
    with pytest.raises(Unreplayable, match="version 99"):
        record_of(replace(played_out(), rules_version=99))
