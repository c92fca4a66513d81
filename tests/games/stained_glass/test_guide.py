"""What the captions of the guide say is what the rules do."""

from __future__ import annotations

from azulejos import Position
from azulejos.games.stained_glass import pictures
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
