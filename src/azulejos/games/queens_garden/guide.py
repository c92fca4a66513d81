"""How to play Queen's Garden, both sides of its scoring board, in our own words."""

from __future__ import annotations

from typing import Final

from azulejos.core.guide import Guide, Picture, Section
from azulejos.core.message import msg
from azulejos.games.queens_garden import pictures
from azulejos.games.queens_garden.layout import ACTING, DISCARDING, PAYING, PLACING, State
from azulejos.games.queens_garden.moves import BUY, CELL, PIECE
from azulejos.games.queens_garden.wheel import COMPONENT

GOAL: Final = Section(
    id="goal", title=msg("Goal of the game"),
    paragraphs=(
        msg("Build a garden in which hexagons of one colour, or of one pattern, lie next to each other. "
            "After four rounds the player with the highest score wins."),
        msg("Every hexagon has one of six colours and one of six patterns. The pattern gives its value: "
            "tree 1, bird 2, butterflies 3, flower 4, plant 5, bells 6."),
    ),
)

SET_UP: Final = Section(
    id="set-up", title=msg("Set-up"),
    paragraphs=(
        msg("You start with 15 points, 3 jokers and a fountain board: a fountain with six free cells "
            "around it. Your storage has room for 12 tiles or jokers in all, and for 2 garden expansions."),
        msg("For each round there is a stack of garden expansions, face down: 5 for two players, 7 for "
            "three, 8 for four. Put 4 tiles from the bag on the top one."),
    ),
)

ACQUIRE: Final = Section(
    id="acquire", title=msg("Your turn: acquire"),
    paragraphs=(
        msg("On your turn, do one of three things: acquire, place or pass. Play goes clockwise until "
            "everyone has passed."),
        msg("To acquire, name a colour or a pattern. You get every hexagon of that kind in the display, "
            "tiles and face-up expansions; if some are identical, you take only one of them, whichever "
            "you like. They must all fit in your storage."),
        msg("If you took a tile from the top of the stack, that expansion moves aside with the tiles left "
            "on it, and the next one gets 4 tiles."),
        msg("When the last tile is taken from an expansion that has moved aside, turn the expansion face "
            "up. From the next turn on it can be acquired by the colour or the pattern printed on it."),
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
        msg("Place a tile from your storage on a free cell, or an expansion at one of the six free "
            "places around the fountain board, turned as you like."),
        msg("The cost is the value of the hexagon, paid in pieces, and the placed one counts as one of "
            "them. So a tree is free, and a flower costs three more pieces."),
        msg("The hexagon you place and the ones you pay must all share one colour, each with a different "
            "pattern, or all share one pattern, each in a different colour. Jokers stand for anything; "
            "you may also pay with expansions from your storage."),
        msg("A hexagon may lie alone. If it has neighbours, at least one must share its colour or its "
            "pattern. This also applies to the hexagon printed on an expansion."),
        msg("A group is a set of connected hexagons of one colour, or of one pattern. No group may hold "
            "two identical hexagons."),
        msg("Instead you may spend 6 points to take an expansion from the supply and place it face down "
            "at once. It then has no hexagon and no pavilion, just seven free cells."),
    ),
    picture=Picture(
        position=pictures.PLACE, panels=("seat1",),
        caption=msg("The light green flower may fill the last cell at the fountain: it touches the light "
                    "green plant. It costs three more pieces, here the blue and the yellow flower and "
                    "one joker."),
    ),
)

JOKERS: Final = Section(
    id="jokers", title=msg("Winning jokers"),
    paragraphs=(
        msg("When all six cells around a fountain, statue, bench or pavilion hold hexagons, you get "
            "jokers at once: 1 for the fountain, 2 for a statue or bench, 3 for a pavilion."),
        msg("Jokers that do not fit in your storage are lost."),
    ),
)

PASS: Final = Section(
    id="pass", title=msg("Your turn: pass"),
    paragraphs=(
        msg("If you pass, you take no more turns until the next round. The first player to pass loses 1 "
            "point, takes the start marker and begins the next round."),
        msg("When you pass, you may discard hexagons from your storage. Each costs you its value in "
            "points, and you cannot spend more points than you have."),
    ),
)

ROUND: Final = Section(
    id="round", title=msg("The end of a round"),
    paragraphs=(
        msg("The wheel shows three colours or patterns for each round. Every hexagon in your garden that "
            "matches one of them scores the points shown; if it matches two, it scores both."),
        msg("Every visible pavilion in your garden scores 1 point."),
        msg("Then clear the display and set out the next stack for a new round. Gardens and storages "
            "stay as they are."),
    ),
    picture=Picture(
        position=pictures.END, panels=("wheel",),
        caption=msg("Round 4 of the standard side: 3 points for each plant, 1 for each light green "
                    "hexagon, 3 for each hexagon with bells. A light green plant scores 4 points."),
    ),
)

END: Final = Section(
    id="end", title=msg("The end of the game"),
    paragraphs=(
        msg("After round 4, each joker in your storage scores 1 point, and each hexagon left there costs "
            "you its value."),
        msg("Each group of one colour and each group of one pattern with at least three hexagons scores "
            "the sum of its hexagons' values. A hexagon may count both for its colour and for its "
            "pattern."),
        msg("A group of six scores 6 extra points. Players with equal scores share their place."),
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
        msg("Patterns on the wheel score their value. At the end of the game, groups of 4, 5 and 6 "
            "hexagons score 4, 5 and 6 extra points."),
    ),
)

RULINGS: Final = Section(
    id="rulings", title=msg("What the rulebooks leave open"),
    paragraphs=(
        msg("The first player is chosen at random. Passing first costs a point in round 4 as well, but "
            "cannot take you below 0; your final score may be negative."),
        msg("When the bag is empty, refill it with discarded tiles at once. If there are none, lay out "
            "the rest of the stack face up."),
        msg("You cannot pay for a hexagon with a second copy of it. Whether the jokers you win fit is "
            "checked after you have paid."),
        COMPONENT.about,
        msg("If you own the game, give your own under “Components of your own box” when you open a table."),
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
    summary=msg("Acquire hexagons by colour or pattern, pay to place them next to matching hexagons, and "
                "build large groups."),
    sections=(GOAL, SET_UP, ACQUIRE, PLACE, JOKERS, PASS, ROUND, END, VARIANT, RULINGS),
    section_about=section_about,
)
