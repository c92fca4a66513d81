"""How to play Azul, its grey wall and its special factories, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Pin, Section, steps
from azulejos.core.message import msg
from azulejos.games.azul import layout, pictures
from azulejos.games.azul.layout import State

GOAL: Final = Section(
    id="goal", title=msg("Goal of the game"),
    paragraphs=(
        msg("Place tiles next to each other on your wall: the longer the row and the column a new tile "
            "joins, the more it scores. The player with the highest score at the end of the game wins."),
        msg("In Master Chocolatier the tiles are chocolates and the wall is a box. The rules are the "
            "same."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Set-up"),
    paragraphs=(
        msg("Each player has a board: five pattern lines on the left, the wall on the right, the floor "
            "line below. All scores start at 0."),
        msg("The bag holds 100 tiles, 20 of each of five colours. Two players use 5 factories, three use "
            "7, four use 9, and each factory gets 4 tiles from the bag."),
        msg("The start marker lies in the centre. The first player is chosen at random, unless one was "
            "named when the table was opened."),
    ),
    picture=Picture(
        position=pictures.SETUP, panels=("offer", "seat1"),
        caption=msg("Two players: five factories with four tiles each, the start marker in the centre."),
        parts=(
            Pin(slot="F1", name=msg("factory"), dx=-1.3, dy=-1.0),
            Pin(slot="C", name=msg("centre"), dx=-1.6, dy=-1.1),
            Pin(slot="C.marker", name=msg("start marker"), dx=0.45, dy=0.45),
            Pin(slot="seat1.line3", name=msg("pattern lines: line 1 has one space, line 5 has five"),
                dx=-1.56),
            Pin(slot="seat1.wall3-3", name=msg("wall: each space shows the colour that belongs there")),
            Pin(slot="seat1.floor", name=msg("floor line, with what each space costs"), dx=4.4),
            Pin(slot="seat1.wall1-5", name=msg("your score"), dx=-0.6, dy=-1.1),
        ),
    ),
)

TURN: Final = Section(
    id="turn", title=msg("Your turn"),
    paragraphs=(
        msg("Choose one colour on one factory and take all its tiles of that colour; move the other "
            "tiles of that factory to the centre. Or take all tiles of one colour from the centre."),
        msg("The first player to take from the centre in a round also takes the start marker. It goes on "
            "the leftmost free space of their floor line, before any tiles that fall this turn. The "
            "marker alone cannot be taken."),
        msg("Place all the tiles you took in one pattern line that still has room, or put all of them on "
            "your floor line. A line may hold only one colour, and never a colour that is already in the "
            "same row of your wall."),
        msg("Place as many as fit. Any left over fall to your floor line, from left to right; once it is "
            "full, the rest go to the lid at no cost."),
        msg("Play goes clockwise until all factories and the centre are empty."),
    ),
    picture=Picture(
        position=pictures.TURN, panels=("offer", "seat1"),
        caption=msg("Player 1 took three yellow tiles from the centre for line 2, which had one free "
                    "space: the start marker and two tiles lie on the floor line."),
    ),
    steps=steps(
        pictures.STEPS, ("offer", "seat1"),
        msg("It is your turn; you are player 1. Line 3 needs two more white tiles."),
        ("1w3", msg("You take both white tiles from factory 1 and complete line 3. The red and the black "
                    "tile move to the centre.")),
        ("4y2", msg("Player 2 takes both yellow tiles from factory 4. The other two move to the centre.")),
        ("0r5", msg("You take both red tiles from the centre for line 5. You are the first to take from "
                    "the centre, so the start marker goes on your floor line.")),
        ("0b1 0k4", msg("Player 2 takes blue, you take black for line 4, and the round is over. Line 3 "
                        "scores 5 points, the marker costs 1. Lines 4 and 5 are not full and stay.")),
    ),
)

TILING: Final = Section(
    id="tiling", title=msg("The end of a round"),
    paragraphs=(
        msg("Go through your lines from top to bottom. Move one tile from each full line to the matching "
            "space in the same row of your wall and score it at once; its other tiles go to the lid. "
            "Lines that are not full stay as they are."),
        msg("A new tile without neighbours scores 1 point. Otherwise count the tiles in its unbroken row "
            "(if there are at least two), do the same for its unbroken column, and add the two numbers."),
        msg("Then lose points for your floor line: from left to right its spaces cost 1, 1, 2, 2, 2, 3 "
            "and 3, so three pieces cost 4 points in all. The start marker counts as a piece. Your score "
            "cannot drop below 0."),
        msg("Move the tiles on the floor lines to the lid. Whoever holds the start marker begins the "
            "next round, and the factories are filled again; when a tile must be drawn and the bag is "
            "empty, put the tiles from the lid back into it."),
    ),
    picture=Picture(
        position=pictures.TILING, panels=("seat1",),
        caption=msg("Line 3 is full. Its white tile joins black and blue in a row of 3 and blue above it "
                    "in a column of 2: 5 points. The two pieces on the floor line cost 2 points."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("The game ends after the round in which at least one player has completed a horizontal row "
            "of five tiles on their wall."),
        msg("Each complete row scores 2 extra points, each complete column 7, and each colour of which "
            "all five tiles are on your wall 10."),
        msg("If scores are tied, the player with more complete rows wins; if that is tied too, they "
            "share the win."),
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
            "top; neither a row nor a column may hold the same colour twice."),
        msg("If the tile fits in no column, all tiles of that line fall to your floor line before you "
            "count what the floor line costs."),
    ),
    picture=Picture(
        position=pictures.GREY, panels=("seat1",),
        caption=msg("The red tile of line 2 may go to column 2 or 5: column 1 is taken, and columns 3 "
                    "and 4 already have a red tile."),
    ),
)

SPECIAL: Final = Section(
    id="special", title=msg("Variant: special factories"),
    paragraphs=(
        msg("Each round, as many factories are special as there are players. There are nine discs with "
            "five kinds of effect; which factories get one, and which disc it is, is drawn afresh every "
            "round."),
        msg("EXTRA: this factory gets a fifth tile. NEIGHBOUR (one disc for each colour): before the "
            "round starts, one tile of that colour, if there is one, moves here from each of the two "
            "factories beside it."),
        msg("STAY: the tiles you do not take remain on the factory."),
        msg("SPLIT: the tiles you do not take go to the two factories beside it. Divide them as evenly "
            "as you can without separating a colour. The English edition allows any division that keeps "
            "colours together; you can choose that when you open a table."),
        msg("ZERO: the other tiles go to the centre as usual; you also take the disc and put it beside "
            "your floor line. The next piece that would fall to your floor line goes on the disc and "
            "costs nothing, even a tile of this very turn or the start marker."),
    ),
    picture=Picture(
        position=pictures.SPECIAL, panels=("offer",),
        caption=msg("Four players: factory 2 got yellow tiles from its neighbours, tiles stay on factory "
                    "4, those of factory 6 are divided, and factory 9 has the ZERO disc."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("What the rulebooks leave open"),
    paragraphs=(
        msg("If your floor line is already full when you take the start marker, you keep it without "
            "penalty. If nobody takes from the centre in a round, the same player begins the next one."),
        msg("If the bag and the lid are both empty, the round is played with the tiles there are; if "
            "there are none at all, the game ends. It also ends after five rounds in a row in which no "
            "tile reaches a wall."),
        msg("On the grey wall players choose one after the other, beginning with the one who started the "
            "round."),
        msg("The EXTRA tile is drawn before NEIGHBOUR discs attract tiles, so it may move on to one of "
            "them."),
        msg("When the ZERO disc is taken, the factories beside it become neighbours. If your floor line "
            "is full, pieces go to the lid, not onto the disc. Tiles that move to a special factory are "
            "subject to its effect."),
    ),
)


def section_about(s: State, action: int) -> Section:
    """The section that explains why an action was refused."""
    return {layout.TILING: GREY, layout.DIVIDING: SPECIAL}.get(int(s.stage), TURN)


GLANCE: Final = (
    Picture(position=pictures.STEPS, move="1w3", panels=("offer",),
            caption=msg("Take all tiles of one colour from one factory or from the centre.")),
    Picture(position=pictures.STEPS, move="1w3", panels=("seat1",),
            caption=msg("Place them in one pattern line.")),
    Picture(position=pictures.STEPS, earlier=("1w3", "4y2", "0r5"), move="0b1 0k4", panels=("seat1",),
            caption=msg("Score: at the end of the round, one tile of each full line moves to the wall.")),
)

CARD: Final = (
    (msg("Set-up"), (
        msg("Factories for 2, 3 or 4 players: 5, 7 or 9, with 4 tiles each."),
    )),
    (msg("Your turn"), (
        msg("Take all tiles of one colour from a factory (the others go to the centre) or from the centre "
            "(the first player to do so also takes the start marker)."),
        msg("Place them in one pattern line: one colour only, and none that its row of the wall already "
            "has. Any left over fall to the floor line."),
    )),
    (msg("The end of a round"), (
        msg("Each full line: one tile to the wall. It scores 1 point alone, otherwise its row plus its "
            "column."),
        msg("Floor line: −1, −1, −2, −2, −2, −3, −3."),
    )),
    (msg("The end of the game"), (
        msg("After the round in which a horizontal row is completed: 2 points for each row, 7 for each "
            "column, 10 for each complete colour."),
    )),
)

GUIDE: Final = Guide(
    title=msg("How to play Azul"),
    facts=msg("2 to 4 players, about 5 rounds, about 30 minutes"),
    glance=GLANCE, card=CARD,
    terms=("factory", "centre", "tile", "pattern-line", "wall", "floor-line", "lid", "bag", "start-marker",
           "special-effect"),
    summary=msg("Take all tiles of one colour, fill your pattern lines, move tiles from full lines to "
                "your wall, and let as few as possible fall."),
    sections=(GOAL, SET_UP, TURN, TILING, END, GREY, SPECIAL, RULINGS),
    section_about=section_about,
)
