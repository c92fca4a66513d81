"""Headlines, clauses and the story of a game: true, varied, and sayable in every language."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace

import pytest

from azulejos.core.tell import Cause
from azulejos.i18n import LANGUAGES, translator
from azulejos.insight import headlines
from azulejos.insight.headlines import told_turns
from azulejos.insight.results import Grade, Margin, Review
from boxes import BOXES
from insight.read_words import Reader, misread
from insight.test_why import exaggerated, stretch_end, told


def names(review: Review) -> list[str]:
    return [player.name for player in review.record.seats]


def card_sentences(review: Review, seat: int, ply: int) -> list[str]:
    card = told_turns(review, seat)[ply]
    return [str(sentence) for sentence in (*card.headline, *card.why)]


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_every_sentence_about_a_turn_is_read_and_true(box: str, players: int) -> None:
    review, game = told(box, players)
    for turn in review.turns:
        reader = Reader(game, turn, names(review), stretch_end(game, turn))
        assert list(misread(reader, card_sentences(review, turn.seat, turn.ply))) == []


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_the_reader_finds_wrong_numbers(box: str) -> None:
    review, game = told(box, 2)
    wrong = 0
    for turn in review.turns:
        if not turn.reasons:
            continue
        bent = replace(turn, reasons=tuple(map(exaggerated, turn.reasons)))
        lying = replace(review, turns=tuple(bent if each is turn else each for each in review.turns))
        reader = Reader(game, turn, names(review), stretch_end(game, turn))
        wrong += bool(list(misread(reader, card_sentences(lying, turn.seat, turn.ply))))
    assert wrong >= 3


@pytest.mark.parametrize(("box", "players"), BOXES)
def test_a_card_never_says_the_same_twice_and_neighbours_differ(box: str, players: int) -> None:
    review, _ = told(box, players)
    for seat in range(players):
        cards = [[str(sentence) for sentence in (*card.headline, *card.why)]
                 for card in told_turns(review, seat).values()]
        assert all(len(set(card)) == len(card) for card in cards)
        assert all(one != two for one, two in itertools.pairwise(cards))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("box", ["azul", "chocolatier", "sintra-a", "garden"])
def test_headlines_can_be_said_in_every_language(box: str, language: str) -> None:
    say, (review, _) = translator(language), told(box, 2)
    said = [say(sentence) for seat in range(2) for card in told_turns(review, seat).values()
            for sentence in (*card.headline, *card.why)]
    assert said
    assert not [sentence for sentence in said if "{" in sentence]


# --- the story -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_story_holds_what_the_review_holds(box: str, seat: int) -> None:
    review, _ = told(box, 2)
    found = headlines.recap(review, seat)  # type: ignore[arg-type]
    second = next(moment for moment in review.moments if moment.round == 2)
    assert found.opening == second.margin[seat]
    assert found.luck == review.ledgers[seat].luck
    worst = max(review.turns, key=lambda turn: turn.verdict.win.value)
    assert found.turning is None or found.turning.verdict.win.value == pytest.approx(
        max(turn.verdict.win.value for turn in review.turns if turn.grade is not Grade.EQUAL))
    assert found.turning is not None or worst.verdict.win.value < 0.06 or worst.grade is Grade.EQUAL
    lost = [turn for turn in review.turns if turn.seat == seat and turn.grade is not Grade.EQUAL]
    causes = Counter(headlines.cause_of(review, turn.reasons[0], seat) for turn in lost if turn.reasons)
    if found.typical is not None:
        cause, count, of_all = found.typical
        assert (count, of_all) == (causes[cause], len(lost))
        assert count == max(causes.values()) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_story_has_at_most_five_sentences_in_every_language(language: str) -> None:
    say = translator(language)
    for box in ("azul", "sintra-a", "garden"):
        review, _ = told(box, 2)
        for seat in range(2):
            said = [say(sentence) for sentence in headlines.told(review, headlines.recap(review, seat))]  # type: ignore[arg-type]
            assert 3 <= len(said) <= 5
            assert not [sentence for sentence in said if "{" in sentence]


def test_luck_is_told_only_where_it_is_certain() -> None:
    review, _ = told("azul", 2)
    for luck, beginning in ((Margin(5.0, 1.0, 9.0), "The draws were kind"),
                            (Margin(-5.0, -9.0, -1.0), "The draws were against"),
                            (Margin(5.0, -1.0, 11.0), "It cannot be said")):
        found = replace(headlines.recap(review, 0), luck=luck)  # type: ignore[arg-type]
        assert any(str(sentence).startswith(beginning) for sentence in headlines.told(review, found))


def test_every_cause_has_a_name_and_an_exercise() -> None:
    assert set(headlines.KINDS) == set(headlines.PRACTISE) == set(Cause)


@pytest.mark.parametrize("box", ["azul", "sintra-a", "garden"])
def test_few_turns_of_a_game_begin_alike(box: str) -> None:
    review, _ = told(box, 2)
    again = turns = 0
    for seat in range(2):
        heads = [" ".join(str(card.headline[0]).split()[:headlines.BEGINNING])
                 for card in told_turns(review, seat).values()]
        turns, again = turns + len(heads), again + len(heads) - len(set(heads))
    assert again <= 0.1 * turns
