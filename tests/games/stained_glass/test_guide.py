"""The captions of the guide agree with the rules."""

from __future__ import annotations

from azulejos import Position
from azulejos.games.stained_glass import guide, pictures
from azulejos.games.stained_glass.layout import JOKER
from games.stained_glass.table import panes_on, scored


def test_pink_fits_once_on_strip_one_and_twice_on_strip_three() -> None:
    for strip, placed in ((1, "p"), (3, "pp")):
        position = Position.from_text(pictures.TURN)
        position.play(f"1p{strip}")
        assert panes_on(position, 0, strip).count("p") == len(placed)
        assert position.state.broken[0] == 2 - len(placed)


def test_the_bonus_colour_gives_one_and_the_windows_six() -> None:
    position = Position.from_text(pictures.SCORE)
    position.play("1y3")
    bonus = scored(position, 0)
    position.play("kw")
    assert [points for points, _ in bonus + scored(position, 0)] == [1, 6]


def test_the_same_windows_give_nineteen_on_side_a_and_twelve_on_side_b() -> None:
    for side, points in (("a", [10, 6, 3]), ("b", [12])):
        position = Position.from_text(pictures.END.replace("sintra-a", f"sintra-{side}", 1))
        position.play(next(iter(position.legal_moves)))  # the last pane
        assert [entry for entry, _ in scored(position, 0)[2:]] == points


def test_in_the_example_two_panes_break_and_the_marker_moves_three_steps() -> None:
    *_, before, broken, back = (picture.table() for picture in guide.TURN.steps)
    assert broken.state.broken[0] - before.state.broken[0] == 3
    assert panes_on(broken, 0, 5).count("o") == 2
    assert (int(broken.state.glazier[0]), int(back.state.glazier[0])) == (4, 0)


def test_the_set_up_shows_the_joker_side_down() -> None:
    state = Position.from_text(pictures.SETUP).state
    strip, face = int(state.strip[0, 5]) - 1, int(state.face[0, 5])
    assert (int(state.strips[strip, face, JOKER]), int(state.strips[strip, 1 - face, JOKER])) == (0, 2)
    assert guide.SET_UP.picture is not None
    assert "seat1.back6" in [part.slot for part in guide.SET_UP.picture.parts]
