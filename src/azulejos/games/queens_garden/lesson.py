"""The first lesson of Queen's Garden: acquire, place, pay, pay with jokers, pass."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Course, Lesson, LessonStep
from azulejos.core.message import msg
from azulejos.games.queens_garden import pictures

GARDEN: Final = Course(
    title=msg("Your first flower"),
    goodbye=msg("Take, place, pay, and pass in time. After four rounds the highest score wins."),
    steps=(
        LessonStep(
            position=pictures.DISPLAY, accepted=("ay",), bright=("name.yellow",),
            task=msg("Take everything yellow."),
            why=msg("In a turn you may take all of one colour or all of one pattern."),
            hint=msg("Tap the yellow hexagon in the row of colours."),
            praise=msg("Yellow it is. But two of them are alike."),
            otherwise=msg("That is allowed too. Here we want yellow."),
        ),
        LessonStep(
            position=pictures.DISPLAY, earlier=("ay",), accepted=("s1", "s3"),
            bright=("s1.yellow.butterflies", "s3.yellow.butterflies"),
            task=msg("Choose one of the two yellow butterflies."),
            why=msg("Of identical hexagons you get only one."),
            hint=msg("Tap one of the two bright hexagons."),
            praise=msg("Your yellow butterflies and your yellow plant lie below your garden."),
            otherwise=msg("Here we take yellow butterflies."),
        ),
        LessonStep(
            position=pictures.PLACE, accepted=("g4",), bright=("seat1.tile.light-green.flower",),
            task=msg("Now choose the light green flower to place it."),
            why=msg("The number on it is what it costs: 4 pieces. It counts as one itself."),
            hint=msg("Tap the light green flower below your garden."),
            praise=msg("So three more pieces will be due."),
            otherwise=msg("Here we place the light green flower from your storage."),
        ),
        LessonStep(
            position=pictures.PLACE, earlier=("g4",), accepted=("05",), bright=("seat1.05",),
            task=msg("Put it in the last free cell at the fountain."),
            why=msg("If it has neighbours, at least one must share its colour or its pattern."),
            hint=msg("Tap the bright cell."),
            praise=msg("It touches the light green plant, so it fits."),
            otherwise=msg("It would fit there. But at the fountain you win a joker: tap the bright cell."),
        ),
        LessonStep(
            position=pictures.PLACE, earlier=("g4", "05"), accepted=("b4 y4 j",),
            bright=("seat1.tile.light-blue.flower", "seat1.tile.yellow.flower", "seat1.jokers"),
            task=msg("Pay three more pieces: two flowers and a joker."),
            why=msg("All pieces share the pattern, each in another colour, or all share the colour, each "
                    "with another pattern."),
            hint=msg("Tap the blue flower, then the yellow one, then a joker."),
            praise=msg("Paid. The fountain is surrounded, so you won a joker back."),
            refused={"g1": msg("It shares the colour, but we pay with flowers. Tap the blue flower.")},
            otherwise=msg("We pay with flowers here: blue, then yellow, then a joker."),
        ),
        LessonStep(
            position=pictures.PLACE, accepted=("p3 11",),
            bright=("seat1.tile.dark-purple.butterflies", "seat1.11"),
            task=msg("Place the dark purple butterflies away from everything else."),
            why=msg("A hexagon without neighbours may lie anywhere."),
            hint=msg("Tap the dark purple butterflies, then the bright cell."),
            praise=msg("It costs 3: two more. But nothing else of yours is dark purple or shows "
                       "butterflies."),
            otherwise=msg("Here we place the dark purple butterflies."),
        ),
        LessonStep(
            position=pictures.PLACE, earlier=("p3", "11"), accepted=("j",), bright=("seat1.jokers",),
            task=msg("Pay both with jokers."),
            why=msg("A joker counts as any hexagon."),
            hint=msg("Tap your jokers."),
            praise=msg("Paid. You win new jokers by surrounding the fountain, statues, benches and "
                       "pavilions."),
            otherwise=msg("Here we pay with jokers."),
        ),
        LessonStep(
            position=pictures.PLACE, accepted=("-",), bright=("pass",),
            task=msg("Pass."),
            why=msg("If nothing is worth it any more, you leave the round. The first to pass begins the "
                    "next."),
            hint=msg("Tap “Pass”."),
            praise=msg("You lose 1 point for being first, and you begin the next round."),
            otherwise=msg("You could go on. Here we look at passing: tap “Pass”."),
        ),
    ),
)

LESSON: Final = Lesson(courses={"garden": GARDEN})
