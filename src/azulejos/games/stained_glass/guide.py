"""How to play Stained Glass of Sintra, sides A and B, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Pin, Section, steps
from azulejos.core.message import msg
from azulejos.games.stained_glass import pictures
from azulejos.games.stained_glass.components import COMPONENTS
from azulejos.games.stained_glass.layout import KEEPING, State
from azulejos.games.stained_glass.moves import RESET

GOAL: Final = Section(
    id="goal", title=msg("Goal of the game"),
    paragraphs=(
        msg("Complete strips of coloured glass. Each completed strip puts a pane in the window below it "
            "and scores that window plus every window to its right that already holds a pane, so strips "
            "are worth more and more as your board fills."),
        msg("The game has six rounds. The player with the highest score at the end wins."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Set-up"),
    paragraphs=(
        msg("Your board has eight windows, each with room for two panes. Above each window lies a strip "
            "of five spaces; all players have the same eight strips, each in a different random order."),
        msg("Strips have two sides, and the small picture above a strip shows the other one. "
            "Your glazier starts above the leftmost strip."),
        msg("One strip has two joker spaces on one side; a pane of any colour fits there. It starts with "
            "that side down, so jokers come into play when it is turned over."),
        msg("From left to right the windows are worth 4, 3, 3, 2, 2, 1, 1 and 2 points. On side A, "
            "ornaments lie between windows 1 and 2, 3 and 4, 5 and 6, 7 and 8."),
        msg("Six panes lie on the round track; the pane of the current round shows its bonus colour. Two "
            "players use 5 factories, three use 7, four use 9, with 4 panes each."),
        msg("The start marker lies in the centre. The first player is chosen at random, unless one was "
            "named when the table was opened."),
    ),
    picture=Picture(
        position=pictures.SETUP, panels=("offer", "track", "seat1"),
        caption=msg("Two players, side A: five factories with four panes each."),
        parts=(
            Pin(slot="F1", name=msg("factory"), dx=-1.3, dy=-1.0),
            Pin(slot="C.marker", name=msg("start marker"), dx=0.45, dy=0.45),
            Pin(slot="track1", name=msg("round track: white is the bonus colour of round 1"),
                dx=0.45, dy=-0.45),
            Pin(slot="seat1.glazier1", name=msg("glazier"), dx=0.6),
            Pin(slot="seat1.strip3.3", name=msg("strip of five spaces")),
            Pin(slot="seat1.back6", name=msg("the other side of a strip; this one has two joker spaces"),
                dx=0.6, dy=-0.5),
            Pin(slot="seat1.window3.upper", name=msg("window for two panes")),
            Pin(slot="seat1.window5.lower", name=msg("points of a window"), dx=-0.55, dy=0.9),
            Pin(slot="seat1.ornament4", name=msg("ornament, with the points it is worth now"),
                dx=0.0, dy=0.62),
            Pin(slot="seat1.broken", name=msg("broken-glass track"), dx=0.0, dy=1.0),
        ),
    ),
)

TURN: Final = Section(
    id="turn", title=msg("Your turn: take panes"),
    paragraphs=(
        msg("Choose one colour on one factory and take all its panes of that colour; move the other "
            "panes of that factory to the centre. Or take all panes of one colour from the centre."),
        msg("The first player to take from the centre in a round also takes the start marker and moves "
            "one step down the broken-glass track."),
        msg("Place all panes on one strip: the one below your glazier or one to its right. First move "
            "the glazier there. Each pane needs a free space of its colour or a free joker space."),
        msg("Panes that do not fit break: move one step down the broken-glass track for each, and put "
            "them in the tower."),
        msg("If at least one of the panes fits on a strip you can reach, you must use such a strip. Only "
            "if none fits anywhere do all of them break; the glazier then stays put."),
    ),
    picture=Picture(
        position=pictures.TURN, panels=("offer", "seat1"),
        caption=msg("Two pink panes from factory 1: on strip 1 one fits and one breaks. Strip 3 has room "
                    "for both, but then the glazier leaves two strips behind."),
    ),
    steps=steps(
        pictures.SCORE, ("offer", "seat1"),
        msg("It is your turn; you are player 1. Your glazier stands above strip 3, which lacks only a "
            "yellow pane. Yellow is the bonus colour of the round."),
        ("1y3", msg("You take the yellow pane from factory 1 and complete strip 3: 1 point for the bonus "
                    "colour. The other panes of the factory move to the centre.")),
        ("kw", msg("You keep the white pane for window 3 and turn the strip over. Windows 3, 5 and 7 score "
                   "3 + 2 + 1 = 6 points.")),
        ("4p3 0o5", msg("Player 2 takes pink. You take the four orange panes from the centre for strip 5: "
                        "two fit, two break. With the start marker you move three steps down the "
                        "broken-glass track.")),
        ("2b4 g", msg("Player 2 takes blue. Instead of taking panes you move the glazier back above your "
                      "leftmost strip. Now all strips are within reach again.")),
    ),
)

BACK: Final = Section(
    id="back", title=msg("Your turn: move the glazier back"),
    paragraphs=(
        msg("Instead of taking panes you may move the glazier back above your leftmost strip, unless it "
            "already stands there. You cannot pass in any other way."),
    ),
)

STRIP: Final = Section(
    id="strip", title=msg("A complete strip"),
    paragraphs=(
        msg("When all five spaces of a strip are filled, first score 1 point for each of its panes in the "
            "bonus colour of the round."),
        msg("Then keep one of its panes, whichever you like, for the window: the upper space first, the "
            "second time the lower one. The other four go to the tower."),
        msg("Finally, score the number below this window and the number below every window to its right "
            "that holds at least one pane."),
        msg("The first time, turn the strip over; the second time, remove it: its window is complete. "
            "The glazier stays where it is. Until a strip is full, its panes stay on it, also from round "
            "to round."),
    ),
    picture=Picture(
        position=pictures.SCORE, panels=("offer", "track", "seat1"),
        caption=msg("The yellow pane completes strip 3. Yellow is the bonus colour: 1 point. Window 3 "
                    "gives 3; windows 5 and 7, which already hold panes, add 2 and 1: 6 points for "
                    "windows, 7 in all."),
    ),
)

BROKEN: Final = Section(
    id="broken", title=msg("Broken glass"),
    paragraphs=(
        msg("Your marker moves down the track: 0, −1, −2, −4, −6, −8, −11, −14, −18. You lose these "
            "points at the end of the game, so a few steps are cheap and many are not."),
        msg("If you reach −18, you lose 18 points at once and your marker goes back to the top."),
    ),
)

ROUND: Final = Section(
    id="round", title=msg("The end of a round"),
    paragraphs=(
        msg("When all factories and the centre are empty, put the bonus pane of the round in the tower. "
            "Whoever holds the start marker begins the next round, and the factories are filled again."),
        msg("When a pane must be drawn and the bag is empty, put the panes from the tower back into it. "
            "Strips, windows and glaziers stay as they are."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("After six rounds, score 1 point for every three panes left on your strips, all strips "
            "together, and lose the points your broken-glass marker shows."),
        msg("Side A: for each of the four ornaments, count the panes in the four spaces around it: four "
            "are worth 10 points, three 6, two 3."),
        msg("Side B: multiply the number of your complete windows by the number of panes in your windows "
            "that have your most frequent colour."),
        msg("If scores are tied, the player who lost fewer points to broken glass (including any 18s "
            "already paid) wins; otherwise they share the win."),
    ),
    picture=Picture(
        position=pictures.END, panels=("seat1",),
        caption=msg("Side A: the ornaments have 4, 3, 2 and 1 panes: 10 + 6 + 3 + 0 = 19. On side B the "
                    "same windows give 3 complete ones times 4 blue panes: 12."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("What the rulebooks leave open"),
    paragraphs=(
        msg("Fill coloured spaces before joker spaces. Scores may fall below 0. Any steps left after "
            "reaching −18 continue from the top."),
        msg("Above an empty place, the glazier may go back only to a strip on its left: going to the "
            "right would be a free pass."),
        msg("If nobody takes the start marker in a round, the same player begins the next one."),
        COMPONENTS["strips"].about,
        COMPONENTS["broken"].about,
        msg("If you own the game, give your own under “Components of your own box” when you open a table."),
    ),
)


def section_about(s: State, action: int) -> Section:
    """The section that explains why an action was refused."""
    if s.stage == KEEPING:
        return STRIP
    return BACK if action == RESET else TURN


GLANCE: Final = (
    Picture(position=pictures.SCORE, move="1y3", panels=("offer",),
            caption=msg("Take all panes of one colour from one factory or from the centre.")),
    Picture(position=pictures.SCORE, earlier=("1y3", "kw", "4p3"), move="0o5", panels=("seat1",),
            caption=msg("Place them on a strip below your glazier or to its right.")),
    Picture(position=pictures.SCORE, earlier=("1y3",), move="kw", panels=("seat1",),
            caption=msg("Score: a complete strip gives a pane to its window.")),
)

CARD: Final = (
    (msg("Set-up"), (
        msg("Factories for 2, 3 or 4 players: 5, 7 or 9, with 4 panes each."),
    )),
    (msg("Your turn"), (
        msg("Take all panes of one colour from a factory (the others go to the centre) or from the centre "
            "(the first player to do so also takes the start marker and moves one step down)."),
        msg("Place them on one strip below the glazier or to its right. Each pane that does not fit "
            "breaks: one step down."),
        msg("Or move the glazier back above your leftmost strip."),
    )),
    (msg("A complete strip"), (
        msg("1 point for each of its panes in the bonus colour; keep one pane for the window."),
        msg("Points of this window and of each window to its right that holds a pane: 4, 3, 3, 2, 2, 1, 1, "
            "2."),
    )),
    (msg("Broken glass"), (
        msg("0, −1, −2, −4, −6, −8, −11, −14, −18. At −18 you lose 18 points at once and start from the "
            "top."),
    )),
    (msg("The end of the game"), (
        msg("After 6 rounds: 1 point for every 3 panes left on your strips, minus broken glass."),
        msg("Side A: 10, 6 or 3 points for an ornament with 4, 3 or 2 panes."),
        msg("Side B: complete windows times the panes of your most frequent colour."),
    )),
)

GUIDE: Final = Guide(
    title=msg("How to play Stained Glass of Sintra"),
    facts=msg("2 to 4 players, 6 rounds, about 45 minutes"),
    glance=GLANCE, card=CARD,
    terms=("factory", "centre", "pane", "strip", "window", "glazier", "joker-space", "broken-glass-track",
           "round-track", "ornament", "tower", "bag", "start-marker"),
    summary=msg("Take all panes of one colour, place them on a strip below or to the right of your "
                "glazier, and complete strips to fill your windows."),
    sections=(GOAL, SET_UP, TURN, BACK, STRIP, BROKEN, ROUND, END, RULINGS),
    section_about=section_about,
)
