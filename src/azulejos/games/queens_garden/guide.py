"""How to play Queen's Garden, both sides of its scoring board, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Section
from azulejos.core.message import msg
from azulejos.games.queens_garden import pictures
from azulejos.games.queens_garden.layout import ACTING, DISCARDING, PAYING, PLACING, State
from azulejos.games.queens_garden.moves import BUY, CELL, PIECE

GOAL: Final = Section(
    id="goal", title=msg("What you want"),
    paragraphs=(
        msg("Plant a garden in which hexagons of one colour, or of one pattern, lie together. After four "
            "rounds the highest score wins."),
        msg("Every hexagon has one of six colours and one of six patterns. The pattern is its value: tree "
            "1, bird 2, butterflies 3, flower 4, plant 5, bells 6."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Before the first round"),
    paragraphs=(
        msg("You start with 15 points, 3 jokers, and a garden with a fountain and six free cells around "
            "it. Your storage holds 12 tiles and jokers, and 2 garden expansions."),
        msg("For each round there is a stack of garden expansions: 5 for two players, 7 for three, 8 for "
            "four. On the top one lie 4 tiles from the bag."),
    ),
)

ACQUIRE: Final = Section(
    id="acquire", title=msg("Your turn: acquire"),
    paragraphs=(
        msg("In your turn you do one thing: acquire, place, or pass. Turns go clockwise until all have "
            "passed."),
        msg("To acquire, name a colour or a pattern. You get every hexagon of that kind on offer, tiles "
            "and face-up expansions; of identical hexagons only one, which you choose. They must all fit "
            "into your storage."),
        msg("If you took a tile from the top of the stack, that expansion moves aside with the tiles left "
            "on it, and the next one gets 4 tiles."),
        msg("An expansion that has moved aside and lost its last tile is turned face up. From the next "
            "turn on it can be acquired by the colour or the pattern printed on it."),
    ),
    picture=Picture(
        position=pictures.DISPLAY, panels=("display",),
        caption=msg("“Yellow” gets the yellow plant and one of the two yellow butterflies. “Flower” gets "
                    "the expansion that is face up."),
    ),
)

PLACE: Final = Section(
    id="place", title=msg("Your turn: place"),
    paragraphs=(
        msg("Place a tile from your storage on a free cell, or an expansion on one of the six free places "
            "around the fountain board, turned as you like."),
        msg("The cost is the value of the hexagon, paid in pieces, and the placed one counts as one of "
            "them. So a tree is free, and a flower needs three more."),
        msg("Everything you pay must have one colour and different patterns, or one pattern and different "
            "colours, together with the placed hexagon. Jokers stand for anything; expansions in your "
            "storage may pay too."),
        msg("A hexagon may lie alone. If it has neighbours, at least one must share its colour or its "
            "pattern. The hexagon printed on an expansion obeys this too."),
        msg("No group of one colour, and no group of one pattern, may hold two identical hexagons. A "
            "group is everything of one kind that hangs together."),
        msg("For 6 points you may instead take a face-down expansion and place it at once. It has no "
            "hexagon and no pavilion, just seven free cells."),
    ),
    picture=Picture(
        position=pictures.PLACE, panels=("seat1",),
        caption=msg("The light green flower may fill the last cell at the fountain: it touches the light "
                    "green plant. It needs three more pieces, here the blue and the yellow flower and one "
                    "joker."),
    ),
)

JOKERS: Final = Section(
    id="jokers", title=msg("Winning jokers"),
    paragraphs=(
        msg("Surround something with six hexagons and you get jokers at once: 1 for the fountain, 2 for a "
            "statue or a bench, 3 for a pavilion."),
        msg("Jokers that find no room in your storage are lost."),
    ),
)

PASS: Final = Section(
    id="pass", title=msg("Your turn: pass"),
    paragraphs=(
        msg("Whoever passes is out until the next round. The first to pass loses 1 point and begins the "
            "next round."),
        msg("When you pass, you may throw away hexagons of your storage for minus their value, as long as "
            "your points cover it."),
    ),
)

ROUND: Final = Section(
    id="round", title=msg("The end of a round"),
    paragraphs=(
        msg("The wheel shows three colours or patterns for each round. Every hexagon of your garden that "
            "matches one of them scores the points shown, and it may match two."),
        msg("Every pavilion you can see in your garden scores 1 point."),
        msg("Then the display is cleared, the next stack comes, and a new round begins. Gardens and "
            "storages stay as they are."),
    ),
    picture=Picture(
        position=pictures.END, panels=("wheel",),
        caption=msg("Round 4 of the standard side: 3 points for each plant, 1 for each light green "
                    "hexagon, 3 for each hexagon with bells. A light green plant gives 4."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("After round 4, each joker in your storage gives 1 point, and each hexagon there costs its "
            "value."),
        msg("Each group of one colour and each group of one pattern with at least three hexagons scores "
            "the values of its hexagons. One hexagon may count for its colour and for its pattern."),
        msg("A group of all six gives 6 more. Equal scores share their place."),
    ),
    picture=Picture(
        position=pictures.END, panels=("seat1",),
        caption=msg("Groups: yellow 2 + 6 + 4 = 12, light green 2 + 5 + 4 = 11, birds 2 + 2 + 2 = 6. In "
                    "the storage two jokers (+2) and butterflies (−3): 28 points."),
    ),
)

VARIANT: Final = Section(
    id="variant", title=msg("Variant side of the scoring board"),
    paragraphs=(
        msg("Patterns on the wheel score their value. At the end groups of 4, 5 and 6 hexagons give 4, 5 "
            "and 6 more points."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("Where the rule books are silent"),
    paragraphs=(
        msg("Who begins is drawn by lot. The point for passing first is paid in round 4 too, but never "
            "below 0; the final sum may be negative."),
        msg("An empty bag is refilled with discarded tiles at once. If there are none, the rest of the "
            "stack is laid out face up."),
        msg("A second copy of the hexagon you place never pays for it. Room for won jokers is counted "
            "after you have paid."),
        msg("The points of patterns on the variant's wheel are our best guess."),
    ),
)

def section_about(s: State, action: int) -> Section:
    """What to read when an action is refused."""
    if s.stage == DISCARDING:
        return PASS
    if s.stage in (PLACING, PAYING) or (s.stage == ACTING and (PIECE <= action < CELL or action == BUY)):
        return PLACE
    return ACQUIRE


GUIDE: Final = Guide(
    title=msg("How to play Queen's Garden"),
    summary=msg("Acquire hexagons by colour or pattern, pay to plant them beside hexagons that match, and "
                "grow large groups."),
    sections=(GOAL, SET_UP, ACQUIRE, PLACE, JOKERS, PASS, ROUND, END, VARIANT, RULINGS),
    section_about=section_about,
)
