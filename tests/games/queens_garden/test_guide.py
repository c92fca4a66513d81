"""What the captions of the guide say is what the rules do."""

from __future__ import annotations

from azulejos import Position
from azulejos.games.queens_garden import pictures


def test_yellow_gives_a_plant_and_the_choice_of_butterflies() -> None:
    position = Position.from_text(pictures.DISPLAY)
    assert "a4" in [move.text for move in position.legal_moves]
    position.play("ay")
    assert [move.text for move in position.legal_moves] == ["s1", "s3"]


def test_the_flower_is_paid_with_two_flowers_and_a_joker_and_wins_one_at_the_fountain() -> None:
    position = Position.from_text(pictures.PLACE)
    position.play("g4 05 b4 y4 j")
    assert position.state.jokers[0] == 2 - 1 + 1


def test_groups_and_storage_give_twenty_eight() -> None:
    position = Position.from_text(pictures.END)
    position.play("- -")
    assert position.is_over
    points = [entry.points for entry in position.explain(-1) if entry.seat == 0]
    assert sorted(points[-5:]) == [-3, 2, 6, 11, 12]
