"""Reviews, advice and puzzles are unchanged. A box or a number of seats without them fails here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from azulejos.core.record import Record
from insight.golden import GAMES, PUZZLES, advice_text, path_of, puzzles_text, record_of, review_text
from samples import sampled

NAMES = [f"{box}-{players}" for box, players in GAMES]
QUICK_REVIEWS = ("azul-2", "chocolatier-grey-3", "garden-2", "sintra-b-2")
QUICK_ADVICE = ("azul-grey-2", "garden-variant-3", "sintra-a-2")


@pytest.mark.parametrize("name", sampled(NAMES, QUICK_REVIEWS))
def test_a_review_says_what_it_said(name: str) -> None:
    check(name, "review", review_text)


@pytest.mark.parametrize("name", sampled(NAMES, QUICK_ADVICE))
def test_advice_about_a_position_is_what_it_was(name: str) -> None:
    check(name, "advice", advice_text)


def check(name: str, kind: str, text_of: Callable[[Record], str]) -> None:
    assert path_of(name, kind).read_text("utf-8") == text_of(record_of(name))


@pytest.mark.parametrize("box", PUZZLES)
def test_puzzles_have_the_answers_they_had(box: str) -> None:
    assert path_of(box, "puzzles").read_text("utf-8") == puzzles_text(box)
