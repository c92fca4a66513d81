"""The first lesson of Stained Glass of Sintra."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Course, Lesson, LessonStep
from azulejos.core.message import msg
from azulejos.games.stained_glass import pictures

SINTRA: Final = Course(
    title=msg("Your first window"),
    goodbye=msg("Fill strips, keep panes, and bring the glazier back in time. After six rounds the highest "
                "score wins."),
    steps=(
        LessonStep(
            position=pictures.TURN, accepted=("1p1", "1p2", "1p3", "1p7"), until=1, bright=("F1",),
            task=msg("Take both pink panes from this factory."),
            why=msg("You always take all panes of one colour; the others go to the centre."),
            hint=msg("Tap a pink pane in the bright circle."),
            praise=msg("Both are yours."),
            otherwise=msg("Any factory would be allowed. Here we need pink, in the bright circle."),
        ),
        LessonStep(
            position=pictures.TURN, accepted=("1p3",), chosen=1, bright=("seat1.strip3",),
            task=msg("Put them on strip 3."),
            why=msg("Each pane needs a space of its colour. Strip 3 has room for two pink panes."),
            hint=msg("Tap strip 3."),
            praise=msg("Both fit, and your glazier walked to strip 3."),
            refused={"1p1": msg("There only one fits, and the other breaks. Strip 3 has room for both.")},
            otherwise=msg("Not both of them fit there. Strip 3 has room for both."),
        ),
        LessonStep(
            position=pictures.TURN, accepted=("1p1",), bright=("F1", "seat1.strip1"),
            task=msg("Now put both pink panes on strip 1, to see one break."),
            why=msg("What does not fit breaks: one step down the broken-glass track for each pane."),
            hint=msg("Tap a pink pane on the bright factory, then strip 1."),
            praise=msg("One fits, one broke. A few steps are cheap, many are not."),
            otherwise=msg("To see it, take pink from the bright factory for strip 1."),
        ),
        LessonStep(
            position=pictures.SCORE, accepted=("1y3",), bright=("F1", "seat1.strip3"),
            task=msg("Complete strip 3 with the yellow pane."),
            why=msg("A complete strip scores. Panes in the bonus colour of the round score 1 point more."),
            hint=msg("Tap the yellow pane on the bright factory, then strip 3."),
            praise=msg("Strip 3 is complete: 1 point, because yellow is the bonus colour."),
            refused={"1y4": msg("Possible, but strip 3 lacks only this pane. Tap strip 3.")},
            otherwise=msg("Strip 3 lacks only a yellow pane, and the bright factory has one."),
        ),
        LessonStep(
            position=pictures.SCORE, earlier=("1y3",), bright=("seat1.strip3",),
            accepted=("kw", "kp", "ky"),
            task=msg("Choose a pane of the strip to keep for the window."),
            why=msg("The window scores, and every window to its right that has a pane."),
            hint=msg("Tap any pane of strip 3."),
            praise=msg("Windows 3, 5 and 7 score 3 + 2 + 1 = 6 points, and the strip is turned over."),
            otherwise=msg("Tap a pane of strip 3."),
        ),
        LessonStep(
            position=pictures.SCORE, earlier=("1y3", "kw", "4p3", "0o5", "2b4"), accepted=("g",),
            bright=("seat1.glazier1",),
            task=msg("Move your glazier back."),
            why=msg("The glazier only walks to the right. Going back to the left is a turn of its own."),
            hint=msg("Tap the place of the glazier above strip 1."),
            praise=msg("Now all strips are within reach again."),
            otherwise=msg("You could still take panes. But first bring the glazier back: tap the place "
                          "above strip 1."),
        ),
    ),
)

LESSON: Final = Lesson(courses={"sintra-a": SINTRA})
