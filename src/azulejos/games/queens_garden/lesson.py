"""The first lesson of Queen's Garden."""

from __future__ import annotations

from typing import Final

from azulejos.core.lesson import Course, Lesson, Step
from azulejos.core.message import msg
from azulejos.games.queens_garden import pictures

GARDEN: Final = Course(
    title=msg("Your first flower"),
    goodbye=msg("Acquire, place, pay, and pass in time. After four rounds the highest score wins."),
    steps=(
        Step(
            position=pictures.DISPLAY, accepted=("ay s1", "ay s3"),
            bright=("name.yellow", "s1.yellow.butterflies", "s3.yellow.butterflies"),
            task=msg("Acquire everything yellow."),
            why=msg("Name a colour or a pattern, and you get each hexagon of that kind; of identical "
                    "ones, one."),
            hint=msg("Tap “yellow” in the row of names, then one of the two butterflies."),
            praise=msg("The yellow plant and one of the yellow butterflies are in your storage."),
            otherwise=msg("That name is allowed too. Here we want yellow."),
        ),
        Step(
            position=pictures.PLACE, accepted=("g4",), bright=("seat1.tile.light-green.flower",),
            task=msg("Now choose the light green flower to place it."),
            why=msg("The pattern gives the price: a tree costs 1, a flower 4, bells 6. The placed one "
                    "counts."),
            hint=msg("Tap the light green flower in your storage."),
            praise=msg("It costs four pieces, itself included."),
            otherwise=msg("Here we place the light green flower from your storage."),
        ),
        Step(
            position=pictures.PLACE, earlier=("g4",), accepted=("05",), bright=("seat1.05",),
            task=msg("Put it in the last free cell at the fountain."),
            why=msg("If it has neighbours, at least one must share its colour or its pattern."),
            hint=msg("Tap the bright cell."),
            praise=msg("It touches the light green plant, so it fits."),
            otherwise=msg("It would fit there. But at the fountain you win a joker: tap the bright cell."),
        ),
        Step(
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
        Step(
            position=pictures.PLACE, accepted=("-",), bright=("pass",),
            task=msg("Pass."),
            why=msg("If nothing is worth it any more, you leave the round. The first to pass begins the "
                    "next."),
            hint=msg("Tap “pass”."),
            praise=msg("You lose 1 point for being first, and you begin the next round."),
            otherwise=msg("You could go on. Here we look at passing: tap “pass”."),
        ),
    ),
)

LESSON: Final = Lesson(courses={"garden": GARDEN})
