"""How to play Azul, its grey wall and its special factories, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Section
from azulejos.core.message import msg
from azulejos.games.azul import layout, pictures
from azulejos.games.azul.layout import State

GOAL: Final = Section(
    id="goal", title=msg("What you want"),
    paragraphs=(
        msg("Cover your wall with tiles so that they touch: neighbours make every new tile worth more. "
            "The highest score at the end wins."),
        msg("In Master Chocolatier the tiles are chocolates and the walls are boxes. The rules are the "
            "same."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Before the first round"),
    paragraphs=(
        msg("Everybody has a board: five pattern lines on the left, the wall on the right, the floor line "
            "below. All scores start at 0."),
        msg("The bag holds 100 tiles, 20 of each of five colours. Two players use 5 factories, three use "
            "7, four use 9, and each factory gets 4 tiles from the bag."),
        msg("The start marker lies in the centre. Who begins the first round is drawn by lot, unless the "
            "table chose somebody."),
    ),
    picture=Picture(
        position=pictures.SETUP, panels=("offer",),
        caption=msg("Two players: five factories with four tiles each, the marker in the centre."),
    ),
)

TURN: Final = Section(
    id="turn", title=msg("Your turn"),
    paragraphs=(
        msg("Choose one colour on one factory and take all its tiles; the other tiles of that factory "
            "slide into the centre. Or take all tiles of one colour from the centre."),
        msg("The first player of a round who takes from the centre also gets the start marker. It goes on "
            "the first free space of the floor line, ahead of any tile that falls in this turn."),
        msg("Put everything you took into one pattern line with room left, or all of it on the floor. A "
            "line holds a single colour, and never a colour that its row of the wall already has."),
        msg("You must fill the line as far as your tiles reach. Those that find no room fall to the floor "
            "line, from left to right; when the floor is full, the rest go to the lid and cost nothing."),
        msg("Turns go clockwise until factories and centre are empty."),
    ),
    picture=Picture(
        position=pictures.TURN, panels=("offer", "seat1"),
        caption=msg("Player 1 took three yellow tiles from the centre for line 2, which had one free "
                    "space: the marker and two tiles lie on the floor."),
    ),
)

TILING: Final = Section(
    id="tiling", title=msg("The end of a round"),
    paragraphs=(
        msg("Go through your lines from top to bottom. Each full line sends one tile to the space of its "
            "colour in the same row of the wall and scores at once; its other tiles go to the lid. Lines "
            "that are not full stay as they are."),
        msg("A new tile without neighbours scores 1. Otherwise count the unbroken row it is part of, if "
            "that has at least two tiles, and the unbroken column likewise, and add both."),
        msg("Then pay for the floor line: its spaces cost 1, 1, 2, 2, 2, 3 and 3 points, so three pieces "
            "cost 4. The marker counts as a piece. No score drops below 0."),
        msg("The floor is cleared into the lid. Who has the marker begins the next round, and the "
            "factories are filled again; when the bag runs out, the tiles of the lid go back into it."),
    ),
    picture=Picture(
        position=pictures.TILING, panels=("seat1",),
        caption=msg("Line 3 is full. Its white tile joins black and blue in a row of 3 and blue above it "
                    "in a column of 2: 5 points. The two pieces on the floor cost 2."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("The game ends after the round in which somebody has completed a row of five on the wall."),
        msg("Each complete row gives 2 more points, each complete column 7, and each colour of which all "
            "five tiles are on your wall 10."),
        msg("If scores are equal, more complete rows win; if those are equal too, the win is shared."),
    ),
    picture=Picture(
        position=pictures.END, panels=("seat1",),
        caption=msg("One row (2), one column (7) and all five blue tiles (10): 19 points at the end."),
    ),
)

GREY: Final = Section(
    id="grey", title=msg("Variant: the grey wall"),
    paragraphs=(
        msg("The wall has no colours. You choose the column of each tile yourself, line by line from the "
            "top; a column, like a row, never holds one colour twice."),
        msg("If no column can take the tile, all tiles of that line fall to the floor before you pay for "
            "it."),
    ),
    picture=Picture(
        position=pictures.GREY, panels=("seat1",),
        caption=msg("The red tile of line 2 may go to column 2 or 5: column 1 is taken, and columns 3 and "
                    "4 have a red tile already."),
    ),
)

SPECIAL: Final = Section(
    id="special", title=msg("Variant: special factories"),
    paragraphs=(
        msg("In every round as many factories as there are players turn out to be special. Which ones, "
            "and which of the nine effects they have, is drawn anew each time."),
        msg("EXTRA: this factory gets a fifth tile. NEIGHBOUR, one disc for each colour: before the round "
            "starts, one tile of that colour moves here from each of the two factories beside it."),
        msg("STAY: the tiles that you do not take remain on the factory."),
        msg("SPLIT: the tiles that you do not take go to the two factories beside it. You divide them as "
            "evenly as you can without separating a colour; a table may also allow any division that "
            "keeps colours together."),
        msg("ZERO: take the disc too and lay it beside your floor line. The next piece that would fall to "
            "your floor lies on the disc and costs nothing, even a tile of this very turn or the marker."),
    ),
    picture=Picture(
        position=pictures.SPECIAL, panels=("offer",),
        caption=msg("Four players: factory 2 drew yellow from its neighbours, tiles stay on factory 4, "
                    "those of factory 6 are divided, and factory 9 offers the ZERO disc."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("Where the rule books are silent"),
    paragraphs=(
        msg("If the marker finds your floor full, you keep it without a penalty. If nobody takes from the "
            "centre in a round, the same player begins again."),
        msg("If the bag and the lid are both empty, the round is played with the tiles there are; without "
            "a single tile the game ends. It also ends after five rounds in a row that bring no tile to "
            "any wall."),
        msg("On the grey wall players choose one after the other, beginning with the one who started the "
            "round."),
        msg("When the ZERO disc is taken, the factories beside it become neighbours. A full floor sends "
            "pieces to the lid, not to the disc. Tiles that move to a special factory follow its effect."),
    ),
)

def section_about(s: State, action: int) -> Section:
    """What to read when an action is refused."""
    return {layout.TILING: GREY, layout.DIVIDING: SPECIAL}.get(int(s.stage), TURN)


GUIDE: Final = Guide(
    title=msg("How to play Azul"),
    summary=msg("Take all tiles of one colour, fill your lines, move finished lines to the wall, and let "
                "as little as possible fall."),
    sections=(GOAL, SET_UP, TURN, TILING, END, GREY, SPECIAL, RULINGS),
    section_about=section_about,
)
