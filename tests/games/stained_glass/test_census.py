"""A position from outside is accepted only if it could arise in a game."""

from __future__ import annotations

import pytest

from games.stained_glass.table import Board, position

FITS = ["1f bbbo", "1f op", "8b oobp", "8b bpyw"]
"""Strip 1: three blue spaces, one orange, one pink. Back of strip 8: two jokers, blue, pink, yellow."""

LACKS = ["1f y", "1f pp", "1f oop", "8b oow", "8b bbbw"]


@pytest.mark.parametrize("strip", FITS)
def test_panes_lie_on_spaces_of_their_colour_or_on_jokers(strip: str) -> None:
    position(Board().with_strip(8 if strip[0] == "8" else 1, strip), centre="o")


@pytest.mark.parametrize("strip", LACKS)
def test_a_pane_without_a_space_is_refused(strip: str) -> None:
    with pytest.raises(ValueError, match="do not add up"):
        position(Board().with_strip(8 if strip[0] == "8" else 1, strip), centre="o")
