"""Drills: every answer is what the rules and the proof say, and wrong ones come back."""

from __future__ import annotations

import datetime
import itertools

import pytest

from azulejos.core.scene import prospect, scene_of
from azulejos.insight.drills import DrillKind, due_drills, fresh, named, next_drill
from azulejos.insight.progress import Attempt
from azulejos.insight.puzzles import Goal, packs
from azulejos.insight.puzzles.exact import Exact

NOW = datetime.datetime(2026, 11, 19, 12, tzinfo=datetime.UTC)


@pytest.mark.parametrize("box", sorted(packs()))
def test_drills_ask_what_is_true(box: str) -> None:
    for found in itertools.islice(fresh(box, 1, DrillKind), 6):
        assert len(found.options) == len(set(map(str, found.options))) == 4
        again = named(found.name)
        assert again is not None
        assert (again.turn, again.right) == (found.turn, found.right), "it can be asked again"
        if found.kind is DrillKind.REPLY:
            exact = Exact(found.before.game, Goal.POINTS)
            exact.begin(found.before)
            replies = exact.turns(found.before.after(found.turn))
            assert replies[0].worth > replies[1].worth
        else:
            scene = scene_of(found.before, ["", ""])
            points = prospect(found.before, found.turn[0], scene, scene.path(found.turn[0])).points
            assert str(found.options[found.right]) == str(abs(sum(n for _, n in points)))


def test_what_was_wrong_is_asked_again_and_what_was_right_later() -> None:
    first, second = itertools.islice(fresh("azul", 0, DrillKind), 2)
    at = int(NOW.timestamp() * 1000) - 36 * 3_600_000
    wrong = Attempt(puzzle=first.name, at=at, first="wrong", tries=1)
    right = Attempt(puzzle=second.name, at=at, first="right", tries=1, solved=True)
    assert due_drills([wrong, right], NOW) == [first.name]
    asked = next_drill("azul", [wrong, right], NOW)
    assert asked is not None
    assert asked.name == first.name
    known = [Attempt(puzzle=first.name, at=at + n, first="right", tries=1) for n in range(1, 4)]
    assert first.name not in due_drills([wrong, *known], NOW), "three times in a row is enough"
    new = next_drill("azul", [right], NOW)
    assert new is not None
    assert new.name != second.name


def test_names_of_drills_that_are_none() -> None:
    for name in ("drill-azul/gain-nothing0", "drill-chess/gain-12345678", "drill-azul/x-1", ""):
        assert named(name) is None
