"""What somebody has practised: merging loses nothing, files are read strictly, and what follows from it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azulejos.core.message import Problem, msg
from azulejos.insight import progress as module
from azulejos.insight.practice import RETIRED_AFTER, due, planned, results, skill, streak
from azulejos.insight.progress import (
    MOST_ATTEMPTS,
    MOST_BYTES,
    Attempt,
    Card,
    CardAnswer,
    JudgedGame,
    Progress,
    Sentence,
    merged,
    read,
    written,
)

DAY = 24 * 3600 * 1000
OURS = b'{"format": "azulejos progress", "version": 1, '
MONDAY = int(datetime(2026, 11, 16, 12, tzinfo=UTC).timestamp() * 1000)

REASON = Sentence.of(msg("{a}!", a=msg("You")))
times = st.integers(0, 3)
firsts = st.sampled_from(["right", "helped", "wrong"])
counts = st.integers(0, 9)
attempts = st.builds(Attempt, puzzle=st.sampled_from(["azul/1", "azul/2"]), at=times, first=firsts,
                     tries=counts, hints=counts, solved=st.booleans(), shown=st.booleans(),
                     day=st.sampled_from(["", "2026-11-16"]))
answers = st.builds(CardAnswer, card=st.sampled_from(["a", "b"]), at=times, first=firsts, tries=counts)
cards = st.builds(
    Card, id=st.sampled_from(["a", "b"]), at=times, position=st.just("azul"), table=st.just("t"),
    ply=st.just(1), played=st.just("1b1"), better=st.just("1b2"), lost=st.sampled_from([1.0, 2.5]),
    judge=st.just(1), weights=st.just("w"), reasons=st.sampled_from([(), (REASON,)]),
)
games = st.builds(JudgedGame, table=st.just("t"), seat=st.integers(0, 1), at=times, box=st.just("azul"),
                  players=st.just(2), judge=st.just(1), weights=st.just("w"), level=st.just(1),
                  losses=st.sampled_from([(), ((0.5, (1.0, 0.2)),)]))
documents = st.builds(
    Progress, attempts=st.lists(attempts, max_size=4).map(tuple),
    cards=st.lists(cards, max_size=3).map(tuple), answers=st.lists(answers, max_size=4).map(tuple),
    games=st.lists(games, max_size=3).map(tuple),
).map(lambda one: merged(one, Progress()))


@settings(max_examples=25, deadline=None)
@given(documents, documents, documents)
def test_copies_merged_in_any_order_become_the_same_document(a: Progress, b: Progress, c: Progress) -> None:
    assert merged(a, b) == merged(b, a)
    assert merged(merged(a, b), c) == merged(a, merged(b, c))
    assert merged(a, a) == a


@settings(max_examples=25, deadline=None)
@given(documents, documents)
def test_merging_loses_nothing(a: Progress, b: Progress) -> None:
    both = merged(a, b)
    for entry in (*a.attempts, *b.attempts):
        kept = next(one for one in both.attempts if (one.puzzle, one.at) == (entry.puzzle, entry.at))
        assert kept.tries >= entry.tries
        assert kept.solved >= entry.solved
    assert {card.id for card in both.cards} == {card.id for card in (*a.cards, *b.cards)}
    assert {one.seat for one in both.games} == {one.seat for one in (*a.games, *b.games)}


@settings(max_examples=25, deadline=None)
@given(documents)
def test_a_file_holds_everything(document: Progress) -> None:
    assert read(written(document)) == document


@pytest.mark.parametrize(("text", "says"), [
    (b"", "cannot be read as JSON"),
    (b"\xff\xfe", "cannot be read as JSON"),
    (b"[" * 100_000, "cannot be read as JSON"),
    (b"[]", "something else"),
    (b'{"format": "chess"}', "something else"),
    (b'{"format": "azulejos progress", "version": 99}', "another version"),
    (b'{"format": "azulejos progress", "version": 1, "cheat": 1}', "damaged: Object contains unknown"),
    (OURS + b'"attempts": [{"puzzle": "../x", "at": 1, "first": "right"}]}', "damaged"),
    (OURS + b'"attempts": [{"puzzle": "azul/1", "at": -1, "first": "right"}]}', "damaged"),
    (b" " * (MOST_BYTES + 1), "too large"),
])  # fmt: skip
def test_a_wrong_a_foreign_and_a_huge_file_are_refused_with_the_reason(text: bytes, says: str) -> None:
    with pytest.raises(Problem, match=says):
        read(text)


def test_a_document_keeps_the_newest_attempts_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(Attempt(puzzle=f"azul/{n}", at=n, first="right") for n in range(MOST_ATTEMPTS + 5))
    kept = merged(Progress(), Progress(attempts=many)).attempts
    assert len(kept) == MOST_ATTEMPTS
    assert kept[-1] == many[-1]
    monkeypatch.setattr(module, "MOST_BYTES", 5000)
    small = merged(Progress(), Progress(attempts=many))
    assert len(msgspec.json.encode(small)) <= 5000
    assert small.attempts[-1] == many[-1]


# --- days in a row ---------------------------------------------------------------------------------------


def solved_on(*days: str) -> list[Attempt]:
    return [Attempt(puzzle="azul/1", at=n, first="right", solved=True, day=day)
            for n, day in enumerate(days)]


def test_days_count_in_a_row_until_one_is_missed_and_today_can_still_be_solved() -> None:
    today = date(2026, 11, 17)
    found = streak(solved_on("2026-11-13", "2026-11-15", "2026-11-16"), today)
    assert (found.days, found.today) == (2, False)
    assert found.week == (False, False, True, False, True, True, False)
    found = streak(solved_on("2026-11-15", "2026-11-16", "2026-11-17"), today)
    assert (found.days, found.today) == (3, True)
    assert streak(solved_on("2026-11-15"), today).days == 0


def test_only_the_puzzle_of_a_day_that_was_solved_counts() -> None:
    tried = [Attempt(puzzle="azul/1", at=1, first="wrong", day="2026-11-17"),
             Attempt(puzzle="azul/2", at=2, first="right", solved=True)]
    assert streak(tried, date(2026, 11, 17)).days == 0


# --- how well somebody solves ----------------------------------------------------------------------------


def test_skill_rises_with_what_is_found_and_its_interval_narrows() -> None:
    assert skill([]) is None
    one, many = skill([(3.0, True)]), skill([(3.0, True), (3.0, False)] * 20)
    assert one is not None
    assert many is not None
    assert many.error < one.error / 2
    assert abs(many.value - 3.0) < 0.3
    better = skill([(3.0, True)] * 20)
    assert better is not None
    assert better.value > many.value + 1


def test_only_first_attempts_without_hints_count() -> None:
    tried = [
        Attempt(puzzle="azul/1", at=2, first="right", solved=True),
        Attempt(puzzle="azul/1", at=1, first="wrong"),
        Attempt(puzzle="azul/2", at=3, first="helped", solved=True),
        Attempt(puzzle="azul/3", at=4, first="right", solved=True),
        Attempt(puzzle="azul/unknown", at=5, first="right", solved=True),
    ]
    assert results(tried, {"azul/1": 2.0, "azul/2": 1.0, "azul/3": 4.0}) == [(2.0, False), (4.0, True)]


# --- cards -----------------------------------------------------------------------------------------------


def card(name: str = "a", judge: int = 1) -> Card:
    return Card(id=name, at=MONDAY, position="azul", table="t", ply=3, played="1b1", better="1b2", lost=3.0,
                judge=judge, weights="w")


def answered(*firsts: str) -> tuple[CardAnswer, ...]:
    return tuple(CardAnswer(card="a", at=MONDAY + (n + 1) * DAY, first=first)  # type: ignore[arg-type]
                 for n, first in enumerate(firsts))


def test_a_card_is_due_at_once_then_later_and_later_and_retires_after_three_successes() -> None:
    when = datetime.fromtimestamp(MONDAY / 1000, UTC)
    assert [each.card.id for each in due(planned(Progress(cards=(card(),))), when)] == ["a"]
    waits = []
    for count in range(1, RETIRED_AFTER):
        plan = planned(Progress(cards=(card(),), answers=answered(*["right"] * count)))[0]
        waits.append(plan.due - when - timedelta(days=count))
        assert not plan.retired
    assert timedelta(days=1) <= waits[0] < waits[1]
    plan = planned(Progress(cards=(card(),), answers=answered("right", "right", "right")))[0]
    assert plan.retired
    assert not due([plan], plan.due + timedelta(days=1))


def test_a_mistake_starts_a_card_again_and_help_is_no_success() -> None:
    plan = planned(Progress(cards=(card(),), answers=answered("right", "right", "wrong", "right")))[0]
    assert plan.successes == 1
    assert planned(Progress(cards=(card(),), answers=answered("right", "helped")))[0].successes == 1


def test_the_cards_of_another_judge_are_not_asked() -> None:
    document = Progress(cards=(card("a", judge=1), card("b", judge=2)))
    assert [each.card.id for each in planned(document, {2: {"w"}})] == ["b"]
    assert planned(document, {2: {"other weights"}}) == []
