"""How to play Stained Glass of Sintra, sides A and B, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Section
from azulejos.core.message import msg
from azulejos.games.stained_glass import pictures
from azulejos.games.stained_glass.layout import KEEPING, State
from azulejos.games.stained_glass.moves import RESET

GOAL: Final = Section(
    id="goal", title=msg("What you want"),
    paragraphs=(
        msg("Complete strips of coloured glass. Each one puts a pane into the window below it and scores "
            "that window and the begun windows to its right, so your board is worth more and more."),
        msg("There are six rounds. The highest score at the end wins."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Before the first round"),
    paragraphs=(
        msg("Your board has eight windows, each with room for two panes. Above every window lies a strip "
            "of five spaces; all players have the same eight strips, in an order of their own."),
        msg("Strips have two sides, and the small picture above a strip shows the other one. "
            "Your glazier starts above the leftmost strip."),
        msg("Six panes lie on the round track: the colour of the current round is its bonus colour. Two "
            "players use 5 factories, three use 7, four use 9, with 4 panes each."),
    ),
)

TURN: Final = Section(
    id="turn", title=msg("Your turn: take panes"),
    paragraphs=(
        msg("Choose one colour on one factory and take all its panes; the others of that factory go to "
            "the centre. Or take all panes of one colour from the centre."),
        msg("The first player of a round who takes from the centre also takes the start tile and goes one "
            "step down the broken-glass track."),
        msg("All panes go to one strip: the one below your glazier or one to its right. The glazier moves "
            "there first. Each pane needs a free space of its colour or a free joker space."),
        msg("Panes that do not fit break: one step down the broken-glass track for each."),
        msg("If any strip in reach has room for at least one pane, you must use such a strip. Only if "
            "none has, all panes break; then the glazier stays where it is."),
    ),
    picture=Picture(
        position=pictures.TURN, panels=("offer", "seat1"),
        caption=msg("Two pink panes from factory 1: on strip 1 one fits and one breaks. Strip 3 takes "
                    "both, but then the glazier leaves two strips behind."),
    ),
)

BACK: Final = Section(
    id="back", title=msg("Your turn: the glazier goes back"),
    paragraphs=(
        msg("Instead of taking panes you may move the glazier back above your leftmost strip. You may "
            "not, if that would not bring it farther to the left. There is no other way to pass."),
    ),
)

STRIP: Final = Section(
    id="strip", title=msg("A complete strip"),
    paragraphs=(
        msg("When all five spaces of a strip are filled, first score 1 point for each of its panes in the "
            "bonus colour of the round."),
        msg("Then keep one of its panes, whichever you like, for the window: the upper space first, the "
            "second time the lower one. The other four go to the tower."),
        msg("Last, score the number below this window and the numbers below all windows to its right that "
            "hold at least one pane."),
        msg("After the first time the strip is turned over; after the second time it is removed and its "
            "window is complete. The glazier stays where it is."),
    ),
    picture=Picture(
        position=pictures.SCORE, panels=("offer", "track", "seat1"),
        caption=msg("The yellow pane completes strip 3. Yellow is the bonus colour: 1 point. Window 3 "
                    "gives 3, the begun windows 5 and 7 add 2 and 1: 6 points."),
    ),
)

BROKEN: Final = Section(
    id="broken", title=msg("Broken glass"),
    paragraphs=(
        msg("Your marker goes down from 0 over −1, −2, −4, −6, −8, −11 and −14 to −18. You pay at the end "
            "of the game, so a short way down is cheap and a long one is not."),
        msg("Whoever reaches −18 loses 18 points at once and starts again at the top."),
    ),
)

ROUND: Final = Section(
    id="round", title=msg("The end of a round"),
    paragraphs=(
        msg("When factories and centre are empty, the bonus pane of the round goes to the tower. Who has "
            "the start tile begins the next round, and the factories are filled again."),
        msg("When the bag runs out, the panes of the tower go back into it. Strips, windows and glaziers "
            "stay as they are."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("After six rounds everybody scores 1 point for every three panes left on the strips, all "
            "strips together, and pays for the broken glass."),
        msg("Side A: each of the four ornaments looks at the four pane spaces around it. Four panes give "
            "10 points, three give 6, two give 3."),
        msg("Side B: multiply the number of your complete windows by the number of panes in your windows "
            "of the colour you have most of."),
        msg("If scores are equal, the player who lost fewer points through broken glass wins, the 18s "
            "already paid included; else the win is shared."),
    ),
    picture=Picture(
        position=pictures.END, panels=("seat1",),
        caption=msg("Side A: the ornaments have 4, 3, 2 and 1 panes: 10 + 6 + 3 + 0 = 19. On side B the "
                    "same windows give 3 complete ones times 4 blue panes: 12."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("Where the rule book is silent"),
    paragraphs=(
        msg("Coloured spaces are filled before joker spaces. Scores may fall below 0. Steps left over at "
            "−18 go on from the top."),
        msg("If nobody takes the start tile in a round, the same player begins again."),
        msg("We do not know the colours on the printed strips for certain: ours are stand-ins. If you own "
            "the game, give yours with the option “Strips”."),
    ),
)

def section_about(s: State, action: int) -> Section:
    """What to read when an action is refused."""
    if s.stage == KEEPING:
        return STRIP
    return BACK if action == RESET else TURN


GUIDE: Final = Guide(
    title=msg("How to play Stained Glass of Sintra"),
    summary=msg("Take all panes of one colour, lay them on a strip at or to the right of your glazier, "
                "and complete strips to fill your windows."),
    sections=(GOAL, SET_UP, TURN, BACK, STRIP, BROKEN, ROUND, END, RULINGS),
    section_about=section_about,
)
