"""The first lesson of Azul, and that of the special factories of Master Chocolatier."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Course, Lesson, LessonStep
from azulejos.core.message import Message, msg
from azulejos.games.azul import pictures

LINES: Final = ("1", "2", "3", "4", "5", "f")

SPILL: Final = (
    "azul,players=2,start=1/to_move=0,stage=4,bag=hghhh,"
    "factories=031002001100211110110000000000000000000000000"
)
LAST_TURNS: Final = (
    "azul,players=2,start=1/to_move=0,stage=4,marker=1,bag=eggei,"
    "factories=220000000000000000000000000000000000000000000,centre=00110,"
    "line_colour=00234010000000000000,line_tiles=01232010200000000000,"
    "wall=123400000400000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000,floor=0000000600000000000000000000"
)
STAY_AND_SPLIT: Final = (
    "chocolatier,players=2,start=1/to_move=0,stage=4,bag=ggggg,"
    "factories=201100200201210100211110100000000000000000000,effects=070800000"
)
EXTRA_AND_ZERO: Final = (
    "chocolatier,players=2,start=1/to_move=0,stage=4,bag=ffgef,"
    "factories=211100300100211100211110100000000000000000000,effects=690000000,"
    "line_colour=40300000000000000000,line_tiles=11200000000000000000"
)

NOT_THIS_FACTORY: Final = msg("You could take from there. But here we need the tiles in the bright circle.")


def moves(taken: str, lines: tuple[str, ...] = LINES) -> tuple[str, ...]:
    """A take with every line: ``moves("1b")`` is 1b1, 1b2 …, 1bf."""
    return tuple(taken + line for line in lines)


def same(text: Message, *taken: str) -> dict[str, Message]:
    """The same answer for some takes with any line."""
    return {move: text for take in taken for move in moves(take)}


AZUL: Final = Course(
    title=msg("Your first round"),
    goodbye=msg("That is the whole game: take, place, score. The player with the highest score wins."),
    steps=(
        LessonStep(
            position=pictures.SETUP, accepted=moves("1b"), until=1, bright=("F1",),
            task=msg("Take both blue tiles from this factory."),
            why=msg("You always take all tiles of one colour."),
            hint=msg("Tap one blue tile. The other comes along."),
            praise=msg("Both are yours."),
            refused=same(
                msg("The right factory, but we need blue: tap one of the two blue tiles."), "1r", "1k",
            ),
            otherwise=NOT_THIS_FACTORY,
        ),
        LessonStep(
            position=pictures.SETUP, accepted=("1b2",), chosen=1, bright=("seat1.line2",),
            task=msg("Put them in line 2."),
            why=msg("Each pattern line holds one colour."),
            hint=msg("Tap line 2. It has room for exactly two tiles."),
            praise=msg("Line 2 is full. At the end of the round it will score."),
            refused={"1b1": msg("Line 1 has room for one tile, the other would fall. Tap line 2."),
                     "1bf": msg("On the floor they would cost points. Tap line 2.")},
            otherwise=msg("They would fit, but the line would not be full. Tap line 2: it will be full."),
        ),
        LessonStep(
            position=pictures.SETUP, earlier=("1b2", "2y2"), bright=("F4", "C"),
            accepted=moves("4w", ("3", "4", "5")),
            task=msg("Take both white tiles from this factory, and put them in line 3, 4 or 5."),
            why=msg("What you do not take goes to the centre."),
            hint=msg("Tap a white tile in the bright circle, then a line."),
            praise=msg("The blue and the red tile moved to the centre. Anybody can take them there."),
            refused=same(
                msg("The right factory, but we need white: tap one of the two white tiles."), "4b", "4r",
            ),
            otherwise=msg("We need both white tiles from the bright factory, in line 3, 4 or 5."),
        ),
        LessonStep(
            position=SPILL, accepted=("1y2",), bright=("F1", "seat1.line2"),
            task=msg("Put three yellow tiles in line 2."),
            why=msg("What does not fit falls to the floor line and costs points."),
            hint=msg("Tap a yellow tile on the bright factory, then line 2."),
            praise=msg("Two fit, the third fell. It will cost you 1 point."),
            refused={"1y3": msg("All three fit there, which is wiser. But first see one fall: tap line "
                                "2.")},
            otherwise=msg("Here we need the three yellow tiles, in line 2."),
        ),
        LessonStep(
            position=pictures.STEPS, accepted=("1w3",), bright=("F1", "seat1.line3"),
            task=msg("Fill line 3."),
            why=msg("Only a full line scores. Line 3 has one white tile and needs two more."),
            hint=msg("Tap a white tile on the bright factory, then line 3."),
            praise=msg("Line 3 is full."),
            refused=same(
                msg("The right factory, but line 3 has begun with white. Tap a white tile."), "1r", "1k",
            ),
            otherwise=msg("Line 3 needs the two white tiles of the bright factory."),
        ),
        LessonStep(
            position=pictures.TILING, accepted=("0b4",), bright=("C", "seat1.line4"),
            task=msg("Take the last tile. Then the round ends, and full lines score."),
            why=msg("One tile of each full line moves to the wall and scores the row and the column it "
                    "joins."),
            hint=msg("Tap the blue tile in the centre, then line 4."),
            praise=msg("White made a row of 3 and a column of 2: 5 points. The floor line cost 2."),
            otherwise=msg("The floor costs points, and line 4 still has room for blue."),
        ),
        LessonStep(
            position=pictures.SETUP, earlier=("1b2", "2y2"), bright=("C",),
            accepted=moves("0w", ("3", "4", "5")),
            task=msg("Take both white tiles from the centre, and put them in line 3, 4 or 5."),
            why=msg("Whoever takes from the centre first gets the start marker."),
            hint=msg("Tap a white tile in the centre, then a line."),
            praise=msg("The marker costs 1 point, but you begin the next round."),
            otherwise=msg("This time we take white, from the centre, for line 3, 4 or 5."),
        ),
        LessonStep(
            position=LAST_TURNS, accepted=(), turns=2,
            task=msg("Now you: finish this round."),
            why=msg("Row 1 of your wall needs only white. Which lines can you fill now?"),
            hint=msg("Take what you like. The other player moves in between."),
            praise=msg("The round is over, and your full lines have scored."),
            otherwise=msg("That is not possible here."),
        ),
    ),
)

CHOCOLATIER: Final = Course(
    title=msg("Special factories"),
    goodbye=msg("Everything else is as in Azul. The discs are drawn afresh every round."),
    steps=(
        LessonStep(
            position=STAY_AND_SPLIT, accepted=moves("2y", ("2", "3", "4", "5")), bright=("F2",),
            task=msg("Take the brown chocolates from this factory, and put them in a line."),
            why=msg("STAY: what you do not take remains on the factory."),
            hint=msg("Tap a brown chocolate in the bright circle, then line 2, 3, 4 or 5."),
            praise=msg("The other chocolates stayed, so the centre is still empty."),
            otherwise=msg("Here we try the disc in the bright circle: brown, for line 2, 3, 4 or 5."),
        ),
        LessonStep(
            position=STAY_AND_SPLIT, accepted=("4k2 <b", "4k2 <w"),
            bright=("F4", "F3", "F5", "seat1.line2"),
            task=msg("Take the dark brown chocolates for line 2, and share out the rest."),
            why=msg("SPLIT: what you do not take goes to the two factories beside it."),
            hint=msg("Tap a dark brown chocolate, then line 2. Then tap what is left, and a factory beside "
                     "it."),
            praise=msg("One went to each side. Nothing went to the centre."),
            otherwise=msg("Here we take the two dark brown ones from the bright factory, for line 2."),
        ),
        LessonStep(
            position=EXTRA_AND_ZERO, accepted=("1b4", "1b5"), bright=("F1", "seat1.line4", "seat1.line5"),
            task=msg("Take light blue from this factory for line 4 or 5."),
            why=msg("EXTRA: this factory got a fifth chocolate."),
            hint=msg("Tap a light blue chocolate in the bright circle, then line 4 or 5."),
            praise=msg("Three others went to the centre instead of two."),
            otherwise=msg("Here we need light blue from the bright factory, for line 4 or 5."),
        ),
        LessonStep(
            position=EXTRA_AND_ZERO, accepted=("2yf",), bright=("F2", "seat1.floor"),
            task=msg("Take the three brown chocolates, and drop them on the floor."),
            why=msg("ZERO: you also get the disc. The next piece that falls lands on it, at no cost."),
            hint=msg("Tap a brown chocolate in the bright circle, then the floor line."),
            praise=msg("Three fell, but one of them lies on the disc: it costs nothing."),
            otherwise=msg("Just this once: the three brown ones, to the floor line."),
        ),
    ),
)

LESSON: Final = Lesson(courses={"azul": AZUL, "chocolatier": CHOCOLATIER})
