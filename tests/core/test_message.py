"""Messages: sentences as data."""

from __future__ import annotations

import pickle

import pytest

import azulejos
from azulejos.core.message import Problem, msg, nmsg, signed
from azulejos.core.scene import scene_of
from azulejos.i18n import translator
from games.azul.build import table


def test_a_message_fills_its_holes_and_counts() -> None:
    sentence = msg("There is no {colour} in the centre.", colour=msg("red"))
    assert str(sentence) == "There is no red in the centre."
    assert str(nmsg("{n} tile", "{n} tiles", n=1)) == "1 tile"
    assert str(nmsg("{n} tile", "{n} tiles", n=3)) == "3 tiles"


@pytest.mark.parametrize(("number", "english", "polish"), [
    (7, "+7", "+7"), (0, "0", "0"), (-3, "−3", "−3"),
    (1.25, "+1.2", "+1,2"), (0.0, "+0.0", "+0,0"), (-0.04, "+0.0", "+0,0"), (-12.5, "−12.5", "−12,5"),
])
def test_a_number_with_its_sign(number: float, english: str, polish: str) -> None:
    assert str(signed(number)) == english
    assert translator("pl")(signed(number)) == polish


def test_names_are_exchanged_wherever_they_stand() -> None:
    sentence = msg("{a} and {b}", a=msg("red"), b=msg("all {c}", c=msg("red")))
    assert str(sentence.renamed({"red": msg("cream")})) == "cream and all cream"


def test_a_box_of_chocolates_calls_its_pieces_by_their_looks() -> None:
    position = table(preset="chocolatier", factories=["bbbb"])
    assert str(position.why_not("1r1")) == "There is no cream on factory 1."
    scene = scene_of(position, ["A", "B"])
    assert any("light blue" in str(piece.name) for panel in scene.panels for piece in panel.pieces)


def test_a_problem_is_told_in_any_language_and_in_any_process() -> None:
    with pytest.raises(Problem, match="start is seat 4, but there are 2 players") as caught:
        azulejos.new("azul", start="4")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.reason == caught.value.reason
    assert translator("pl")(again.reason) == "zaczyna miejsce 4, ale graczy jest 2"
