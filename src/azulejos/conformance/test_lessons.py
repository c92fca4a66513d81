"""Lessons are judged by the rules: accepted moves are legal, refused ones get a reason."""

from __future__ import annotations

import pytest

from azulejos.core import registry
from azulejos.core.guide import Course, LessonStep
from azulejos.core.scene import scene_of

COURSES: dict[str, Course] = {
    box: course for game in registry.games() if game.lesson is not None
    for box, course in game.lesson.courses.items()
}
STEPS = [(box, number) for box, course in COURSES.items() for number in range(len(course.steps))]


def step_of(box: str, number: int) -> LessonStep:
    return COURSES[box].steps[number]


@pytest.mark.parametrize("box", COURSES)
def test_a_lesson_is_short_and_about_its_box(box: str) -> None:
    assert 1 <= len(COURSES[box].steps) <= 8
    assert {step.table().preset.name for step in COURSES[box].steps} == {box}


@pytest.mark.parametrize(("box", "number"), STEPS)
def test_accepted_moves_are_legal(box: str, number: int) -> None:
    step = step_of(box, number)
    for move in step.accepted:
        position = step.table()
        for part in move.split():
            assert position.why_not(part) is None, f"{part}: {position.why_not(part)}"
            position.play(part)


@pytest.mark.parametrize(("box", "number"), STEPS)
def test_refused_moves_are_not_accepted_and_can_be_clicked(box: str, number: int) -> None:
    step = step_of(box, number)
    scene = scene_of(step.table(), ["", ""])
    legal = {step.table().game.moves.text(choice.action) for choice in scene.choices}
    for move in step.refused:
        assert move not in step.accepted
        possible = move in legal or step.table().why_not(move) is not None
        assert possible, f"{move} is neither legal nor refused by the rules"


@pytest.mark.parametrize(("box", "number"), STEPS)
def test_what_is_bright_is_on_the_table(box: str, number: int) -> None:
    step = step_of(box, number)
    scene = scene_of(step.table(), ["", ""])
    for place in step.bright:
        assert scene.slot(place) is not None, f"there is no place {place}"


@pytest.mark.parametrize(("box", "number"), STEPS)
def test_a_step_ends_with_its_turn_or_the_next_step_goes_on_with_it(box: str, number: int) -> None:
    """Otherwise the praise would come before anything has moved."""
    step, following = step_of(box, number), COURSES[box].steps[number + 1 :]
    for move in () if step.until else step.accepted:
        position = step.table()
        for part in move.split():
            position.play(part)
        if position.in_turn and following:
            assert following[0].earlier == (*step.earlier, *move.split()), f"{move} does not end the turn"


@pytest.mark.parametrize(("box", "number"), STEPS)
def test_steps_that_share_a_move_share_its_beginning(box: str, number: int) -> None:
    """A step that begins in the middle of a path follows the step that chose the first places."""
    step = step_of(box, number)
    if step.chosen:
        before = step_of(box, number - 1)
        assert before.until == step.chosen
        assert (before.position, before.earlier) == (step.position, step.earlier)
        assert set(step.accepted) <= set(before.accepted)
